"""What compaction must know of transactions: whose records were aborted, which markers may go.

CMP-07: records of an aborted transaction go at once. A marker goes once no batch of its transaction
is left in the log; until then readers and recovery need it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ..transaction_index import AbortedTransaction


class AbortedRanges:
    """The aborted transactions of a log, by producer."""

    __slots__ = ("_by_marker", "_by_producer")

    def __init__(self, entries: Iterable[AbortedTransaction]) -> None:
        self._by_marker: dict[int, AbortedTransaction] = {}
        self._by_producer: dict[int, list[tuple[int, int]]] = {}
        for entry in entries:
            self._by_marker[entry.last_offset] = entry
            ranges = self._by_producer.setdefault(entry.producer_id, [])
            ranges.append((entry.first_offset, entry.last_offset))
        for ranges in self._by_producer.values():
            ranges.sort()

    def has(self, producer_id: int, offset: int) -> bool:
        """Whether a transactional batch of this producer at `offset` was aborted."""
        ranges = self._by_producer.get(producer_id)
        if ranges is None:
            return False
        at = bisect_right(ranges, (offset, 1 << 62)) - 1
        return at >= 0 and offset <= ranges[at][1]

    def ended_at(self, offset: int) -> AbortedTransaction | None:
        """The aborted transaction whose marker is at `offset`."""
        return self._by_marker.get(offset)


class MarkerWatch:
    """Which transactions had a batch on the way through a log, from its beginning on."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def saw_batch(self, producer_id: int) -> None:
        """A transactional batch of this producer, even one without records."""
        self._seen.add(producer_id)

    def ends_nothing(self, producer_id: int) -> bool:
        """At a marker: whether there was no batch of the transaction that it ends."""
        if producer_id in self._seen:
            self._seen.remove(producer_id)
            return False
        return True
