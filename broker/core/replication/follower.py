"""The follower's side of a replica: append what the leader sends, and truncate where it must.

- 279-03: records are appended only at the end of the log, in the leader epoch that is known here.
- The watermark is the leader's, limited by the end of this log. A new leader that has not caught up
  with it does not lower it, since what was committed stays committed; only truncation does.
- 392-06: the leader's watermark is also kept unclipped. A consumer that asks for an offset below
  it that is not here yet is told to come again.
- C9: the log start follows the leader's; a follower deletes nothing by time or size.
- 392-13: consumers whose fetches wait here are woken when the watermark moves.
"""

from __future__ import annotations

from barnabas.protocol.batch_walk import walk_buffer
from barnabas.protocol.record_batch import check_batch

from ..log.cutting import Cut, Cutting
from ..log.failures import LogDirectoryFailure
from .hosted import HostedReplica

UNKNOWN_HIGH_WATERMARK = -1
_MAGIC_WITH_CRC_32C = 2


class FollowerState:
    """Copies the log of one leader in one leader epoch."""

    __slots__ = ("_replica", "leader_epoch", "leader_high_watermark", "leader_id")

    def __init__(self, replica: HostedReplica, leader_id: int, leader_epoch: int) -> None:
        self._replica = replica
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.leader_high_watermark = UNKNOWN_HIGH_WATERMARK
        """The leader's watermark as last told, also beyond the end of this log; -1 before that."""

    def position(self) -> tuple[int, int, int]:
        """(fetch offset, last fetched epoch, log start offset) for the next fetch."""
        log = self._replica.log
        return log.log_end_offset, log.leader_epochs.latest, log.log_start_offset

    def append(
        self, records: memoryview, leader_high_watermark: int, leader_log_start_offset: int
    ) -> int:
        """Append what a fetch brought, then move watermark and log start; returns the end offset.

        With empty `records` only the offsets are taken. An incomplete last batch is left out.
        Raises KafkaError: 2, a batch is damaged; 1, the records do not begin at the end of the log;
        56, the disk refused.
        """
        replica = self._replica
        log = replica.log
        if records:
            for batch in walk_buffer(records):
                if batch.magic >= _MAGIC_WITH_CRC_32C:
                    check_batch(records, batch.position, batch.position + batch.size)
            before = log.log_end_offset
            try:
                log.append_as_follower(records)
            except LogDirectoryFailure as failure:
                replica.on_disk_failure(failure)
                raise
            if log.log_end_offset != before:
                replica.waiters.on_append(len(records))
        self.observe(leader_high_watermark, leader_log_start_offset)
        return log.log_end_offset

    def observe(self, high_watermark: int, log_start_offset: int) -> None:
        """Take the leader's offsets from an answer. Raises LogDirectoryFailure."""
        replica = self._replica
        log = replica.log
        self.leader_high_watermark = high_watermark
        reachable = min(high_watermark, log.log_end_offset)
        if reachable > log.high_watermark:
            replica.advance(reachable)
        log_start_offset = min(log_start_offset, log.high_watermark)
        if log_start_offset > log.log_start_offset:
            replica.waiters.end_rests()
            try:
                log.advance_log_start(log_start_offset)
            except LogDirectoryFailure as failure:
                replica.on_disk_failure(failure)
                raise

    def truncate(self, offset: int, foreseen: Cut | None = None) -> Cutting | None:
        """Drop everything from `offset` on (279-01); the new end may be lower still.

        Or what must be found out for it first, as `PartitionLog.try_truncate`; then nothing has
        changed. Fetches that wait here look again. Raises LogDirectoryFailure.
        """
        try:
            cutting = self._replica.log.try_truncate(offset, foreseen)
        except LogDirectoryFailure as failure:
            self._replica.on_disk_failure(failure)
            raise
        if cutting is None:
            self._after_cut()
        return cutting

    def restart_at(self, offset: int) -> None:
        """Drop the whole log and begin anew, empty, at `offset` (279-04).

        Raises LogDirectoryFailure.
        """
        try:
            self._replica.log.truncate_fully_and_start_at(offset)
        except LogDirectoryFailure as failure:
            self._replica.on_disk_failure(failure)
            raise
        self._after_cut()

    def _after_cut(self) -> None:
        # The cut must be durable before much is written in place of what was cut off.
        self._replica.request_flush()
        self._replica.waiters.wake_all()
