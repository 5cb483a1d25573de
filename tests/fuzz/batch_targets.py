"""What a fuzzer feeds to the readers of record batches, sets of messages and compressed bytes.

The first byte of an input chooses what the rest is; checksums are made right where a wrong one
would keep the fuzzer out of everything behind it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final
from zlib import crc32

from barnabas.broker.core.log.record_check import facts_of
from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.batch_json import BatchBackend, PythonBatches, batch_json
from barnabas.protocol.checksum import crc32c
from barnabas.protocol.compression import Codec, codec_of, compress, decompress
from barnabas.protocol.construct_backend.batches import ConstructBatches
from barnabas.protocol.control_records import decode_control
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    CRC_AT,
    HEADER,
    HEADER_SIZE,
    LENGTH_AT,
    LOG_OVERHEAD,
    MAGIC_AT,
    check_batch,
    check_client_batch,
    iter_batch_headers,
    read_batch_header,
)
from barnabas.protocol.records import decode_batch, iter_records

LIMIT: Final = 1 << 20
"""Bytes that a compressed body may become here; the product's own limit is 64 times that."""

_PYTHON: Final = PythonBatches()
_CONSTRUCT: Final = ConstructBatches()


def batches(data: bytes) -> None:
    """BatchError, or records; nothing else, and nothing beyond the limit."""
    if data:
        MODES[data[0] % len(MODES)](data[1:])


def _as_they_are(data: bytes) -> None:
    """Any bytes as a row of batches of any magic."""
    with suppress(BatchError):
        check_client_batch(check_batch(data, 0, len(data)))
    with suppress(BatchError):
        header = read_batch_header(data)
        repr((header, header.codec, header.last_sequence, header.next_offset))
    for with_control in (False, True):
        with suppress(BatchError):
            list(iter_records(data, LIMIT, with_control))
    with suppress(BatchError):
        _check_spans(data)
    _compare(data)


def _check_spans(data: bytes) -> None:
    """Headers come one behind another, each whole, none twice."""
    at = 0
    for start, header in iter_batch_headers(data):
        assert start == at and header.size > 0, f"a batch at {start}, expected at {at}"
        at += header.size
    assert at <= len(data)


def _right_checksum(data: bytes) -> None:
    """A batch of magic 2 whose length and checksum fit."""
    batch = bytearray(data.ljust(HEADER_SIZE, b"\0"))
    batch[LENGTH_AT : LENGTH_AT + 4] = (len(batch) - LOG_OVERHEAD).to_bytes(4, "big")
    batch[MAGIC_AT] = 2
    batch[CRC_AT:ATTRIBUTES_AT] = crc32c(bytes(batch[ATTRIBUTES_AT:])).to_bytes(4, "big")
    _decode(bytes(batch))


def _packed_records(data: bytes) -> None:
    """Bytes as the records of a batch with one codec after another: two bytes say how many."""
    if len(data) < 3:
        return
    codec = Codec(data[0] % len(Codec))
    count = int.from_bytes(data[1:3], "big", signed=True)
    body = compress(codec, data[3:])
    size = HEADER_SIZE - LOG_OVERHEAD + len(body)
    fields = (7, size, 3, 2, 0, codec, max(count - 1, 0), 1000, 2000, -1, -1, -1, count)
    _right_checksum(HEADER.pack(*fields) + body)


def _decode(batch: bytes) -> None:
    with suppress(BatchError):
        check_client_batch(check_batch(batch, 0, len(batch)))
    with suppress(BatchError):
        records = decode_batch(batch, 0, LIMIT)
        header = read_batch_header(batch)
        assert len(records) == header.record_count
        assert all(record.offset <= header.last_offset for record in records)
        if header.is_control:
            for record in records:
                with suppress(BatchError):
                    decode_control(record.key, record.value)
    _check_framing(batch)
    _compare(batch)


def _check_framing(batch: bytes) -> None:
    """What a broker stores is what a consumer can read, offsets and all, and nothing else."""
    header = read_batch_header(batch)
    try:
        deltas = [one.offset - header.base_offset for one in decode_batch(batch, 0, LIMIT)]
    except BatchError:
        deltas = []
    try:
        facts_of(batch, LIMIT)
    except BatchError:
        assert not deltas or deltas != list(range(len(deltas))), "readable, and not taken"
    else:
        assert deltas == list(range(len(deltas))) != [], "taken, and not readable"


def _compare(data: bytes) -> None:
    """Both backends take the same batches, as the same JSON."""
    one, other = _parsed(_PYTHON, data), _parsed(_CONSTRUCT, data)
    assert one == other, f"{one} and {other}"


def _parsed(backend: BatchBackend, data: bytes) -> Any:
    try:
        return [batch_json(backend.parse(part)) for part in backend.split(data)]
    except BatchError:
        return None


def _compressed(data: bytes) -> None:
    """Bytes for a decompressor, which must stay below its limit."""
    if not data:
        return
    with suppress(BatchError):
        codec = codec_of(data[0] & 7)
        found = decompress(codec, data[1:], LIMIT)
        assert codec == Codec.NONE or len(found) <= LIMIT


def _entries(data: bytes) -> bytes:
    """A row of entries of magic 0 and 1, their lengths given by a byte, their checksums right."""
    entries: list[bytes] = []
    while len(data) > 1:
        size, data = 2 + data[0], data[1:]
        covered, data = data[:size], data[size:]
        offset = len(entries).to_bytes(8, "big")
        length = (len(covered) + 4).to_bytes(4, "big")
        entries.append(offset + length + crc32(covered).to_bytes(4, "big") + covered)
    return b"".join(entries)


def _legacy(data: bytes) -> None:
    """Entries of magic 0 and 1 with right checksums."""
    entries = _entries(data)
    with suppress(BatchError):
        list(iter_records(entries, LIMIT))
    _compare(entries)


def _legacy_wrapper(data: bytes) -> None:
    """A compressed entry of magic 0 or 1 around entries with right checksums."""
    if not data:
        return
    magic, codec = data[0] & 1, Codec(data[0] >> 1 & 3)
    value = compress(codec, _entries(data[1:]))
    timestamp = (5).to_bytes(8, "big") if magic else b""
    sizes = b"\xff\xff\xff\xff" + len(value).to_bytes(4, "big")
    covered = bytes([magic, codec | data[0] >> 4 & 8]) + timestamp + sizes + value
    entry = (9).to_bytes(8, "big") + (len(covered) + 4).to_bytes(4, "big")
    entry += crc32(covered).to_bytes(4, "big") + covered
    with suppress(BatchError):
        decode_batch(entry, 0, LIMIT)
    _compare(entry)


def _control(data: bytes) -> None:
    """The key and the value of a control record; a byte says where the value begins."""
    if data:
        middle = 1 + data[0] % 8
        with suppress(BatchError):
            repr(decode_control(data[1:middle], data[middle:]))


MODES: Final = (
    _as_they_are,
    _right_checksum,
    _packed_records,
    _compressed,
    _legacy,
    _legacy_wrapper,
    _control,
)
