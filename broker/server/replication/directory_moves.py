"""The replicas of this broker that are on their way to another of its log directories (KIP-113).

As many workers as there are directories carry them on: each takes the move that has waited
longest one step further (`directory_copying.py`), so that a thousand moves need no more memory or
disk at a time than a few.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import Final

from ...core.replication.future_replica import FutureReplica
from .assign_directories import DirectoryAssignments
from .directory_copying import DirectoryCopying
from .offline_directories import OfflineDirectories
from .services import ReplicationServices

AFTER_FAULT_S: Final = 5.0


class DirectoryMoves:
    """All moves that are under way."""

    def __init__(
        self,
        node: ReplicationServices,
        assignments: DirectoryAssignments,
        offline: OfflineDirectories,
    ) -> None:
        self._node = node
        self._copying = DirectoryCopying(node, assignments, offline)
        self._loop = asyncio.get_running_loop()
        self._line: list[tuple[float, int, FutureReplica]] = []
        self._numbers = count()
        self._news = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Continue what an earlier process began; this broker is registered."""
        moves = self._node.replicas.moves
        for move in moves:
            self._add(move)
        moves.on_begun = self._add
        for number in range(len(self._node.replicas.directories)):
            task = self._loop.create_task(self._work(), name=f"directory-moves-{number}")
            self._workers.append(task)

    async def stop(self) -> None:
        """Stop; the copies stay on the disk, and the next start continues with them."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def figures(self) -> dict[str, float]:
        """The metrics by name."""
        lags = [move.lag for move in self._node.replicas.moves]
        return {
            "ReplicaAlterLogDirsManager.Moves": len(lags),
            "ReplicaAlterLogDirsManager.MaxLag": max((*lags, 0)),
            "ReplicaAlterLogDirsManager.MovedTotal": self._copying.moved,
        }

    def _add(self, move: FutureReplica, pause_s: float = 0.0) -> None:
        heappush(self._line, (self._loop.time() + pause_s, next(self._numbers), move))
        self._news.set()

    async def _work(self) -> None:
        while True:
            move = await self._next()
            try:
                pause_s = await self._copying.advance(move)
            except Exception as error:
                self._node.metrics.unexpected_errors += 1
                self._node.log.error(
                    "a replica's move failed", log=move.log.name, error=repr(error), exc_info=error
                )
                pause_s = AFTER_FAULT_S
            if pause_s is not None:
                self._add(move, pause_s)
                await asyncio.sleep(0)

    async def _next(self) -> FutureReplica:
        """Wait for the move that is due first."""
        while True:
            left_s = self._line[0][0] - self._loop.time() if self._line else None
            if left_s is not None and left_s <= 0:
                return heappop(self._line)[2]
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    await self._news.wait()
