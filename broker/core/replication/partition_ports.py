"""What the replicas of a broker call: a queue of flushes, fetchers, and whoever hears of failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..log.failures import LogDirectoryFailure

if TYPE_CHECKING:
    from ..log.partition_log import PartitionLog
    from .partition import Partition


class FlushQueue(Protocol):
    """Where a partition asks for an fsync; one fsync serves all that wait (group commit)."""

    def request(self, partition: Partition) -> None:
        """Flush this partition's log soon, then call its `on_flushed` or `on_disk_failure`."""
        ...

    def forget(self, partition: Partition, log: PartitionLog) -> None:
        """The partition is being deleted, or this is not its log any more."""
        ...


class FollowerPort(Protocol):
    """Who copies the logs of leaders to this broker."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Fetch this partition from `leader_id` from now on, and from nobody else.

        Also called when another leader or leader epoch comes: then the fetcher begins anew.
        """
        ...

    def unfollow(self, partition: Partition) -> None:
        """Fetch it no longer: this broker leads it, nobody does, or it is gone."""
        ...


class NoFetchers:
    """The `FollowerPort` of a node without replication."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Nobody fetches."""

    def unfollow(self, partition: Partition) -> None:
        """Nobody fetched."""


@dataclass(slots=True)
class PartitionPorts:
    """What the partitions of a broker call; `ReplicaStore.connect` says who `fetchers` are."""

    flushes: FlushQueue
    on_failure: Callable[[Partition, LogDirectoryFailure], object]
    """Called each time that the disk refuses something of a log."""
    fetchers: FollowerPort = field(default_factory=NoFetchers)
