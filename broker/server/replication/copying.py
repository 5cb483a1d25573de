"""What a follower does with an answer about one partition: append, cut, or find out what is wrong.

- 279-03: records are appended only where they were asked for, at the end of the log. An answer that
  comes after the partition moved (another leader, another epoch, gone) is left; of one that comes
  second in the same epoch only the leader's watermark and log start are taken.
- 279-01, KIP-320: a DivergingEpoch cuts the log; the next fetch asks about what is left.
- CMP-23: a leader's log may have holes. The checkpoint of cleaned logs names this one then as well,
  durably, before the next fetch: recovery would take a hole for a lost tail.
- C9: a leader's log may start within a batch (DeleteRecords). What it sends to an empty log then
  begins below that log's end: the log begins anew where the batch does, and starts where it did.
- 279-05: FENCED_LEADER_EPOCH (74) in the epoch that we know stops the partition until metadata
  tells of another. 75, 6, 3, 100, 103, 56 and every other error make a pause.
- What a cut needs to know is not read on the event loop (501-10): the partition is held, neither
  fetched nor appended to, until a thread has read it. If another leads by then, nothing is cut.
- A log that is cut below its recovery point has its checkpoint lowered, durably, before the cut: at
  a start after a crash nothing below a recovery point is looked at, and what a disk leaves of a cut
  that it refuses half-way must be. A thread writes it, for all logs that wait for it at a time.
"""

from __future__ import annotations

import asyncio
from enum import Enum, auto

from barnabas.protocol.batch_walk import walk_buffer
from barnabas.protocol.errors import ErrorCode, KafkaError, name_of
from barnabas.protocol.messages.fetch_request import FetchPartition
from barnabas.protocol.messages.fetch_response import EpochEndOffset, PartitionData

from ...core.log.compaction.cleaner_offsets import vouched_end
from ...core.log.cutting import Cut, Cutting
from ...core.log.failures import LogDirectoryFailure
from ...core.log.partition_log import PartitionLog
from ...core.reads import Load
from ...core.replication.follower import FollowerState
from ...core.replication.partition import Partition
from ...core.replication.truncation import (
    Beginning,
    EpochEnd,
    LocalLog,
    Restart,
    Truncation,
    truncation_by_epoch,
)
from ...serving.waiting import loaded
from .followed import Followed
from .record_slices import record_slices
from .services import ReplicationServices


class Outcome(Enum):
    """What to do next with a partition."""

    NEXT = auto()  # fetch on from its present end
    LEAVE = auto()  # the answer was of no use, and its cause has been dealt with
    PAUSE = auto()  # retry after a pause
    STOP = auto()  # wait for new metadata
    CUT = auto()  # the log must be cut first, for which the disk must be read (`Copying.cut_later`)
    ASK = auto()  # the leader does not have this position: ask where its log begins and ends


def is_late(follower: FollowerState, asked_at: FetchPartition) -> bool:
    """Whether the log ends elsewhere than when this was asked for: another answer was faster.

    The offset alone does not tell: a log that was cut and copied anew may end where it did before.
    """
    end_offset, last_epoch, _ = follower.position()
    return (end_offset, last_epoch) != (asked_at.fetch_offset, asked_at.last_fetched_epoch)


def beginning_within_batch(log: PartitionLog, data: PartitionData) -> Restart | None:
    """How an empty log begins whose first offset lies within the first batch that it is sent.

    None if it is not so. Only that batch is taken: the rest is fetched again.
    """
    end_offset = log.log_end_offset
    if log.log_start_offset != end_offset or not data.records:
        return None
    first = next(walk_buffer(data.records), None)
    if first is None or not first.base_offset < end_offset <= first.last_offset:
        return None
    batch = memoryview(bytes(memoryview(data.records)[: first.size]))
    told = Beginning(batch, data.high_watermark, data.log_start_offset)
    return Restart(first.base_offset, told)


class Copying:
    """Appends and cuts for all fetchers of a broker; counts unusual events."""

    def __init__(self, node: ReplicationServices) -> None:
        self._node = node
        self.truncations = 0
        """The number of cuts of logs (a metric)."""
        self.truncations_below_watermark = 0
        """Those cuts that removed what had been committed here (a metric; I-4)."""

    async def take(
        self, followed: Followed, position: FetchPartition, data: PartitionData
    ) -> Outcome:
        """Process `data` (PartitionData of a FetchResponse, asked for at `position`)."""
        if followed.is_ended or not followed.is_ready:
            return Outcome.LEAVE
        if self._node.env.maybe("replica-append-refused"):
            return Outcome.PAUSE
        if data.error_code != ErrorCode.NONE:
            return self._on_error(followed, data.error_code)
        try:
            if is_late(followed.follower, position):
                self._take_offsets(followed, data)
                return Outcome.NEXT  # ask again from the present end
            if data.diverging_epoch.epoch >= 0 or data.diverging_epoch.end_offset >= 0:
                return self._diverged(followed, data.diverging_epoch, data.log_start_offset)
            return await self._append(followed, data)
        except LogDirectoryFailure:
            return Outcome.STOP  # the partition has reported it
        except KafkaError as error:
            if error.code == ErrorCode.FENCED_LEADER_EPOCH:
                return Outcome.STOP  # it leads by now, or follows in another epoch
            self._node.log.warning(
                "records of a leader cannot be appended",
                log=followed.partition.log.name,
                error=str(error),
            )
            return Outcome.PAUSE

    def _take_offsets(self, followed: Followed, data: PartitionData) -> None:
        """Take watermark and log start of an answer whose records are not needed any more.

        The leader does not tell them again in this session (227-02), and consumers who read here
        would wait for records that are here until more are written. What is in the log by now came
        from this leader too, unless this answer says that the logs part.
        """
        if data.diverging_epoch.epoch >= 0 or data.diverging_epoch.end_offset >= 0:
            return
        follower = followed.partition.as_follower(followed.leader_epoch)
        watermark = max(data.high_watermark, follower.leader_high_watermark)
        follower.observe(watermark, data.log_start_offset)

    async def _append(self, followed: Followed, data: PartitionData) -> Outcome:
        partition = followed.partition
        watermark, log_start = data.high_watermark, data.log_start_offset
        if not data.records:
            partition.as_follower(followed.leader_epoch).append(
                memoryview(b""), watermark, log_start
            )
            return Outcome.NEXT
        anew = beginning_within_batch(partition.log, data)
        if anew is not None:
            return self.begin_cut(followed, anew, "its leader's log starts within a batch")
        end_offset = partition.log.log_end_offset
        is_first = True
        for part in record_slices(data.records, followed.leader_epoch):
            if not is_first:
                await asyncio.sleep(0)  # others have their turn
                if followed.is_ended or partition.log.log_end_offset != end_offset:
                    return Outcome.LEAVE
            is_first = False
            end_offset = partition.as_follower(followed.leader_epoch).append(
                part, watermark, log_start
            )
            if partition.log.compaction.is_to_be_named:
                await self._name(partition)
        # An answer without a whole batch is no progress: repeating it at once would be a busy loop.
        return Outcome.PAUSE if is_first else Outcome.NEXT

    def _diverged(self, followed: Followed, told: EpochEndOffset, leader_log_start: int) -> Outcome:
        log = followed.partition.log
        local = LocalLog(log.leader_epochs, log.high_watermark, log.log_end_offset)
        decided: Truncation | Restart = truncation_by_epoch(
            local, EpochEnd(told.epoch, told.end_offset)
        )
        if decided.offset >= log.log_end_offset:
            # The leader says that the logs diverge below this end, and our epochs say otherwise.
            self._node.log.warning(
                "a leader tells of a divergence that cannot be found",
                log=log.name,
                epoch=told.epoch,
                end_offset=told.end_offset,
            )
            return Outcome.PAUSE
        if decided.offset < leader_log_start or (
            decided.offset == leader_log_start > log.log_start_offset
        ):
            # The leader cannot tell where the logs diverge: below its start nothing is sure (I-2).
            decided = Restart(leader_log_start)
        return self.begin_cut(followed, decided, "its leader's log parts there")

    def begin_cut(self, followed: Followed, decided: Truncation | Restart, reason: str) -> Outcome:
        """Cut if no disk must be read for it: NEXT; else CUT. Raises LogDirectoryFailure."""
        log = followed.partition.log
        followed.cut = (decided, reason)
        if _offset_of(decided) < vouched_end(log):
            return Outcome.CUT
        if self.cut(followed, decided, reason):  # to be found out, or to be lowered
            return Outcome.CUT
        followed.cut = None
        return Outcome.NEXT

    async def cut_later(self, followed: Followed) -> Outcome:
        """After CUT: cut as soon as the disk has been read, unless there is another leader by
        then."""
        partition = followed.partition
        try:
            return await self._cut_later(followed)
        except LogDirectoryFailure:
            return Outcome.STOP  # the partition has reported it
        except KafkaError as error:
            self._node.log.warning("log cannot be cut", log=partition.log.name, error=str(error))
            return Outcome.PAUSE
        finally:
            self._release(followed)

    async def _cut_later(self, followed: Followed) -> Outcome:
        assert followed.cut is not None
        decided, reason = followed.cut
        log = followed.partition.log
        foreseen: Cut | None = None
        await self._lower(followed, min(_offset_of(decided), vouched_end(log)))
        while not followed.is_ended:
            outcome = self.cut(followed, decided, reason, foreseen)
            if isinstance(outcome, Cutting):
                foreseen = await self._found_out(followed, outcome)
                continue
            if outcome:
                await self._lower(followed, vouched_end(log))
            followed.cut = None
            return Outcome.NEXT
        return Outcome.LEAVE

    async def _found_out(self, followed: Followed, cutting: Cutting) -> Cut | None:
        """What a cut leaves, as a thread has read; None if it does not matter any more.

        Nor does an error in reading files that were exchanged or removed meanwhile.
        """
        found: Cut | BaseException = await loaded(self._node, Load(cutting))
        if followed.is_ended or cutting.is_outdated:
            return None
        if isinstance(found, OSError):
            partition = followed.partition
            failure = partition.log.fail("truncating", found)
            partition.on_disk_failure(failure)
            raise failure from found
        if isinstance(found, BaseException):
            raise found
        return found

    def cut(
        self,
        followed: Followed,
        decided: Truncation | Restart,
        reason: str,
        foreseen: Cut | None = None,
    ) -> bool | Cutting:
        """Cut the log, or begin it anew; the checkpoint must say already that it may be.

        True if it was cut deeper, below what the checkpoint says: the batch there went as a whole.
        Or what must be found out first, if `foreseen` does not say it: then nothing was cut.
        Raises LogDirectoryFailure.
        """
        partition = followed.partition
        log = partition.log
        before, watermark = log.log_end_offset, log.high_watermark
        if decided.offset >= before and not isinstance(decided, Restart):
            return False
        trusted = log.recovery_point
        log.durability.distrust_from(_offset_of(decided))
        sure = min(vouched_end(log), _offset_of(decided))
        if isinstance(decided, Restart):
            followed.follower.restart_at(decided.offset)
            if decided.beginning is not None:
                followed.follower.append(*decided.beginning)
        elif (cutting := followed.follower.truncate(decided.offset, foreseen)) is not None:
            log.durability.trust_again(trusted)
            return cutting
        self._tell_of_cut(followed, decided, reason, before, watermark)
        return vouched_end(log) < sure

    def _tell_of_cut(
        self,
        followed: Followed,
        decided: Truncation | Restart,
        reason: str,
        before: int,
        watermark: int,
    ) -> None:
        partition = followed.partition
        log = partition.log
        self.truncations += 1
        fields: dict[str, object] = {
            "log": log.name,
            "end_offset": before,
            "new_end_offset": log.log_end_offset,
            "leader": partition.leader_id,
            "leader_epoch": followed.leader_epoch,
            "reason": reason,
        }
        if isinstance(decided, Truncation) and log.log_end_offset < watermark:
            self.truncations_below_watermark += 1
            self._node.log.warning(
                "log truncated below its high watermark", high_watermark=watermark, **fields
            )
        else:
            self._node.log.info("log truncated", **fields)

    async def _name(self, partition: Partition) -> None:
        """Have the checkpoint say that the log has holes, before the leader counts on what lies
        behind them (CMP-23). Raises LogDirectoryFailure."""
        if not self._node.replicas.holds(partition):
            return
        log = partition.log
        try:
            await self._node.checkpoints.write_cleaned(self._node.replicas.directory_of(partition))
        except OSError as error:
            failure = log.fail("writing the checkpoint of", error)
            partition.on_disk_failure(failure)
            raise failure from error
        log.compaction.is_to_be_named = False

    async def _lower(self, followed: Followed, offset: int) -> None:
        """Have the checkpoint say that nothing from `offset` on is sure. Raises
        LogDirectoryFailure."""
        partition = followed.partition
        if not self._node.replicas.holds(partition):
            return  # deleted: nothing of it will be opened again
        directory = self._node.replicas.directory_of(partition)
        key = (partition.topic, partition.index)
        try:
            await self._node.checkpoints.lower(directory, key, offset, followed)
        except OSError as error:
            failure = partition.log.fail("writing the checkpoint of", error)
            partition.on_disk_failure(failure)
            raise failure from error

    def _release(self, followed: Followed) -> None:
        partition = followed.partition
        if self._node.replicas.holds(partition):
            directory = self._node.replicas.directory_of(partition)
            directory.release((partition.topic, partition.index), followed)

    def _on_error(self, followed: Followed, error_code: int) -> Outcome:
        if error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            return Outcome.ASK
        if error_code == ErrorCode.FENCED_LEADER_EPOCH:
            return Outcome.STOP
        if followed.back_off.is_long and not followed.is_reported:
            # Short refusals are part of every change of leader; this one lasts.
            followed.is_reported = True
            self._node.log.warning(
                "a leader refuses a partition; trying again",
                log=followed.partition.log.name,
                leader=followed.partition.leader_id,
                leader_epoch=followed.leader_epoch,
                error=name_of(error_code),
            )
        return Outcome.PAUSE


def _offset_of(decided: Truncation | Restart) -> int:
    """Nothing in the log changes below this offset."""
    return 0 if isinstance(decided, Restart) else decided.offset
