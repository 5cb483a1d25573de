"""Timers of a shard that are due at the same time: others have turns in between."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from kit.logs import ManualClock
from kit.shard_parts import ManualLoop

from barnabas.broker.core.coordination.machine import Operation, Outcome
from barnabas.broker.core.coordination.shard_timers import LoopTimers
from barnabas.protocol.errors import KafkaError

MANY = 205
FEW = 20
"""Operations that others wait for without noticing."""


class Timers:
    """Timers on a loop, and the numbers of those that went off."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.loop = ManualLoop(self.clock)
        self.timers = LoopTimers(self.loop, self._run)
        self.gone_off: list[int] = []

    def set(self, number: int, delay_ms: float) -> None:
        """One that adds its number to `gone_off`."""

        def operation() -> Outcome[None]:
            self.gone_off.append(number)
            return Outcome(None)

        self.timers.schedule(number, delay_ms, operation)

    def _run(self, operation: Operation[None], refuse: Callable[[KafkaError], object]) -> None:
        del refuse
        operation()


def many_due() -> Timers:
    """As after a load, when the sessions of all members begin together."""
    found = Timers()
    for number in range(MANY):
        found.set(number, 1000)
    found.clock.now_ms += 1000
    return found


def test_one_turn_runs_a_few_of_many() -> None:
    """Thousands of sessions that end together do not keep the broker's clients waiting."""
    one = many_due()
    counts = [0]
    while one.loop.turn():
        counts.append(len(one.gone_off))
    assert one.gone_off == list(range(MANY))
    assert max(after - before for before, after in pairwise(counts)) <= FEW
    assert len(one.timers) == 0


def test_those_that_wait_for_a_turn_can_be_cancelled_and_put_off() -> None:
    """A member that leaves or is heard meanwhile is not removed for its silence."""
    one = many_due()
    one.loop.turn()
    one.timers.cancel(MANY - 1)
    one.set(MANY - 2, 500)
    one.timers.cancel(MANY - 3)
    one.set(MANY - 3, 200)
    while one.loop.turn():
        pass
    assert one.gone_off == list(range(MANY - 3))
    one.loop.run(500)
    assert one.gone_off == [*range(MANY - 3), MANY - 3, MANY - 2]


def test_nothing_goes_off_after_the_end() -> None:
    """A shard that is gone runs nothing of what was due."""
    one = many_due()
    one.loop.turn()
    count = len(one.gone_off)
    one.timers.close()
    while one.loop.turn():
        pass
    assert len(one.gone_off) == count
