"""Throttles of replication: what leaders send and followers fetch at most (KIP-73, QTA-20).

And what is copied of replicas that move to another directory of the broker, all of them (KIP-113).

A throttle has two parts: the broker's rate, and the replicas of a topic that it is for. Replicas in
sync are never held up; their bytes count all the same.
"""

from __future__ import annotations

from typing import Final

from ..core.cluster.changes import Changes
from ..core.cluster.effective import broker_config
from ..core.cluster.image import RESOURCE_BROKER, ClusterImage
from ..core.config.broker import BrokerConfig
from ..core.config.field import LONG_MAX
from ..core.ports import Clock
from ..core.quotas.rate import Rate, Window

EVERY: Final = "*"


class ReplicationThrottle:
    """One direction: this broker as leader, or as follower."""

    __slots__ = ("_clock", "_limit", "_node_id", "_rate", "_window", "is_on")

    def __init__(self, config: BrokerConfig, node_id: int, clock: Clock) -> None:
        self._clock = clock
        self._node_id = node_id
        self._window = Window(
            config.replication_quota_window_num,
            config.replication_quota_window_size_seconds * 1000.0,
        )
        self._rate = Rate()
        self.limit_to(LONG_MAX)

    def limit_to(self, bytes_per_second: int) -> None:
        """A new rate; the largest number is none."""
        self._limit = bytes_per_second
        self.is_on = bytes_per_second < LONG_MAX
        """Whether anything is throttled (QTA-17)."""

    def covers(self, replicas: tuple[str, ...], index: int) -> bool:
        """Whether a topic's list names this broker's replica of the partition."""
        return bool(replicas) and (EVERY in replicas or f"{index}:{self._node_id}" in replicas)

    def count(self, size: int) -> None:
        """So many bytes of a replica that is covered were sent or fetched."""
        self._rate.record(size, self._clock.monotonic_ms(), self._window)

    @property
    def is_exceeded(self) -> bool:
        """Whether replicas that are not in sync must wait."""
        now = self._clock.monotonic_ms()
        return self.is_on and self._rate.plain_per_second(now, self._window) > self._limit


class ReplicationQuotas:
    """All of one broker."""

    __slots__ = ("_config", "_node_id", "follower", "leader", "moves")

    def __init__(self, config: BrokerConfig, node_id: int, clock: Clock) -> None:
        self._config = config
        self._node_id = node_id
        self.leader = ReplicationThrottle(config, node_id, clock)
        self.follower = ReplicationThrottle(config, node_id, clock)
        self.moves = ReplicationThrottle(config, node_id, clock)

    def on_image(self, image: ClusterImage, changes: Changes | None = None) -> None:
        """Obey the rates that were set on this broker, or on all."""
        if changes is None or any(kind == RESOURCE_BROKER for kind, _ in changes.configs):
            config = broker_config(self._config, image, self._node_id)
            self.leader.limit_to(config.leader_replication_throttled_rate)
            self.follower.limit_to(config.follower_replication_throttled_rate)
            self.moves.limit_to(config.replica_alter_log_dirs_io_max_bytes_per_second)
