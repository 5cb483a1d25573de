"""What an assignor is told, and what it answers: names for the two sides of the bargain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from ....reads import Steps
from .partitions import NO_PARTITIONS, Partitions


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A member as an assignor sees it."""

    topics: frozenset[bytes]
    """Ids of the topics that it subscribes to and that are there."""
    target: Partitions = NO_PARTITIONS
    """What it was to have until now."""
    instance_id: str | None = None


PartitionCounts: TypeAlias = Mapping[bytes, int]
"""Topic id -> number of partitions, of all topics that somebody subscribes to."""

Assignment: TypeAlias = dict[str, Partitions]
"""Member id -> partitions, with all members."""

Assignor: TypeAlias = Callable[[Mapping[str, Subscriber], PartitionCounts], Steps[Assignment]]
"""Gives each partition of each subscribed topic to one subscriber of it, in steps: each is about a
member or some partitions. The result depends on nothing but the arguments."""

PARTITIONS_AT_ONCE: Final = 100
"""Partitions that are dealt with in one step; a tenth of a millisecond."""
