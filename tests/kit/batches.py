"""Record batches of magic 2 made by hand, so that any field can be wrong.

The bytes are put together here, so that no test trusts our own builder.
"""

from __future__ import annotations

import struct
import time

import crc32c

from .varints import varint


def record(delta: int, value: bytes | None, key: bytes | None = None, time_delta: int = 0) -> bytes:
    """One record without headers; both deltas count from the batch's first record."""
    body = b"\0" + varint(time_delta) + varint(delta)
    for part in (key, value):
        body += varint(-1) if part is None else varint(len(part)) + part
    body += varint(0)
    return varint(len(body)) + body


def around(
    records: bytes,
    *,
    count: int,
    timestamp: int,
    max_timestamp: int | None = None,
    last_offset_delta: int | None = None,
    attributes: int = 0,
    producer_id: int = -1,
    producer_epoch: int = -1,
    base_sequence: int = -1,
    base_offset: int = 0,
    leader_epoch: int = -1,
    magic: int = 2,
    crc: int | None = None,
) -> bytes:
    """A batch around any bytes, with a right length and, if none is given, a right CRC."""
    checked = struct.pack(
        ">hiqqqhii",
        attributes,
        count - 1 if last_offset_delta is None else last_offset_delta,
        timestamp,
        timestamp if max_timestamp is None else max_timestamp,
        producer_id,
        producer_epoch,
        base_sequence,
        count,
    )
    checked += records
    crc = crc32c.crc32c(checked) if crc is None else crc
    body = struct.pack(">ibI", leader_epoch, magic, crc) + checked
    return struct.pack(">qi", base_offset, len(body)) + body


def batch(
    *values: bytes,
    key: bytes | None = None,
    timestamp: int | None = None,
    count: int | None = None,
    records: bytes | None = None,
    **fields: int,
) -> bytes:
    """A batch with these values, of this moment; more fields as of `around`."""
    now = int(time.time() * 1000) if timestamp is None else timestamp
    if records is None:
        records = b"".join(record(n, value, key) for n, value in enumerate(values))
    count = len(values) if count is None else count
    return around(records, count=count, timestamp=now, **fields)
