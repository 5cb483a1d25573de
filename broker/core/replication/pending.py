"""Follower fetches that are being worked on: while one is, its follower stays in sync (KIP-501).

- 501-04: a fetch counts if it came from a member of the in-sync set and asked for what was the
  leader's end at the fetch before, or more.
- 501-06: it ends when its answer is made, whatever the answer is, or with its connection.
- 501-07: its end is a moment at which the follower was caught up.
"""

from __future__ import annotations


class PendingFetch:
    """One fetch of one follower, from its arrival to its end; a key by identity."""

    __slots__ = ("arrived_ms", "replica_id")

    def __init__(self, replica_id: int, arrived_ms: float) -> None:
        self.replica_id = replica_id
        self.arrived_ms = arrived_ms


class PendingFetches:
    """Those of one partition, oldest first."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: dict[PendingFetch, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, replica_id: int, now_ms: float) -> PendingFetch:
        """A fetch came; give the result to `end`."""
        fetch = PendingFetch(replica_id, now_ms)
        self._open[fetch] = None
        return fetch

    def end(self, fetch: PendingFetch) -> bool:
        """It is over; False if it was forgotten before."""
        if fetch not in self._open:
            return False
        del self._open[fetch]
        return True

    def holds(self, replica_id: int) -> bool:
        """Whether a fetch of this follower is being worked on (501-05)."""
        return any(fetch.replica_id == replica_id for fetch in self._open)

    def oldest_ms(self) -> float | None:
        """When the oldest of them came; None if there is none."""
        return next((fetch.arrived_ms for fetch in self._open), None)

    def clear(self) -> None:
        """A new epoch began: what was open says nothing about it."""
        self._open.clear()
