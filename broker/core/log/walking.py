"""Walking over the batches of a segment file by their headers, without reading the records."""

from __future__ import annotations

from collections.abc import Iterator

from ..ports import Buffer, File
from .batch_fields import HEADER_SIZE, LOG_OVERHEAD, WALK, WALK_SIZE, BatchFields, batch_fields

WALK_BYTES = 16 * 1024
"""How much of the file one read takes; a header further on costs a read of its own."""


def walk_batches(file: File, start: int, end: int) -> Iterator[BatchFields]:
    """Batches from position `start`, which is one's begin, as long as they are whole before `end`.

    Stops at anything that cannot be a batch; the caller sees that by where the last one ends.
    """
    position = start
    data: Buffer = b""
    data_at = start
    while position < end:
        at = position - data_at
        if at + HEADER_SIZE > len(data):
            data = file.pread(min(WALK_BYTES, end - position), position)
            data_at, at = position, 0
        fields = batch_fields(data, at, position)
        if fields is None or position + fields.size > end:
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
        base, length, magic, delta = WALK.unpack_from(data, at)
        end = at + length + LOG_OVERHEAD
        if end > size or length <= 0:
            break
        at = end
        next_offset = base + (delta if magic >= 2 else 0) + 1
    return at, next_offset


def walk_buffer(data: Buffer) -> Iterator[BatchFields]:
    """Whole batches of a buffer, positions counted from its begin; stops like `walk_batches`."""
    position = 0
    while True:
        fields = batch_fields(data, position, position)
        if fields is None or position + fields.size > len(data):
            return
        yield fields
        position += fields.size
