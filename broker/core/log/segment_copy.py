"""Read-only copies of segments, so that a thread can read while others go on.

A copy has file handles of its own, and indexes of its own where they may change. What was damaged
is repaired in memory only; who made the copy takes that over, or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy

from .segment import Segment
from .transaction_index import AbortedTransaction


class SegmentCopy(Segment):
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
        self.mark = segment.mark
        self.take_over(segment)
        self.rebuilt: list[tuple[str, str]] = []
        """Path and reason of each index that was damaged."""
        self.on_rebuild = lambda path, reason: self.rebuilt.append((path, reason))

    def copy_indexes(self) -> None:
        """Copy the indexes, so that they can be changed without changing the segment's own."""
        self._index = deepcopy(self._index)
        self._times = deepcopy(self._times)

    def save_indexes(self) -> None:
        """Do nothing: the log itself saves them."""

    def write_transactions(
        self, entries: Iterable[AbortedTransaction], *, durable: bool = False
    ) -> None:
        """Keep `entries` in memory only: the log itself writes them."""
        self._transactions = list(entries)
        self.transactions_checked = True
