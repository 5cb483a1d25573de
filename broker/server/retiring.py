"""Renames the files of retired segments for the last time, on another thread (a sync for each)."""

from __future__ import annotations

import asyncio

from ..core.log.partition_log import PartitionLog


async def rename_retired(log: PartitionLog) -> None:
    """Rename what waits in the log's `retirement`. Raises LogDirectoryFailure."""
    failed: OSError | None = None
    renaming = log.retirement.begin()
    try:
        await asyncio.get_running_loop().run_in_executor(None, renaming.run)
    except OSError as error:
        failed = error
    log.retirement_ended(renaming, failed)
