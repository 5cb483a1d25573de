"""The follower's side of a replica: take what the leader sends, know where to go on.

- 279-02: an epoch in which this broker led in vain is forgotten: the leader would tell of a
  divergence where there is none to cut.
- 279-03: records are appended where the log ends, in the leader epoch that this broker knows.
- The watermark is the leader's as far as the own log reaches, and is not taken back by a new
  leader that has not caught up with it: what was committed stays committed. Only truncation does.
- 392-06: the leader's watermark is kept as it was told, too: a consumer that asks for what lies
  below it, but is not here yet, must come again.
- C9: the log's start follows the leader's; a follower deletes nothing by time or size.
- 392-13: consumers that are parked here are woken when the watermark moves.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import check_batch

from ..log.failures import LogDirectoryFailure
from ..log.walking import walk_buffer
from .hosted import NO_LEADER, HostedReplica

UNKNOWN_HIGH_WATERMARK = -1
_MAGIC_WITH_CRC_32C = 2


class Following(HostedReplica):
    """A replica that copies its leader's log."""

    __slots__ = ("leader_high_watermark",)

    leader_high_watermark: int
    """What the leader told last, beyond the own log's end too; -1 before it told anything."""

    def follower_position(self) -> tuple[int, int, int]:
        """(fetch offset, last fetched epoch, log start offset) for the next fetch."""
        log = self.log
        return log.log_end_offset, log.leader_epochs.latest, log.log_start_offset

    def append_from_leader(
        self,
        records: memoryview,
        leader_epoch: int,
        leader_high_watermark: int,
        leader_log_start_offset: int,
    ) -> int:
        """Append what a fetch brought, then move watermark and log start; the new end offset.

        Empty `records` bring the offsets only. A last batch that is cut short is left out.
        Raises KafkaError: 74 the answer is of another leader epoch than ours (leave it); 2 a batch
        that is damaged; 1 it does not go on where the log ends; 56 the disk refused.
        """
        if self.is_leader or leader_epoch != self.leader_epoch:
            raise KafkaError(
                ErrorCode.FENCED_LEADER_EPOCH,
                f"{self.log.name}: records of epoch {leader_epoch}, now is {self.leader_epoch}",
            )
        log = self.log
        if records:
            for batch in walk_buffer(records):
                if batch.magic >= _MAGIC_WITH_CRC_32C:
                    check_batch(records, batch.position, batch.position + batch.size)
            before = log.log_end_offset
            try:
                log.append_as_follower(records)
            except LogDirectoryFailure as failure:
                self.on_disk_failure(failure)
                raise
            if log.log_end_offset != before:
                self._appended_bytes += len(records)
                self._wake_followers(len(records))
        self.observe_leader(leader_high_watermark, leader_log_start_offset)
        return log.log_end_offset

    def observe_leader(self, high_watermark: int, log_start_offset: int) -> None:
        """Take the leader's offsets from an answer. Raises LogDirectoryFailure."""
        log = self.log
        self.leader_high_watermark = high_watermark
        reachable = min(high_watermark, log.log_end_offset)
        if reachable > log.high_watermark:
            self._advance(reachable)
        log_start_offset = min(log_start_offset, log.high_watermark)
        if log_start_offset > log.log_start_offset:
            self.stir()
            try:
                log.advance_log_start(log_start_offset)
            except LogDirectoryFailure as failure:
                self.on_disk_failure(failure)
                raise

    def truncate(self, offset: int) -> int:
        """Drop everything from `offset` on (279-01); the new end, which may be lower still.

        Who reads here looks again. Raises LogDirectoryFailure.
        """
        try:
            end_offset = self.log.truncate_to(offset)
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        self._after_cut()
        return end_offset

    def restart_at(self, offset: int) -> None:
        """Drop the whole log and begin anew, empty, at `offset` (279-04).

        Raises LogDirectoryFailure.
        """
        try:
            self.log.truncate_fully_and_start_at(offset)
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        self._after_cut()

    def _after_cut(self) -> None:
        # What was cut off must be gone for good before much is written in its place.
        self._around.flushes.request(self._itself())
        self.wake_all()

    def _follow(self, leader_id: int, leader_epoch: int) -> None:
        """Copy this leader's log from now on; nobody's if there is none."""
        is_new = (leader_id, leader_epoch) != (self.leader_id, self.leader_epoch)
        was_leader = self.is_leader
        self.is_leader = False
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        if not (is_new or was_leader):
            return
        self.leader_high_watermark = UNKNOWN_HIGH_WATERMARK
        if self.hooks is not None:
            self.tell("follower", leader_id=leader_id, leader_epoch=leader_epoch)
        if not self.is_offline:
            try:
                self.log.forget_empty_epochs()
            except LogDirectoryFailure as failure:
                self.on_disk_failure(failure)
        if leader_id == NO_LEADER or self.is_offline:
            self._around.fetchers.unfollow(self._itself())
        else:
            self._around.fetchers.follow(self._itself(), leader_id, leader_epoch)
