"""The answer of a shard, for a task that waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from barnabas.protocol.errors import KafkaError

ResultT = TypeVar("ResultT")


class Promise(Generic[ResultT]):
    """A `Reply` that a coroutine awaits; if that is cancelled, answers change nothing."""

    __slots__ = ("_future",)

    def __init__(self) -> None:
        self._future: asyncio.Future[ResultT] = asyncio.get_running_loop().create_future()

    def give(self, answer: ResultT) -> None:
        """Answer, unless it was answered."""
        if not self._future.done():
            self._future.set_result(answer)

    def refuse(self, error: KafkaError) -> None:
        """Refuse, unless it was answered."""
        if not self._future.done():
            self._future.set_exception(error)

    async def kept(self) -> ResultT:
        """The answer. Raises KafkaError."""
        return await self._future


class LoopOfShards:
    """`ShardLoop` over the running event loop."""

    __slots__ = ("_loop",)

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now_ms(self) -> float:
        """The loop's clock in milliseconds."""
        return self._loop.time() * 1000.0

    def call_soon(self, callback: Callable[[], object]) -> asyncio.Handle:
        """Run the callback behind everything that is queued now."""
        return self._loop.call_soon(callback)

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> asyncio.Handle:
        """Run the callback once so many milliseconds have passed."""
        return self._loop.call_later(delay_ms / 1000.0, callback)
