"""What admin calls about groups take and give back."""

from __future__ import annotations

import enum
from typing import NamedTuple

from ..structs import TopicPartition


class GroupListing(NamedTuple):
    """One group of a cluster; type and state are empty from brokers that do not say them."""

    group_id: str
    group_type: str
    """`classic` or `consumer`; also other kinds that brokers know."""
    state: str
    protocol_type: str


class GroupMember(NamedTuple):
    """One member; `target` is what it will have, where the group's protocol knows that."""

    member_id: str
    instance_id: str | None
    client_id: str
    host: str
    assignment: tuple[TopicPartition, ...]
    target: tuple[TopicPartition, ...] | None = None
    epoch: int = -1

    def __str__(self) -> str:
        return f"{self.instance_id or self.member_id} ({self.client_id} at {self.host})"


class GroupDescription(NamedTuple):
    """One group: its members and what they have."""

    group_id: str
    group_type: str
    state: str
    assignor: str
    coordinator_id: int
    """Node id of the coordinator."""
    members: tuple[GroupMember, ...]
    epoch: int = -1
    """Epoch of the group, -1 for a classic one."""


class ResetTo(enum.StrEnum):
    """Where offsets are reset to."""

    EARLIEST = "earliest"
    LATEST = "latest"
    TIME = "time"
    OFFSET = "offset"
    SHIFT = "shift"


class OffsetReset(NamedTuple):
    """A place to reset committed offsets to; the number is a time in milliseconds, an offset, or by
    how many offsets to go on (below zero: back). What is outside the log is put at its end."""

    to: ResetTo
    number: int = 0
