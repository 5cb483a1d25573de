"""Makes snapshots of the metadata log when they are due, and lets the log begin behind them.

Every node makes its own snapshots (630-05), one at a time, from the image that its publisher has.
They are written in slices of the event loop; fsync and rename run on another thread. The leader
raises the start of the log where the gate (630-07) is open and the settings ask for it; the others
follow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from barnabas.protocol.errors import KafkaError

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.log.deletion import DeletionSchedule
from ...core.ports import Env
from ...core.raft.ports import Control, KRaftVersion
from ...core.raft.snapshot_file import SnapshotId, snapshot_batches
from ..retiring import rename_retired
from .delivery import Delivery
from .driver import Driver
from .publisher import ImagePublisher
from .raft_log import message_of

INTERVAL_S: Final = 5.0
"""How often it is checked whether anything is due by time alone."""

RECORDS_PER_BATCH: Final = 200
"""After this many records, other work gets its turn on the event loop."""

ROLL_FROM_BYTES: Final = 1024 * 1024
"""A segment of this size is closed by a snapshot, so that it can be deleted as a whole later."""


class LogCleaner:
    """See the module. `look` is called after deliveries; a timer does the rest."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        *,
        deletions: DeletionSchedule,
        driver: Driver,
        delivery: Delivery,
        publisher: ImagePublisher,
        notes: list[str],
        note: Callable[[str], object],
    ) -> None:
        """`deletions` are those of the directory that holds the metadata log. `note` is called with
        anything unusual; `notes` collects what another thread finds."""
        self._config = config
        self._env = env
        self._log = driver.log
        self._deletions = deletions
        self._driver = driver
        self._raft = driver.raft
        self._delivery = delivery
        self._publisher = publisher
        self._notes = notes
        self._note = note
        self._task: asyncio.Task[None] | None = None
        self._renaming: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_writing = False

    def start(self) -> None:
        """Begin to look for what is due."""
        self._arm()
        self.look()

    async def stop(self) -> None:
        """Stop looking; a snapshot that is being written is abandoned."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        tasks = [one for one in (self._task, self._renaming) if one is not None]
        self._task = self._renaming = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(INTERVAL_S, self._on_timer)

    def _on_timer(self) -> None:
        self._arm()
        self.look()
        if self._driver.failure is None:
            self._clean()
        if len(self._log.log.retirement) and self._renaming is None:
            self._renaming = asyncio.get_running_loop().create_task(self._rename_retired())
        if not self._config.is_broker:
            # A broker's background work sees to the deletions of all its directories.
            asyncio.get_running_loop().run_in_executor(None, self._delete)

    async def _rename_retired(self) -> None:
        try:
            await rename_retired(self._log.log)
        except KafkaError as error:
            self._driver.fail(error)
        finally:
            self._renaming = None

    def _delete(self) -> None:
        try:
            self._deletions.run_due(self._env.clock.monotonic_ms())
        except OSError as error:
            self._notes.append(f"a file that is to be deleted: {error}")

    # --- snapshots ----------------------------------------------------------------------------

    def look(self) -> None:
        """Begin a snapshot if one is due and can be made now."""
        if self._task is None and self._is_due() and self._can_be_made():
            self._task = asyncio.get_running_loop().create_task(self._make())

    def _is_due(self) -> bool:
        """A snapshot is due by records, bytes or age, whichever comes first (630-06)."""
        config, delivery = self._config, self._delivery
        latest = self._log.files.latest
        done = 0 if latest is None else latest.end_offset
        if self._publisher.image.last_offset + 1 <= done or delivery.oldest_ms < 0:
            return False
        age_ms = self._env.clock.wall_ms() - delivery.oldest_ms
        return self._env.maybe("snapshot-now") or (
            self._raft.high_watermark - done > config.controller_snapshot_minimum_records
            or delivery.bytes_since_snapshot
            >= config.metadata_log_max_record_bytes_between_snapshots
            or age_ms >= config.metadata_log_max_snapshot_interval_ms > 0
        )

    def _can_be_made(self) -> bool:
        """Whether the image is complete and at the high watermark, and the known voters are as
        well."""
        image = self._publisher.image
        return (
            self._driver.failure is None
            and not image.is_in_transaction
            and image.last_offset + 1 == self._raft.high_watermark
            and self._raft.pending_voter_change() < 0
        )

    async def _make(self) -> None:
        try:
            await self.make_snapshot()
        except (KafkaError, OSError) as error:
            self._driver.fail(error)
        finally:
            self._task = None

    async def make_snapshot(self) -> SnapshotId | None:
        """Write a snapshot of the image as it is now; None if it must not be made (630-04)."""
        image = self._publisher.image
        snapshot = SnapshotId(image.last_offset + 1, image.last_epoch)
        try:
            self._raft.check_snapshot(snapshot)
            if snapshot in self._log.files.ids:
                raise ValueError("it is there already")
            if self._is_writing:
                raise ValueError("another one is being written")
            if not self._can_be_made():
                raise ValueError("a change is under way")
        except ValueError as error:
            self._note(f"no snapshot {snapshot.file_name}: {error}")
            return None
        parts = self._batches(image.copy(), snapshot, self._publisher.append_wall_ms)
        writing = self._log.files.begin(snapshot)
        self._is_writing = True
        try:
            for part in parts:
                writing.append((part,))
                await asyncio.sleep(0)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(None, lambda: writing.run(check=False))
        except BaseException:
            writing.give_up()
            raise
        finally:
            self._is_writing = False
        self._log.files.frozen(snapshot, None)
        if snapshot.end_offset < self._log.start_offset:
            self._log.files.retire_before(self._log.start_offset)  # the leader's came meanwhile
            self._note(f"no snapshot {snapshot.file_name}: the log begins after it by now")
            return None
        self._delivery.snapshot_made()
        self._raft.on_snapshot_made(snapshot, self._env.clock.monotonic_ms())
        self._close_segment()
        if (hooks := self._env.hooks) is not None:
            hooks.on("snapshot-written", end_offset=snapshot.end_offset, epoch=snapshot.epoch)
        return snapshot

    def _batches(
        self, image: ClusterImage, snapshot: SnapshotId, append_wall_ms: int
    ) -> Iterator[bytes]:
        raft = self._raft
        control: list[Control] = []
        if raft.kraft_version > 0:
            control = [KRaftVersion(raft.kraft_version), raft.voters]
        return snapshot_batches(
            image.records(),
            control=[message_of(one) for one in control],
            metadata_version=image.metadata_version,
            epoch=snapshot.epoch,
            last_timestamp=append_wall_ms,
            now_ms=self._env.clock.wall_ms(),
            records_per_batch=1 if self._env.maybe("snapshot-batches-tiny") else RECORDS_PER_BATCH,
        )

    def _close_segment(self) -> None:
        log = self._log.log
        if log.segments[-1].size >= ROLL_FROM_BYTES:
            log.roll(now_ms=self._env.clock.wall_ms())

    # --- the log's beginning ------------------------------------------------------------------

    def _clean(self) -> None:
        """Raise the log's start, snapshot by snapshot, while the settings wish it (630-07)."""
        now_ms = self._env.clock.monotonic_ms()
        try:
            while self._raft.is_leader and (wish := self._wish()) is not None:
                if not self._raft.raise_log_start(wish, now_ms):
                    return
        except (KafkaError, OSError) as error:
            self._driver.fail(error)
            return
        self._driver.settle()

    def _wish(self) -> SnapshotId | None:
        """The next snapshot that the log could begin with, if it is too large or too old."""
        log = self._log
        nexts = [one for one in log.files.ids if one.end_offset > log.start_offset]
        if not nexts or not (self._is_too_large() or self._is_too_old(nexts[0])):
            return None
        return nexts[0]

    def _is_too_large(self) -> bool:
        limit = self._config.metadata_max_retention_bytes
        files = self._log.files
        size = self._log.log.size_bytes + sum(files.size(one) for one in files.ids)
        return 0 <= limit < size

    def _is_too_old(self, snapshot: SnapshotId) -> bool:
        """Whether everything before this snapshot is older than the retention."""
        limit_ms = self._config.metadata_max_retention_ms
        if limit_ms < 0:
            return False
        written_ms = self._log.files.appended_ms(snapshot)
        return self._env.clock.wall_ms() - written_ms > limit_ms
