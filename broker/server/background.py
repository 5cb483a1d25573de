"""What a node does when nobody asks: retention, removal of files, checkpoints, flushes, expiry.

Each task has its interval from the configuration. A task that visits all partitions lets the event
loop go on between two of them, and is left out while nothing was written since the last time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from barnabas.protocol.errors import KafkaError

from ..core.config.broker import BrokerConfig
from ..core.log.failures import LogDirectoryFailure
from ..core.log.producers import fair_share
from ..core.ports import Env
from ..core.replication.partition import Partition
from ..core.replication.replica_store import ReplicaStore
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from .checkpoints import Checkpoints
from .group_commit import GroupCommitter
from .retiring import rename_retired

FLUSH_CHECK_MS = 500
DELETION_CHECK_MS = 1000
LAG_PROBE_MS = 500
PRODUCER_LIMIT_CHECK_MS = 5000

Task = Callable[[], Awaitable[None]]


class Background:
    """The periodic tasks of one node."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        replicas: ReplicaStore,
        flushes: GroupCommitter,
        checkpoints: Checkpoints,
        metrics: Metrics,
        log: Logger,
    ) -> None:
        self._config = config
        self._env = env
        self._replicas = replicas
        self._flushes = flushes
        self._checkpoints = checkpoints
        self._metrics = metrics
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._lag_timer: asyncio.TimerHandle | None = None
        self._checkpointed: dict[str, int] = {}
        self._unwritable: set[str] = set()
        """Directories whose last checkpoint could not be written."""

    def start(self) -> None:
        """Begin; each task runs for the first time after its interval."""
        config = self._config
        for name, interval_ms, task in (
            ("retention", config.log_retention_check_interval_ms, self.apply_retention),
            ("deletion", DELETION_CHECK_MS, self.remove_files),
            (
                "checkpoint",
                config.replica_high_watermark_checkpoint_interval_ms,
                self.write_checkpoints,
            ),
            ("flush", FLUSH_CHECK_MS, self.flush_due),
            (
                "producer expiry",
                config.producer_id_expiration_check_interval_ms,
                self.expire_producers,
            ),
            ("producer limit", PRODUCER_LIMIT_CHECK_MS, self.limit_producers),
        ):
            self._tasks.append(
                self._loop.create_task(self._repeat(name, interval_ms / 1000.0, task))
            )
        self._probe_lag()

    async def stop(self) -> None:
        """End all tasks."""
        if self._lag_timer is not None:
            self._lag_timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def _repeat(self, name: str, interval_s: float, task: Task) -> None:
        while True:
            await asyncio.sleep(interval_s)
            try:
                await task()
            except (LogDirectoryFailure, OSError) as error:
                self._log.error(f"{name} failed", error=str(error))
            except Exception as error:
                self._metrics.unexpected_errors += 1
                self._log.error(f"{name} failed unexpectedly", error=repr(error), exc_info=error)

    def _probe_lag(self) -> None:
        """By how much the loop is late with a timer, as every request is with it."""
        due = self._loop.time() + LAG_PROBE_MS / 1000.0

        def measure() -> None:
            self._metrics.event_loop_lag.add(max(self._loop.time() - due, 0.0) * 1000.0)
            self._probe_lag()

        self._lag_timer = self._loop.call_at(due, measure)

    # --- the tasks ----------------------------------------------------------------------------

    async def apply_retention(self) -> None:
        """Retire segments by age and size; followers only those below their leader's log start
        (C9)."""
        for partition in list(self._replicas):
            if not partition.is_offline:
                try:
                    await self._retire(partition)
                except KafkaError as error:  # its disk, or a damaged segment: others have theirs
                    self._log.error("retention failed", log=partition.log.name, error=str(error))
            await asyncio.sleep(0)

    async def _retire(self, partition: Partition) -> None:
        gone = partition.apply_retention(self._env.clock.wall_ms())
        if len(partition.log.retirement):
            await self._rename_retired(partition)
        if gone:
            self._log.info(
                "segments retired",
                log=partition.log.name,
                segments=gone,
                log_start_offset=partition.log.log_start_offset,
            )

    async def _rename_retired(self, partition: Partition) -> None:
        try:
            await rename_retired(partition.log)
        except LogDirectoryFailure as failure:
            partition.on_disk_failure(failure)
            raise

    async def remove_files(self) -> None:
        """Remove from the disk what was retired or deleted long enough ago."""
        now = self._env.clock.monotonic_ms()
        for directory in self._replicas.directories:
            due = directory.deletions.next_due_ms()
            while due is not None and due <= now:
                try:
                    await self._loop.run_in_executor(None, directory.deletions.run_due, now)
                except OSError as error:  # it is not tried again; the others are to go
                    self._log.error("deletion failed", path=directory.path, error=str(error))
                due = directory.deletions.next_due_ms()

    async def write_checkpoints(self) -> None:
        """Write recovery points, log starts and watermarks; a crash before the next time costs only
        time. A directory that fails is tried again the next time, and keeps up no other."""
        for directory in self._replicas.directories:
            # Only a truncation lets any of these go back, and it writes the others as well.
            now = sum(
                log.recovery_point + log.log_start_offset + log.high_watermark
                for log in directory.logs.values()
            )
            if now == self._checkpointed.get(directory.path):
                continue
            try:
                if self._env.maybe("checkpoint-fails"):
                    raise OSError("the checkpoints were not written")
                await self._checkpoints.write(directory)
            except OSError as error:
                if directory.path not in self._unwritable:
                    self._unwritable.add(directory.path)
                    self._log.error("checkpoint failed", path=directory.path, error=str(error))
            else:
                self._unwritable.discard(directory.path)
                self._checkpointed[directory.path] = now

    async def flush_due(self) -> None:
        """Flush by `flush.ms`, and flush segments that were rolled: of followers and coordinators
        as well, whose records come by no request of a producer."""
        now = self._env.clock.monotonic_ms()
        for number, partition in enumerate(list(self._replicas)):
            log = partition.log
            if log.flush_due(now) or self._env.maybe("flush-now"):
                self._flushes.request(partition)
            if number % 256 == 255:
                await asyncio.sleep(0)

    async def expire_producers(self) -> None:
        """Forget idempotent producers that have been silent for a long time (98-04)."""
        now = self._env.clock.wall_ms()
        for partition in list(self._replicas):
            partition.log.producers.remove_expired(now)
            await asyncio.sleep(0)

    async def limit_producers(self) -> None:
        """Forget the most silent producers where there are more than `max.producer.ids`.

        A few more than necessary are forgotten, so that the next look finds nothing to do.
        """
        limit = self._config.max_producer_ids
        logs = [partition.log for partition in self._replicas]
        counts = [len(log.producers.by_id) for log in logs]
        if sum(counts) <= limit:
            return
        share = fair_share(counts, limit - limit // 10)
        gone = 0
        for log in logs:
            if len(log.producers.by_id) > share:
                gone += log.producers.keep_latest(share)
                await asyncio.sleep(0)
        self._log.warning("producers forgotten", producers=gone, limit=limit)
