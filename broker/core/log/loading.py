"""Having a segment ready to be read: its file open, its indexes in memory.

Other readers of the log may have it rest again (`Segments.touch`) whenever a read is waited for.
"""

from __future__ import annotations

from functools import partial

from ..reads import Load, Read, Steps
from .segment import Segment
from .segment_copy import SegmentCopy


def getting_ready(segment: Segment) -> Steps[None]:
    """Have the file open and the indexes in memory. Raises OSError."""
    while not segment.is_ready:
        copied: SegmentCopy = yield Load(partial(_open, SegmentCopy(segment)))
        if not segment.is_ready and copied.size == segment.size:
            for _, reason in copied.rebuilt[:1]:
                segment.take_rebuilt(copied, reason)
            segment.adopt(copied)
        copied.close()


def _open(copied: SegmentCopy) -> SegmentCopy:
    """The same with its file and its indexes. Raises OSError."""
    try:
        copied.file.size()
        len(copied.index)
    except OSError:
        copied.close()
        raise
    return copied


def rebuilding(segment: Segment, reason: str) -> Steps[None]:
    """Make offset and time index again from the batches, and write them. Raises OSError."""
    while True:
        size = segment.size
        made: Segment = yield Load(segment.with_new_indexes)
        if segment.size == size:
            segment.take_rebuilt(made, reason)
            return


def reading(segment: Segment, size: int, position: int) -> Steps[bytes | bytearray]:
    """Bytes of the segment's file, whether it rests or not. Raises OSError."""
    if not segment.is_ready:
        yield from getting_ready(segment)
    data: bytes | bytearray = yield Read(segment.file, size, position)
    return data
