"""Who waits at a partition: produce requests for the watermark or a flush, fetches for bytes.

Consumers wait for what is below the watermark, followers for what is in the log. All are woken
from here, nobody polls. Partitions of fetch sessions of which there is nothing to tell rest here.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode

if TYPE_CHECKING:
    from ..log.partition_log import PartitionLog
    from ..ports import Hooks
    from .resting_session import FetchSession, FetchTarget
    from .wakeups import Sleeper

AckWaiter = Callable[[ErrorCode], object]
"""Called with NONE when what was waited for is there, else with the reason why it never will."""

Line = deque[tuple[int, AckWaiter]]
"""End offsets in order, and who waits for them."""

_END_OFFSET = itemgetter(0)


def wait_in_line(line: Line, end_offset: int, waiter: AckWaiter) -> None:
    """Take the place that `end_offset` has; it need not be the last one.

    A request that was worked on in slices waits when all of it was appended, and others, whose
    batches came behind its first ones, wait already.
    """
    if line and line[-1][0] > end_offset:
        insort(line, (end_offset, waiter), key=_END_OFFSET)
    else:
        line.append((end_offset, waiter))


class Parking:
    """A log, its watermark, and who waits for either."""

    __slots__ = (
        "_ack_waiters",
        "_appended_bytes",
        "_flush_waiters",
        "_following_sleepers",
        "_readable_bytes",
        "_sleepers",
        "_watches",
        "hooks",
        "log",
    )

    def __init__(self, log: PartitionLog, hooks: Hooks | None) -> None:
        self.log = log
        self.hooks = hooks
        """The simulator's; None in production."""
        self._ack_waiters: Line = deque()
        self._flush_waiters: Line = deque()
        self._sleepers: dict[Sleeper, None] = {}
        self._following_sleepers: dict[Sleeper, None] = {}
        self._watches: dict[FetchTarget, FetchSession] = {}
        self._appended_bytes = 0
        self._readable_bytes = 0

    def tell(self, event: str, **fields: object) -> None:
        """Tell the simulator, if this node runs in one."""
        if self.hooks is not None:
            self.hooks.on(event, partition=self, **fields)

    def park(self, sleeper: Sleeper, *, is_follower: bool = False) -> None:
        """Tell this one when bytes become readable; a follower reads all that is in the log."""
        (self._following_sleepers if is_follower else self._sleepers)[sleeper] = None

    def unpark(self, sleeper: Sleeper) -> None:
        """Stop telling; no error if it was not parked."""
        if self._sleepers.pop(sleeper, self) is self:
            self._following_sleepers.pop(sleeper, None)

    @property
    def parked_count(self) -> int:
        """How many fetches are parked here."""
        resting = sum(len(session.parked) for session in self._watches.values())
        return len(self._sleepers) + len(self._following_sleepers) + resting

    def watch(self, target: FetchTarget, session: FetchSession) -> None:
        """Tell this session once when something happens here."""
        self._watches[target] = session

    def unwatch(self, target: FetchTarget) -> None:
        """Do not tell its session; no error if it was told already."""
        self._watches.pop(target, None)

    def stir(self) -> None:
        """Something happened that a fetch may have to look at: nothing rests here any longer.

        To be called before those who are parked are told, since more may be parked by it.
        """
        if self._watches:
            watches, self._watches = self._watches, {}
            for target, session in watches.items():
                session.stir(self, target)  # type: ignore[arg-type]

    def settle_watches(self) -> None:
        """Put down what is known of followers whose fetches do not look here."""
        for session in self._watches.values():
            session.settle(self)  # type: ignore[arg-type]

    def wake_all(self) -> None:
        """Have all parked fetches answer with what there is."""
        self.stir()
        for sleepers in (self._sleepers, self._following_sleepers):
            for sleeper in sleepers:
                sleeper.on_change(self)  # type: ignore[arg-type]

    def _advance(self, high_watermark: int) -> None:
        """The one place where a watermark moves on."""
        self.log.high_watermark = high_watermark
        if (hooks := self.hooks) is not None:
            is_leading = self._is_leading()
            hooks.on("hw", partition=self, high_watermark=high_watermark, as_leader=is_leading)
        waiters = self._ack_waiters
        while waiters and waiters[0][0] <= high_watermark:
            waiters.popleft()[1](ErrorCode.NONE)
        if self._watches:
            self.stir()
        if self._sleepers:
            fresh = self._appended_bytes - self._readable_bytes
            for sleeper in self._sleepers:
                sleeper.on_bytes(self, fresh)  # type: ignore[arg-type]
        if self._following_sleepers:
            for sleeper in self._following_sleepers:
                sleeper.on_high_watermark(self)  # type: ignore[arg-type]
        self._readable_bytes = self._appended_bytes

    def _is_leading(self) -> bool:
        raise NotImplementedError

    def _wake_followers(self, size: int) -> None:
        """Followers may read what is in the log at once."""
        if self._watches:
            self.stir()
        for sleeper in self._following_sleepers:
            sleeper.on_bytes(self, size)  # type: ignore[arg-type]

    def when_durable(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the log is flushed up to its present `end_offset`, or never will be."""
        waiters = self._flush_waiters
        while waiters and waiters[-1][0] > end_offset:
            waiters.pop()[1](ErrorCode.NOT_LEADER_OR_FOLLOWER)  # the log was cut since
        if self.log.recovery_point >= end_offset:
            waiter(ErrorCode.NONE)
        elif self.log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        else:
            waiters.append((end_offset, waiter))

    def _note_durable(self) -> None:
        """An fsync has returned: who waits for no more than that may go on."""
        waiters = self._flush_waiters
        durable = self.log.recovery_point
        while waiters and waiters[0][0] <= durable:
            waiters.popleft()[1](ErrorCode.NONE)

    def _refuse_acks(self, reason: ErrorCode) -> None:
        """Whoever waits for the watermark is told that it waits in vain."""
        waiters, self._ack_waiters = self._ack_waiters, deque()
        for _, waiter in waiters:
            waiter(reason)

    def _give_up(self, reason: ErrorCode) -> None:
        """Nobody needs to wait here any longer."""
        waiters, self._flush_waiters = self._flush_waiters, deque()
        for _, waiter in waiters:
            waiter(reason)
        self._refuse_acks(reason)
        self.wake_all()
