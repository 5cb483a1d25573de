"""One timer for many deadlines: when it looks, and what it calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from barnabas.deadline_timer import DeadlineTimer
from barnabas.testing.simulation.loop import SimulatedLoop


class Tasks:
    """Deadlines by name; counts how often somebody looked."""

    def __init__(self) -> None:
        self.due: dict[str, float] = {}
        self.looks: list[float] = []

    def next_deadline(self) -> float | None:
        return min(self.due.values(), default=None)

    def overdue(self, now: float) -> str | None:
        self.looks.append(now)
        first = min(self.due, key=self.due.__getitem__, default=None)
        return first if first is not None and self.due[first] <= now else None


class Bench:
    """A timer on virtual time, and what it reported: (what, when)."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.loop = loop
        self.tasks = Tasks()
        self.late: list[tuple[str, float]] = []
        self.timer = DeadlineTimer(loop, self.tasks, self._on_overdue)

    def _on_overdue(self, name: str) -> None:
        self.late.append((name, self.loop.time()))

    def begin(self, name: str, deadline: float) -> None:
        self.tasks.due[name] = deadline
        self.timer.arm(deadline)

    def end(self, name: str) -> None:
        del self.tasks.due[name]

    def pass_time(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))


@pytest.fixture
def bench() -> Iterator[Bench]:
    loop = SimulatedLoop(Random(1))
    yield Bench(loop)
    loop.close()


def test_the_earliest_deadline_counts(bench: Bench) -> None:
    """Goal: what is due first is reported at its time, although it was begun last."""
    bench.begin("late", 9.0)
    bench.begin("soon", 2.0)
    bench.pass_time(5)
    assert bench.late == [("soon", 2.0)]


def test_a_deadline_that_was_met_is_not_reported(bench: Bench) -> None:
    """Goal: the timer of a deadline that was met goes on to the next deadline."""
    bench.begin("met", 2.0)
    bench.begin("missed", 4.0)
    bench.end("met")
    bench.pass_time(5)
    assert bench.late == [("missed", 4.0)]
    assert bench.tasks.looks == [2.0, 4.0]


def test_nobody_looks_when_nothing_is_due(bench: Bench) -> None:
    """Goal: after the last deadline was met no timer is left."""
    bench.begin("met", 2.0)
    bench.end("met")
    bench.pass_time(100)
    assert bench.tasks.looks == [2.0]
    assert bench.late == []


def test_many_deadlines_share_one_timer(bench: Bench) -> None:
    """Goal: a deadline after the one that the timer waits for sets no timer of its own."""
    for number in range(1000):
        bench.begin(str(number), 2.0 + number)
    for number in range(1000):
        bench.end(str(number))
    bench.pass_time(5000)
    assert bench.tasks.looks == [2.0]


def test_what_was_reported_is_reported_again_only_when_armed(bench: Bench) -> None:
    """Goal: the callback decides what follows; a new deadline makes the timer look again."""
    bench.begin("missed", 2.0)
    bench.pass_time(10)
    assert bench.late == [("missed", 2.0)]
    bench.begin("another", 12.0)
    bench.pass_time(10)
    assert bench.late == [("missed", 2.0), ("missed", 12.0)]


def test_a_stopped_timer_does_not_look(bench: Bench) -> None:
    """Goal: nothing is called after `stop`, and stopping twice is no error."""
    bench.begin("missed", 2.0)
    bench.timer.stop()
    bench.timer.stop()
    bench.pass_time(10)
    assert bench.tasks.looks == []
    assert bench.late == []
