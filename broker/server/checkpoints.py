"""Checkpoint files written on a thread: for each directory one write at a time.

Who must have a recovery point lowered, durably, before a log is cut shares the next write with all
who come until it begins: a change of leader cuts many logs at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable

from ..core.log.checkpoints import PartitionKey
from ..core.log.log_directory import LogDirectory


class _Writes:
    """The writes of one directory."""

    __slots__ = ("following", "turn")

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.following: asyncio.Task[None] | None = None
        """The next write of recovery points, which has not begun yet."""


class Checkpoints:
    """All writes of checkpoints while a broker runs."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writes: dict[str, _Writes] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.lowerings = 0
        """The number of writes because of logs that were about to be cut."""

    async def lower(
        self, directory: LogDirectory, key: PartitionKey, offset: int, whose: Hashable
    ) -> None:
        """Wait until the file says no more than `offset` for this log.

        This holds until `whose` wish is released; in memory nothing changes. Raises OSError.
        """
        directory.lower(key, offset, whose)
        writes = self._of(directory)
        if writes.following is None:
            writes.following = self._begin(self._write_lowered(directory, writes))
        await asyncio.shield(writes.following)

    async def write(self, directory: LogDirectory) -> None:
        """Write all three files as they are now, not durably. Raises OSError."""
        await asyncio.shield(self._begin(self._write_all(directory, self._of(directory))))

    async def write_durably(self, directory: LogDirectory) -> None:
        """Write all three files, and how far each log was cleaned. Raises OSError."""
        await self.write_cleaned(directory)
        work = self._write_all(directory, self._of(directory), durable=True)
        await asyncio.shield(self._begin(work))

    async def write_cleaned(self, directory: LogDirectory) -> None:
        """Write durably how far each log was cleaned (CMP-15). Raises OSError."""
        await asyncio.shield(self._begin(self._write_cleaned(directory, self._of(directory))))

    async def drain(self) -> None:
        """Wait for the writes that have begun: nobody else may write these files meanwhile."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _write_lowered(self, directory: LogDirectory, writes: _Writes) -> None:
        async with writes.turn:
            writes.following = None  # offsets that are lowered from now on need another write
            self.lowerings += 1
            write = directory.recovery_point_write()
            await self._loop.run_in_executor(None, write.run)

    async def _write_all(
        self, directory: LogDirectory, writes: _Writes, *, durable: bool = False
    ) -> None:
        async with writes.turn:
            write = directory.checkpoint_write(durable=durable)
            await self._loop.run_in_executor(None, write.run)

    async def _write_cleaned(self, directory: LogDirectory, writes: _Writes) -> None:
        async with writes.turn:
            write = directory.cleaner_write()
            await self._loop.run_in_executor(None, write.run)

    def _of(self, directory: LogDirectory) -> _Writes:
        return self._writes.setdefault(directory.path, _Writes())

    def _begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # those who wait are told of it; perhaps nobody waits any more
