"""The first record of a batch at a time: decompressed with a bound, decoded no further than needed.

A batch may hold a million records; who asks for a time wants one of them. Of each record only the
offset and the timestamp are read, up to the one that is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from barnabas.protocol.batch_errors import CorruptBatchError, InvalidBatchError
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.primitives import read_uvarint_rest, read_varlong
from barnabas.protocol.record_batch import BatchHeader, check_batch, read_batch_header
from barnabas.protocol.records import INT64_MAX, batch_body, decode_batch

from ..ports import Buffer

TimestampOffset = tuple[int, int, int]
"""Timestamp (ms), offset, leader epoch of the batch."""


def first_record(
    batch: Buffer, is_wanted: Callable[[int, int], bool], limit: int
) -> TimestampOffset | None:
    """The first record of which `is_wanted(timestamp, offset)`; None if there is none.

    `limit` bounds what a compressed batch may become, in bytes (ENV-13). Raises CorruptBatchError,
    InvalidBatchError: only if what is wrong lies before the record.
    """
    header = read_batch_header(batch)
    if header.size > len(batch):
        raise CorruptBatchError(f"a batch of {header.size} bytes, {len(batch)} are there")
    if header.magic < 2:
        for record in decode_batch(batch, 0, limit):
            if is_wanted(record.timestamp, record.offset):
                return record.timestamp, record.offset, -1
        return None
    check_batch(batch, 0, header.size)
    try:
        for timestamp, offset in _times(batch_body(batch, 0, header, limit), header):
            if is_wanted(timestamp, offset):
                if not -INT64_MAX <= timestamp <= INT64_MAX or offset > INT64_MAX:
                    raise InvalidBatchError(f"timestamp {timestamp} at offset {offset}")
                return timestamp, offset, header.partition_leader_epoch
    except IndexError:
        raise InvalidBatchError("a record is cut short") from None
    except DecodeError as error:
        raise InvalidBatchError(str(error)) from None
    return None


def _times(data: bytes, header: BatchHeader) -> Iterator[tuple[int, int]]:
    """Timestamp and offset of each record. Raises IndexError, DecodeError, InvalidBatchError."""
    base_offset, base_timestamp = header.base_offset, header.base_timestamp
    append_time = header.max_timestamp if header.is_log_append_time else None
    end = len(data)
    at = 0
    for _ in range(header.record_count):
        # Every varint is read in place when it has one byte.
        size, at = data[at], at + 1
        if size > 0x7F:
            size, at = read_uvarint_rest(data, at, size)
        record_end = at + (size >> 1)
        if size & 1 or record_end > end:
            raise InvalidBatchError(f"a record of {size >> 1} bytes, {end - at} are left")
        delta = data[at + 1]
        if delta > 0x7F:
            delta, at = read_varlong(data, at + 1)
        else:
            delta, at = (delta >> 1) ^ -(delta & 1), at + 2
        offset, at = data[at], at + 1
        if offset > 0x7F:
            offset, at = read_uvarint_rest(data, at, offset)
        if offset & 1 or at > record_end:
            raise InvalidBatchError("a record's fields do not fit into it")
        timestamp = base_timestamp + delta if append_time is None else append_time
        yield timestamp, base_offset + (offset >> 1)
        at = record_end
