"""Finding and reading batches in one segment: by offset, by size, by timestamp.

An index only says where to begin looking. What it says is held against the batch header found
there, and against the batch's time; if they contradict, the index is damaged and made again from
the segment, so that a damaged index costs time but never gives wrong records.
"""

from __future__ import annotations

from barnabas.protocol.batch_walk import WALK, WALK_SIZE, BatchFields, whole_batches
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import LOG_OVERHEAD, PREFIX

from ..ports import Buffer
from .segment import NO_TIMESTAMP, Segment
from .walking import WALK_BYTES, walk_batches

_UNREADABLE = -1


def find_batch(segment: Segment, offset: int) -> int:
    """Position of the first batch whose last offset is >= `offset`; the size if there is none.

    Raises KafkaError CORRUPT_MESSAGE if the segment itself cannot be walked.
    """
    start = segment.index.lookup(offset)
    found = _walk_to(segment, start, offset)
    if found == _UNREADABLE and start > 0:
        segment.rebuild_indexes(f"no batch at or below offset {offset} at position {start}")
        found = _walk_to(segment, segment.index.lookup(offset), offset)
    if found == _UNREADABLE:
        raise KafkaError(
            ErrorCode.CORRUPT_MESSAGE, f"{segment.path()} holds no batches up to offset {offset}"
        )
    return found


def _walk_to(segment: Segment, start: int, offset: int) -> int:
    size = segment.size
    position = data_at = start
    data: Buffer = b""
    lowest = segment.base_offset
    while position < size:
        at = position - data_at
        if at + WALK_SIZE > len(data):
            read = segment.file.pread(min(WALK_BYTES, size - position), position)
            data = read.ljust(WALK_SIZE, b"\0")  # the shortest message of magic 0 is a byte less
            data_at, at = position, 0
        base, length, _, magic, delta = WALK.unpack_from(data, at)
        last = base + delta if magic >= 2 else base
        following = position + length + LOG_OVERHEAD
        if base < lowest or last < base or following > size or length < 14 or not 0 <= magic <= 2:
            return _UNREADABLE
        if last >= offset:
            # Beyond the offset at the very place that the index named: batches may lie before it.
            return position if position != start or start == 0 or base <= offset else _UNREADABLE
        lowest = last + 1
        position = following
    return size


def read_range(
    segment: Segment, position: int, end: int, max_bytes: int, *, at_least_one: bool
) -> tuple[Buffer, int]:
    """Whole batches from `position`, up to `end`, both at batch boundaries: bytes, next offset.

    At most `max_bytes`, but with `at_least_one` the first batch comes whatever its size. The next
    offset is -1 when everything up to `end` was read (the caller knows what follows).
    """
    wanted = end - position
    if wanted <= max_bytes:
        return segment.file.pread(wanted, position), -1
    data = segment.file.pread(max_bytes, position) if max_bytes > 0 else b""
    stop, next_offset = _last_boundary(segment, data, position)
    if stop == 0:
        return _first_batch(segment, data, position) if at_least_one else (b"", -1)
    return (data if stop == len(data) else memoryview(data)[:stop]), next_offset


def measure_range(
    segment: Segment, position: int, end: int, max_bytes: int, *, at_least_one: bool
) -> tuple[int, int]:
    """How many bytes `read_range` would read, and the next offset; only headers are read."""
    wanted = end - position
    if wanted <= max_bytes:
        return wanted, -1
    limit = position + max_bytes
    indexed = segment.index.last_position_upto(limit - WALK_SIZE)
    if indexed > position:
        first_base = PREFIX.unpack(segment.file.pread(PREFIX.size, position))[0]
        head = segment.file.pread(WALK_SIZE, indexed)
        base = _indexed_base(segment, first_base, head, 0, indexed)
        if base >= 0:
            size, next_offset = _walk_within(segment, indexed, limit)
            return indexed - position + size, next_offset if next_offset >= 0 else base
    size, next_offset = _walk_within(segment, position, limit)
    if size == 0 and at_least_one:
        for fields in walk_batches(segment.file, position, end):
            return fields.size, fields.last_offset + 1
    return size, next_offset


def _walk_within(segment: Segment, start: int, limit: int) -> tuple[int, int]:
    """Bytes of the whole batches from `start` up to `limit`, and the offset after them."""
    size, next_offset = 0, -1
    for fields in walk_batches(segment.file, start, limit):
        size, next_offset = fields.position + fields.size - start, fields.last_offset + 1
    return size, next_offset


def _last_boundary(segment: Segment, data: Buffer, position: int) -> tuple[int, int]:
    """Where the last whole batch in `data` ends; the index saves walking over all of it."""
    indexed = segment.index.last_position_upto(position + len(data) - WALK_SIZE)
    start = indexed - position
    if start <= 0:
        return whole_batches(data, 0)
    first_base = PREFIX.unpack_from(data, 0)[0]
    base = _indexed_base(segment, first_base, data, start, indexed)
    if base < 0:
        return whole_batches(data, 0)
    stop, next_offset = whole_batches(data, start)
    return stop, next_offset if next_offset >= 0 else base


def _indexed_base(segment: Segment, first_base: int, data: Buffer, at: int, indexed: int) -> int:
    """Base offset of the batch at an indexed position, which lies in `data` at `at`.

    -1 if there is none that fits what the index says, which is then made anew.
    """
    base: int
    base, length, _, magic, _ = WALK.unpack_from(data, at)
    limit = segment.index.lookup_offset(indexed)
    if not first_base < base <= limit or length < 14 or not 0 <= magic <= 2:
        segment.rebuild_indexes(f"no batch up to offset {limit} at position {indexed}")
        return -1
    return base


def _first_batch(segment: Segment, data: bytes | bytearray, position: int) -> tuple[Buffer, int]:
    """One batch larger than was asked for."""
    head = data if len(data) >= WALK_SIZE else segment.file.pread(WALK_SIZE, position)
    if len(head) < PREFIX.size:
        return b"", -1
    base, length, _, magic, delta = WALK.unpack_from(head.ljust(WALK_SIZE, b"\0"))
    batch = segment.file.pread(length + LOG_OVERHEAD, position)
    return batch, base + (delta if magic >= 2 else 0) + 1


def largest_timestamp(segment: Segment) -> tuple[int, int]:
    """(largest timestamp, last offset of the first batch that has it); (-1, base offset) if none.

    From the time index, and from the batches after its last entry.
    """
    if segment.max_timestamp >= 0 or segment.size == 0:
        return segment.max_timestamp, segment.max_timestamp_offset
    timestamp, offset = segment.times.last()
    if timestamp >= 0 and not _entry_is_true(segment, timestamp, offset):
        segment.rebuild_indexes(f"no batch at offset {offset} has timestamp {timestamp}")
        timestamp, offset = segment.times.last()
    # Both indexes get an entry at the same batch, so only what follows the last one is not known.
    start = max(find_batch(segment, offset), segment.index.last_position()) if timestamp >= 0 else 0
    for fields in walk_batches(segment.file, start, segment.size):
        if fields.max_timestamp > timestamp:
            timestamp, offset = fields.max_timestamp, fields.last_offset
    segment.max_timestamp, segment.max_timestamp_offset = timestamp, offset
    return timestamp, offset


def first_timestamp(segment: Segment) -> int:
    """Largest timestamp of the first batch: what a segment's age counts from; -1 if it has none."""
    for fields in walk_batches(segment.file, 0, segment.size):
        return fields.max_timestamp
    return NO_TIMESTAMP


def _entry_is_true(segment: Segment, timestamp: int, offset: int) -> bool:
    position = find_batch(segment, offset)
    fields = next(walk_batches(segment.file, position, segment.size), None)
    return fields is not None and fields.max_timestamp == timestamp


def position_from_time(segment: Segment, timestamp: int) -> int:
    """Position of a batch before which no record is of `timestamp` (ms) or later."""
    known, offset = segment.times.lookup(timestamp - 1)
    if known >= 0 and not _entry_is_true(segment, known, offset):
        segment.rebuild_indexes(f"no batch at offset {offset} has timestamp {known}")
        offset = segment.times.lookup(timestamp - 1)[1]
    return find_batch(segment, offset)


def read_batch(segment: Segment, fields: BatchFields) -> Buffer:
    """The bytes of one batch."""
    return segment.file.pread(fields.size, fields.position)
