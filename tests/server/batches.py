"""Record batches made by hand, so that any field can be wrong."""

from __future__ import annotations

import struct
import time

from barnabas.protocol.checksum import crc32c


def varint(value: int) -> bytes:
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def record(delta: int, value: bytes, key: bytes | None = None, time_delta: int = 0) -> bytes:
    body = b"\0" + varint(time_delta) + varint(delta)
    body += varint(-1) if key is None else varint(len(key)) + key
    body += varint(len(value)) + value + varint(0)
    return varint(len(body)) + body


def batch(  # one argument a field that a test may want to be wrong
    *values: bytes,
    key: bytes | None = None,
    timestamp: int | None = None,
    max_timestamp: int | None = None,
    attributes: int = 0,
    producer_id: int = -1,
    producer_epoch: int = -1,
    base_sequence: int = -1,
    base_offset: int = 0,
    count: int | None = None,
    last_offset_delta: int | None = None,
    magic: int = 2,
    records: bytes | None = None,
) -> bytes:
    """One batch of magic 2 with a right CRC, whatever else is wrong."""
    now = int(time.time() * 1000) if timestamp is None else timestamp
    if records is None:
        records = b"".join(record(n, value, key) for n, value in enumerate(values))
    count = len(values) if count is None else count
    checked = (
        struct.pack(
            ">hiqqqhii",
            attributes,
            count - 1 if last_offset_delta is None else last_offset_delta,
            now,
            now if max_timestamp is None else max_timestamp,
            producer_id,
            producer_epoch,
            base_sequence,
            count,
        )
        + records
    )
    body = struct.pack(">ibI", -1, magic, crc32c(checked)) + checked
    return struct.pack(">qi", base_offset, len(body)) + body
