"""The first record of a batch at a time: decompressed with a bound, decoded no further than needed.

A batch may hold a million records; who asks for a time wants one of them. Of each record only the
offset and the timestamp are read, up to the one that is looked for.
"""

from __future__ import annotations

from barnabas.protocol.batch_errors import CorruptBatchError, InvalidBatchError
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.record_batch import BatchHeader, check_batch, read_batch_header
from barnabas.protocol.records import INT64_MAX, batch_body, decode_batch
from barnabas.protocol.varints import read_uvarint_rest, read_varlong

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
    try:
        data = batch_body(batch, 0, header, limit)
        found = _first(data, header, timestamp, start_offset - header.base_offset)
    except IndexError:
        raise InvalidBatchError("a record is cut short") from None
    except DecodeError as error:
        raise InvalidBatchError(str(error)) from None
    if found is None:
        return None
    time, offset = found[0], header.base_offset + found[1]
    if time > INT64_MAX or offset > INT64_MAX:
        raise InvalidBatchError(f"timestamp {time} at offset {offset}")
    return time, offset, header.partition_leader_epoch


# Flat on purpose, and each varint read in place when it has one byte: there may be a million.
def _first(data: bytes, header: BatchHeader, timestamp: int, start: int) -> tuple[int, int] | None:
    """Timestamp and offset delta of the record. Raises IndexError, DecodeError."""
    is_append_time = header.is_log_append_time
    base = header.max_timestamp if is_append_time else header.base_timestamp
    wanted = timestamp - base
    end = len(data)
    at = 0
    for _ in range(header.record_count):
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_uvarint_rest(data, at, size)
        record_end = at + (size >> 1)
        if size & 1 or record_end > end:
            raise InvalidBatchError(f"a record of {size >> 1} bytes, {end - at} are left")
        delta = data[at + 1]
        if delta > 0x7F:
            delta, at = read_varlong(data, at + 1)
        else:
            delta = (delta >> 1) ^ -(delta & 1)
            at += 2
        if is_append_time:
            delta = 0
        if delta >= wanted:
            offset = data[at]
            at += 1
            if offset > 0x7F:
                offset, at = read_uvarint_rest(data, at, offset)
            if offset & 1 or at > record_end:
                raise InvalidBatchError("a record's fields do not fit into it")
            if offset >> 1 >= start:
                return base + delta, offset >> 1
        at = record_end
    return None
