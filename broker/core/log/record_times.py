"""The first record of a batch at a time: decompressed with a bound, decoded no further than needed.

A batch may hold a million records; who asks for a time wants one of them. Of each record only the
offset and the timestamp are read, up to the one that is looked for.
"""

from __future__ import annotations

from barnabas.protocol.batch_errors import CorruptBatchError, InvalidBatchError
from barnabas.protocol.record_batch import check_batch, read_batch_header
from barnabas.protocol.record_walk import INT64_MAX, INT64_MIN, first_since
from barnabas.protocol.records import batch_body, decode_batch

from ..ports import Buffer

TimestampOffset = tuple[int, int, int]
"""Timestamp (ms), offset, leader epoch of the batch."""


def first_record(
    batch: Buffer, timestamp: int, start_offset: int, limit: int
) -> TimestampOffset | None:
    """The first record of `timestamp` (ms) or later, and not before `start_offset`; None if none.

    `limit` bounds what a compressed batch may become, in bytes (ENV-13). Raises CorruptBatchError,
    InvalidBatchError: only if what is wrong lies before the record.
    """
    header = read_batch_header(batch)
    if header.size > len(batch):
        raise CorruptBatchError(f"a batch of {header.size} bytes, {len(batch)} are there")
    if header.magic < 2:
        for record in decode_batch(batch, 0, limit):
            if record.timestamp >= timestamp and record.offset >= start_offset:
                return record.timestamp, record.offset, -1
        return None
    check_batch(batch, 0, header.size)
    data = batch_body(batch, 0, header, limit)
    is_stamped = header.is_log_append_time  # then all records have the time of the header
    if not is_stamped:
        wanted = timestamp - header.base_timestamp
    else:
        wanted = INT64_MIN if timestamp <= header.max_timestamp else INT64_MAX + 1
    found = first_since(data, header.record_count, wanted, start_offset - header.base_offset)
    if found is None:
        return None
    time = header.max_timestamp if is_stamped else header.base_timestamp + found[0]
    offset = header.base_offset + found[1]
    if time > INT64_MAX or offset > INT64_MAX:
        raise InvalidBatchError(f"timestamp {time} at offset {offset}")
    return time, offset, header.partition_leader_epoch
