"""Snapshots of the metadata log when they are due, and the log's beginning moved up behind them.

Every node makes its own (630-05), from the image that its publisher has, never two at a time. The
writing goes on in slices of the event loop, fsync and rename on another thread. The leader raises
the log's start where the gate (630-07) is open and the settings wish it; followers follow it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from barnabas.protocol.errors import KafkaError

from ...core.raft.ports import Control, KRaftVersion
from ...core.raft.snapshot_file import SnapshotId, snapshot_batches
from ..retiring import rename_retired
from .raft_log import message_of

if TYPE_CHECKING:
    from ...core.cluster.image import ClusterImage
    from ...core.config.broker import BrokerConfig
    from ...core.ports import Env
    from .quorum import Quorum

INTERVAL_S: Final = 5.0
"""How often the clock alone is asked whether something is due."""

RECORDS_PER_BATCH: Final = 200
"""Records that are written before others get their turn on the event loop."""

ROLL_FROM_BYTES: Final = 1024 * 1024
"""A segment of this size is closed by a snapshot, so that it can be deleted as a whole later."""


class LogCleaner:
    """See the module. `look` after deliveries; a timer does the rest."""

    def __init__(self, config: BrokerConfig, env: Env, quorum: Quorum) -> None:
        self._config = config
        self._env = env
        self._quorum = quorum
        self._task: asyncio.Task[None] | None = None
        self._renaming: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_writing = False

    def start(self) -> None:
        """Begin to look."""
        self._arm()
        self.look()

    async def stop(self) -> None:
        """Look no more; a snapshot under way is given up."""
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
        if self._quorum.failure is None:
            self._clean()
        if len(self._quorum.log.log.retirement) and self._renaming is None:
            self._renaming = asyncio.get_running_loop().create_task(self._rename_retired())
        if not self._config.is_broker:
            # A broker's background work sees to the deletions of all its directories.
            asyncio.get_running_loop().run_in_executor(None, self._delete)

    async def _rename_retired(self) -> None:
        try:
            await rename_retired(self._quorum.log.log)
        except KafkaError as error:
            self._quorum.driver.fail(error)
        finally:
            self._renaming = None

    def _delete(self) -> None:
        try:
            self._quorum.home.deletions.run_due(self._env.clock.monotonic_ms())
        except OSError as error:
            self._quorum.notes.append(f"a file that is to be deleted: {error}")

    # --- snapshots ----------------------------------------------------------------------------

    def look(self) -> None:
        """Begin a snapshot if one is due and can be made now."""
        if self._task is None and self._is_due() and self._can_be_made():
            self._task = asyncio.get_running_loop().create_task(self._make())

    def _is_due(self) -> bool:
        """630-06: records, bytes or age, whichever comes first."""
        config, delivery = self._config, self._quorum.delivery
        latest = self._quorum.log.files.latest
        done = 0 if latest is None else latest.end_offset
        if self._quorum.publisher.image.last_offset + 1 <= done or delivery.oldest_ms < 0:
            return False
        age_ms = self._env.clock.wall_ms() - delivery.oldest_ms
        return self._env.maybe("snapshot-now") or (
            self._quorum.high_watermark - done > config.controller_snapshot_minimum_records
            or delivery.bytes_since_snapshot
            >= config.metadata_log_max_record_bytes_between_snapshots
            or age_ms >= config.metadata_log_max_snapshot_interval_ms > 0
        )

    def _can_be_made(self) -> bool:
        """The image is whole and at the high watermark, and so are the voters we know."""
        quorum = self._quorum
        image = quorum.publisher.image
        return (
            quorum.failure is None
            and not image.is_in_transaction
            and image.last_offset + 1 == quorum.high_watermark
            and quorum.raft.pending_voter_change() < 0
        )

    async def _make(self) -> None:
        try:
            await self.make_snapshot()
        except (KafkaError, OSError) as error:
            self._quorum.driver.fail(error)
        finally:
            self._task = None

    async def make_snapshot(self) -> SnapshotId | None:
        """Write a snapshot of the image as it is now; None if it must not be made (630-04)."""
        quorum, clock = self._quorum, self._env.clock
        image = quorum.publisher.image
        snapshot = SnapshotId(image.last_offset + 1, image.last_epoch)
        try:
            quorum.raft.check_snapshot(snapshot)
            if snapshot in quorum.log.files.ids:
                raise ValueError("it is there already")
            if self._is_writing:
                raise ValueError("another one is being written")
            if not self._can_be_made():
                raise ValueError("a change is under way")
        except ValueError as error:
            quorum.note(f"no snapshot {snapshot.file_name}: {error}")
            return None
        parts = self._batches(image.copy(), snapshot, quorum.publisher.append_wall_ms)
        writing = quorum.log.files.begin(snapshot)
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
        quorum.log.files.frozen(snapshot, None)
        quorum.delivery.snapshot_made()
        quorum.raft.on_snapshot_made(snapshot, clock.monotonic_ms())
        self._close_segment()
        if (hooks := self._env.hooks) is not None:
            hooks.on("snapshot-written", end_offset=snapshot.end_offset, epoch=snapshot.epoch)
        return snapshot

    def _batches(
        self, image: ClusterImage, snapshot: SnapshotId, append_wall_ms: int
    ) -> Iterator[bytes]:
        raft = self._quorum.raft
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
        log = self._quorum.log.log
        if log.segments[-1].size >= ROLL_FROM_BYTES:
            log.roll(now_ms=self._env.clock.wall_ms())

    # --- the log's beginning ------------------------------------------------------------------

    def _clean(self) -> None:
        """Raise the log's start, snapshot by snapshot, while the settings wish it (630-07)."""
        quorum = self._quorum
        now_ms = self._env.clock.monotonic_ms()
        try:
            while quorum.is_leader and (wish := self._wish()) is not None:
                if not quorum.raft.raise_log_start(wish, now_ms):
                    return
        except (KafkaError, OSError) as error:
            quorum.driver.fail(error)
            return
        quorum.driver.settle()

    def _wish(self) -> SnapshotId | None:
        """The next snapshot that the log could begin with, if it is too large or too old."""
        log = self._quorum.log
        nexts = [one for one in log.files.ids if one.end_offset > log.start_offset]
        if not nexts or not (self._is_too_large() or self._is_too_old(nexts[0])):
            return None
        return nexts[0]

    def _is_too_large(self) -> bool:
        limit = self._config.metadata_max_retention_bytes
        files = self._quorum.log.files
        size = self._quorum.log.log.size_bytes + sum(files.size(one) for one in files.ids)
        return 0 <= limit < size

    def _is_too_old(self, snapshot: SnapshotId) -> bool:
        """Whether everything before this snapshot is older than the retention."""
        limit_ms = self._config.metadata_max_retention_ms
        if limit_ms < 0:
            return False
        written_ms = self._quorum.log.files.appended_ms(snapshot)
        return self._env.clock.wall_ms() - written_ms > limit_ms
