"""What partitions need of the world around them, as ports: fetchers, the controller, the cluster.

The server fills them in; until it has, the ports here do nothing, which is right for a node whose
partitions all have one replica.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ..log.failures import LogDirectoryFailure
    from ..ports import Env
    from .partition import Partition


class FlushQueue(Protocol):
    """Where a partition asks for an fsync; one fsync serves all that wait (group commit)."""

    def request(self, partition: Partition) -> None:
        """Flush this partition's log soon, then call its `on_flushed` or `on_disk_failure`."""
        ...

    def forget(self, partition: Partition) -> None:
        """The partition is being deleted."""
        ...


class FollowerPort(Protocol):
    """Who copies the logs of leaders to this broker."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Fetch this partition from `leader_id` from now on, and from nobody else.

        Also called for a partition that is followed already, when its leader or its leader epoch
        is another: then the fetcher begins anew with `partition.follower_position()`.
        """
        ...

    def unfollow(self, partition: Partition) -> None:
        """Fetch it no longer: this broker leads it, nobody does, or it is gone."""
        ...


@dataclass(frozen=True, slots=True)
class IsrChange:
    """A change of an in-sync set that a leader asks the controller for (AlterPartition)."""

    topic_id: bytes
    topic: str
    index: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[tuple[int, int], ...]
    """Broker id and broker epoch of each member; epoch -1 where the leader does not know it."""
    recovery_state: int
    relinquish: bool = False
    """The leader hands over: it stands last in `isr` and wants another member to lead (501-12)."""


class IsrAnswer(NamedTuple):
    """What the controller says to an `IsrChange`; the rest holds with error code 0 only."""

    error_code: int
    leader_id: int = -1
    leader_epoch: int = -1
    isr: tuple[int, ...] = ()
    recovery_state: int = 0
    partition_epoch: int = -1


class IsrPort(Protocol):
    """The way to the controller for changes of in-sync sets."""

    def propose(self, change: IsrChange, done: Callable[[IsrAnswer], object]) -> None:
        """Send the change, then call `done`, once, with the answer for this partition.

        One request is in flight a broker; what keeps the request as a whole from being answered
        (no controller, a lost connection, any error at its top) is tried again without limit
        (497-02). A partition that gets an error worth trying again proposes again from within
        `done`: that is sent after a pause of 50 ms. `done` is never called from within `propose`.
        """
        ...


class ClusterView(Protocol):
    """What a leader must know of other brokers; all of it from one metadata image."""

    def broker_epoch(self, broker_id: int) -> int:
        """Epoch of its registration; -1 if it is not registered."""
        ...

    def is_active(self, broker_id: int) -> bool:
        """Registered, not fenced, not shutting down: it may be in sync (497-04)."""
        ...

    def is_alone(self, broker_id: int) -> bool:
        """Whether no other broker is registered."""
        ...

    def rack(self, broker_id: int) -> str | None:
        """Its `broker.rack`; None if it has none or is not registered."""
        ...

    def has_endpoint(self, broker_id: int, listener_name: str) -> bool:
        """Whether it is alive and listens under that name."""
        ...


class NoFetchers:
    """The `FollowerPort` of a node without replication."""

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Nobody fetches."""

    def unfollow(self, partition: Partition) -> None:
        """Nobody fetched."""


class NoController:
    """The `IsrPort` of a node without a way to the controller: proposals stay open."""

    def propose(self, change: IsrChange, done: Callable[[IsrAnswer], object]) -> None:
        """There is nobody to ask."""


class Surroundings:
    """The ports of all partitions of one broker, and the settings that concern them."""

    __slots__ = (
        "cluster",
        "env",
        "fetchers",
        "flushes",
        "former_lease_ms",
        "isr",
        "isr_expands",
        "isr_shrinks",
        "keeps_pending_in_sync",
        "lag_time_max_ms",
        "node_id",
        "on_failure",
    )

    def __init__(
        self,
        node_id: int,
        env: Env,
        *,
        flushes: FlushQueue,
        cluster: ClusterView,
        on_failure: Callable[[Partition, LogDirectoryFailure], object],
        lag_time_max_ms: int,
        keeps_pending_in_sync: bool = False,
        former_lease_ms: float = 0.0,
    ) -> None:
        self.node_id = node_id
        self.env = env
        self.flushes = flushes
        self.cluster = cluster
        self.on_failure = on_failure
        self.lag_time_max_ms = lag_time_max_ms
        """`replica.lag.time.max.ms`"""
        self.keeps_pending_in_sync = keeps_pending_in_sync
        """`follower.fetch.pending.reads.insync.enable`"""
        self.former_lease_ms = former_lease_ms
        """How long one that led before may go on telling where its log ends (207-09)."""
        self.fetchers: FollowerPort = NoFetchers()
        self.isr: IsrPort = NoController()
        self.isr_expands = 0
        """In-sync sets that grew while this broker led them (a metric)."""
        self.isr_shrinks = 0

    def now_ms(self) -> float:
        """The monotonic clock."""
        return self.env.clock.monotonic_ms()

    def count_change(self, members: int) -> None:
        """An in-sync set has so many members more, or less."""
        if members > 0:
            self.isr_expands += 1
        else:
            self.isr_shrinks += 1
