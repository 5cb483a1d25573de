"""A background task that looks something up, round after round, until nothing is wanted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from ..errors import ClientClosedError
from ..wire.cluster import Cluster

log = logging.getLogger("barnabas.client")


class LookUps:
    """Rounds of one kind. They follow each other at once; after one that was not done, a pause."""

    def __init__(
        self,
        cluster: Cluster,
        what: str,
        is_wanted: Callable[[], object],
        look_up: Callable[[], Awaitable[bool]],
    ) -> None:
        """`what` is for the log; `is_wanted`: true while there is something to look up; `look_up`
        does one round, and returns False if some of it must be tried again."""
        self._cluster = cluster
        self._what = what
        self._is_wanted = is_wanted
        self._look_up = look_up
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Begin to look up what needs it, unless that is under way."""
        if self._task is None and self._is_wanted():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Stop looking up."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        backoff = self._cluster.new_backoff()
        try:
            while self._is_wanted():
                try:
                    is_done = await self._look_up()
                except ClientClosedError:
                    return
                except Exception:
                    # A bug of ours must not leave positions unknown in silence.
                    log.exception("looking %s up", self._what)
                    is_done = False
                if is_done:
                    backoff.reset()
                else:
                    await asyncio.sleep(backoff.next_s())
        finally:
            self._task = None
