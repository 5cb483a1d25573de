"""Which protocols the members of a group have in common, and which one they choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class SharedProtocols:
    """How many members know each protocol; kept up to date, so that a join costs its own list."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, protocols: Mapping[str, bytes]) -> None:
        """One more member knows these."""
        for name in protocols:
            self._counts[name] = self._counts.get(name, 0) + 1

    def remove(self, protocols: Mapping[str, bytes]) -> None:
        """A member that knew these is gone."""
        for name in protocols:
            left = self._counts[name] - 1
            if left:
                self._counts[name] = left
            else:
                del self._counts[name]

    def fit(self, protocols: Mapping[str, bytes], member_count: int) -> bool:
        """Whether all of so many members know at least one of these (GRP-04)."""
        return any(self._counts.get(name, 0) == member_count for name in protocols)

    def choose(self, member_count: int, lists: Iterable[Mapping[str, bytes]]) -> str | None:
        """The protocol of the next generation (GRP-13).

        Each member votes for the first one in its list that everybody knows; most votes win, and of
        as many votes the first name: the choice must not depend on the order of the members, which
        changes when a static one comes back (GRP-15). None if nothing is known to all, which joins
        do not let happen.
        """
        known = {name for name, count in self._counts.items() if count == member_count}
        if len(known) <= 1:
            return next(iter(known), None)
        votes: dict[str, int] = {}
        for protocols in lists:
            vote = next(name for name in protocols if name in known)
            votes[vote] = votes.get(vote, 0) + 1
        return min(votes, key=lambda name: (-votes[name], name))
