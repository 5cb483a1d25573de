"""A partition that this broker copies from one leader in one leader epoch."""

from __future__ import annotations

import asyncio
from typing import Final

from barnabas.protocol.messages.fetch_request import FetchPartition
from barnabas.protocol.messages.fetch_response import PartitionData

from ...core.replication.partition import Partition
from ...core.replication.truncation import Restart, Truncation
from ...serving.replication_quotas import ReplicationThrottle
from .back_off import BackOff

FIRST_PAUSE_MS: Final = 2.0
"""A leader that was just elected may be told of it a moment later than we; producers wait
meanwhile."""

Key = tuple[bytes, int]
"""Topic id and partition."""


class Followed:
    """The copying of one partition; for another leader or epoch it ends, and a new one is made."""

    __slots__ = (
        "back_off",
        "cut",
        "follower",
        "is_ended",
        "is_ready",
        "is_reported",
        "key",
        "leader_epoch",
        "partition",
        "timer",
    )

    def __init__(self, partition: Partition, leader_epoch: int, back_off_ms: float) -> None:
        self.partition = partition
        self.follower = partition.as_follower(leader_epoch)
        self.leader_epoch = leader_epoch
        self.key: Key = (partition.topic_id, partition.index)
        self.back_off = BackOff(back_off_ms, FIRST_PAUSE_MS)
        self.cut: tuple[Truncation | Restart, str] | None = None
        """How the log must be cut before more is fetched, and why."""
        self.is_ready = True
        """Whether to fetch it now: it is not paused or stopped, and its position is known."""
        self.is_ended = False
        """Whether its answers are of no use any more."""
        self.is_reported = False
        """Whether the node's log already tells that the leader refuses it."""
        self.timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        return f"<{self.partition.log.name} in epoch {self.leader_epoch}>"

    def position(self, max_bytes: int) -> FetchPartition:
        """The position and limits with which to ask the leader now."""
        offset, epoch, log_start_offset = self.follower.position()
        return FetchPartition(
            partition=self.partition.index,
            current_leader_epoch=self.leader_epoch,
            fetch_offset=offset,
            last_fetched_epoch=epoch,
            log_start_offset=log_start_offset,
            partition_max_bytes=max_bytes,
        )

    def end(self) -> None:
        """Ignore all answers that are still on their way for it."""
        self.is_ended = True
        self.is_ready = False
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    # --- throttles (QTA-20) ---

    def count(self, throttle: ReplicationThrottle, data: PartitionData) -> None:
        """These records were fetched."""
        replicas = self.partition.config.follower_replication_throttled_replicas
        if throttle.is_on and data.records and throttle.covers(replicas, self.partition.index):
            throttle.count(len(data.records))

    def must_wait(self, throttle: ReplicationThrottle) -> bool:
        """Whether the throttle holds it back, as it has not reached its leader's watermark."""
        partition = self.partition
        replicas = partition.config.follower_replication_throttled_replicas
        return (
            throttle.is_on
            and partition.log.log_end_offset < partition.leader_high_watermark
            and throttle.covers(replicas, partition.index)
            and throttle.is_exceeded
        )
