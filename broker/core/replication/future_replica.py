"""A replica's copy in another log directory of this broker, until it takes the replica's place.

KIP-113: the copy is a log of its own, in a folder that is marked as a future one. It follows the
replica's log as a follower its leader's, record by record, whatever role the replica has: where
that was truncated it is truncated, by leader epochs, and it begins where that begins. Once it
has all records, and the controller knows the new directory (KIP-858), it is renamed. Compaction
rests meanwhile: a tombstone must not go before it was copied.
"""

from __future__ import annotations

from typing import Final

from ..log.leader_epochs import UNDEFINED_OFFSET
from ..log.log_directory import LogDirectory
from ..log.partition_log import PartitionLog
from ..log.segment import NEVER
from ..log.stored_records import StoredRecords
from ..log.succession import succeed
from ..ports import Buffer
from ..reads import Steps
from .partition import Partition
from .truncation import EpochEnd, LocalLog, Restart, Truncation, truncation_by_epoch

PIECE_BYTES: Final = 256 * 1024
"""Copied in one turn of the loop; a batch that is larger is copied whole."""

_NEVER_LOOKED = -1
_NOT_YET = -1.0


class FutureReplica:
    """One move: from `source` to `target`."""

    __slots__ = (
        "_common_end",
        "_cuts_followed",
        "announced_ms",
        "is_ended",
        "is_noted",
        "log",
        "partition",
        "source",
        "target",
        "tries",
    )

    def __init__(
        self, partition: Partition, source: LogDirectory, target: LogDirectory, log: PartitionLog
    ) -> None:
        """`log`: the future one, in `target`; perhaps of an earlier life of the broker."""
        self.partition = partition
        self.source = source
        self.target = target
        self.log = log
        self.announced_ms = _NOT_YET
        """When the controller was last asked to know that the replica is in `target`; monotonic.
        Nothing is said before the copy has caught up."""
        self.is_noted = False
        """The directory's checkpoints know of the copy."""
        self.tries = 0
        """How often it could not take the replica's place although it had all."""
        self.is_ended = False
        """Replaced the replica's log, or given up."""
        self._cuts_followed = _NEVER_LOOKED
        # A crash may have taken the tail of the replica's log. What comes in its place may be of
        # the same epoch, so that epochs do not tell the two apart.
        self._common_end = partition.log.log_end_offset
        partition.log.compaction.is_paused = True
        # Holes that compaction made are no damage: opening after a crash must know.
        log.compaction.clean_end = partition.log.compaction.clean_end

    def __repr__(self) -> str:
        return f"<FutureReplica {self.log.name} to {self.target.path}>"

    @property
    def key(self) -> tuple[str, int]:
        """Topic and partition."""
        return self.partition.topic, self.partition.index

    @property
    def lag(self) -> int:
        """Offsets that are still to be copied."""
        return self.partition.log.log_end_offset - self.log.log_end_offset

    @property
    def is_announced(self) -> bool:
        """Whether the controller is to know that the replica is in `target`."""
        return self.announced_ms != _NOT_YET

    # --- following ----------------------------------------------------------------------------

    def divergence(self) -> Truncation | Restart | None:
        """What of the copy must go, as the replica's log does not have it; None if nothing."""
        current, log = self.partition.log, self.log
        if not log.log_start_offset <= current.log_start_offset <= log.log_end_offset:
            return Restart(current.log_start_offset)
        cuts = current.compaction.cuts
        if cuts == self._cuts_followed:
            return None
        if log.log_end_offset > log.log_start_offset:
            told = EpochEnd(*current.end_offset_for_epoch(log.leader_epochs.latest))
            if told.end_offset == UNDEFINED_OFFSET:
                # Records without epochs, or none of these epochs: nothing of the copy is sure.
                return Restart(current.log_start_offset)
            local = LocalLog(log.leader_epochs, log.high_watermark, log.log_end_offset)
            decided = truncation_by_epoch(local, told)
            offset = min(decided.offset, self._common_end)
            if offset < log.log_end_offset:
                return Truncation(offset, decided.is_complete)
        self._common_end = NEVER
        self._cuts_followed = cuts
        return None

    def begin_anew(self) -> None:
        """Look again for what must go, before anything else is copied."""
        self._cuts_followed = _NEVER_LOOKED

    def reading(self) -> Steps[Buffer | StoredRecords]:
        """The next records of the replica's log; it must not be cut until they are appended.

        May not go on once `changes` of its reader is another. Raises KafkaError,
        LogDirectoryFailure.
        """
        current = self.partition.log
        return current.reader.finding(self.log.log_end_offset, PIECE_BYTES, current.log_end_offset)

    def append(self, records: Buffer) -> None:
        """Copy them, and what the replica knows of watermark and start.

        Raises KafkaError: they do not begin where the copy ends; LogDirectoryFailure.
        """
        log, first = self.log, int.from_bytes(records[:8], "big")
        if log.log_start_offset == log.log_end_offset > first:
            # The replica's log begins inside a batch: the copy has all of it.
            log.truncate_fully_and_start_at(first)
        log.append_as_follower(records)
        self.follow_offsets()

    def follow_offsets(self) -> None:
        """Take watermark and start of the replica's log. Raises LogDirectoryFailure."""
        current, log = self.partition.log, self.log
        log.high_watermark = current.high_watermark
        if log.log_start_offset < current.log_start_offset <= log.high_watermark:
            log.advance_log_start(current.log_start_offset)

    # --- taking the place ---------------------------------------------------------------------

    @property
    def is_durable(self) -> bool:
        """Whether all is flushed here that is flushed there, and what was cut is gone for good."""
        log = self.log
        is_flushed = log.recovery_point >= self.partition.log.recovery_point
        return is_flushed and not log.durability.may_bring_back

    @property
    def may_replace(self) -> bool:
        """Whether it has all, and nobody is working on the files of either log.

        Checkpoints of the target directory must have been written since the start last moved.
        """
        current, log = self.partition.log, self.log
        return (
            not self.lag
            and self.divergence() is None
            and self.is_durable
            and log.log_start_offset >= current.log_start_offset
            and not log.segments.is_held
            and not len(log.retirement)
            and not current.compaction.is_running
            and not current.retirement.is_running
            and not self.source.is_lowered(self.key)
        )

    def prepare(self) -> None:
        """What the replica knows and is not in its records: an epoch that it leads in, without any.

        Raises LogDirectoryFailure.
        """
        self.follow_offsets()
        latest = self.partition.log.leader_epochs.latest
        if latest > self.log.leader_epochs.latest:
            self.log.assign_epoch(latest)

    def replace(self) -> PartitionLog:
        """Take the replica's place; its former log, which is still in its folder.

        A power failure may leave both folders: the metadata names the one that counts. Raises
        LogDirectoryFailure: the target directory refused, and nothing has changed.
        """
        self.prepare()
        try:
            self.target.promote(self.key)
        except OSError as error:
            raise self.log.fail("renaming", error) from error
        self.log.durability.note_renamed()
        self.is_ended = True
        partition, log = self.partition, self.log
        former, partition.log = partition.log, log
        succeed(log, former)
        log.update_config(partition.config)
        partition.waiters.log_is(log)
        if partition.leader is not None:
            partition.leader.log_is(log)
        return former

    def end(self) -> None:
        """Give up; the caller has the copy's folder removed, or leaves it."""
        self.is_ended = True
        self.announced_ms = _NOT_YET
        self.partition.log.compaction.is_paused = False
