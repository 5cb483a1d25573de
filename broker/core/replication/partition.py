"""One replica of a partition on this broker: its log, who waits at it, and its role.

What a role decides is in the role's own object: `leader` (followers, in-sync set, watermark) and
`follower` (the copy of a leader's log); `roles` says what a change of role carries over. This file
has what holds in every role.

- A produce request waits until the watermark reaches the end of its batch; a consumer's fetch waits
  until bytes below the watermark appear. Both are woken from here; nobody polls.
- A log whose disk failed takes no more records (KAFKA_STORAGE_ERROR); what is in it stays readable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..cluster.topic_image import PartitionImage
from ..config.topic import TopicConfig
from ..log.append_result import AppendResult
from ..log.failures import LogDirectoryFailure
from ..log.partition_log import PartitionLog
from ..log.record_check import RecordFacts
from .follower import UNKNOWN_HIGH_WATERMARK, FollowerState
from .former_leaders import FormerLeaders
from .leader import LeaderState
from .roles import Offline, Reason, Role, next_follower, next_leader, retired
from .surroundings import Surroundings
from .waiters import AckWaiter, Waiters

ALL_IN_SYNC = -1
"""The acks of a producer that waits for the high watermark."""


class FlushQueue(Protocol):
    """Where a partition requests an fsync; one fsync serves all that wait for it (group commit)."""

    def request(self, partition: Partition) -> None:
        """Flush this partition's log soon, then call its `on_flushed` or `on_disk_failure`."""
        ...

    def forget(self, partition: Partition, log: PartitionLog) -> None:
        """The partition is being deleted, or has another log from now on."""
        ...


class FollowerPort(Protocol):
    """Copies the logs of leaders to this broker."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Fetch this partition from `leader_id` from now on, and from no other broker.

        Also called for a new leader or leader epoch: fetching then begins anew.
        """
        ...

    def unfollow(self, partition: Partition) -> None:
        """Stop fetching: this broker leads, no broker does, or the partition is deleted."""
        ...


class NoFetchers:
    """The `FollowerPort` of a node without replication."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """There are no fetchers."""

    def unfollow(self, partition: Partition) -> None:
        """There are no fetchers."""


@dataclass(slots=True)
class PartitionPorts:
    """What the partitions of a broker call; `ReplicaStore.connect` sets the `fetchers`."""

    flushes: FlushQueue
    on_failure: Callable[[Partition, LogDirectoryFailure], object]
    """Called each time that the disk refuses an operation on a log."""
    fetchers: FollowerPort = field(default_factory=NoFetchers)


class Partition:
    """One replica of a partition on this broker."""

    __slots__ = (
        "_around",
        "_ports",
        "config",
        "former_leaders",
        "hooks",
        "index",
        "leader",
        "log",
        "role",
        "topic",
        "topic_id",
        "waiters",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        *,
        log: PartitionLog,
        config: TopicConfig,
        around: Surroundings,
        ports: PartitionPorts,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.log = log
        self.config = config
        self.waiters = Waiters(log)
        self.former_leaders = FormerLeaders()
        self.hooks = around.env.hooks
        """The hooks of the simulator; None in production."""
        self.role: Role = Offline(Reason.UNASSIGNED)
        self.leader: LeaderState | None = None
        """The same object as `role` while this broker leads, else None."""
        self._around = around
        self._ports = ports
        self.configure(config)

    def __repr__(self) -> str:
        return f"<Partition {self.topic}-{self.index} epoch {self.leader_epoch}>"

    # --- the role -----------------------------------------------------------------------------

    @property
    def leader_id(self) -> int:
        """The leader as far as this broker knows; -1 if there is none."""
        return self.role.leader_id

    @property
    def leader_epoch(self) -> int:
        """The present leader epoch; -1 before the metadata has named one."""
        return self.role.leader_epoch

    def as_leader(self) -> LeaderState:
        """The leader's state. Raises KafkaError NOT_LEADER_OR_FOLLOWER (6) unless it leads."""
        if self.leader is None:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return self.leader

    def as_follower(self, leader_epoch: int) -> FollowerState:
        """The follower's state in this epoch. Raises KafkaError FENCED_LEADER_EPOCH (74).

        If it leads, or follows in another epoch, what was fetched must be dropped (279-03).
        """
        role = self.role
        if type(role) is not FollowerState or role.leader_epoch != leader_epoch:
            raise KafkaError(
                ErrorCode.FENCED_LEADER_EPOCH,
                f"{self.log.name}: records of epoch {leader_epoch}, now is {role.leader_epoch}",
            )
        return role

    def check_leader_epoch(self, current_leader_epoch: int) -> None:
        """Fence a request by the leader epoch that its sender knows; -1 if it names none (392-03).

        Raises KafkaError FENCED_LEADER_EPOCH (74) or UNKNOWN_LEADER_EPOCH (75).
        """
        leader_epoch = self.role.leader_epoch
        if 0 <= current_leader_epoch < leader_epoch:
            raise KafkaError(ErrorCode.FENCED_LEADER_EPOCH)
        if current_leader_epoch > leader_epoch:
            raise KafkaError(ErrorCode.UNKNOWN_LEADER_EPOCH)

    def configure(self, config: TopicConfig) -> None:
        """Take new settings of the topic; they apply from the next record on."""
        self.config = config
        self.log.update_config(config)
        if self.leader is not None:
            self.leader.on_config()

    def lead(self, assigned: PartitionImage) -> None:
        """This broker leads from now on, or goes on leading with another in-sync set.

        Raises LogDirectoryFailure if the epoch cannot be written.
        """
        leader_epoch, role, was_leader = assigned.leader_epoch, self.role, self.leader is not None
        if type(role) is LeaderState and role.leader_epoch == leader_epoch:
            role.update(assigned)
            return
        self.former_leaders.on_epoch(leader_epoch, role.leader_id, role.leader_epoch, self._around)
        self.log.assign_epoch(leader_epoch)
        leader = next_leader(self, self._around, role, leader_epoch)
        self._enter(leader)
        leader.begin(assigned)
        if not was_leader:
            self._ports.fetchers.unfollow(self)
        self.tell("leader")
        leader.settle()
        # Fetches that waited here as at a follower are answered with what the leader knows; those
        # of the previous leader epoch are told that it is over.
        self.waiters.wake_all()

    def follow(self, leader_id: int, leader_epoch: int) -> None:
        """Another broker leads, or nobody; if this one led, requests that wait here fail with 6."""
        role, was_leader = self.role, self.leader is not None
        is_new_epoch = leader_epoch != role.leader_epoch
        if not is_new_epoch and not was_leader and leader_id == role.leader_id:
            return
        self.former_leaders.on_epoch(leader_epoch, role.leader_id, role.leader_epoch, self._around)
        self._enter(next_follower(self, role, leader_id, leader_epoch))
        self.tell("follower", leader_id=leader_id, leader_epoch=leader_epoch)
        if self.log.failure is None:
            try:
                # 279-02: an epoch in which this broker led without appending is unknown to the new
                # leader, which would answer with a divergence although nothing has to be cut.
                self.log.forget_empty_epochs()
            except LogDirectoryFailure as failure:
                self._enter(Offline(Reason.DISK_FAILED, leader_id, leader_epoch))
                self.on_disk_failure(failure)
        if type(self.role) is FollowerState:
            self._ports.fetchers.follow(self, leader_id, leader_epoch)
        else:
            self._ports.fetchers.unfollow(self)
        if was_leader:
            self.waiters.give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        elif is_new_epoch:
            self.waiters.wake_all()

    def retire(self) -> None:
        """The partition is deleted: requests that wait here fail (UNKNOWN_TOPIC_OR_PARTITION)."""
        self._ports.flushes.forget(self, self.log)
        self._ports.fetchers.unfollow(self)
        self._enter(retired(self.role))
        self.waiters.give_up(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def _enter(self, role: Role) -> None:
        self.role = role
        self.leader = role if type(role) is LeaderState else None

    # --- the log ------------------------------------------------------------------------------

    @property
    def is_leader(self) -> bool:
        """Whether this broker leads."""
        return self.leader is not None

    @property
    def is_offline(self) -> bool:
        """Whether the disk has refused an operation on this log."""
        return self.log.failure is not None

    @property
    def high_watermark(self) -> int:
        """The end of what consumers may read; exclusive."""
        return self.log.high_watermark

    @property
    def leader_high_watermark(self) -> int:
        """The last watermark that a follower's leader told; -1 before that, and for others."""
        if type(self.role) is FollowerState:
            return self.role.leader_high_watermark
        return UNKNOWN_HIGH_WATERMARK

    def readable_end(self, *, read_committed: bool) -> int:
        """Where a consumer's reads end (392-09): at the watermark, or the last stable offset."""
        end = self.log.high_watermark
        return min(end, self.log.last_stable_offset) if read_committed else end

    def may_tell_end(self, leader_epoch: int) -> bool:
        """Whether this broker leads in that epoch, and no earlier leader may think so too (207-09).

        Where unclean elections are allowed, ends may go back anyway, so earlier leaders do not
        matter (207-02).
        """
        if self.leader is None or self.leader.leader_epoch != leader_epoch:
            return False
        return self.config.unclean_leader_election_enable or self.former_leaders.are_silent(
            self._around.now_ms()
        )

    def append(
        self,
        view: memoryview,
        start: int,
        end: int,
        now_ms: int,
        facts: RecordFacts | None = None,
    ) -> AppendResult:
        """Append the one checked batch at `view[start:end]` as the leader.

        `facts`: what is known of its records; a topic whose settings ask for nothing special needs
        none. The bytes are written from `view` and not copied; `now_ms` is the wall clock.
        Raises KafkaError: 45 and 47 for the producer's sequence (98-03); 10, 32 and 87 by the
        topic's settings; 56 when the disk refused (this log then takes no more).
        """
        log = self.log
        end_before = log.log_end_offset
        try:
            result = log.append_batch(view, start, end, self.role.leader_epoch, now_ms, facts=facts)
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        if log.log_end_offset != end_before:
            self.waiters.on_append(end - start)
            leader = self.leader
            if leader is not None:
                leader.settle()
        return result

    def advance(self, high_watermark: int) -> None:
        """Move the high watermark, in either role, and wake who waits for it; nothing else does."""
        self.log.high_watermark = high_watermark
        if self.hooks is not None:
            self.tell("hw", high_watermark=high_watermark, as_leader=self.is_leader)
        self.waiters.on_high_watermark(high_watermark)

    def apply_retention(self, now_wall_ms: int) -> int:
        """Remove the segments that retention no longer keeps; returns how many.

        Their files stay in the log's `retirement` until another thread removes them, as that
        blocks. A follower removes only what is below its log start, which follows its leader's, and
        nothing by time or size (C9, I-13). Raises LogDirectoryFailure.
        """
        with self._moving_start():
            return len(self.log.retire_segments(now_wall_ms, by_rules=self.is_leader))

    def advance_log_start(self, offset: int) -> bool:
        """Hide the records below `offset` from readers; False if they were hidden already.

        Raises KafkaError OFFSET_OUT_OF_RANGE above the high watermark, LogDirectoryFailure.
        """
        with self._moving_start():
            return self.log.advance_log_start(offset)

    @contextmanager
    def _moving_start(self) -> Iterator[None]:
        start_before = self.log.log_start_offset
        try:
            yield
        except LogDirectoryFailure as failure:
            self.on_disk_failure(failure)
            raise
        finally:
            # The log's own start has moved even if the disk refuses the new start of the epochs.
            if self.log.log_start_offset != start_before:
                self.waiters.end_rests()

    # --- the disk -----------------------------------------------------------------------------

    def on_disk_failure(self, failure: LogDirectoryFailure) -> None:
        """The disk refused an operation: waiting requests fail, the log takes no more records."""
        self.waiters.give_up(ErrorCode.KAFKA_STORAGE_ERROR)
        self._ports.on_failure(self, failure)

    def request_flush(self) -> None:
        """Have the log flushed soon; `on_flushed` is called then."""
        self._ports.flushes.request(self)

    def on_flushed(self) -> None:
        """An fsync of the log has returned: the watermark may advance, and requests go on."""
        if self.leader is not None:
            self.leader.settle()
        self.waiters.on_flushed()

    # --- acknowledgements ---------------------------------------------------------------------

    def is_acknowledged(self, end_offset: int, acks: int) -> bool:
        """Whether a produce request up to `end_offset` may be answered now."""
        if self.log.high_watermark >= end_offset:
            return True
        if acks == ALL_IN_SYNC:
            return False
        # acks=1: the leader's own copy is enough, flushed where acknowledged means flushed.
        leader = self.leader
        awaits_flush = leader is not None and leader.awaits_flush
        return not awaits_flush or self.log.recovery_point >= end_offset

    def when_acknowledged(self, end_offset: int, acks: int, waiter: AckWaiter) -> None:
        """Call back when `is_acknowledged` becomes true, or with an error if it never will."""
        if self.is_acknowledged(end_offset, acks):
            waiter(ErrorCode.NONE)
        elif self.log.failure is not None:
            waiter(ErrorCode.KAFKA_STORAGE_ERROR)
        elif self.leader is None:
            waiter(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        elif acks == ALL_IN_SYNC:
            self.waiters.await_watermark(end_offset, waiter)
        else:
            self.waiters.await_flush(end_offset, waiter)

    def tell(self, event: str, **fields: object) -> None:
        """Tell the simulator of an event, if this node runs in one."""
        if self.hooks is not None:
            self.hooks.on(event, partition=self, **fields)

    def tell_acknowledged(self, result: AppendResult, acks: int) -> None:
        """Tell the simulator that a producer is told of success."""
        first, last = result.base_offset, result.last_offset
        self.tell("produce-acked", base_offset=first, last_offset=last, acks=acks)
