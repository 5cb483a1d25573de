"""Makes record batches and message sets for tests, also ones that no honest writer makes."""

from __future__ import annotations

from struct import pack
from zlib import crc32

from barnabas.protocol.checksum import crc32c
from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.record_batch import HEADER
from barnabas.protocol.record_builder import RecordBatchBuilder

NOW = 1_700_000_000_000
COMPRESSED = [codec for codec in Codec if codec != Codec.NONE]


def varint(value: int) -> bytes:
    """A zigzag varint."""
    return uvarint(value * 2 if value >= 0 else -value * 2 - 1)


def uvarint(value: int) -> bytes:
    """An unsigned varint."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def record(
    *,
    timestamp_delta: bytes = b"\0",
    offset_delta: bytes = b"\0",
    key: bytes = b"\x02k",
    value: bytes = b"\x02v",
    headers: bytes = b"\0",
    size: bytes | None = None,
) -> bytes:
    """One record of magic 2; every part can be given as bytes, right or wrong."""
    body = b"\0" + timestamp_delta + offset_delta + key + value + headers
    return (varint(len(body)) if size is None else size) + body


def batch(
    body: bytes,
    *,
    count: int = 1,
    last_delta: int | None = None,
    codec: int = 0,
    attributes: int = 0,
    base_offset: int = 0,
    base_timestamp: int = NOW,
    producer_id: int = -1,
    base_sequence: int = -1,
) -> bytes:
    """A batch around any bytes, with a right length and a right checksum.

    `body` is what stands there, so it is compressed already if `codec` says so.
    """
    fields = [
        base_offset,
        len(body) + 49,
        7,
        2,
        0,
        attributes | codec,
        count - 1 if last_delta is None else last_delta,
        base_timestamp,
        base_timestamp,
        producer_id,
        0 if producer_id >= 0 else -1,
        base_sequence,
        count,
    ]
    fields[4] = crc32c(HEADER.pack(*fields)[21:] + body)
    return HEADER.pack(*fields) + body


def small_batch(codec: Codec = Codec.NONE, records: int = 3, base_offset: int = 0) -> bytes:
    """An honest batch of a few records."""
    builder = RecordBatchBuilder(codec=codec, base_offset=base_offset, leader_epoch=2)
    for number in range(records):
        builder.append(NOW + number, b"key-%d" % number, b"value " * 5, (("h", b"1"), ("n", None)))
    return builder.build()


def message(
    offset: int,
    value: bytes | None,
    *,
    key: bytes | None = None,
    magic: int = 1,
    attributes: int = 0,
    timestamp: int = NOW,
) -> bytes:
    """An entry of a message set of magic 0 or 1."""
    body = pack(">bb", magic, attributes)
    if magic == 1:
        body += pack(">q", timestamp)
    for part in (key, value):
        body += pack(">i", -1) if part is None else pack(">i", len(part)) + part
    return pack(">qiI", offset, len(body) + 4, crc32(body)) + body


def wrapper(
    codec: Codec,
    inner: bytes,
    offset: int,
    *,
    magic: int = 1,
    attributes: int = 0,
    timestamp: int = NOW,
) -> bytes:
    """A compressed message set inside an entry."""
    packed = compress(codec, inner)
    return message(offset, packed, magic=magic, attributes=attributes | codec, timestamp=timestamp)
