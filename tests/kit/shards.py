"""One shard of a coordinator without a log: operations run at once, and commit when told."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from barnabas.broker.core.coordination.machine import (
    Machine,
    Operation,
    Outcome,
    Record,
)
from barnabas.broker.core.coordination.timeline import Timeline
from barnabas.protocol.errors import ErrorCode, KafkaError

from .logs import ManualClock

AnswerT = TypeVar("AnswerT")


class Kept(Generic[AnswerT]):
    """A `Reply` that keeps what it was given first."""

    def __init__(self) -> None:
        self.answer: AnswerT | None = None
        self.error: KafkaError | None = None

    @property
    def is_given(self) -> bool:
        return self.answer is not None or self.error is not None

    def give(self, answer: AnswerT) -> None:
        if not self.is_given:
            self.answer = answer

    def refuse(self, error: KafkaError) -> None:
        if not self.is_given:
            self.error = error


class ManualTimers:
    """`ShardTimers` that go off when the test moves the clock by `advance`."""

    def __init__(self, clock: ManualClock, run: Callable[[Operation[None]], object]) -> None:
        self._clock = clock
        self._run = run
        self.due: dict[Hashable, tuple[float, Operation[None]]] = {}

    def schedule(self, key: Hashable, delay_ms: float, operation: Operation[None]) -> None:
        self.due[key] = (self._clock.monotonic_ms() + delay_ms, operation)

    def cancel(self, key: Hashable) -> None:
        self.due.pop(key, None)

    def is_set(self, key: Hashable) -> bool:
        return key in self.due

    def advance(self, by_ms: float) -> None:
        """Let time pass; timers go off in their order, each at its own time."""
        end = self._clock.monotonic_ms() + by_ms
        while self.due:
            key = min(self.due, key=lambda one: self.due[one][0])
            at, operation = self.due[key]
            if at > end:
                break
            del self.due[key]
            self._clock.now_ms = at
            self._run(operation)
        self._clock.now_ms = end


class OneShard:
    """Runs a machine's operations; what they wrote is committed at once, or on `commit`."""

    def __init__(self, timeline: Timeline, clock: ManualClock) -> None:
        self._timeline = timeline
        self._machine: Machine | None = None
        self.timers = ManualTimers(clock, self.write)
        self.commits_at_once = True
        self.log: list[Record] = []
        """All records, in order; those from `committed` on may be taken back."""
        self.committed = 0
        self.largest_step = 0
        """Most records that one operation wrote."""
        self._waiting: list[tuple[int, Callable[[ErrorCode], object]]] = []

    def run(self, machine: Machine) -> None:
        """Operations are this machine's from now on."""
        self._machine = machine

    def write(self, operation: Operation[AnswerT]) -> AnswerT:
        """Run an operation; its answer, even if its records are not committed yet."""
        assert self._machine is not None, "run a machine first"
        outcome: Outcome[AnswerT] = operation()
        base = len(self.log)
        self.largest_step = max(self.largest_step, len(outcome.records))
        if outcome.records:
            self._timeline.open_layer(base)
        for number, record in enumerate(outcome.records):
            if outcome.is_replayed:
                self._machine.replay(record, base + number, outcome.producer)
            self.log.append(record)
        if outcome.on_appended is not None:
            self._waiting.append((len(self.log), outcome.on_appended))
        if self.commits_at_once:
            self.commit()
        return outcome.answer

    def commit(self) -> None:
        """The high watermark reaches the end of the log."""
        self.committed = len(self.log)
        self._timeline.commit(self.committed)
        waiting, self._waiting = self._waiting, []
        for _, on_appended in waiting:
            on_appended(ErrorCode.NONE)

    def fail(self, code: ErrorCode) -> None:
        """What is not committed could not be written: it is taken back."""
        self._timeline.revert(self.committed)
        del self.log[self.committed :]
        waiting, self._waiting = self._waiting, []
        for _, on_appended in waiting:
            on_appended(code)
