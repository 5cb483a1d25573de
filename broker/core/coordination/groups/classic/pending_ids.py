"""Member ids of one group that were given out and not used yet (KIP-394)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from .weights import TotalWeight

OF_A_GROUP_MAX: Final = 10_000
"""Ids of one group; beyond it the oldest is void."""

OF_ALL_MAX: Final = 100_000
"""Ids of all groups of this broker; beyond it a group has only few, and older ones are void."""

FEW: Final = 16
"""More than usual groups need, since an id is used within a moment; and every group may have them,
so that nobody can keep others out."""


class PendingIds:
    """The ids, oldest first; it counts them in what all groups have."""

    __slots__ = ("_ids", "_total")

    def __init__(self, total: TotalWeight) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._total = total

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __contains__(self, member_id: str) -> bool:
        return member_id in self._ids

    def add(self, member_id: str) -> list[str]:
        """Give an id out; those that become void for it, two at most (GRP-05)."""
        self._ids[member_id] = None
        self._total.pending_ids += 1
        limit = OF_A_GROUP_MAX if self._total.pending_ids <= OF_ALL_MAX else FEW
        void: list[str] = []
        while len(self._ids) > limit and len(void) < 2:
            void.append(next(iter(self._ids)))
            self.discard(void[-1])
        return void

    def discard(self, member_id: str) -> bool:
        """It was used, or is void; False if it was not pending."""
        if member_id not in self._ids:
            return False
        del self._ids[member_id]
        self._total.pending_ids -= 1
        return True

    def clear(self) -> list[str]:
        """All are void; they are returned."""
        gone = list(self._ids)
        self._ids.clear()
        self._total.pending_ids -= len(gone)
        return gone
