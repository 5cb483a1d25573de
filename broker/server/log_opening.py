"""Opening the logs of a node on threads, so that it votes and tells that it lives meanwhile.

After a crash a log is read through from its recovery point, which may take minutes. Each directory
has threads of its own (`num.recovery.threads.per.data.dir`), for each may be on a disk of its own.
A node that is told to stop need not wait: what was read so far is read again at the next start.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from ..core.cluster.image import ClusterImage
from ..core.log.log_directory import LogDirectory
from ..core.log.recovery_watch import RecoveryStoppedError
from ..core.replication.log_loading import LogLoader, LogOpening
from ..core.replication.replica_store import ReplicaStore
from ..observe.logging import Logger
from .worker import ResultT

TELL_INTERVAL_S: Final = 5.0
"""Pause between two lines of the log that tell how far it is."""


class LogOpener:
    """Opens what lies in a store's directories; `run` once."""

    def __init__(
        self, store: ReplicaStore, image_of: Callable[[], ClusterImage], threads: int, log: Logger
    ) -> None:
        """`image_of` gives the metadata of the moment; `threads`: for each directory."""
        self._store = store
        self._image_of = image_of
        self._threads = threads
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._loader = LogLoader(store)
        self._begun: list[LogOpening] = []
        self._count = 0
        self._opened = 0
        self._is_stopped = False
        self._pool: ThreadPoolExecutor | None = None

    async def run(self) -> None:
        """Serve all that is here and should be, when this returns.

        When it is cancelled, recoveries end early. Raises OSError, DamagedLogError: a directory
        cannot be listed.
        """
        directories = self._store.directories
        self._pool = ThreadPoolExecutor(self._threads * len(directories), "log-recovery")
        telling = self._loop.create_task(self._tell())
        work = asyncio.gather(*map(self._open_all, directories))
        try:
            await asyncio.shield(work)
        except BaseException:
            self._stop()
            await asyncio.wait((work,))
            self._loader.give_up()
            raise
        finally:
            telling.cancel()
            self._pool.shutdown(wait=False)
        self._loader.finish(self._image_of())

    def _stop(self) -> None:
        self._is_stopped = True
        for opening in self._begun:
            opening.watch.stop()

    async def _open_all(self, directory: LogDirectory) -> None:
        found = await self._on_thread(directory.partitions)
        line = deque(self._loader.openings(self._image_of(), directory, found))
        self._count += len(line)
        try:
            await asyncio.gather(*(self._open(line) for _ in range(min(self._threads, len(line)))))
        except BaseException:
            self._stop()
            raise

    async def _open(self, line: deque[LogOpening]) -> None:
        """One of the threads of a directory."""
        while line and not self._is_stopped:
            opening = line.popleft()
            self._begun.append(opening)
            try:
                await self._on_thread(opening.run)
            except RecoveryStoppedError:
                return
            self._opened += 1

    def _on_thread(self, work: Callable[[], ResultT]) -> asyncio.Future[ResultT]:
        return self._loop.run_in_executor(self._pool, work)

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(TELL_INTERVAL_S)
            self._log.info(
                "opening logs",
                opened=self._opened,
                logs=self._count,
                bytes_read=sum(opening.watch.bytes_read for opening in self._begun),
            )
