"""A copy of a log's segments that a thread may read while the event loop serves others.

Its segments are copies too: they have file handles and indexes of their own, and write none.
Damaged indexes are repaired in the copies only. Whoever takes over what was found out looks first
whether the log still has these segments: they may leave it, be cut, or be exchanged for others.
"""

from __future__ import annotations

from collections.abc import Sequence

from .failures import CorruptIndexError
from .opening import carry_producers
from .producer_snapshots import ProducerSnapshots
from .producers import Producers
from .segment import Segment
from .segment_copy import SegmentCopy
from .transaction_index import AbortedTransaction
from .transaction_repair import check_transactions, rebuild_transactions


class _Unchanged(ProducerSnapshots):
    """Producer snapshots of which no file is ever removed: a damaged one is only skipped."""

    __slots__ = ()

    def remove(self, offset: int) -> None:
        self.offsets.remove(offset)


class LogCopy:
    """Copies what it needs when it is made, on the event loop; used on one thread afterwards.

    Of `producers` only the name and the expiration are used; their state at an offset is read from
    the disk.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        snapshots: ProducerSnapshots,
        producers: Producers,
        *,
        log_start_offset: int,
        now_ms: int,
    ) -> None:
        """`segments`: at least one, the oldest first; `now_ms` is the wall clock."""
        self.copies = [SegmentCopy(segment) for segment in segments]
        self._disk = segments[0].disk
        self._directory = segments[0].directory
        self._snapshot_offsets = list(snapshots.offsets)
        self._name, self._expiration_ms = producers.name, producers.expiration_ms
        self.log_start_offset = log_start_offset
        self._now_ms = now_ms

    @property
    def last(self) -> SegmentCopy:
        """Of the last segment."""
        return self.copies[-1]

    def of(self, segment: Segment) -> SegmentCopy:
        """The copy of one of the segments."""
        return next(one for one in self.copies if one.base_offset == segment.base_offset)

    def close(self, *, but_last: bool = False) -> None:
        """Close all files; with `but_last` that of the last one stays open."""
        for copied in self.copies[:-1] if but_last else self.copies:
            copied.close()

    def aborted_in(self, copied: SegmentCopy) -> list[AbortedTransaction]:
        """Aborted transactions whose marker is in this segment: held against the log, or made
        again. Raises OSError."""
        try:
            if copied.transactions and not copied.transactions_checked:
                check_transactions(list(self.copies), copied, self.log_start_offset)
            copied.transactions_checked = True
        except CorruptIndexError as error:
            rebuild_transactions(copied, self.producers_at(0, copied.base_offset), str(error))
        return copied.transactions

    def producers_at(self, start: int, end: int) -> Producers:
        """What producers had done by offset `end`; `start`: where the log begins. OSError."""
        producers = Producers(self._name, self._expiration_ms)
        producers.clear(start)
        snapshots = _Unchanged(self._disk, self._directory, ())
        snapshots.offsets = list(self._snapshot_offsets)
        carry_producers(producers, snapshots, list(self.copies), end, self._now_ms)
        return producers
