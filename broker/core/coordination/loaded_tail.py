"""What a shard's log held above the high watermark when the shard was loaded (CRT-14).

A new leader learns the watermark from its followers' fetches, and until then it lies below what the
leader before it acknowledged. Who is told the state at the watermark meanwhile is told an offset
that is older than one whose commit was answered. So reads wait for the end of the log that was
loaded, but only so long: without enough replicas in sync the watermark stands still. Then offsets
are not told at all, so that they never go back; who describes a group is told what is committed for
certain. Kafka tells both at once.
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import KafkaError

from .shard_batch import ShardBatch
from .shard_ports import Cancellable, ShardLoop


class LoadedTail:
    """Those who wait until it is committed, or given up."""

    __slots__ = ("_is_over", "_timer", "_waiting", "is_committed")

    def __init__(self) -> None:
        self.is_committed = False
        self._is_over = False
        self._timer: Cancellable | None = None
        self._waiting: list[Callable[[], object]] = []

    def begin(self, last: ShardBatch | None, loop: ShardLoop, limit_ms: float) -> None:
        """`last`: the last loaded batch above the watermark; without one nobody waits."""
        if last is None:
            self.succeed()
            return
        self._timer = loop.call_later(limit_ms, self.end)
        last.parked.append(self)

    def when_over(self, then: Callable[[], object]) -> None:
        """Call `then` once, at once if nothing is to be waited for."""
        if self._is_over:
            then()
        else:
            self._waiting.append(then)

    def end(self) -> None:
        """Nobody waits any more, now or later."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    # --- `Awaiting`, of the last batch ----------------------------------------------------------

    def succeed(self) -> None:
        """All that was loaded is committed."""
        self.is_committed = True
        self.end()

    def fail(self, error: KafkaError) -> None:
        """The shard is unloaded: who waited learns that where it reads."""
        del error
        self.end()
