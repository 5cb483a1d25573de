"""Compaction of the logs whose topics ask for it, in the background (CMP-02, CMP-17).

A round reads, hashes, writes and syncs on a thread of its own, in pieces; only the exchange of
segments in a log's list is done on the event loop. Between two pieces the budget for the disk is
kept, and after each millisecond of work the thread lets the loop have the interpreter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from barnabas.protocol.errors import KafkaError

from ..core.cluster.effective import broker_config
from ..core.cluster.image import ClusterImage
from ..core.config.broker import BrokerConfig
from ..core.log.compaction.cleanable import DirtyPart
from ..core.log.compaction.cleaning import CleanerLimits
from ..core.log.compaction.log_compaction import CHECKPOINT, CompactionAbandonedError, Round
from ..core.log.failures import LogDirectoryFailure
from ..core.ports import Env
from ..core.replication.partition import Partition
from ..core.replication.replica_store import ReplicaStore
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from .checkpoints import Checkpoints
from .worker import ResultT

WORK_S: Final = 0.001
"""A thread works so long before it lets others have the interpreter,"""
BREATH_S: Final = 0.0001
"""for so long at least."""
PARTITIONS_AT_ONCE: Final = 256


class Breather:
    """Called often by a thread that computes; sleeps now and then."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def __call__(self) -> None:
        if time.perf_counter() - self._since >= WORK_S:
            time.sleep(BREATH_S)
            self._since = time.perf_counter()


class LogCompactor:
    """The cleaner threads of a node."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        replicas: ReplicaStore,
        checkpoints: Checkpoints,
        *,
        image_of: Callable[[], ClusterImage],
        log: Logger,
        metrics: Metrics,
    ) -> None:
        """`image_of` gives the metadata, where settings of the cleaner may have been changed."""
        self._static = config
        self._env = env
        self._replicas = replicas
        self._checkpoints = checkpoints
        self._image_of = image_of
        self._log = log
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(config.log_cleaner_threads, "log-cleaner")
        self._picking = asyncio.Lock()
        self._stopped = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []
        """One for each thread."""
        self.is_waiting_for_budget = False
        self._budget_until = 0.0
        self._last_look_ms = env.clock.monotonic_ms()
        self._largest_ratio = 0.0
        self.rounds = 0
        """That came to their end."""
        metrics.sources.append(self.figures)

    def start(self) -> None:
        """Begin, if compaction is on."""
        if self._static.log_cleaner_enable:
            for number in range(self._static.log_cleaner_threads):
                task = self._loop.create_task(self._work(), name=f"log-cleaner-{number}")
                self.tasks.append(task)

    async def stop(self) -> None:
        """End after the pieces of work that run now; an exchange of segments is finished."""
        self._stopped.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self._pool.shutdown(wait=False)

    def figures(self) -> dict[str, float]:
        """What Kafka's cleaner tells of itself."""
        logs = [partition.log for partition in self._replicas]
        dead = 0 if self._stopped.is_set() else sum(task.done() for task in self.tasks)
        return {
            "LogCleaner.DeadThreadCount": dead,
            "LogCleanerManager.max-dirty-percent": int(self._largest_ratio * 100),
            "LogCleanerManager.time-since-last-run-ms": self._env.clock.monotonic_ms()
            - self._last_look_ms,
            "LogCleanerManager.uncleanable-partitions-count": sum(
                bool(log.compaction.uncleanable) for log in logs
            ),
            "LogCleaner.RoundsTotal": self.rounds,
        }

    @property
    def _config(self) -> BrokerConfig:
        """The settings of the moment."""
        return broker_config(self._static, self._image_of(), self._replicas.node_id)

    # --- one thread ---------------------------------------------------------------------------

    async def _work(self) -> None:
        while not self._stopped.is_set():
            has_cleaned = False
            try:
                has_cleaned = await self._clean_one()
            except Exception as error:
                self._metrics.unexpected_errors += 1
                self._log.error("compaction failed", error=repr(error), exc_info=error)
            if not has_cleaned:
                await self._pause(self._config.log_cleaner_backoff_ms / 1000.0)

    async def _pause(self, seconds: float) -> None:
        """Sleep, but not longer than until the end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopped.wait()

    async def _clean_one(self) -> bool:
        """Clean the log that needs it most; False if none does."""
        async with self._picking:
            found = await self._dirtiest()
            if found is None:
                return False
            partition, part = found
            log = partition.log
            config = self._config
            running = log.compaction.run(part, lambda: log.rules, self._limits(config))
            first = self._first_of(partition, running)
        if first is not None:
            await self._run(partition, running, first)
        return True

    def _limits(self, config: BrokerConfig) -> CleanerLimits:
        """Its share of what all threads may use."""
        threads = config.log_cleaner_threads
        return CleanerLimits(
            config.log_cleaner_dedupe_buffer_size // threads,
            config.log_cleaner_io_buffer_load_factor,
            config.log_cleaner_io_buffer_size // threads // 2,
            Breather() if self._env.hooks is None else _no_breath,
        )

    # --- which log ----------------------------------------------------------------------------

    async def _dirtiest(self) -> tuple[Partition, DirtyPart] | None:
        found: list[tuple[float, Partition, DirtyPart]] = []
        self._largest_ratio = 0.0
        for number, partition in enumerate(list(self._replicas)):
            if number % PARTITIONS_AT_ONCE == PARTITIONS_AT_ONCE - 1:
                await asyncio.sleep(0)
            if not partition.log.rules.compact or self._stopped.is_set():
                continue
            part = await self._assess(partition)
            if part is not None:
                self._largest_ratio = max(self._largest_ratio, part.ratio)
                if part.is_due(partition.log.rules):
                    found.append((part.ratio, partition, part))
        self._last_look_ms = self._env.clock.monotonic_ms()
        here = [one for one in found if self._replicas.holds(one[1])]
        if not here:
            return None
        _, partition, part = max(here, key=lambda one: one[0])
        return partition, part

    async def _assess(self, partition: Partition) -> DirtyPart | None:
        log = partition.log
        upto = min(log.last_stable_offset, log.recovery_point)
        if not log.compaction.may_be_due(log.log_end_offset, upto):
            return None
        cuts = log.compaction.cuts
        try:
            return await self._on_thread(
                log.compaction.assessment(log.rules, log.log_end_offset, upto)
            )
        except FileNotFoundError:
            return None  # segments left the log meanwhile
        except OSError as error:
            partition.on_disk_failure(log.fail("reading", error))
        except KafkaError as error:
            if cuts == log.compaction.cuts:
                log.compaction.uncleanable = str(error)
                self._tell_uncleanable(partition, error)
        return None

    # --- a round ------------------------------------------------------------------------------

    def _first_of(self, partition: Partition, running: Round) -> Callable[[], int] | str | None:
        """Begin a round, so that no other thread does; its first work, None if it ended."""
        try:
            return next(running)
        except CompactionAbandonedError:
            return None
        except LogDirectoryFailure as failure:
            partition.on_disk_failure(failure)
        except KafkaError as error:
            self._tell_uncleanable(partition, error)
        return None

    async def _run(
        self, partition: Partition, running: Round, work: Callable[[], int] | str
    ) -> None:
        log = partition.log
        before, begun = log.size_bytes, self._loop.time()
        try:
            while True:
                work = await self._step(partition, running, work)
                if self._stopped.is_set() and not log.compaction.is_exchanging:
                    running.close()
                    return
        except StopAsyncIteration:
            self.rounds += 1
            self._log.info(
                "log compacted",
                log=log.name,
                bytes_before=before,
                bytes_after=log.size_bytes,
                clean_upto=log.compaction.clean_end,
                records_without_key=log.compaction.keyless,
                seconds=round(self._loop.time() - begun, 3),
            )
        except CompactionAbandonedError:
            self._log.info("compaction of a log was abandoned: it changed", log=log.name)
        except LogDirectoryFailure as failure:
            partition.on_disk_failure(failure)
        except KafkaError as error:
            self._tell_uncleanable(partition, error)

    async def _step(
        self, partition: Partition, running: Round, work: Callable[[], int] | str
    ) -> Callable[[], int] | str:
        """Do one piece; the next. Raises StopAsyncIteration at the end, what the round raises."""
        try:
            if isinstance(work, str):
                assert work == CHECKPOINT
                done = 0
                if self._replicas.holds(partition):
                    directory = self._replicas.directory_of(partition)
                    await self._checkpoints.write_cleaned(directory)
            else:
                done = await self._on_thread(work)
                await self._keep_to_budget(done)
        except Exception as error:
            thrown = error
            following = _or_end(lambda: running.throw(thrown))
        else:
            following = _or_end(lambda: running.send(done))
        if following is None:
            raise StopAsyncIteration
        return following

    async def _keep_to_budget(self, done: int) -> None:
        """Pause until all threads together have read and written no more than they may."""
        now = self._loop.time()
        rate = self._config.log_cleaner_io_max_bytes_per_second
        self._budget_until = max(self._budget_until, now) + done / rate
        if self._budget_until - now > WORK_S:
            self.is_waiting_for_budget = True
            await self._pause(self._budget_until - now)
            self.is_waiting_for_budget = False

    def _on_thread(self, work: Callable[[], ResultT]) -> asyncio.Future[ResultT]:
        return self._loop.run_in_executor(self._pool, work)

    def _tell_uncleanable(self, partition: Partition, error: KafkaError) -> None:
        self._log.warning(
            "a log cannot be compacted, and is passed over until the node starts again",
            log=partition.log.name,
            error=str(error),
        )


def _or_end(step: Callable[[], Callable[[], int] | str]) -> Callable[[], int] | str | None:
    """The next piece of work; None at the end of a round."""
    try:
        return step()
    except StopIteration:
        return None


def _no_breath() -> None:
    """In a simulation nothing runs beside the loop."""
