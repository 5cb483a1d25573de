"""One member of a consumer group: what it said of itself, and which partitions it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from .partitions import Partitions, TopicPartition

LEAVES: Final = -1
"""As a member epoch: the member leaves for good."""
LEAVES_FOR_A_WHILE: Final = -2
"""As a member epoch: the static member will be back within its session timeout (848-09)."""
JOINS: Final = 0
"""As a member epoch: the member joins, or begins anew."""

NO_TIMEOUT: Final = -1


class MemberState(IntEnum):
    """How far a member is with its target; the numbers are those of the records (848-16)."""

    STABLE = 0
    """It has all that it shall have."""
    UNREVOKED_PARTITIONS = 1
    """It has yet to say that it gave partitions up."""
    UNRELEASED_PARTITIONS = 2
    """It waits for partitions that others still hold."""


@dataclass(frozen=True, slots=True)
class Client:
    """The program that speaks for a member."""

    client_id: str
    host: str


@dataclass(frozen=True, slots=True)
class ClassicProtocol:
    """One way of assigning that a classic member offers, with its subscription in bytes."""

    name: str
    metadata: bytes


@dataclass(frozen=True, slots=True)
class ClassicMetadata:
    """What is known only of members that speak the classic protocol, as another broker wrote it."""

    session_timeout_ms: int
    protocols: tuple[ClassicProtocol, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """What a member said of itself; a record of key type 5 holds it."""

    member_id: str
    client: Client
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = NO_TIMEOUT
    topic_names: frozenset[str] = frozenset()
    """Subscribed by name."""
    pattern: str = ""
    """Subscribed by regular expression; empty: by none (848-22)."""
    assignor: str | None = None
    classic: ClassicMetadata | None = None
    """None for a member that speaks the consumer protocol."""


@dataclass(frozen=True, slots=True)
class Current:
    """Which partitions a member has; a record of key type 8 holds it."""

    epoch: int = JOINS
    previous_epoch: int = JOINS
    state: MemberState = MemberState.STABLE
    assigned: Mapping[TopicPartition, int] = field(default_factory=dict)
    """Partition -> member epoch at which it was given (OFF-04)."""
    revoking: Mapping[TopicPartition, int] = field(default_factory=dict)
    """What the member must give up and has not yet, with the same epochs."""

    @property
    def held(self) -> Partitions:
        """What nobody else may have now (848-18)."""
        return frozenset(self.assigned).union(self.revoking)

    def is_at(self, target_epoch: int) -> bool:
        """Whether the member has all that the target of this epoch gives it."""
        return self.state is MemberState.STABLE and self.epoch == target_epoch


BORN: Final = Current()
"""Of a member that was never given anything."""
