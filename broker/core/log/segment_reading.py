"""Finding and reading batches in one segment: by offset, by size, by timestamp.

An index only says where to begin looking. What it says is held against the batch header found
there, and against the batch's time; if they contradict, the index is damaged and made again from
the segment, so that a damaged index costs time but never gives wrong records.

What takes several reads is `Steps` (`core/reads.py`), named by what it does: `finding_batch`. The
plain function, `find_batch`, waits for each read.
"""

from __future__ import annotations

from barnabas.protocol.batch_walk import WALK, WALK_SIZE, BatchFields, whole_batches
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import LOG_OVERHEAD, PREFIX

from ..ports import Buffer
from ..reads import Read, Steps, finish
from .loading import getting_ready, reading, rebuilding
from .segment import NO_TIMESTAMP, Segment
from .walking import WALK_BYTES, HeaderWalk

_UNREADABLE = -1


def find_batch(segment: Segment, offset: int) -> int:
    """Position of the first batch whose last offset is >= `offset`; the size if there is none.

    Raises KafkaError CORRUPT_MESSAGE if the segment itself cannot be walked; OSError.
    """
    return finish(finding_batch(segment, offset))


def finding_batch(segment: Segment, offset: int) -> Steps[int]:
    """As `find_batch`."""
    if not segment.is_ready:
        yield from getting_ready(segment)
    start = segment.index.lookup(offset)
    found = yield from _walk_to(segment, start, offset)
    if found == _UNREADABLE and start > 0:
        reason = f"no batch at or below offset {offset} at position {start}"
        yield from rebuilding(segment, reason)
        found = yield from _walk_to(segment, segment.index.lookup(offset), offset)
    if found == _UNREADABLE:
        raise KafkaError(
            ErrorCode.CORRUPT_MESSAGE, f"{segment.path()} holds no batches up to offset {offset}"
        )
    return found


def _walk_to(segment: Segment, start: int, offset: int) -> Steps[int]:
    size = segment.size
    position = data_at = start
    data: Buffer = b""
    lowest = segment.base_offset
    while position < size:
        at = position - data_at
        if at + WALK_SIZE > len(data):
            read = yield from reading(segment, min(WALK_BYTES, size - position), position)
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


def reading_range(
    segment: Segment, position: int, end: int, max_bytes: int, *, at_least_one: bool
) -> Steps[tuple[Buffer, int]]:
    """Whole batches from `position`, up to `end`, both at batch boundaries: bytes, next offset.

    At most `max_bytes`, but with `at_least_one` the first batch comes whatever its size. The next
    offset is -1 when everything up to `end` was read (the caller knows what follows).
    """
    if not segment.is_ready:
        yield from getting_ready(segment)
    data: bytes | bytearray = b""
    wanted = end - position
    if wanted <= max_bytes:
        data = yield Read(segment.file, wanted, position)
        return data, -1
    if max_bytes > 0:
        data = yield Read(segment.file, max_bytes, position)
    stop, next_offset = yield from _last_boundary(segment, data, position)
    if stop:
        return (data if stop == len(data) else memoryview(data)[:stop]), next_offset
    if at_least_one:
        return (yield from _first_batch(segment, data, position))
    return b"", -1


def measuring_range(
    segment: Segment, position: int, end: int, max_bytes: int, *, at_least_one: bool
) -> Steps[tuple[int, int]]:
    """How many bytes `reading_range` would read, and the next offset; it reads only headers."""
    wanted = end - position
    if wanted <= max_bytes:
        return wanted, -1
    if not segment.is_ready:
        yield from getting_ready(segment)
    limit = position + max_bytes
    indexed = segment.index.last_position_upto(limit - WALK_SIZE)
    if indexed > position:
        first = yield from reading(segment, PREFIX.size, position)
        head = yield from reading(segment, WALK_SIZE, indexed)
        base = yield from _indexed_base(segment, PREFIX.unpack(first)[0], head, 0, indexed)
        if base >= 0:
            size, next_offset = yield from _walk_within(segment, indexed, limit)
            return indexed - position + size, next_offset if next_offset >= 0 else base
    size, next_offset = yield from _walk_within(segment, position, limit)
    if size == 0 and at_least_one:
        fields = yield from _batch_at(segment, position, end)
        if fields is not None:
            return fields.size, fields.last_offset + 1
    return size, next_offset


def _walk_within(segment: Segment, start: int, limit: int) -> Steps[tuple[int, int]]:
    """Bytes of the whole batches from `start` up to `limit`, and the offset after them."""
    next_offset = -1
    walk = HeaderWalk(start, limit)
    while wanted := walk.wanted:
        data = yield from reading(segment, wanted, walk.position)
        for fields in walk.over(data):
            next_offset = fields.last_offset + 1
    return walk.position - start, next_offset


def _batch_at(segment: Segment, position: int, end: int) -> Steps[BatchFields | None]:
    """What the header there says; None if no whole batch is there."""
    walk = HeaderWalk(position, end)
    if not walk.wanted:
        return None
    data = yield from reading(segment, walk.wanted, position)
    return next(walk.over(data), None)


def _last_boundary(segment: Segment, data: Buffer, position: int) -> Steps[tuple[int, int]]:
    """Where the last whole batch in `data` ends; the index saves walking over all of it."""
    if not segment.is_ready:
        yield from getting_ready(segment)
    indexed = segment.index.last_position_upto(position + len(data) - WALK_SIZE)
    start = indexed - position
    if start <= 0:
        return whole_batches(data, 0)
    first_base = PREFIX.unpack_from(data, 0)[0]
    base = yield from _indexed_base(segment, first_base, data, start, indexed)
    if base < 0:
        return whole_batches(data, 0)
    stop, next_offset = whole_batches(data, start)
    return stop, next_offset if next_offset >= 0 else base


def _indexed_base(
    segment: Segment, first_base: int, data: Buffer, at: int, indexed: int
) -> Steps[int]:
    """Base offset of the batch at an indexed position, which lies in `data` at `at`.

    -1 if there is none that fits what the index says, which is then made anew.
    """
    base: int
    base, length, _, magic, _ = WALK.unpack_from(data, at)
    if not segment.is_ready:
        yield from getting_ready(segment)
    limit = segment.index.lookup_offset(indexed)
    if not first_base < base <= limit or length < 14 or not 0 <= magic <= 2:
        yield from rebuilding(segment, f"no batch up to offset {limit} at position {indexed}")
        return -1
    return base


def _first_batch(
    segment: Segment, data: bytes | bytearray, position: int
) -> Steps[tuple[Buffer, int]]:
    """One batch larger than was asked for."""
    head = data if len(data) >= WALK_SIZE else (yield from reading(segment, WALK_SIZE, position))
    if len(head) < PREFIX.size:
        return b"", -1
    base, length, _, magic, delta = WALK.unpack_from(head.ljust(WALK_SIZE, b"\0"))
    batch = yield from reading(segment, length + LOG_OVERHEAD, position)
    return batch, base + (delta if magic >= 2 else 0) + 1


def largest_timestamp(segment: Segment) -> tuple[int, int]:
    """(largest timestamp, last offset of the first batch that has it); (-1, base offset) if none.

    From the time index, and from the batches after its last entry. Raises OSError, KafkaError.
    """
    return finish(finding_largest_timestamp(segment))


def finding_largest_timestamp(segment: Segment) -> Steps[tuple[int, int]]:
    """As `largest_timestamp`."""
    if segment.max_timestamp >= 0 or segment.size == 0:
        return segment.max_timestamp, segment.max_timestamp_offset
    timestamp, offset, start = yield from _last_indexed(segment)
    walk = HeaderWalk(start, segment.size)
    while wanted := walk.wanted:
        data = yield from reading(segment, wanted, walk.position)
        for fields in walk.over(data):
            if fields.max_timestamp > timestamp:
                timestamp, offset = fields.max_timestamp, fields.last_offset
    if timestamp >= segment.max_timestamp:  # else more was appended while a read was waited for
        segment.max_timestamp, segment.max_timestamp_offset = timestamp, offset
    return segment.max_timestamp, segment.max_timestamp_offset


def _last_indexed(segment: Segment) -> Steps[tuple[int, int, int]]:
    """Last timestamp of the time index, its offset, and where batches begin that it may not know.

    (-1, base offset, 0) if the index has none.
    """
    if not segment.is_ready:
        yield from getting_ready(segment)
    timestamp, offset = segment.times.last()
    if timestamp >= 0 and not (yield from _is_true(segment, timestamp, offset)):
        yield from rebuilding(segment, f"no batch at offset {offset} has timestamp {timestamp}")
        timestamp, offset = segment.times.last()
    if timestamp < 0:
        return timestamp, offset, 0
    position = yield from finding_batch(segment, offset)
    if not segment.is_ready:
        yield from getting_ready(segment)
    # Both indexes get an entry at the same batch, so only what follows the last one is not known.
    return timestamp, offset, max(position, segment.index.last_position())


def first_timestamp(segment: Segment) -> int:
    """Largest timestamp of the first batch: what a segment's age counts from; -1 if it has none."""
    fields = finish(_batch_at(segment, 0, segment.size))
    return NO_TIMESTAMP if fields is None else fields.max_timestamp


def _is_true(segment: Segment, timestamp: int, offset: int) -> Steps[bool]:
    """Whether the batch with this offset has that timestamp, as the time index says."""
    position = yield from finding_batch(segment, offset)
    fields = yield from _batch_at(segment, position, segment.size)
    return fields is not None and fields.max_timestamp == timestamp


def finding_time(segment: Segment, timestamp: int) -> Steps[int]:
    """Position of a batch before which no record is of `timestamp` (ms) or later."""
    if not segment.is_ready:
        yield from getting_ready(segment)
    known, offset = segment.times.lookup(timestamp - 1)
    if known >= 0 and not (yield from _is_true(segment, known, offset)):
        yield from rebuilding(segment, f"no batch at offset {offset} has timestamp {known}")
        offset = segment.times.lookup(timestamp - 1)[1]
    return (yield from finding_batch(segment, offset))
