"""Carries one replica's move to another log directory on, a step at a time (KIP-113, KIP-858).

Copy a piece, cut what the replica's log does not have, and at last take the replica's place: what
each of these means, `core/replication/future_replica.py` says. Disks are waited for on threads.

Before a copy takes its replica's place the controller must know its directory: otherwise it would
not learn from the failure of a directory that this replica is gone with it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from barnabas.protocol.errors import KafkaError

from ...core.log.compaction.cleaner_offsets import vouched_end
from ...core.log.cutting import Cut
from ...core.log.failures import LogDirectoryFailure
from ...core.log.flushing import GroupCommit
from ...core.log.partition_log import PartitionLog
from ...core.log.stored_records import StoredRecords
from ...core.reads import CHANGED, Load, finish, unless_changed
from ...core.replication.future_replica import FutureReplica
from ...core.replication.truncation import Restart, Truncation
from ...serving.waiting import in_slices, loaded
from ..retiring import rename_retired
from .assign_directories import DirectoryAssignments
from .offline_directories import OfflineDirectories
from .record_slices import record_slices
from .services import ReplicationServices

AT_ONCE: Final = 0.0
BUSY_S: Final = 0.01
TOLD_CHECK_S: Final = 0.05
THROTTLED_S: Final = 0.1
RETRY_S: Final = 1.0
"""Pauses before the next step, in seconds."""

ASK_AGAIN_MS: Final = 2000.0
TRIES_MAX: Final = 20
"""After this many interfering flushes by others, the copy is flushed on the event loop."""
PIECES_AT_ONCE: Final = 8
"""The most pieces that are copied on the event loop at the moment of taking the replica's place."""
ANY_EPOCH: Final = 1 << 31


class DirectoryCopying:
    """The steps of a broker's moves."""

    def __init__(
        self,
        node: ReplicationServices,
        assignments: DirectoryAssignments,
        offline: OfflineDirectories,
    ) -> None:
        self._node = node
        self._assignments = assignments
        self._offline = offline
        self._loop = asyncio.get_running_loop()
        self.moved = 0
        """Replicas that have moved to other directories since the start."""

    async def advance(self, move: FutureReplica) -> float | None:
        """Carry out one step; returns the pause before the next one in seconds, or None after the
        last."""
        partition = move.partition
        if move.is_ended:
            return None
        if partition.is_offline or self._offline.holds(move.target):
            self._leave(move)
            return None
        try:
            pause = await self._advance(move)
        except LogDirectoryFailure as failure:
            self._on_failure(move, failure)
            return None
        except KafkaError as error:
            # Cut, or begun anew, beside the step: its next look finds out.
            self._node.log.info("a copy of a replica waits", log=move.log.name, error=str(error))
            move.begin_anew()
            return RETRY_S
        return None if move.is_ended else pause

    async def _advance(self, move: FutureReplica) -> float:
        if not move.is_noted:
            # After a crash nobody may take what compaction removed here for a damage.
            await self._write_checkpoints(move)
            move.is_noted = True
        decided = move.divergence()
        if decided is not None:
            await self._cut(move, decided)
            return AT_ONCE
        if move.lag:
            return await self._copy(move)
        return await self._finish(move)

    # --- copying ------------------------------------------------------------------------------

    async def _copy(self, move: FutureReplica) -> float:
        throttle = self._node.replication_quotas.moves
        if throttle.is_exceeded:
            return THROTTLED_S
        reader = move.partition.log.reader
        data = await in_slices(self._node, unless_changed(move.reading(), lambda: reader.changes))
        if data is CHANGED or move.is_ended:
            return AT_ONCE
        assert not isinstance(data, StoredRecords), "nothing is as large as that"
        if not len(data):
            return RETRY_S
        throttle.count(len(data))
        changes = reader.changes
        for part in record_slices(data, ANY_EPOCH):
            if move.is_ended or reader.changes != changes:
                return AT_ONCE
            move.append(part)
            await asyncio.sleep(0)  # others have their turn
        if not move.is_ended:
            await self._tidy(move.log)
        return AT_ONCE

    async def _tidy(self, log: PartitionLog) -> None:
        """Remove segments that the replica no longer has, and flush the full ones.

        Raises LogDirectoryFailure.
        """
        env = self._node.env
        if log.retire_segments(env.clock.wall_ms(), by_rules=False) or len(log.retirement):
            await rename_retired(log)
        if log.flush_due(env.clock.monotonic_ms()):
            await self._flush(log)

    async def _flush(self, log: PartitionLog) -> None:
        commit = GroupCommit()
        commit.want(log)
        flush_round = commit.take()
        assert flush_round is not None, "one log waits for it"
        await self._loop.run_in_executor(None, flush_round.run)
        flush_round.finish()
        if log.failure is not None:
            raise log.failure

    async def _cut(self, move: FutureReplica, decided: Truncation | Restart) -> None:
        """Cut as a follower cuts its log: the checkpoint is written first. Raises
        LogDirectoryFailure."""
        log, target = move.log, move.target
        offset = 0 if isinstance(decided, Restart) else decided.offset
        self._node.log.info(
            "a copy of a replica is cut", log=log.name, end_offset=log.log_end_offset, to=offset
        )
        try:
            await self._lower(move, offset)
            if isinstance(decided, Restart):
                if not move.is_ended:
                    log.truncate_fully_and_start_at(decided.offset)
                return
            foreseen: Cut | None = None
            while not move.is_ended:
                log.durability.distrust_from(offset)
                cutting = log.try_truncate(offset, foreseen)
                if cutting is None:
                    break
                found: Cut | BaseException = await loaded(self._node, Load(cutting))
                if isinstance(found, OSError):
                    raise log.fail("truncating", found) from found
                if isinstance(found, BaseException):
                    raise found
                foreseen = found
            await self._lower(move, log.log_end_offset)  # a batch is removed as a whole
        finally:
            target.release(move.key, move)

    async def _lower(self, move: FutureReplica, offset: int) -> None:
        if offset >= vouched_end(move.log) or move.is_ended:
            return
        try:
            await self._node.checkpoints.lower(move.target, move.key, offset, move)
        except OSError as error:
            raise move.log.fail("writing the checkpoint of", error) from error

    # --- taking the replica's place -----------------------------------------------------------

    async def _finish(self, move: FutureReplica) -> float:
        """Everything is copied: tell the controller, then replace the replica's log."""
        partition, log, now = move.partition, move.log, self._node.env.clock.monotonic_ms()
        move.follow_offsets()
        await self._tidy(log)
        if not move.is_announced and log.recovery_point < log.log_end_offset:
            await self._flush(log)
        if move.is_ended:
            return AT_ONCE
        if not move.is_announced or not self._assignments.knows(partition, move.target):
            if not move.is_announced or now >= move.announced_ms + ASK_AGAIN_MS:
                move.announced_ms = now
                self._assignments.look_at(partition)
            return TOLD_CHECK_S
        if not move.is_durable:
            await self._flush(log)
        start = log.log_start_offset
        await self._write_checkpoints(move)
        if move.is_ended or log.log_start_offset != start:
            return AT_ONCE
        return await self._replace(move)

    async def _replace(self, move: FutureReplica) -> float:
        start = move.log.log_start_offset
        self._catch_up(move)
        if move.tries >= TRIES_MAX and not move.is_durable and not move.log.segments.is_held:
            move.log.flush()
        if not move.may_replace or move.log.log_start_offset != start:
            move.tries += 1
            return BUSY_S
        former = move.partition.log.directory
        self._node.replicas.moves.replace(move)
        self.moved += 1
        self._node.log.info(
            "replica moved to another log directory",
            log=move.log.name,
            former=former,
            directory=move.log.directory,
        )
        self._assignments.look_at(move.partition)
        await self._node.checkpoints.write(move.source)
        return AT_ONCE

    def _catch_up(self, move: FutureReplica) -> None:
        """Copy what was appended last before returning: it is still in memory."""
        for _ in range(PIECES_AT_ONCE):
            if not move.lag or move.divergence() is not None:
                return
            data = finish(move.reading())
            assert not isinstance(data, StoredRecords), "nothing is as large as that"
            if not len(data):
                return
            move.append(data)

    async def _write_checkpoints(self, move: FutureReplica) -> None:
        """Where the copy begins, and where it has holes, durably. Raises LogDirectoryFailure."""
        try:
            await self._node.checkpoints.write_durably(move.target)
        except OSError as error:
            raise move.log.fail("writing the checkpoint of", error) from error

    # --- failing disks ------------------------------------------------------------------------

    def _leave(self, move: FutureReplica) -> None:
        self._node.replicas.moves.leave(move.partition)
        self._assignments.look_at(move.partition)

    def _on_failure(self, move: FutureReplica, failure: LogDirectoryFailure) -> None:
        """One of the two directories refused: the replica stays where it is, or is offline."""
        if move.is_ended:
            return
        self._node.log.warning("a replica's move ended", log=move.log.name, error=str(failure))
        self._leave(move)
        if move.log.failure is not None:
            self._offline.give_up(move.target, failure)
        else:
            move.partition.on_disk_failure(failure)
