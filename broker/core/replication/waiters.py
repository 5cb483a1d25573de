"""Who waits at a partition: produce requests for the watermark or a flush, fetches for bytes.

Consumers wait for what is below the watermark, followers for what is in the log. All are woken
from here, nobody polls. Partitions of fetch sessions of which there is nothing to tell rest here.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable
from operator import itemgetter
from typing import Protocol

from barnabas.protocol.errors import ErrorCode

from ..log.partition_log import PartitionLog
from .wakeups import Sleeper

AckWaiter = Callable[[ErrorCode], object]
"""Called with NONE when what was waited for is there, else with the reason why it never will."""

Line = deque[tuple[int, AckWaiter]]
"""End offsets in order, and who waits for them."""

_END_OFFSET = itemgetter(0)


class Resting(Protocol):
    """A partition of a fetch session that is not looked at until something happens to it."""

    def stir(self) -> None:
        """Something happened; told once."""
        ...

    def settle(self) -> None:
        """Note what its fetches would have said while it rested."""
        ...

    @property
    def parked_count(self) -> int:
        """How many fetches of its session are parked."""
        ...


def wait_in_line(line: Line, end_offset: int, waiter: AckWaiter) -> None:
    """Take the place that `end_offset` has; it need not be the last one.

    A request that was worked on in slices waits when all of it was appended, and others, whose
    batches came behind its first ones, wait already.
    """
    if line and line[-1][0] > end_offset:
        insort(line, (end_offset, waiter), key=_END_OFFSET)
    else:
        line.append((end_offset, waiter))


class Waiters:
    """All who wait at one partition; they are told from within the event that they wait for."""

    __slots__ = (
        "_acks",
        "_appended_bytes",
        "_flushes",
        "_followers",
        "_log",
        "_readable_bytes",
        "_resting",
        "_sleepers",
    )

    def __init__(self, log: PartitionLog) -> None:
        self._log = log
        self._acks: Line = deque()
        self._flushes: Line = deque()
        self._sleepers: dict[Sleeper, int] = {}
        self._followers: dict[Sleeper, int] = {}
        """Parked fetches, and which of its places each has here."""
        self._resting: dict[Resting, None] = {}
        self._appended_bytes = 0
        self._readable_bytes = 0

    # --- produce requests -----------------------------------------------------------------------

    def await_watermark(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the watermark reaches `end_offset`, or never will."""
        line = self._acks
        if line and line[-1][0] > end_offset:
            wait_in_line(line, end_offset, waiter)
        else:
            line.append((end_offset, waiter))  # nearly always: a call less

    def await_flush(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the log is flushed up to `end_offset`, or never will be."""
        wait_in_line(self._flushes, end_offset, waiter)

    def when_durable(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the log is flushed up to its present `end_offset`, or never will be."""
        waiters, log = self._flushes, self._log
        while waiters and waiters[-1][0] > end_offset:
            waiters.pop()[1](ErrorCode.NOT_LEADER_OR_FOLLOWER)  # the log was cut since
        if log.recovery_point >= end_offset:
            waiter(ErrorCode.NONE)
        elif log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        else:
            waiters.append((end_offset, waiter))

    def on_flushed(self) -> None:
        """An fsync has returned: who waits for no more than that may go on."""
        waiters = self._flushes
        durable = self._log.recovery_point
        while waiters and waiters[0][0] <= durable:
            waiters.popleft()[1](ErrorCode.NONE)

    def refuse_acks(self, reason: ErrorCode) -> None:
        """Whoever waits for the watermark is told that it waits in vain."""
        waiters, self._acks = self._acks, deque()
        for _, waiter in waiters:
            waiter(reason)

    # --- fetches --------------------------------------------------------------------------------

    def park(self, sleeper: Sleeper, place: int, *, is_follower: bool = False) -> None:
        """Tell this one when bytes become readable; a follower reads all that is in the log.

        `place` is the sleeper's own number for this partition, and comes with all it is told.
        """
        (self._followers if is_follower else self._sleepers)[sleeper] = place

    def unpark(self, sleeper: Sleeper) -> None:
        """Stop telling; no error if it was not parked."""
        if self._sleepers.pop(sleeper, None) is None:
            self._followers.pop(sleeper, None)

    @property
    def parked_count(self) -> int:
        """How many fetches are parked here, those of sessions included in which it rests."""
        resting = sum(one.parked_count for one in self._resting)
        return len(self._sleepers) + len(self._followers) + resting

    def watch(self, resting: Resting) -> None:
        """Tell this one, once, when something happens here."""
        self._resting[resting] = None

    def unwatch(self, resting: Resting) -> None:
        """Do not tell it; no error if it was told already."""
        self._resting.pop(resting, None)

    def stir(self) -> None:
        """Something happened that a fetch may have to look at: nothing rests here any longer.

        To be called before those who are parked are told, since more may be parked by it.
        """
        if self._resting:
            resting, self._resting = self._resting, {}
            for one in resting:
                one.stir()

    def settle_resting(self) -> None:
        """Note what is known of followers whose fetches do not look here."""
        for one in self._resting:
            one.settle()

    # --- what happens here ----------------------------------------------------------------------

    def on_append(self, size: int) -> None:
        """`size` bytes are in the log: followers may read them at once."""
        self._appended_bytes += size
        if self._resting:
            self.stir()
        if self._followers:
            for sleeper, place in self._followers.items():
                sleeper.on_bytes(place, size)

    def on_high_watermark(self, high_watermark: int) -> None:
        """The watermark moved on: what lies below it is committed, and consumers may read it."""
        waiters = self._acks
        while waiters and waiters[0][0] <= high_watermark:
            waiters.popleft()[1](ErrorCode.NONE)
        if self._resting:
            self.stir()
        if self._sleepers:
            fresh = self._appended_bytes - self._readable_bytes
            for sleeper, place in self._sleepers.items():
                sleeper.on_bytes(place, fresh)
        if self._followers:
            for sleeper, place in self._followers.items():
                sleeper.on_high_watermark(place)
        self._readable_bytes = self._appended_bytes

    def wake_all(self) -> None:
        """Have all parked fetches answer with what there is."""
        self.stir()
        for sleepers in (self._sleepers, self._followers):
            for sleeper, place in sleepers.items():
                sleeper.on_change(place)

    def give_up(self, reason: ErrorCode) -> None:
        """Nobody needs to wait here any longer."""
        waiters, self._flushes = self._flushes, deque()
        for _, waiter in waiters:
            waiter(reason)
        self.refuse_acks(reason)
        self.wake_all()
