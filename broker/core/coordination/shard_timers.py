"""The timers of one shard: each runs an operation as a write of that shard (CRT-17)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final, Protocol

from barnabas.protocol.errors import KafkaError

from .machine import Operation
from .shard_ports import Cancellable, ShardLoop

RETRY_MS: Final = 500.0
"""After so long an operation of a timer is tried again that failed."""


class WriteOfTimer(Protocol):
    """How a shard runs what is due."""

    def __call__(
        self, operation: Operation[None], refuse: Callable[[KafkaError], object]
    ) -> object: ...


class LoopTimers:
    """`ShardTimers` over the event loop; after `close` none goes off and none can be set."""

    __slots__ = ("_is_closed", "_loop", "_set", "_write")

    def __init__(self, loop: ShardLoop, write: WriteOfTimer) -> None:
        self._loop = loop
        self._write = write
        self._set: dict[Hashable, Cancellable] = {}
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._set)

    def schedule(self, key: Hashable, delay_ms: float, operation: Operation[None]) -> None:
        """Run `operation` as a write in `delay_ms` milliseconds; replaces the timer of this key."""
        self.cancel(key)
        if not self._is_closed:
            self._set[key] = self._loop.call_later(
                max(delay_ms, 0.0), partial(self._go_off, key, operation)
            )

    def cancel(self, key: Hashable) -> None:
        """Forget the timer of this key; no error if there is none."""
        timer = self._set.pop(key, None)
        if timer is not None:
            timer.cancel()

    def is_set(self, key: Hashable) -> bool:
        """Whether there is a timer of this key that has not gone off."""
        return key in self._set

    def close(self) -> None:
        """The shard is gone."""
        self._is_closed = True
        for timer in self._set.values():
            timer.cancel()
        self._set.clear()

    def _go_off(self, key: Hashable, operation: Operation[None]) -> None:
        self._set.pop(key, None)
        self._write(operation, partial(self._try_again, key, operation))

    def _try_again(self, key: Hashable, operation: Operation[None], error: KafkaError) -> None:
        del error
        if key not in self._set:  # somebody has set it anew, which counts
            self.schedule(key, RETRY_MS, operation)
