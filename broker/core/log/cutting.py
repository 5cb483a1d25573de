"""Prepares a truncation: finds out what a log will be once it is cut, changing nothing (279-01).

A truncation must know where the batch of its offset begins, what the largest timestamp below it is,
and what producers had done by then. All that is read from twins of the segments: copies that have
file handles and indexes of their own, so that a thread can read while the event loop serves
others. Nobody appends to the log or cuts it meanwhile. Damaged indexes are repaired in the twins
only. The cut itself (`PartitionLog.truncate_to`) then reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import TYPE_CHECKING

from .failures import CorruptIndexError
from .opening import carry_producers
from .producer_snapshots import ProducerSnapshots
from .producers import Producers
from .segment import NO_TIMESTAMP, Segment
from .segment_reading import find_batch, first_timestamp, largest_timestamp
from .transaction_index import AbortedTransaction
from .transaction_repair import check_transactions, rebuild_transactions
from .walking import walk_batches

if TYPE_CHECKING:
    from ..ports import Disk


class Twin(Segment):
    """A copy of a segment that reads the same files through its own handles, and writes none."""

    __slots__ = ("rebuilt",)

    def __init__(self, segment: Segment) -> None:
        super().__init__(
            segment.disk,
            segment.directory,
            segment.base_offset,
            now_ms=segment.created_ms,
            index_interval=segment.index_interval,
        )
        self.size = segment.size
        self.take_over(segment)
        self.rebuilt: list[tuple[str, str]] = []
        """Path and reason of each index that was damaged."""
        self.on_rebuild = lambda path, reason: self.rebuilt.append((path, reason))

    def copy_indexes(self) -> None:
        """Copy the indexes, so that they can be changed without changing the segment's own."""
        self._index = deepcopy(self._index)
        self._times = deepcopy(self._times)

    def save_indexes(self) -> None:
        """Do nothing: the cut itself saves them."""

    def write_transactions(
        self, entries: Iterable[AbortedTransaction], *, durable: bool = False
    ) -> None:
        """Keep `entries` in memory only: the cut itself writes them."""
        self._transactions = list(entries)
        self.transactions_checked = True


class _Unchanged(ProducerSnapshots):
    """Producer snapshots of which no file is ever removed: a damaged one is only skipped."""

    __slots__ = ()

    def remove(self, offset: int) -> None:
        self.offsets.remove(offset)


class Cut:
    """What a log will consist of after the truncation."""

    __slots__ = ("first_timestamp", "offset", "producers", "segment")

    def __init__(
        self, offset: int, segment: Twin, first_timestamp: int, producers: Producers
    ) -> None:
        self.offset = offset
        """The new end offset: that of the last whole batch below the offset that was asked for."""
        self.segment = segment
        """The last segment that stays, in its future state."""
        self.first_timestamp = first_timestamp
        self.producers = producers


class Cutting:
    """Finds the `Cut`. It copies what it needs when it is made, and may be called once, on any
    thread.

    `segments`: those that stay, of which the last one will become shorter. Of `producers` only the
    name and the expiration are used; their state at the cut is read from the disk.
    Raises OSError, and KafkaError CORRUPT_MESSAGE if the segment cannot be walked.
    """

    def __init__(
        self,
        segments: list[Segment],
        snapshots: ProducerSnapshots,
        producers: Producers,
        *,
        offset: int,
        log_start_offset: int,
        now_ms: int,
    ) -> None:
        self._twins = [Twin(segment) for segment in segments]
        self._twins[-1].copy_indexes()
        self._disk: Disk = segments[0].disk
        self._directory = segments[0].directory
        self._snapshot_offsets = list(snapshots.offsets)
        self._name, self._expiration_ms = producers.name, producers.expiration_ms
        self._offset = offset
        self._log_start_offset = log_start_offset
        self._now_ms = now_ms

    def __call__(self) -> Cut:
        try:
            return self._find_out()
        finally:
            for twin in self._twins:
                twin.close()

    def _find_out(self) -> Cut:
        segment, offset = self._twins[-1], self._offset
        position = find_batch(segment, offset)
        for fields in walk_batches(segment.file, position, segment.size):
            offset = min(offset, fields.base_offset if fields.magic >= 2 else offset)
            break
        aborted = self._aborted_in(segment)
        segment.shorten(offset, position)
        segment.max_timestamp, segment.max_timestamp_offset = NO_TIMESTAMP, segment.base_offset
        largest_timestamp(segment)
        segment.write_transactions(entry for entry in aborted if entry.last_offset < offset)
        return Cut(
            offset,
            segment,
            first_timestamp(segment),
            self._producers_at(self._log_start_offset, offset),
        )

    def _aborted_in(self, segment: Twin) -> list[AbortedTransaction]:
        if not segment.transactions_checked:
            try:
                check_transactions(list(self._twins), segment, self._log_start_offset)
            except CorruptIndexError as error:
                state = self._producers_at(0, segment.base_offset)
                rebuild_transactions(segment, state, str(error))
        return segment.transactions

    def _producers_at(self, start: int, end: int) -> Producers:
        producers = Producers(self._name, self._expiration_ms)
        producers.clear(start)
        snapshots = _Unchanged(self._disk, self._directory, ())
        snapshots.offsets = list(self._snapshot_offsets)
        carry_producers(producers, snapshots, list(self._twins), end, self._now_ms)
        return producers
