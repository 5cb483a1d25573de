"""Ending tasks, and waiting for answers that may take minutes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar  # Any: what a coroutine may yield to its loop

log = logging.getLogger("barnabas.client")

T = TypeVar("T")


def watched(
    work: Coroutine[Any, Any, None], when_failed: Callable[[Exception], None]
) -> asyncio.Task[None]:
    """A task that must not die in silence: `when_failed` gets what ended it."""
    task = asyncio.get_running_loop().create_task(work)

    def done(ended: asyncio.Task[None]) -> None:
        error = None if ended.cancelled() else ended.exception()
        if isinstance(error, Exception):
            when_failed(error)

    task.add_done_callback(done)
    return task


class LoopLag:
    """Measures how late the event loop is, every `period_s`: a program that blocks it shows."""

    def __init__(self, period_s: float, when_measured: Callable[[float], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._period_s = period_s
        self._when_measured = when_measured
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Measure until stop()."""
        self._due_s = self._loop.time() + self._period_s
        self._timer = self._loop.call_at(self._due_s, self._tick)

    def _tick(self) -> None:
        self._when_measured(max(0.0, self._loop.time() - self._due_s) * 1000)
        self.start()

    def stop(self) -> None:
        """Measure no more."""
        if self._timer is not None:
            self._timer.cancel()


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancel a task and wait until it is over; does nothing for the task that calls this."""
    if task is not None and task is not asyncio.current_task():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def patiently(
    call: Coroutine[Any, Any, T], interval_s: float, meanwhile: Callable[[], None]
) -> T:
    """What `call` returns; while it takes its time, `meanwhile` is called every `interval_s`."""
    task = asyncio.ensure_future(call)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=interval_s)
            if not task.done():
                meanwhile()
        return task.result()
    finally:
        task.cancel()


@asynccontextmanager
async def step(what: str, limit_s: float) -> AsyncIterator[None]:
    """One step of an end, in its time: what fails in it is logged, so that the next step comes."""
    try:
        async with asyncio.timeout(limit_s):
            yield
    except Exception as error:
        log.warning("closing: %s: %s", what, str(error) or f"took over {limit_s:g} s")
