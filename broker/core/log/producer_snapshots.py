"""Producer snapshot files (`<offset>.snapshot`): the state of all producers at one offset.

Kafka's layout (its ProducerSnapshot schema, version 1): int16 version, uint32 CRC-32C of all that
follows it, then an array of producers, 46 bytes each.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from struct import Struct

from barnabas.protocol.checksum import crc32c

from ..ports import Disk
from .failures import CorruptSnapshotError
from .file_names import PRODUCER_SNAPSHOT, has_suffix, offset_of, segment_file
from .producer_entry import ProducerEntry

_HEAD = Struct(">hIi")
CHECKED_FROM = 6
"""The checksum is of what follows version and checksum."""
_ENTRY = Struct(">qhiqiqiq")
_VERSION = 1


def encode_snapshot(producers: Iterable[ProducerEntry]) -> bytes:
    """The file's bytes; producers in the order given."""
    entries = [
        _ENTRY.pack(
            producer.producer_id,
            producer.epoch,
            producer.last_sequence,
            producer.last_offset,
            producer.last_offset_delta,
            producer.timestamp,
            producer.coordinator_epoch,
            producer.transaction_first_offset,
        )
        for producer in producers
    ]
    body = _HEAD.pack(_VERSION, 0, len(entries))[CHECKED_FROM:] + b"".join(entries)
    return _HEAD.pack(_VERSION, crc32c(body), len(entries))[:CHECKED_FROM] + body


def decode_snapshot(data: bytes) -> list[ProducerEntry]:
    """Producers of a snapshot file; raises CorruptSnapshotError."""
    if len(data) < _HEAD.size:
        raise CorruptSnapshotError(f"producer snapshot has {len(data)} bytes")
    version, crc, count = _HEAD.unpack_from(data)
    if version != _VERSION:
        raise CorruptSnapshotError(f"producer snapshot has version {version}, not 1")
    if crc != crc32c(memoryview(data)[CHECKED_FROM:]):
        raise CorruptSnapshotError("producer snapshot does not match its checksum")
    if count * _ENTRY.size != len(data) - _HEAD.size:
        raise CorruptSnapshotError(f"producer snapshot announces {count} producers")
    producers = []
    for pid, epoch, sequence, offset, delta, stamp, coordinator, first in _ENTRY.iter_unpack(
        memoryview(data)[_HEAD.size :]
    ):
        producer = ProducerEntry(pid, epoch, coordinator, stamp, first)
        if offset >= 0:
            producer.batches.append((sequence, offset, delta, stamp))
            producer.next_sequence = (sequence + 1) & 0x7FFF_FFFF
        producers.append(producer)
    return producers


class ProducerSnapshots:
    """The snapshot files of one partition's folder."""

    __slots__ = ("_directory", "_disk", "offsets")

    def __init__(self, disk: Disk, directory: str, names: Iterable[str]) -> None:
        self._disk = disk
        self._directory = directory
        self.offsets: list[int] = sorted(
            offset
            for name in names
            if has_suffix(name, PRODUCER_SNAPSHOT) and (offset := offset_of(name)) is not None
        )
        """Offsets that a file exists for, ascending."""

    def path(self, offset: int) -> str:
        """The file of the snapshot at `offset`."""
        return segment_file(self._directory, offset, PRODUCER_SNAPSHOT)

    def moved_to(self, directory: str) -> None:
        """The folder was renamed."""
        self._directory = directory

    def write(self, offset: int, producers: Iterable[ProducerEntry], *, durable: bool) -> None:
        """Write the snapshot at `offset`, replacing one that is there."""
        data = encode_snapshot(producers)
        if not durable and self._has(offset, data):
            return  # recovery makes the same ones again
        self._disk.write_file_atomically(self.path(offset), data, durable=durable)
        if offset not in self.offsets:
            insort(self.offsets, offset)

    def _has(self, offset: int, data: bytes) -> bool:
        return offset in self.offsets and self._disk.read_file(self.path(offset)) == data

    def load(self, offset: int) -> list[ProducerEntry] | None:
        """Producers of the snapshot at `offset`; a damaged one is removed and gives None."""
        try:
            return decode_snapshot(self._disk.read_file(self.path(offset)))
        except (CorruptSnapshotError, FileNotFoundError):
            self.remove(offset)
            return None

    def load_upto(self, offset: int) -> tuple[int, list[ProducerEntry]] | None:
        """The newest readable snapshot at or before `offset`; None if there is none."""
        for known in reversed(list(self.offsets)):
            if known <= offset:
                entries = self.load(known)
                if entries is not None:
                    return known, entries
        return None

    def remove(self, offset: int) -> None:
        """Remove one snapshot, if it is there."""
        if offset in self.offsets:
            self.offsets.remove(offset)
        if self._disk.exists(self.path(offset)):
            self._disk.remove(self.path(offset))

    def forget(self, offset: int) -> bool:
        """Take a snapshot off the list without touching its file; False if it was not on it."""
        at = bisect_left(self.offsets, offset)
        if at == len(self.offsets) or self.offsets[at] != offset:
            return False
        del self.offsets[at]
        return True

    def remove_outside(self, above: int, upto: int) -> None:
        """Remove those at offsets <= `above` or > `upto`: the log was cut."""
        for offset in list(self.offsets):
            if offset > upto or offset <= above:
                self.remove(offset)

    def remove_strays(self, segment_offsets: list[int]) -> None:
        """Keep those at the start of a segment, and the newest beyond the last segment's start."""
        kept = set(segment_offsets)
        strays = [offset for offset in self.offsets if offset not in kept]
        newest = segment_offsets[-1] if segment_offsets else -1
        if strays and strays[-1] >= newest:
            strays.pop()
        for offset in strays:
            self.remove(offset)
