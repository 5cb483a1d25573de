"""What a leader must know of the cluster around it: other brokers, and the way to the controller.

`ReplicaStore.connect` says who takes changes of in-sync sets; until then nobody is asked, which is
right for a node whose partitions all have one replica. The ports that are handed a partition itself
are in `partition.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..ports import Env
from .isr_change import IsrAnswer, IsrChange


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


class NoController:
    """The `IsrPort` of a node without a way to the controller: proposals stay open."""

    def propose(self, change: IsrChange, done: Callable[[IsrAnswer], object]) -> None:
        """There is nobody to ask."""


class Surroundings:
    """What all replicas of one broker share: its place in the cluster, and a few settings."""

    __slots__ = (
        "cluster",
        "env",
        "former_lease_ms",
        "isr",
        "isr_expands",
        "isr_shrinks",
        "keeps_pending_in_sync",
        "lag_time_max_ms",
        "node_id",
    )

    def __init__(
        self,
        node_id: int,
        env: Env,
        *,
        cluster: ClusterView,
        lag_time_max_ms: int,
        keeps_pending_in_sync: bool = False,
        former_lease_ms: float = 0.0,
    ) -> None:
        self.node_id = node_id
        self.env = env
        self.cluster = cluster
        self.lag_time_max_ms = lag_time_max_ms
        """`replica.lag.time.max.ms`"""
        self.keeps_pending_in_sync = keeps_pending_in_sync
        """`follower.fetch.pending.reads.insync.enable`"""
        self.former_lease_ms = former_lease_ms
        """How long one that led before may go on telling where its log ends (207-09)."""
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
