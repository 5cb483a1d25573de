"""Followers that fall behind leave the in-sync set: looked for every half of the allowed lag.

501-03: with `replica.lag.time.max.ms` = L the search comes every L/2, so that a follower that was
last caught up at some moment is asked to be removed between 1.0 and 1.5 times L after it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from ..cluster_log import shortened
from .services import ReplicationServices

PARTITIONS_A_TURN: Final = 256


class IsrExpiration:
    """The periodic search through all partitions that this broker leads."""

    def __init__(self, node: ReplicationServices) -> None:
        self._node = node
        self._task: asyncio.Task[None] | None = None
        self.shrinks = 0
        """The number of followers that this broker has asked to remove."""

    def start(self) -> None:
        """Begin; the first search comes after half of the lag."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """End the search."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        node = self._node
        while True:
            pause_s = node.config.replica_lag_time_max_ms / 2000
            await asyncio.sleep(pause_s / 10 if node.env.maybe("isr-search-early") else pause_s)
            try:
                await self.search()
            except Exception as error:
                node.metrics.unexpected_errors += 1
                node.log.error("expiration of followers", error=repr(error), exc_info=error)

    async def search(self) -> None:
        """Look at every partition once; others have their turn between them."""
        node = self._node
        ahead_ms = 2 * node.config.replica_lag_time_max_ms if node.env.maybe("isr-hasty") else 0
        left: dict[tuple[int, ...], list[str]] = {}
        for number, partition in enumerate(list(node.replicas), 1):
            if partition.leader is not None:
                late = partition.leader.expire(node.env.clock.monotonic_ms() + ahead_ms)
                if late:
                    self.shrinks += len(late)
                    left.setdefault(tuple(late), []).append(partition.log.name)
            if number % PARTITIONS_A_TURN == 0:
                await asyncio.sleep(0)
        # A broker that hangs is late everywhere at the same time: one line, not one per partition.
        for followers, names in left.items():
            node.log.warning(
                "followers are out of sync and should leave",
                followers=list(followers),
                count=len(names),
                partitions=shortened(names),
            )
