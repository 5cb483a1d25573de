"""The sparse time index of a segment: timestamp -> offset.

File (Kafka's `.timeindex`): entries of 12 bytes, big-endian: a timestamp in milliseconds and,
relative to the segment's base offset, the last offset of the batch that had it; no batch up to
there has a larger one. Entries are added with those of the offset index, when the largest
timestamp has grown, and once more when the segment is closed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from struct import Struct

from .failures import CorruptIndexError

ENTRY_SIZE = 12
_ENTRY = Struct(">qi")


class TimeIndex:
    """Entries of one segment, in memory; timestamps grow strictly, offsets do not shrink."""

    __slots__ = ("base_offset", "offsets", "saved", "timestamps")

    def __init__(self, base_offset: int) -> None:
        self.base_offset = base_offset
        self.timestamps: array[int] = array("q")
        self.offsets: array[int] = array("i")
        self.saved = 0
        """How many of the entries are in the file; -1 when the file must be written anew."""

    def __len__(self) -> int:
        return len(self.timestamps)

    def maybe_append(self, timestamp: int, offset: int) -> None:
        """Add an entry if `timestamp` is larger than all before; `offset` is absolute."""
        if timestamp > (self.timestamps[-1] if self.timestamps else -1):
            self.timestamps.append(timestamp)
            self.offsets.append(offset - self.base_offset)

    def lookup(self, timestamp: int) -> tuple[int, int]:
        """The last entry with a timestamp <= `timestamp`; (-1, base offset) if there is none."""
        at = bisect_right(self.timestamps, timestamp)
        if at == 0:
            return -1, self.base_offset
        return self.timestamps[at - 1], self.base_offset + self.offsets[at - 1]

    def last(self) -> tuple[int, int]:
        """The last entry; (-1, base offset) if there is none."""
        if not self.timestamps:
            return -1, self.base_offset
        return self.timestamps[-1], self.base_offset + self.offsets[-1]

    def truncate_to(self, offset: int) -> None:
        """Drop every entry whose offset is >= `offset`."""
        keep = bisect_left(self.offsets, offset - self.base_offset)
        if keep < len(self.offsets):
            del self.timestamps[keep:]
            del self.offsets[keep:]
            self.saved = -1

    def encode(self, first: int = 0) -> bytes:
        """The file's bytes from entry number `first` on."""
        pairs = zip(self.timestamps[first:], self.offsets[first:], strict=True)
        return b"".join([_ENTRY.pack(timestamp, offset) for timestamp, offset in pairs])


def decode_time_index(base_offset: int, data: bytes | bytearray) -> TimeIndex:
    """Entries of a time index file, without the zeros that Kafka keeps as room for more.

    Raises CorruptIndexError if an entry cannot be true.
    """
    index = TimeIndex(base_offset)
    if len(data) % ENTRY_SIZE:
        raise CorruptIndexError(f"time index has {len(data)} bytes, not a multiple of 12")
    last_timestamp = last_offset = -1
    for at in range(0, len(data), ENTRY_SIZE):
        timestamp, offset = _ENTRY.unpack_from(data, at)
        if timestamp == 0 and offset == 0 and (at or data.count(0) == len(data)):
            if data.count(0, at) != len(data) - at:
                raise CorruptIndexError("time index has entries after its end")
            break
        if timestamp <= last_timestamp or offset < last_offset:
            raise CorruptIndexError(f"time index does not grow at timestamp {timestamp}")
        index.timestamps.append(timestamp)
        index.offsets.append(offset)
        last_timestamp, last_offset = timestamp, offset
    index.saved = len(index) if len(index) * ENTRY_SIZE == len(data) else -1
    return index
