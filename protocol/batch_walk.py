"""Walking over batches of any magic by the few facts of their headers that tell where each ends.

Nothing is checked that does not show at once: who walks stops where the bytes cannot be a batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final

from .buffer import Buffer
from .record_batch import (
    HEADER_SIZE,
    LAST_OFFSET_DELTA_AT,
    LEGACY_HEADER_SIZE,
    LEGACY_SIZE_MIN,
    LOG_OVERHEAD,
    MAGIC_AT,
    MAX_TIMESTAMP_AT,
    NO_LEADER_EPOCH,
    NO_TIMESTAMP,
    PREFIX,
)

WALK: Final = Struct(">qiiB6xi")
"""Base offset, length, leader epoch, magic, last offset delta; below magic 2 the third and the last
say nothing."""

WALK_SIZE: Final = WALK.size

_INT32: Final = Struct(">i")
_INT64: Final = Struct(">q")
_TIMESTAMP_AND_COUNT: Final = Struct(">q14xi")
"""From the largest timestamp on: that, and the number of records."""


class BatchFields:
    """The facts of one batch that indexes and leader epochs need."""

    __slots__ = (
        "base_offset",
        "last_offset",
        "leader_epoch",
        "magic",
        "max_timestamp",
        "position",
        "size",
    )

    def __init__(
        self,
        position: int,
        base_offset: int,
        last_offset: int,
        size: int,
        max_timestamp: int,
        magic: int,
        leader_epoch: int,
    ) -> None:
        self.position = position
        self.base_offset = base_offset
        """Below magic 2 that of the last message, if it is a compressed set."""
        self.last_offset = last_offset
        self.size = size
        self.max_timestamp = max_timestamp
        """-1 for a batch without records, whatever its header says: compaction took them all."""
        self.magic = magic
        self.leader_epoch = leader_epoch
        """-1 below magic 2."""


def batch_fields(buffer: Buffer, at: int, position: int) -> BatchFields | None:
    """The batch that starts at `at` of `buffer` (`position` of the file); None if cut short.

    A length that cannot be true gives None as well: whoever walks stops there.
    """
    left = len(buffer) - at
    if left < LEGACY_SIZE_MIN:
        return None
    magic = buffer[at + MAGIC_AT]
    if magic < 2:
        return _legacy_fields(buffer, at, position, magic)
    if left < HEADER_SIZE:
        return None
    base, length, epoch, _, delta = WALK.unpack_from(buffer, at)
    if length < HEADER_SIZE - LOG_OVERHEAD or delta < 0:
        return None
    timestamp, count = _TIMESTAMP_AND_COUNT.unpack_from(buffer, at + MAX_TIMESTAMP_AT)
    if not count:
        timestamp = NO_TIMESTAMP
    size = length + LOG_OVERHEAD
    return BatchFields(position, base, base + delta, size, timestamp, magic, epoch)


def _legacy_fields(buffer: Buffer, at: int, position: int, magic: int) -> BatchFields | None:
    offset, length, _ = PREFIX.unpack_from(buffer, at)
    size = length + LOG_OVERHEAD
    if size < LEGACY_SIZE_MIN:
        return None
    timestamp = NO_TIMESTAMP
    if magic == 1:
        timestamp = _INT64.unpack_from(buffer, at + LEGACY_HEADER_SIZE)[0]
    return BatchFields(position, offset, offset, size, timestamp, magic, NO_LEADER_EPOCH)


def walk_buffer(data: Buffer) -> Iterator[BatchFields]:
    """Whole batches of a buffer, positions counted from its begin."""
    position = 0
    while True:
        fields = batch_fields(data, position, position)
        if fields is None or position + fields.size > len(data):
            return
        yield fields
        position += fields.size


def whole_batches(data: Buffer, start: int) -> tuple[int, int]:
    """How far `data` holds whole batches, walking from `start`; and the offset after the last.

    The offset is -1 if there is not one whole batch from `start` on.
    """
    at = start
    size = len(data)
    next_offset = -1
    while at + WALK_SIZE <= size:
        base, length, _, magic, delta = WALK.unpack_from(data, at)
        end = at + length + LOG_OVERHEAD
        if end > size or length <= 0:
            break
        at = end
        next_offset = base + (delta if magic >= 2 else 0) + 1
    return at, next_offset


def end_of_batch(data: Buffer, at: int) -> tuple[int, int]:
    """The offset after the whole batch at `at`, and its leader epoch (-1 below magic 2)."""
    base, _, epoch = PREFIX.unpack_from(data, at)
    if data[at + MAGIC_AT] < 2:
        return base + 1, NO_LEADER_EPOCH
    return base + _INT32.unpack_from(data, at + LAST_OFFSET_DELTA_AT)[0] + 1, epoch
