"""A partition that this broker leads, as the log of a shard."""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...core.ports import Clock
from ...core.replication.end_markers import EndMarker, append_marker
from ...core.replication.own_writes import append_own
from ...core.replication.partition import ALL_IN_SYNC, Partition


class PartitionAsLog:
    """`ShardLog` over a replica, for one leader epoch."""

    __slots__ = ("_clock", "_epoch", "_partition")

    def __init__(self, partition: Partition, leader_epoch: int, clock: Clock) -> None:
        self._partition = partition
        self._epoch = leader_epoch
        self._clock = clock

    @property
    def is_led(self) -> bool:
        """Whether this broker still leads in that epoch, and the disk takes records."""
        partition = self._partition
        return (
            partition.is_leader
            and partition.leader_epoch == self._epoch
            and not partition.is_offline
        )

    @property
    def end_offset(self) -> int:
        """The offset of the next record."""
        return self._partition.log.log_end_offset

    @property
    def max_batch_bytes(self) -> int:
        """`max.message.bytes`, and no more than a segment takes."""
        rules = self._partition.log.rules
        return min(rules.max_message_bytes, rules.segment_bytes)

    def append(self, batch: bytes) -> int:
        """Append with the consent of enough replicas, as Produce with acks=all does.

        Raises KafkaError: 6 led no more, 19 too few in sync, 47 an epoch that is over, 56 the disk.
        """
        partition = self._partition
        if partition.leader_epoch != self._epoch:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return append_own(partition, batch, self._clock.wall_ms()).base_offset

    def append_marker(self, marker: EndMarker) -> int:
        """Append a marker, which checks its epochs (TXN-31).

        Raises KafkaError: those of `append`, 47 and 52.
        """
        partition = self._partition
        if partition.leader_epoch != self._epoch:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return append_marker(partition, marker, self._clock.wall_ms()).base_offset

    def when_committed(self, end_offset: int, waiter: Callable[[ErrorCode], object]) -> None:
        """Call back when the watermark reaches `end_offset`, or can no longer in this epoch."""
        if self._partition.leader_epoch != self._epoch:
            waiter(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        else:
            self._partition.when_acknowledged(end_offset, ALL_IN_SYNC, waiter)
