"""Follower fetches that are being worked on: while one is, its follower stays in sync (KIP-501).

- 501-04: a fetch counts if it comes from a member of the in-sync set, and asks for at least the
  offset at which the leader's log ended when the previous fetch came.
- 501-06: it ends when its answer is made, whatever the answer is, or when its connection closes.
- 501-07: at its end the follower counts as caught up.
"""

from __future__ import annotations


class PendingFetch:
    """One fetch of one follower, from its arrival to its end; a key by identity."""

    __slots__ = ("replica_id",)

    def __init__(self, replica_id: int) -> None:
        self.replica_id = replica_id


class PendingFetches:
    """The pending fetches of one partition, in one leader epoch."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: dict[PendingFetch, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, replica_id: int) -> PendingFetch:
        """A fetch came; give the result to `end`."""
        fetch = PendingFetch(replica_id)
        self._open[fetch] = None
        return fetch

    def end(self, fetch: PendingFetch) -> bool:
        """The fetch is over; False if it came in another leader epoch."""
        if fetch not in self._open:
            return False
        del self._open[fetch]
        return True

    def holds(self, replica_id: int) -> bool:
        """Whether a fetch of this follower is being worked on (501-05)."""
        return any(fetch.replica_id == replica_id for fetch in self._open)
