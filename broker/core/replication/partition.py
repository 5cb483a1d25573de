"""One hosted partition: its log, who leads it, and who waits for its high watermark.

Rules of the machine:
- The high watermark is the end of what every in-sync replica holds. With this broker as the only
  in-sync replica that is the log's end, unless acknowledged means flushed (`flush.messages`): once
  as many records are unflushed as the setting allows, the watermark stops until an fsync returns.
- It never goes back while this broker leads (I-3), and moves in `_advance` only.
- A produce request waits until the watermark reaches the end of its batch; a consumer's fetch waits
  until bytes below the watermark appear. Both are woken from here, nobody polls.
- A log whose disk failed takes no more records (KAFKA_STORAGE_ERROR); what is in it stays readable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..log.failures import LogDirectoryFailure

if TYPE_CHECKING:
    from ..config.topic import TopicConfig
    from ..log.partition_log import AppendResult, PartitionLog
    from .wakeups import Sleeper

NO_LEADER = -1
INFINITE = 0x7FFF_FFFF_FFFF_FFFF
"""Kafka's Long.MAX_VALUE: how its settings say "never"."""


class FlushQueue(Protocol):
    """Where a partition asks for an fsync; one fsync serves all that wait (group commit)."""

    def request(self, partition: Partition) -> None:
        """Flush this partition's log soon, then call its `on_flushed` or `on_disk_failure`."""
        ...

    def forget(self, partition: Partition) -> None:
        """The partition is being deleted."""
        ...


AckWaiter = Callable[[ErrorCode], object]
"""Called with NONE when the watermark has passed, else with the reason why it never will."""


class Partition:
    """One replica of a partition on this broker."""

    __slots__ = (
        "_ack_waiters",
        "_appended_bytes",
        "_flushes",
        "_on_failure",
        "_readable_bytes",
        "_replica_count",
        "_sleepers",
        "awaits_flush",
        "config",
        "epoch_start_offset",
        "in_sync_count",
        "index",
        "is_leader",
        "is_plain",
        "leader_epoch",
        "leader_id",
        "log",
        "min_in_sync",
        "topic",
        "topic_id",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        *,
        log: PartitionLog,
        config: TopicConfig,
        flushes: FlushQueue,
        on_failure: Callable[[Partition, LogDirectoryFailure], object],
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.log = log
        self.leader_id = NO_LEADER
        self.leader_epoch = -1
        self.is_leader = False
        self.epoch_start_offset = 0
        self.in_sync_count = 0
        self.min_in_sync = 1
        self.is_plain = False
        self._flushes = flushes
        self._on_failure = on_failure
        self._replica_count = 1
        self.awaits_flush = False
        self._ack_waiters: deque[tuple[int, AckWaiter]] = deque()
        self._sleepers: dict[Sleeper, None] = {}
        self._appended_bytes = 0
        self._readable_bytes = 0
        self.configure(config)

    def __repr__(self) -> str:
        return f"<Partition {self.topic}-{self.index} epoch {self.leader_epoch}>"

    # --- what is known about it ---------------------------------------------------------------

    @property
    def high_watermark(self) -> int:
        """End of what consumers may read; exclusive."""
        return self.log.high_watermark

    @property
    def is_offline(self) -> bool:
        """True after the disk refused something of this log."""
        return self.log.failure is not None

    def readable_end(self, *, read_committed: bool) -> int:
        """Where a consumer's reads stop (392-09): the watermark, or the last stable offset."""
        log = self.log
        if read_committed:
            return min(log.high_watermark, log.last_stable_offset)
        return log.high_watermark

    def check_leader_epoch(self, current_leader_epoch: int) -> None:
        """Fence a request by the epoch that its sender believes in; -1 is no belief (392-03).

        Raises KafkaError FENCED_LEADER_EPOCH (74) or UNKNOWN_LEADER_EPOCH (75).
        """
        if current_leader_epoch < 0 or current_leader_epoch == self.leader_epoch:
            return
        if current_leader_epoch < self.leader_epoch:
            raise KafkaError(ErrorCode.FENCED_LEADER_EPOCH)
        raise KafkaError(ErrorCode.UNKNOWN_LEADER_EPOCH)

    def check_leader(self) -> None:
        """Raises KafkaError NOT_LEADER_OR_FOLLOWER (6) unless this broker leads."""
        if not self.is_leader:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)

    # --- what the cluster decides -------------------------------------------------------------

    def configure(self, config: TopicConfig) -> None:
        """Take new settings of the topic; they hold from the next record on."""
        self.config = config
        self.log.update_config(config)
        self._find_out_if_plain()

    def lead(
        self, leader_epoch: int, *, leader_id: int, replica_count: int, in_sync_count: int
    ) -> None:
        """This broker leads from now on, or goes on leading with another in-sync set.

        Raises LogDirectoryFailure if the epoch cannot be written down.
        """
        if not self.is_leader or leader_epoch != self.leader_epoch:
            self.epoch_start_offset = self.log.log_end_offset
            self.log.assign_epoch(leader_epoch)
        self.is_leader = True
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.in_sync_count = in_sync_count
        self._replica_count = replica_count
        self._find_out_if_plain()
        self._settle()

    def follow(self, leader_id: int, leader_epoch: int) -> None:
        """Another broker leads, or nobody: who waits here is told so."""
        was_leader = self.is_leader
        self.is_leader = False
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self._find_out_if_plain()
        if was_leader:
            self._give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)

    def retire(self) -> None:
        """The partition is deleted: who waits here is told so."""
        self._flushes.forget(self)
        self.is_leader = False
        self._find_out_if_plain()
        self._give_up(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def _find_out_if_plain(self) -> None:
        """Whether the hot path may take batches as they come, with no look at a record."""
        # More than the assignment has cannot be asked for (966-01).
        self.min_in_sync = min(self.config.min_insync_replicas, self._replica_count)
        self.is_plain = (
            self.is_leader and self.in_sync_count >= self.min_in_sync and self.log.rules.plain
        )

    # --- writing ------------------------------------------------------------------------------

    def append(self, view: memoryview, start: int, end: int, now_ms: int) -> AppendResult:
        """Append the one checked batch at `view[start:end]` as the leader.

        `view` is written from, not copied; `now_ms` is the wall clock.
        Raises KafkaError: 45 and 47 for the producer's sequence (98-03); 10, 32 and 87 by the
        topic's settings; 56 when the disk refused (this log then takes no more).
        """
        log = self.log
        end_before = log.log_end_offset
        try:
            result = log.append_batch(view, start, end, self.leader_epoch, now_ms)
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        if log.log_end_offset != end_before:
            self._appended_bytes += end - start
            self._settle()
        return result

    def is_acknowledged(self, end_offset: int, acks: int) -> bool:
        """Whether a produce request up to `end_offset` may be answered now."""
        if self.log.high_watermark >= end_offset:
            return True
        # With acks=1 our own copy is enough; where acknowledged means flushed, it still does.
        return acks != -1 and not (self.awaits_flush and self.log.recovery_point < end_offset)

    def when_acknowledged(self, end_offset: int, waiter: AckWaiter) -> None:
        """Call back when the watermark has reached `end_offset`, or when it never will."""
        if self.log.high_watermark >= end_offset:
            waiter(ErrorCode.NONE)
        elif self.log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        elif not self.is_leader:
            waiter(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        else:
            self._ack_waiters.append((end_offset, waiter))

    def on_flushed(self) -> None:
        """An fsync of the log has returned: the watermark may go on."""
        self._settle()

    def on_disk_failure(self, failure: LogDirectoryFailure) -> None:
        """The disk refused: tell who waits. The log itself takes no more records from now on."""
        self._give_up(ErrorCode.KAFKA_STORAGE_ERROR)
        self._on_failure(self, failure)

    def _settle(self) -> None:
        """Move the watermark as far as the in-sync set and the flush settings allow."""
        if not self.is_leader or self.in_sync_count > 1:
            return
        log = self.log
        end = log.log_end_offset
        if end - log.recovery_point >= log.rules.flush_messages:
            self.awaits_flush = True
            self._flushes.request(self)
            end = log.recovery_point
        elif self.awaits_flush:
            self.awaits_flush = False
        if end > log.high_watermark:
            self._advance(end)

    def _advance(self, high_watermark: int) -> None:
        self.log.high_watermark = high_watermark
        waiters = self._ack_waiters
        while waiters and waiters[0][0] <= high_watermark:
            waiters.popleft()[1](ErrorCode.NONE)
        if self._sleepers:
            fresh = self._appended_bytes - self._readable_bytes
            for sleeper in self._sleepers:
                sleeper.on_bytes(self, fresh)
        self._readable_bytes = self._appended_bytes

    def _give_up(self, reason: ErrorCode) -> None:
        waiters, self._ack_waiters = self._ack_waiters, deque()
        for _, waiter in waiters:
            waiter(reason)
        self.wake_all()

    # --- reading ------------------------------------------------------------------------------

    def park(self, sleeper: Sleeper) -> None:
        """Tell this one when bytes become readable."""
        self._sleepers[sleeper] = None

    def unpark(self, sleeper: Sleeper) -> None:
        """Stop telling; no error if it was not parked."""
        self._sleepers.pop(sleeper, None)

    @property
    def parked_count(self) -> int:
        """How many fetches are parked here."""
        return len(self._sleepers)

    def wake_all(self) -> None:
        """Have all parked fetches answer with what there is."""
        for sleeper in self._sleepers:
            sleeper.on_change(self)
