"""What the parts of one shard of the group coordinator share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...cluster.image import ClusterImage
from ...config.broker import BrokerConfig
from ...ports import Env
from ..machine import ShardTimers
from ..timeline import Timeline, TimelineDict
from .classic.weights import TotalWeight
from .consumer.pace import EarlyBeats
from .group import Group


@dataclass(frozen=True, slots=True)
class GroupSurroundings:
    """Clock, settings, metadata, timers, and the table of all groups of the shard."""

    env: Env
    config: BrokerConfig
    image: Callable[[], ClusterImage]
    """The cluster's metadata as this broker has applied it."""
    timeline: Timeline
    timers: ShardTimers
    groups: TimelineDict[str, Group]
    """By group id, groups of all kinds: an id belongs to one kind at a time."""
    report: Callable[[str, dict[str, object]], object]
    """Event and fields, for the node's log."""
    weight: TotalWeight = field(default_factory=TotalWeight)
    """What the members of all groups take in memory, of all shards of this broker."""
    early_beats: EarlyBeats = field(default_factory=EarlyBeats)
    """Heartbeats of consumer groups that settle, of all shards of this broker."""
