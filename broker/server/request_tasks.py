"""Requests that are worked on in tasks: their limit, and what becomes of them at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from ..observe.logging import Logger
from .connection import Connection
from .link import STOP_QUEUE


class RequestTasks:
    """The tasks of one dispatcher; beyond `at_most`, the connections that ask for more wait."""

    def __init__(self, at_most: int, log: Logger) -> None:
        self._at_most = at_most
        self._log = log
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_work: set[asyncio.Task[None]] = set()
        """Those of them that count."""
        self._waiting: dict[Connection, None] = {}
        """Connections that do not read until fewer requests are being worked on."""

    def spawn(
        self,
        connection: Connection,
        coroutine: Coroutine[object, object, None],
        *,
        is_work: bool = True,
    ) -> None:
        """Run a request as a task of its own. One that is no work waits for other clients, for as
        long as these like: it must not keep anybody else's requests waiting."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        if not is_work:
            return
        self._in_work.add(task)
        if len(self._in_work) >= self._at_most:
            connection.link.stop(STOP_QUEUE)
            self._waiting[connection] = None

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._in_work.discard(task)
        if self._waiting and len(self._in_work) < self._at_most:
            waiting, self._waiting = self._waiting, {}
            for connection in waiting:
                connection.link.go_on(STOP_QUEUE)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("a request's task failed", error=repr(error), exc_info=error)

    async def stop(self) -> None:
        """Cancel the requests that are still being worked on: nobody waits for them any more."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
