"""The timers of one shard: each runs an operation as a write of that shard (CRT-17)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from typing import Final, Protocol

from barnabas.protocol.errors import KafkaError

from .machine import Operation
from .shard_ports import Cancellable, ShardLoop

RETRY_MS: Final = 500.0
"""After so long an operation of a timer is tried again that failed."""

EARLY_MS: Final = 1.0
"""Loops count in milliseconds: a callback may come so much too early."""

RUN_AT_ONCE: Final = 10
"""So many operations of a shard are run in one turn of the loop; a broker has many shards."""


class WriteOfTimer(Protocol):
    """How a shard runs what is due."""

    def __call__(
        self, operation: Operation[None], refuse: Callable[[KafkaError], object]
    ) -> object: ...


class _Timer:
    """One operation that will be due, and the callback of the loop that sees to it."""

    __slots__ = ("due_ms", "goes_off_ms", "handle", "operation")

    def __init__(self, operation: Operation[None], due_ms: float) -> None:
        self.operation = operation
        self.due_ms = due_ms
        """By the loop's clock."""
        self.goes_off_ms = due_ms
        """When the loop calls back: then, or earlier, if the timer was put off meanwhile."""
        self.handle: Cancellable | None = None


class LoopTimers:
    """`ShardTimers` over the event loop; after `close` none goes off and none can be set.

    A timer that is put off is left in the loop as it is, and set anew when that goes off: the
    sessions of members are put off by each heartbeat, and seldom end. A great many may be due at
    the same time, as all sessions are that began with a load: a turn of the loop runs a few.
    """

    __slots__ = ("_due", "_is_closed", "_loop", "_ran", "_set", "_write")

    def __init__(self, loop: ShardLoop, write: WriteOfTimer) -> None:
        self._loop = loop
        self._write = write
        self._set: dict[Hashable, _Timer] = {}
        self._due: deque[tuple[Hashable, _Timer]] = deque()
        """Those that have gone off and wait for a turn; somebody may have set them anew."""
        self._ran = 0
        """Operations that were run in this turn."""
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._set)

    def schedule(self, key: Hashable, delay_ms: float, operation: Operation[None]) -> None:
        """Run `operation` as a write in `delay_ms` milliseconds; replaces the timer of this key."""
        if self._is_closed:
            return
        due_ms = self._loop.now_ms() + max(delay_ms, 0.0)
        timer = self._set.get(key)
        if timer is not None and timer.goes_off_ms <= due_ms:
            timer.operation, timer.due_ms = operation, due_ms
            return
        if timer is not None:
            self._stop(timer)
        self._set[key] = timer = _Timer(operation, due_ms)
        self._arm(key, timer, max(delay_ms, 0.0))

    def cancel(self, key: Hashable) -> None:
        """Forget the timer of this key; no error if there is none."""
        timer = self._set.pop(key, None)
        if timer is not None:
            self._stop(timer)

    def is_set(self, key: Hashable) -> bool:
        """Whether there is a timer of this key that has not gone off."""
        return key in self._set

    def close(self) -> None:
        """The shard is gone."""
        self._is_closed = True
        for timer in self._set.values():
            self._stop(timer)
        self._set.clear()
        self._due.clear()

    def _arm(self, key: Hashable, timer: _Timer, delay_ms: float) -> None:
        timer.goes_off_ms = timer.due_ms
        timer.handle = self._loop.call_later(delay_ms, partial(self._go_off, key, timer))

    @staticmethod
    def _stop(timer: _Timer) -> None:
        if timer.handle is not None:
            timer.handle.cancel()

    def _go_off(self, key: Hashable, timer: _Timer) -> None:
        if self._ran == 0:
            self._loop.call_soon(self._next_turn)
        if self._ran < RUN_AT_ONCE:
            self._ran += 1
            self._run(key, timer)
        else:
            self._due.append((key, timer))

    def _next_turn(self) -> None:
        self._ran = min(RUN_AT_ONCE, len(self._due))
        if self._ran:
            self._loop.call_soon(self._next_turn)
        for _ in range(self._ran):
            if self._due:
                self._run(*self._due.popleft())

    def _run(self, key: Hashable, timer: _Timer) -> None:
        if self._set.get(key) is not timer:
            return
        left_ms = timer.due_ms - self._loop.now_ms()
        if left_ms > EARLY_MS:
            self._arm(key, timer, left_ms)
            return
        del self._set[key]
        self._write(timer.operation, partial(self._try_again, key, timer.operation))

    def _try_again(self, key: Hashable, operation: Operation[None], error: KafkaError) -> None:
        del error
        if key not in self._set:  # somebody has set it anew, which counts
            self.schedule(key, RETRY_MS, operation)
