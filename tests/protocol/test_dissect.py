"""`barnabas dissect`: every byte of what Kafka wrote is explained, damage is named."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit.message_sets import message, wrapper
from kit.raw_batches import small_batch

from barnabas.protocol.batch_vectors import batch_backend
from barnabas.protocol.compression import Codec
from barnabas.protocol.dissect import Request, Row, dissect, kind_of, kind_of_contents
from barnabas.protocol.header import encode_request
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)

from .mutations import mutated

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


@pytest.mark.slow
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
    rows = explained(path, bytes(data))
    assert "WRONG" in value_of(rows, "batch[0].crc")
    assert [row.path for row in rows if row.is_problem] == ["batch[0].crc"]


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


INDEXES = {"index", "timeindex", "txnindex"}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_the_bytes_say_what_they_are(path: Path) -> None:
    """Goal: a file without its name is still known, if its bytes have anything to be known by."""
    kind = kind_of(str(path))
    if kind not in INDEXES:
        assert kind_of_contents(path.read_bytes()) == kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", None),
        (b"\xff" * 40, None),
        (b"{nonsense", None),
        (b"just text\n", None),
        (b"0\n0\n", "offset-checkpoint"),
        (b"0\n1\na b c d\n", None),
        (small_batch(), "segment"),
        (small_batch()[:-1], None),
        (message(0, b"v"), "segment"),
        (bytes(encode_request(FetchRequest(), 12, 1, "me")), "request"),
        (b"\0\0\0\x08\0\1\0\x63\0\0\0\1", None),
    ],
)
def test_bytes_of_all_kinds(data: bytes, kind: str | None) -> None:
    """Goal: what looks like nothing is nothing."""
    assert kind_of_contents(data) == kind


def test_a_damaged_batch_does_not_hide_those_behind() -> None:
    """Goal: damage is named where it is, and reading goes on at the next batch."""
    damaged = bytearray(small_batch())
    damaged[61] = 0x7E  # length of the first record
    rows = dissect(small_batch() + bytes(damaged) + small_batch(), Request("segment"))
    assert [row.path for row in rows if row.is_problem] == ["batch[1].crc", "batch[1]"]
    assert value_of(rows, "batch[2].record[2].value") == "'value value value value value '"


def test_batches_inside_a_frame() -> None:
    """Goal: the records of a Produce request are explained like those of a segment."""
    records = small_batch(Codec.GZIP) + small_batch()[:-4]
    request = ProduceRequest(
        topic_data=[
            TopicProduceData(
                name="t", partition_data=[PartitionProduceData(index=1, records=records)]
            )
        ]
    )
    frame = bytes(encode_request(request, 9, 99, "me"))
    rows = dissect(frame, Request("request"))
    prefix = "ProduceRequest.topicData[0].partitionData[0].records"
    assert value_of(rows, f"{prefix}.length") == str(len(records))
    assert value_of(rows, f"{prefix}.batch[0].record[1].key") == "'key-1'"
    assert "torn tail" in value_of(rows, f"{prefix}.end")
    assert not [row for row in rows if row.is_problem]
    assert b"".join(row.data for row in rows if row.offset >= 0) == frame


def test_old_message_sets() -> None:
    """Goal: magic 0 and 1, also inside compressed messages, with their checksums."""
    inner = message(0, b"one") + message(1, b"two")
    data = message(6, b"zero", magic=0) + wrapper(Codec.LZ4, inner, 8)
    rows = dissect(data, Request("segment"))
    assert not [row for row in rows if row.is_problem]
    assert value_of(rows, "batch[0].value") == "'zero'"
    assert value_of(rows, "batch[1].message[1].value") == "'two'"
    assert sum(row.path.endswith(".crc") and row.value.endswith("ok") for row in rows) == 4
    nested = dissect(wrapper(Codec.GZIP, wrapper(Codec.GZIP, inner, 1), 1), Request("segment"))
    assert "inside a compressed message" in nested[-1].value


@pytest.mark.parametrize("seed", range(4))
def test_damaged_batches_never_raise(seed: int) -> None:
    """Goal: any bytes give rows; so do batches that both backends of the codecs refuse."""
    random = Random(seed)
    python = batch_backend("python")
    for _ in range(150):
        codec = random.choice(list(Codec))
        data = mutated(small_batch(codec) + message(3, b"v") + small_batch(codec), random)
        rows = dissect(data, Request("segment"))
        if any(row.is_problem for row in rows):
            continue
        for part in python.split(data):
            python.parse(part)
