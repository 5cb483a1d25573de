"""The sparse offset index of a segment: offset -> position in the file.

File (Kafka's `.index`): entries of 8 bytes, big-endian: offset minus the segment's base offset,
position of the batch whose last offset that is. A batch gets an entry when more than
`index.interval.bytes` were written since the last one. Kafka makes the file of the active segment
as long as it may become and cuts it when the segment is closed, so a tail of zeros is no damage.

Entries live in memory and are written when a segment rolls, is flushed or is closed. A process
that is killed loses the entries since then; recovery rebuilds them, as it does for every segment
that was not known to be on the disk.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right

from .failures import CorruptIndexError

ENTRY_SIZE = 8
_SWAP = sys.byteorder == "little"


class OffsetIndex:
    """Entries of one segment, in memory; offsets and positions both grow strictly."""

    __slots__ = ("base_offset", "offsets", "positions", "saved")

    def __init__(self, base_offset: int) -> None:
        self.base_offset = base_offset
        self.offsets: array[int] = array("i")
        self.positions: array[int] = array("i")
        self.saved = 0
        """How many of the entries are in the file; -1 when the file must be written anew."""

    def __len__(self) -> int:
        return len(self.offsets)

    def append(self, offset: int, position: int) -> None:
        """Add an entry; `offset` is absolute and larger than any before."""
        self.offsets.append(offset - self.base_offset)
        self.positions.append(position)

    def lookup(self, offset: int) -> int:
        """A position at or before the batch that holds `offset`; 0 when no entry is that low."""
        at = bisect_right(self.offsets, offset - self.base_offset)
        return self.positions[at - 1] if at else 0

    def last_position_upto(self, position: int) -> int:
        """The largest indexed position <= `position`; 0 if there is none."""
        at = bisect_right(self.positions, position)
        return self.positions[at - 1] if at else 0

    def lookup_offset(self, position: int) -> int:
        """The (absolute) offset of the last entry with a position <= `position`."""
        at = bisect_right(self.positions, position)
        return self.base_offset + (self.offsets[at - 1] if at else 0)

    def last_position(self) -> int:
        """Position of the last entry; 0 for an empty index."""
        return self.positions[-1] if self.positions else 0

    def truncate_to(self, offset: int) -> None:
        """Drop every entry whose offset is >= `offset`."""
        keep = bisect_left(self.offsets, offset - self.base_offset)
        if keep < len(self.offsets):
            del self.offsets[keep:]
            del self.positions[keep:]
            self.saved = -1

    def encode(self, first: int = 0) -> bytes:
        """The file's bytes from entry number `first` on."""
        entries = array("i", bytes(ENTRY_SIZE * (len(self.offsets) - first)))
        entries[0::2] = self.offsets[first:]
        entries[1::2] = self.positions[first:]
        if _SWAP:
            entries.byteswap()
        return entries.tobytes()


def decode_offset_index(
    base_offset: int, data: bytes | bytearray, segment_size: int
) -> OffsetIndex:
    """Entries of an index file; `segment_size` bounds the positions.

    Raises CorruptIndexError if an entry cannot be true. Zeros after the last entry are Kafka's
    room for more, and are passed over (then `saved` says that the file must be written anew).
    """
    index = OffsetIndex(base_offset)
    whole = len(data) - len(data) % ENTRY_SIZE
    entries = array("i", data[:whole])
    if _SWAP:
        entries.byteswap()
    index.offsets = entries[0::2]
    index.positions = entries[1::2]
    count = _count_before_padding(index.positions)
    if count < len(index.offsets):
        if any(index.offsets[count:]):
            raise CorruptIndexError("offset index has entries after its end")
        del index.offsets[count:]
        del index.positions[count:]
    index.saved = count if count * ENTRY_SIZE == len(data) else -1
    if whole != len(data):
        raise CorruptIndexError(f"offset index has {len(data)} bytes, not a multiple of 8")
    _check_growth(index, segment_size)
    return index


def _count_before_padding(positions: array[int]) -> int:
    # No entry has position 0, since the first batch of a segment is never indexed.
    count = len(positions)
    while count and positions[count - 1] == 0:
        count -= 1
    return count


def _check_growth(index: OffsetIndex, segment_size: int) -> None:
    last_offset = last_position = -1
    for offset, position in zip(index.offsets, index.positions, strict=True):
        if offset <= last_offset or position <= last_position:
            raise CorruptIndexError(f"offset index does not grow at offset {offset}")
        last_offset, last_position = offset, position
    if last_position >= segment_size and len(index):
        raise CorruptIndexError(
            f"offset index points to {last_position}, beyond the segment's {segment_size} bytes"
        )
