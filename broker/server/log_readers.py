"""The threads that wait for the disk when a log is read, so that the event loop need not (501-10).

They are few and have nothing else to do: while a disk stands still they all hang, and fsyncs,
decompression and the like, which have threads of their own, go on as far as they can.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any  # Any: the result depends on the kind of read

from ..core.reads import Planned
from .worker import ResultT


class LogReaders:
    """Does planned reads. Who waits is bounded by the requests in flight."""

    def __init__(self, threads: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._is_stopped = False
        self._under_way = 0
        self._waiting: deque[tuple[Planned, Callable[[Any], object]]] = deque()
        """They hold no descriptor before a thread is free: any number of fetches may wait."""
        self.loads = 0
        """The number of reads that did not find their data in memory."""

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Do a read, then call `done` on the loop with its result or error.

        It is never called before this returns, nor after the broker has stopped.
        """
        if self._under_way < self._threads:
            self._begin(planned, done)
        else:
            self._waiting.append((planned, done))

    def _begin(self, planned: Planned, done: Callable[[Any], object]) -> None:
        self._under_way += 1
        done = partial(self._end, done)
        try:
            work = planned.later()
        except OSError as error:  # there are too many open files
            self._loop.call_soon(done, error)
        else:
            self.read(work, done)

    def _end(self, done: Callable[[Any], object], given: object) -> None:
        self._under_way -= 1
        if self._waiting:
            self._begin(*self._waiting.popleft())
        done(given)

    def read(
        self, work: Callable[[], ResultT], done: Callable[[ResultT | BaseException], object]
    ) -> None:
        """Call `work` on a thread, then `done` on the loop with its result or error."""
        if self._is_stopped:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "log-reader")
        self.loads += 1
        future = self._loop.run_in_executor(self._pool, work)
        future.add_done_callback(partial(self._read, done))

    def _read(
        self,
        done: Callable[[ResultT | BaseException], object],
        future: asyncio.Future[ResultT],
    ) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if not self._is_stopped:
            done(future.result() if error is None else error)

    def stop(self) -> None:
        """Call nobody any more; reads that hang are abandoned."""
        self._is_stopped = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
