"""A file that is there, and young, while this node is ready: what a container's health check reads.

Whether a node takes its part cannot be told by its port, which it opens before the cluster lets it
in, and to start a client that asks costs more than the node itself. So the node touches
`ready.file` each second while it is ready, and removes it when it is not. A node whose event loop
stands still, or that was killed, touches nothing: who looks must look at the age too.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

from ..observe.logging import Logger

TOUCH_INTERVAL_MS: Final = 1000
"""How old the file of a ready node is at most, but for what a busy machine adds."""

STOP_TIMEOUT_MS: Final = 1000
"""Longest that a stop waits for a touch under way: not for good for a disk that hangs."""


class ReadyFile:
    """See the module. `begin`, `start`, `stop`; a broken disk is told once, and harms nothing."""

    def __init__(self, path: str, is_ready: Callable[[], bool], log: Logger) -> None:
        self._path = path
        self._is_ready = is_ready
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    def begin(self) -> None:
        """Remove what an earlier process left: this one is not ready yet."""
        self._tell(False)

    def start(self) -> None:
        """Tell from now on."""
        self._task = self._loop.create_task(self._tell_on())

    async def stop(self) -> None:
        """The node is not ready any more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._tell(False)

    async def _tell_on(self) -> None:
        while True:
            # Off the loop: a disk that hangs must not stop the node. Then the file gets old.
            telling = self._loop.run_in_executor(None, self._tell, self._is_ready())
            try:
                await asyncio.shield(telling)
            except asyncio.CancelledError:
                # Else it could come after the removal.
                await asyncio.wait((telling,), timeout=STOP_TIMEOUT_MS / 1000)
                raise
            await asyncio.sleep(TOUCH_INTERVAL_MS / 1000)

    def _tell(self, is_ready: bool) -> None:
        try:
            if is_ready:
                with open(self._path, "ab"):
                    os.utime(self._path)
            elif os.path.lexists(self._path):
                os.unlink(self._path)
        except OSError as error:
            if not self._has_failed:
                self._log.error("ready.file cannot be kept", path=self._path, error=str(error))
            self._has_failed = True
        else:
            self._has_failed = False
