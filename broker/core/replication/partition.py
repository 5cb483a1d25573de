"""One hosted partition: appends as the leader, and its changes of role.

What it stands on, one subject each: `parking` (who waits), `hosted` (which partition, which epoch),
`following` (the copy of a leader's log), `leading` (followers, in-sync set, high watermark).

- A produce request waits until the watermark reaches the end of its batch; a consumer's fetch waits
  until bytes below the watermark appear. Both are woken from here, nobody polls.
- A log whose disk failed takes no more records (KAFKA_STORAGE_ERROR); what is in it stays readable.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode

from ..log.failures import LogDirectoryFailure
from .following import UNKNOWN_HIGH_WATERMARK
from .isr import InSyncSet
from .leading import Leading
from .parking import AckWaiter, wait_in_line

if TYPE_CHECKING:
    from ..cluster.topic_image import PartitionImage
    from ..config.topic import TopicConfig
    from ..log.partition_log import AppendResult, PartitionLog
    from ..log.record_check import RecordFacts
    from .surroundings import Surroundings

INFINITE = 0x7FFF_FFFF_FFFF_FFFF
"""Kafka's Long.MAX_VALUE: how its settings say "never"."""

ALL_IN_SYNC = -1
"""The acks of a producer that waits for the watermark."""


class Partition(Leading):
    """One replica of a partition on this broker."""

    __slots__ = ()

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        *,
        log: PartitionLog,
        config: TopicConfig,
        around: Surroundings,
    ) -> None:
        super().__init__(topic, topic_id, index, log=log, config=config, around=around)
        self.leader_high_watermark = UNKNOWN_HIGH_WATERMARK
        self.followers = {}
        self.in_sync = InSyncSet()
        self.in_sync_count = 0
        self.min_in_sync = 1
        self.epoch_start_offset = 0
        self.awaits_flush = False
        self.is_plain = False
        self._pending = None
        self._replica_count = 1
        self.configure(config)

    # --- what the cluster decides -------------------------------------------------------------

    def configure(self, config: TopicConfig) -> None:
        """Take new settings of the topic; they hold from the next record on."""
        self.config = config
        self.log.update_config(config)
        self._find_out_if_plain()
        # A smaller min.insync.replicas may let the watermark go on.
        self._settle()

    def lead(self, assigned: PartitionImage) -> None:
        """This broker leads from now on, or goes on leading with another in-sync set.

        Raises LogDirectoryFailure if the epoch cannot be written down.
        """
        was_leader, epoch_before = self.is_leader, self.leader_epoch
        self._note_epoch(assigned.leader_epoch)
        self._lead(assigned)
        if not was_leader or self.leader_epoch != epoch_before:
            # Who read here as from a follower is told what the leader knows; who believes in the
            # epoch before is told that it is over.
            self.wake_all()

    def follow(self, leader_id: int, leader_epoch: int) -> None:
        """Another broker leads, or nobody: who waits here is told so."""
        was_leader = self.is_leader
        is_new_epoch = leader_epoch != self.leader_epoch
        self._note_epoch(leader_epoch)
        if was_leader:
            self._lead_no_longer()
            self.in_sync_count = 0
        self._follow(leader_id, leader_epoch)
        self._find_out_if_plain()
        if was_leader:
            self._give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        elif is_new_epoch:
            self.wake_all()

    def retire(self) -> None:
        """The partition is deleted: who waits here is told so."""
        self._around.flushes.forget(self)
        self._around.fetchers.unfollow(self)
        self.is_leader = False
        self._lead_no_longer()
        self._find_out_if_plain()
        self._give_up(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def apply_retention(self, now_wall_ms: int) -> int:
        """Retire the segments that nothing keeps any more; how many went.

        Their files wait in the log's `retirement`, which blocks and is for another thread.
        A follower retires what lies below its log's start, which is its leader's, and nothing by
        time or size (C9, I-13). Raises LogDirectoryFailure.
        """
        with self._moving_start():
            return len(self.log.retire_segments(now_wall_ms, by_rules=self.is_leader))

    def advance_log_start(self, offset: int) -> None:
        """Records below `offset` are gone for readers (DeleteRecords).

        Raises KafkaError OFFSET_OUT_OF_RANGE above the high watermark, LogDirectoryFailure.
        """
        with self._moving_start():
            self.log.advance_log_start(offset)

    @contextmanager
    def _moving_start(self) -> Iterator[None]:
        start_before = self.log.log_start_offset
        try:
            yield
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        finally:
            # A disk that refuses the epochs' new start leaves the log's own where it went to.
            if self.log.log_start_offset != start_before:
                self.stir()

    # --- writing ------------------------------------------------------------------------------

    def append(
        self,
        view: memoryview,
        start: int,
        end: int,
        now_ms: int,
        facts: RecordFacts | None = None,
    ) -> AppendResult:
        """Append the one checked batch at `view[start:end]` as the leader.

        `facts`: what is known of its records; what a plain topic takes needs none. `view` is
        written from, not copied; `now_ms` is the wall clock.
        Raises KafkaError: 45 and 47 for the producer's sequence (98-03); 10, 32 and 87 by the
        topic's settings; 56 when the disk refused (this log then takes no more).
        """
        log = self.log
        end_before = log.log_end_offset
        try:
            result = log.append_batch(view, start, end, self.leader_epoch, now_ms, facts=facts)
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        if log.log_end_offset != end_before:
            self._appended_bytes += end - start
            if self._following_sleepers or self._watches:
                self._wake_followers(end - start)
            self._settle()
        return result

    def is_acknowledged(self, end_offset: int, acks: int) -> bool:
        """Whether a produce request up to `end_offset` may be answered now."""
        if self.log.high_watermark >= end_offset:
            return True
        # With acks=1 our own copy is enough; where acknowledged means flushed, it still does.
        return acks != ALL_IN_SYNC and not (
            self.awaits_flush and self.log.recovery_point < end_offset
        )

    def tell_acknowledged(self, result: AppendResult, acks: int) -> None:
        """Tell the simulator that a producer is told of success."""
        self.tell(
            "produce-acked",
            base_offset=result.base_offset,
            last_offset=result.last_offset,
            acks=acks,
        )

    def when_acknowledged(self, end_offset: int, acks: int, waiter: AckWaiter) -> None:
        """Call back when `is_acknowledged` would say yes, or when it never will."""
        if self.is_acknowledged(end_offset, acks):
            waiter(ErrorCode.NONE)
        elif self.log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        elif not self.is_leader:
            waiter(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        elif acks == ALL_IN_SYNC:
            wait_in_line(self._ack_waiters, end_offset, waiter)
        else:
            wait_in_line(self._flush_waiters, end_offset, waiter)

    def on_flushed(self) -> None:
        """An fsync of the log has returned: the watermark may go on."""
        self._settle()
        if self._flush_waiters:
            self._note_durable()
