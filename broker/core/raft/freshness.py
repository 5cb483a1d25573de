"""How old the metadata of a node can be (207-09): proven by records that are younger.

Whoever has applied a record that did not exist yet at some moment has applied everything that was
committed at that moment: it stands before that record in the log, and what is committed at an
offset stays there. So it takes no trust in whoever answered (a leader that was deposed without
knowing it answers too), no clock but one's own, and no bound on how long bytes are under way.

That a record did not exist yet is known

- to the leader that appended it: it did not before that;
- to a follower that fetches: its leader had nothing behind offset n when it answered a Fetch, so
  what the same leader of the same epoch hands out from n on was appended after that Fetch was sent.

Either is forgotten with the epoch, with a cut and with a new log: then offset n may hold another
record, which may have been some other leader's for long.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Final

PROOFS_MAX: Final = 64
"""Most that wait to be applied; the oldest goes first, which only makes the metadata look old."""

SPACING_MS: Final = 20.0
"""What is younger by less than this is not worth another proof."""


TAIL_WAIT_MIN_MS: Final = 50
TAIL_WAITS_PER_LEASE: Final = 5


def tail_wait_ms(lease_ms: int) -> int:
    """How long a Fetch that looks for the end of the leader's log is parked there, so that the
    metadata is never older than `lease_ms` while the leader writes a record each half of that."""
    return max(TAIL_WAIT_MIN_MS, lease_ms // TAIL_WAITS_PER_LEASE)


class Freshness:
    """Proofs, and the best that was redeemed. Times in milliseconds of the monotonic clock."""

    __slots__ = ("_proofs", "_since_ms", "_tail_ms", "seeks_tail")

    def __init__(self) -> None:
        self.seeks_tail = False
        """Whether records came, and no empty answer soon after them. Then no Fetch should be parked
        for long: a leader that commits at once answers each with its next record, so that none
        would ever come back empty and show where the log ended."""
        self._since_ms = -inf
        self._tail_ms = -inf
        self._proofs: deque[tuple[int, float]] = deque(maxlen=PROOFS_MAX)

    def begin(self) -> None:
        """Another epoch, or another log: what was applied stays applied, the rest is no proof."""
        self._tail_ms = -inf
        self.seeks_tail = False
        self._proofs.clear()

    def at_tail(self, sent_ms: float, *, was_parked: bool) -> None:
        """A Fetch sent then found that the leader's log ends where ours does.

        `was_parked`: it came back since its time was up, and not with another watermark.
        """
        self._tail_ms = sent_ms
        self.seeks_tail = self.seeks_tail and was_parked

    def fetched(self, offset: int) -> None:
        """The leader handed out what begins at `offset`, where our log ended."""
        self.seeks_tail = True
        if self._tail_ms > -inf:
            self.appended(offset, self._tail_ms)

    def appended(self, offset: int, since_ms: float) -> None:
        """The record at `offset` did not exist at `since_ms`."""
        proofs = self._proofs
        newest_ms = proofs[-1][1] if proofs else self._since_ms
        if since_ms >= newest_ms + SPACING_MS:
            proofs.append((offset, since_ms))

    def all_applied(self, now_ms: float) -> None:
        """Nobody but this node commits anything, and it has applied all of it."""
        self._since_ms = now_ms

    def since_ms_alone(self, applied_end: int) -> float:
        """`since_ms` of a leader that is the only voter: what nobody appended is not committed.

        So where a record waits to be applied, all that was committed before it was appended is.
        """
        since_ms = self.since_ms(applied_end)
        proofs = self._proofs
        if proofs and proofs[0][0] == applied_end:
            return max(since_ms, proofs[0][1])
        return since_ms

    def since_ms(self, applied_end: int) -> float:
        """Everything that was committed then is below `applied_end`; -inf: nothing is known."""
        proofs = self._proofs
        while proofs and proofs[0][0] < applied_end:
            self._since_ms = max(self._since_ms, proofs.popleft()[1])
        return self._since_ms
