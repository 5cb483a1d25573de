"""`barnabas dissect`: every byte of what Kafka wrote is explained, damage is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.protocol.dissect import Request, Row, dissect, kind_of
from barnabas.protocol.header import encode_request
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic

FILES = Path(__file__).parent / "kafka_files"
"""Files of a log directory that Apache Kafka 4.3.1 wrote."""

ALL = sorted(path for path in FILES.rglob("*") if path.is_file())


def explained(path: Path, data: bytes | None = None) -> list[Row]:
    kind = kind_of(str(path))
    assert kind is not None, path
    return dissect(path.read_bytes() if data is None else data, Request(kind, str(path)))


def value_of(rows: list[Row], path: str) -> str:
    return next(row.value for row in rows if row.path == path)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_every_byte_of_a_file_is_in_one_row(path: Path) -> None:
    """Goal: rows join to the file: nothing is skipped, nothing is explained twice."""
    rows = explained(path)
    assert not [row for row in rows if row.is_problem]
    assert b"".join(row.data for row in rows if row.offset >= 0) == path.read_bytes()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_damage_never_raises(path: Path) -> None:
    """Goal: any file cut anywhere, or with a byte changed, gives rows and no exception."""
    data = path.read_bytes()
    for cut in range(0, len(data), 1 + len(data) // 300):
        explained(path, data[:cut])
    for position in range(0, len(data), 1 + len(data) // 100):
        changed = bytearray(data)
        changed[position] ^= 0x55
        explained(path, bytes(changed))


def test_metadata_records_are_read() -> None:
    """Goal: a snapshot shows its header, voters, and the records of the metadata log."""
    rows = explained(FILES / "__cluster_metadata-0/00000000000000000045-0000000001.checkpoint")
    assert value_of(rows, "batch[0].record[0].key.type") == "3 snapshot header"
    assert any(row.path.endswith("TopicRecord.name") for row in rows)
    assert all(row.value.endswith("ok") for row in rows if row.path.endswith("].crc"))


def test_a_wrong_crc_is_said() -> None:
    """Goal: the reader sees what the CRC is and what it should be."""
    path = FILES / "__cluster_metadata-0/00000000000000000047.log"
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    assert "WRONG" in value_of(explained(path, bytes(data)), "batch[0].crc")


def test_a_torn_tail_is_named() -> None:
    """Goal: a segment that ends inside a batch says where."""
    path = FILES / "__cluster_metadata-0/00000000000000000047.log"
    rows = explained(path, path.read_bytes()[:-5])
    assert rows[-1].is_problem
    assert "torn tail" in rows[-1].value


def test_index_offsets_are_absolute() -> None:
    """Goal: relative offsets are shown with the base offset of the file's name."""
    rows = explained(FILES / "payments-0/00000000000000000232.index")
    assert rows[0].value.endswith(f"(base 232 + {int.from_bytes(rows[0].data, 'big')})")


def test_a_request_frame() -> None:
    """Goal: size, header and body of a request, field by field, with array indexes."""
    request = FetchRequest(
        topics=[FetchTopic(topic="t", partitions=[FetchPartition(partition=3, fetch_offset=7)])]
    )
    frame = encode_request(request, 12, 99, "me")
    rows = dissect(bytes(frame), Request("request"))
    assert not [row for row in rows if row.is_problem]
    assert value_of(rows, "FetchRequest.topics[0].partitions[0].fetchOffset") == "7"
    assert value_of(rows, "RequestHeader.correlationId") == "99"
    assert b"".join(row.data for row in rows) == frame


def test_a_response_needs_its_api() -> None:
    """Goal: the error says what is missing."""
    rows = dissect(b"\0\0\0\1\0\0", Request("response"))
    assert "give both" in rows[-1].value


def test_unknown_kind_is_refused() -> None:
    """Goal: the error lists the kinds."""
    with pytest.raises(ValueError, match="segment"):
        dissect(b"", Request("nonsense"))
