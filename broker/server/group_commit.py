"""fsync off the event loop: one round at a time, which serves all who wait for it.

`core.log.flushing` says what a round syncs; here it runs on a thread, and its result goes back to
the partitions. A round begins only after the events that are already due, so that all of their
requests share it.
"""

from __future__ import annotations

import asyncio

from ..core.log.flushing import FlushRound, GroupCommit
from ..core.log.partition_log import PartitionLog
from ..core.replication.partition import Partition
from ..observe.metrics import Metrics


class GroupCommitter:
    """The flush queue of a node's partitions."""

    def __init__(self, metrics: Metrics) -> None:
        self._loop = asyncio.get_running_loop()
        self._metrics = metrics
        self._commit = GroupCommit()
        self._waiting: dict[Partition, None] = {}
        self._under_way: dict[Partition, None] = {}
        self._is_scheduled = False
        self._idle = asyncio.Event()
        self._idle.set()

    def request(self, partition: Partition) -> None:
        """Flush this partition in the next round; repeated requests count once."""
        if partition in self._waiting or partition.log.failure is not None:
            return
        self._commit.want(partition.log)
        self._waiting[partition] = None
        self._idle.clear()
        if not self._is_scheduled and not self._under_way:
            self._is_scheduled = True
            self._loop.call_soon(self._begin)

    def forget(self, partition: Partition, log: PartitionLog) -> None:
        """Forget a log that was deleted or replaced: its contents need not become durable."""
        self._commit.forget(log)
        self._waiting.pop(partition, None)

    def _begin(self) -> None:
        self._is_scheduled = False
        flush_round = self._commit.take()
        if flush_round is None:
            self._idle.set()
            return
        self._under_way, self._waiting = self._waiting, {}
        future = self._loop.run_in_executor(None, flush_round.run)
        future.add_done_callback(lambda done: self._finish(flush_round, done))

    def _finish(self, flush_round: FlushRound, done: asyncio.Future[None]) -> None:
        if done.cancelled():
            return
        done.result()  # a round reports failing disks itself: anything else is a bug
        self._metrics.fsync_rounds += 1
        partitions, self._under_way = self._under_way, {}
        flush_round.finish()
        for partition in partitions:
            try:
                _tell(partition)
            except Exception as error:
                # A bug; the other partitions of this round, and the next round, must not hang.
                self._loop.call_exception_handler(
                    {"message": f"after a flush of {partition.log.name}", "exception": error}
                )
        if self._waiting:
            self._begin()
        else:
            self._idle.set()

    async def drain(self) -> None:
        """Wait until nothing is left to flush."""
        await self._idle.wait()


def _tell(partition: Partition) -> None:
    failure = partition.log.failure
    if failure is not None:
        partition.on_disk_failure(failure)
    else:
        partition.on_flushed()
