"""How much memory answers may take that nobody has read yet, in all connections together.

Records of a Fetch stay in their files until they leave, so this is about other answers, such as
Metadata of many topics. While more than the budget is unsent:
- an answer that may be large is not made, but waits until others have left (`room`);
- connections that take theirs slower than `PROGRESS_BYTES_PER_MS`, after a time of grace, are
  closed: they cannot keep the others waiting (`overdue`).

What brokers and controllers tell each other never waits, unless the request itself is large.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from .limits import PROGRESS_BYTES_PER_MS

PRODUCE = 0

SMALL_BYTES = 131_072
"""A connection's unsent bytes up to this number are not counted: `max.connections` bounds them."""

_OF_CLIENTS = frozenset({0, 1, 8, 12, 13, 18, 22, 23, 24, 25, 26, 28, 68})
"""Produce, Fetch, ApiVersions, OffsetForLeaderEpoch; of groups the heartbeats of both protocols,
OffsetCommit and LeaveGroup: members whose heartbeats wait for others' answers would be given up;
and those of transactional producers, which have only so much time."""

_OF_THE_CLUSTER = frozenset({27, 52, 53, 54, 55, 56, 58, 59, 62, 63, 64, 67, 70, 73, 82})
"""Those of the quorum, brokers and controllers, and the markers that end transactions."""

PROMPT = _OF_CLIENTS | _OF_THE_CLUSTER
"""APIs whose answers are small, or keep the cluster itself running."""

LARGE_REQUEST_BYTES = 65_536


class Holder(Protocol):
    """A connection with unsent answers."""

    def count_unsent(self) -> None:
        """Have `resize` called with the number of bytes that are unsent now."""
        ...

    def close(self, reason: str) -> None: ...


class _Hold:
    """What a connection has held since it began to hold much, and how much of that has been
    sent."""

    __slots__ = ("drained", "since", "size")

    def __init__(self, since: float) -> None:
        self.size = 0
        self.drained = 0
        self.since = since


class AnswerBudget:
    """The unsent bytes of answers, and the requests that wait for room."""

    __slots__ = ("_grace_ms", "_holds", "_limit", "_now", "_waiting", "in_the_making", "used")

    def __init__(self, limit: int, grace_ms: int, now: Callable[[], float]) -> None:
        """`now` is the loop's clock, in seconds."""
        self.in_the_making = asyncio.Lock()
        """Held while an answer is made with turns for others: what is made counts only once it is
        unsent, so there must not be many of them."""
        self._limit = limit
        self._grace_ms = grace_ms
        self._now = now
        self._holds: dict[Holder, _Hold] = {}
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.used = 0

    @property
    def is_full(self) -> bool:
        """Whether no more large answers may be made at present."""
        return self.used > self._limit

    def resize(self, holder: Holder, size: int) -> None:
        """The connection has this many unsent bytes now."""
        hold = self._holds.get(holder)
        if hold is None:
            if size <= SMALL_BYTES:
                return
            hold = self._holds[holder] = _Hold(self._now())
        if size < hold.size:
            hold.drained += hold.size - size
        if size <= SMALL_BYTES:
            del self._holds[holder]
            self.used -= hold.size
        else:
            self.used += size - hold.size
            hold.size = size
        self._wake()

    def must_wait(self, key: int, size: int) -> bool:
        """Whether the answer to a request of this API and length must wait for room."""
        if self.used <= self._limit:
            return False
        return key not in PROMPT or (size > LARGE_REQUEST_BYTES and key != PRODUCE)

    async def room(self) -> None:
        """Wait until there is room; callers go on in the order of their calls."""
        while self.used > self._limit:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                else:
                    self._wake()  # it was this one's turn: the next one has it
                raise
        # This caller makes its answer at once; the next one is looked at after that.
        asyncio.get_running_loop().call_soon(self._wake)

    def _wake(self) -> None:
        waiting = self._waiting
        while waiting and self.used <= self._limit:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def overdue(self) -> list[Holder]:
        """Connections that read their answers too slowly while others wait for room."""
        if self.used <= self._limit:
            return []
        for holder in list(self._holds):
            holder.count_unsent()
        now = self._now()
        return [
            holder
            for holder, hold in self._holds.items()
            if (now - hold.since) * 1000.0 > self._grace_ms + hold.drained // PROGRESS_BYTES_PER_MS
        ]
