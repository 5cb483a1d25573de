"""A row of the table of faults: what is done, on which cluster, and which figures have to hold."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from barnabas.testing.process_cluster import ProcessCluster

from .scene import Scene

Strike = Callable[[Scene], Awaitable[None]]

MIN_IN_SYNC = {"min.insync.replicas": "2"}


def _nothing(cluster: ProcessCluster) -> None:
    del cluster


@dataclass(frozen=True, slots=True)
class Hold:
    """Figures of the fault's window; None: the row says nothing of it."""

    gap_ms: float | None = None
    """The longest time without an acknowledgement in any one partition."""
    p99_ms: float | None = None
    healed_s: float | None = None
    """From the end of the fault until every replica is in sync."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of fault."""

    id: str
    title: str
    strike: Strike
    """Makes the fault and ends it."""
    repeats: int
    """How often, in a full run."""
    hold: Hold = field(default_factory=Hold)
    brokers: int = 3
    controllers: int | str = "combined"
    settings: Mapping[str, str] = field(default_factory=dict)
    rate_per_s: int = 200
    """Records that the producer is given."""
    is_relayed: bool = False
    """Whether all connections go through relays that can cut them."""
    is_faulty: bool = False
    """Whether the nodes' disks can be made to fail (`faulty_node`)."""
    prepare: Callable[[ProcessCluster], object] = _nothing
    """What is to be done before the nodes start for the first time."""
    obstacle: Callable[[], str] = str
    """Why it cannot be done on this machine; empty when it can."""
