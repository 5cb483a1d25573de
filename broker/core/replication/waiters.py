"""Who waits at a partition: produce requests for the watermark or a flush, fetches for bytes,
deletions of records for the low watermark.

Consumers wait for records below the watermark, followers for records in the log. All are woken
from here; nobody polls. Partitions of fetch sessions with nothing new rest here: their sessions'
fetches skip them until `end_rests` says that something has happened.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable
from operator import itemgetter
from typing import Protocol

from barnabas.protocol.errors import ErrorCode

from ..log.partition_log import PartitionLog
from .wakeups import Sleeper

AckWaiter = Callable[[ErrorCode], object]
"""Called once: with NONE when the wait was successful, else with the error that ended it."""

Line = deque[tuple[int, AckWaiter]]
"""(end offset, waiter), in the order of the offsets."""

UNKNOWN = 1 << 62
"""Bytes became readable, nobody knows how many: more than any fetch waits for."""

GIVEN_UP_MAX = 1000
"""So many waiters that nobody needs any more stay in line, or half of all, before they are taken
out."""

_END_OFFSET = itemgetter(0)


class Resting(Protocol):
    """A partition of a fetch session that fetches skip until something happens to it."""

    def end_rest(self) -> None:
        """Something happened to the replica; called once."""
        ...

    def settle(self) -> None:
        """Bring a follower's progress up to date, as its fetches would have done meanwhile."""
        ...

    @property
    def parked_count(self) -> int:
        """How many fetches of its session wait."""
        ...


def wait_in_line(line: Line, end_offset: int, waiter: AckWaiter) -> None:
    """Insert a waiter in the order of end offsets; it need not come last.

    A request that is worked on in slices begins to wait after its last append, when others, whose
    batches came after its first ones, wait already.
    """
    if line and line[-1][0] > end_offset:
        insort(line, (end_offset, waiter), key=_END_OFFSET)
    else:
        line.append((end_offset, waiter))


class Waiters:
    """All who wait at one partition; each is called from within the event that it waits for."""

    __slots__ = (
        "_acks",
        "_appended_bytes",
        "_deletions",
        "_flushes",
        "_followers",
        "_given_up",
        "_log",
        "_marked_bytes",
        "_marked_end",
        "_readable_bytes",
        "_resting",
        "_sleepers",
    )

    def __init__(self, log: PartitionLog) -> None:
        self._log = log
        self._acks: Line = deque()
        self._flushes: Line = deque()
        self._given_up: set[AckWaiter] = set()
        """Of those in `_acks` and `_flushes`; maybe some that were called since."""
        self._deletions: list[tuple[int, AckWaiter]] = []
        """(offset, waiter), in the order of the offsets."""
        self._sleepers: dict[Sleeper, int] = {}
        self._followers: dict[Sleeper, int] = {}
        """Parked fetches of followers, as `_sleepers` has those of consumers: fetch -> its own
        number for this partition."""
        self._resting: dict[Resting, None] = {}
        self._appended_bytes = log.size_bytes
        self._readable_bytes = 0
        """Of those appended, so many are below the watermark, or more."""
        self._marked_bytes = 0
        self._marked_end = 0
        """When the log ended here, `_marked_bytes` had been appended."""

    def log_is(self, log: PartitionLog) -> None:
        """The records are in another directory from now on."""
        self._log = log

    # --- produce requests -----------------------------------------------------------------------

    def await_watermark(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the watermark reaches `end_offset`, or can no longer do so."""
        wait_in_line(self._acks, end_offset, waiter)

    def await_flush(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the log is flushed up to `end_offset`, or can no longer be."""
        wait_in_line(self._flushes, end_offset, waiter)

    def stop_awaiting(self, waiter: AckWaiter) -> None:
        """Nobody needs this call any more; it comes all the same, or is forgotten.

        A watermark may stand still for as long as no controller can be reached, and clients whose
        time is up ask again.
        """
        given_up = self._given_up
        given_up.add(waiter)
        count = len(given_up)
        if count > GIVEN_UP_MAX and 2 * count > len(self._acks) + len(self._flushes):
            for line in (self._acks, self._flushes):  # in place: they may be being called
                left = [one for one in line if one[1] not in given_up]
                line.clear()
                line.extend(left)
            given_up.clear()

    def when_durable(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the log is flushed up to its present end, or can no longer be.

        Waiters for a higher offset are refused first: the log was truncated below them.
        """
        waiters, log = self._flushes, self._log
        while waiters and waiters[-1][0] > end_offset:
            waiters.pop()[1](ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if log.recovery_point >= end_offset:
            waiter(ErrorCode.NONE)
        elif log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        else:
            waiters.append((end_offset, waiter))

    def on_flushed(self) -> None:
        """An fsync has returned: call those that wait for no more than is durable now."""
        waiters = self._flushes
        durable = self._log.recovery_point
        while waiters and waiters[0][0] <= durable:
            waiters.popleft()[1](ErrorCode.NONE)

    def refuse_acks(self, reason: ErrorCode) -> None:
        """End all waits for the watermark with this error."""
        waiters, self._acks = self._acks, deque()
        for _, waiter in waiters:
            waiter(reason)

    # --- deletions of records -------------------------------------------------------------------

    @property
    def deletion_count(self) -> int:
        """How many wait for the low watermark."""
        return len(self._deletions)

    def await_low_watermark(self, offset: int, waiter: AckWaiter) -> None:
        """Call back when the low watermark reaches `offset`, or can no longer do so here."""
        insort(self._deletions, (offset, waiter), key=_END_OFFSET)

    def stop_awaiting_low_watermark(self, waiter: AckWaiter) -> None:
        """Do not call it any more; no error if it was called already."""
        self._deletions = [one for one in self._deletions if one[1] is not waiter]

    def on_low_watermark(self, low_watermark: int) -> None:
        """All replicas that count begin there, or later."""
        count = bisect_right(self._deletions, low_watermark, key=_END_OFFSET)
        done, self._deletions = self._deletions[:count], self._deletions[count:]
        for _, waiter in done:
            waiter(ErrorCode.NONE)

    def _refuse_deletions(self, reason: ErrorCode) -> None:
        waiters, self._deletions = self._deletions, []
        for _, waiter in waiters:
            waiter(reason)

    # --- fetches --------------------------------------------------------------------------------

    def park(self, sleeper: Sleeper, place: int, *, is_follower: bool = False) -> None:
        """Call this fetch when bytes become readable; for a follower, when they are appended.

        `place` is the fetch's own number for this partition, and is passed with every call.
        """
        (self._followers if is_follower else self._sleepers)[sleeper] = place

    def unpark(self, sleeper: Sleeper) -> None:
        """Call this fetch no more; no error if it was not parked."""
        if self._sleepers.pop(sleeper, None) is None:
            self._followers.pop(sleeper, None)

    @property
    def parked_count(self) -> int:
        """How many fetches wait here, including those of sessions in which the partition rests."""
        resting = sum(one.parked_count for one in self._resting)
        return len(self._sleepers) + len(self._followers) + resting

    def watch(self, resting: Resting) -> None:
        """Call `resting.end_rest` once, when something happens here."""
        self._resting[resting] = None

    def unwatch(self, resting: Resting) -> None:
        """Do not call it; no error if it was called already."""
        self._resting.pop(resting, None)

    def end_rests(self) -> None:
        """Something happened that a fetch may have to report: end the rest of all partitions here.

        Must be called before the parked fetches are, since it may park further ones.
        """
        if self._resting:
            resting, self._resting = self._resting, {}
            for one in resting:
                one.end_rest()

    def settle_resting(self) -> None:
        """Bring the progress of followers up to date whose fetches skip this partition."""
        for one in self._resting:
            one.settle()

    # --- what happens here ----------------------------------------------------------------------

    def on_append(self, size: int) -> None:
        """`size` bytes were appended: followers may read them at once."""
        self._appended_bytes += size
        if self._resting:
            self.end_rests()
        if self._followers:
            for sleeper, place in self._followers.items():
                sleeper.on_bytes(place, size)

    def on_high_watermark(self, high_watermark: int) -> None:
        """The watermark moved: what is below it is committed, and consumers may read it."""
        waiters = self._acks
        while waiters and waiters[0][0] <= high_watermark:
            waiters.popleft()[1](ErrorCode.NONE)
        if self._resting:
            self.end_rests()
        if self._sleepers:
            fresh = self._appended_bytes - self._readable_bytes or UNKNOWN
            for sleeper, place in self._sleepers.items():
                sleeper.on_bytes(place, fresh)
        if self._followers:
            for sleeper, place in self._followers.items():
                sleeper.on_high_watermark(place)
        if high_watermark >= self._marked_end:
            self._count_readable(high_watermark)

    def _count_readable(self, high_watermark: int) -> None:
        """What was there at the mark is below the watermark now; set the next mark.

        More may be: a fetch that is woken too soon waits on, one that is not woken is late.
        """
        end = self._log.log_end_offset
        is_all = high_watermark >= end
        self._readable_bytes = self._appended_bytes if is_all else self._marked_bytes
        self._marked_end, self._marked_bytes = end, self._appended_bytes

    def wake_followers(self) -> None:
        """Have the parked fetches of followers answer now: there is news besides records."""
        self.end_rests()
        for sleeper, place in self._followers.items():
            sleeper.on_change(place)

    def wake_all(self) -> None:
        """Have all parked fetches answer now, with what there is."""
        self.end_rests()
        for sleepers in (self._sleepers, self._followers):
            for sleeper, place in sleepers.items():
                sleeper.on_change(place)

    def give_up(self, reason: ErrorCode) -> None:
        """End every wait here: produce requests get `reason`, fetches look again and answer."""
        waiters, self._flushes = self._flushes, deque()
        for _, waiter in waiters:
            waiter(reason)
        self.refuse_acks(reason)
        self._refuse_deletions(reason)
        self.wake_all()
