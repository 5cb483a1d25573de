"""Walking over the batches of a segment file by their headers, without reading the records."""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.batch_walk import BatchFields, batch_fields
from barnabas.protocol.record_batch import HEADER_SIZE

from ..ports import Buffer, File

WALK_BYTES = 16 * 1024
"""How much of the file one read takes; a header further on costs a read of its own."""


class HeaderWalk:
    """A walk over the batches of a file, which says what must be read next, and is given it.

    It begins at `position`, which is where a batch begins, and goes on as long as batches are
    whole before `end`. It stops at anything that cannot be a batch; the caller sees that by where
    the last one ends.
    """

    __slots__ = ("_end", "_is_over", "position")

    def __init__(self, position: int, end: int) -> None:
        self._end = end
        self._is_over = False
        self.position = position
        """Where the next batch begins."""

    @property
    def wanted(self) -> int:
        """How many bytes from `position` on the walk needs to go on; 0 when it is over."""
        return 0 if self._is_over else max(min(WALK_BYTES, self._end - self.position), 0)

    def over(self, data: Buffer) -> Iterator[BatchFields]:
        """The batches whose headers are in `data`, the `wanted` bytes from `position` on."""
        begin, end = self.position, self._end
        while (position := self.position) < end:
            at = position - begin
            if at and at + HEADER_SIZE > len(data):
                return
            fields = batch_fields(data, at, position)
            if fields is None or position + fields.size > end:
                self._is_over = True
                return
            self.position = position + fields.size
            yield fields


def walk_batches(file: File, start: int, end: int) -> Iterator[BatchFields]:
    """Batches from position `start`, which is one's begin, as long as they are whole before `end`.

    Waits for what it reads. Stops at anything that cannot be a batch.
    """
    walk = HeaderWalk(start, end)
    while size := walk.wanted:
        yield from walk.over(file.pread(size, walk.position))


def walk_in_order(file: File, end: int, lowest: int, reach: int) -> Iterator[BatchFields]:
    """The batches from the file's begin on whose offsets come after those before, from `lowest` to
    `reach`: offsets are under no checksum, and others cannot be."""
    for fields in walk_batches(file, 0, end):
        if lowest <= fields.base_offset and lowest <= fields.last_offset <= reach:
            lowest = fields.last_offset + 1
            yield fields
