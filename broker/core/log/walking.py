"""Walking over the batches of a segment file by their headers, without reading the records."""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.batch_walk import BatchFields, batch_fields, walk_buffer
from barnabas.protocol.record_batch import HEADER_SIZE

from ..ports import Buffer, File

__all__ = ["walk_batches", "walk_buffer"]

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
