"""What groups of all kinds have in common, as the offsets and the lists of groups need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from ..machine import Record


class GroupKind(Enum):
    """The protocol by which a group's members agree; the values are Kafka's group types."""

    CLASSIC = "classic"
    CONSUMER = "consumer"


@dataclass(frozen=True, slots=True)
class Committer:
    """Who commits or reads offsets, as the request says."""

    member_id: str
    epoch: int
    """Generation of a classic group, member epoch of a consumer group; -1 if none was sent."""
    instance_id: str | None
    api_version: int
    is_transactional: bool = False


class Group(Protocol):
    """One group. `offset` of the reading methods: the state when the log ended there (CRT-09)."""

    @property
    def group_id(self) -> str: ...

    @property
    def kind(self) -> GroupKind: ...

    def state_name_at(self, offset: int) -> str:
        """Name of the state as ListGroups tells it, such as `Stable`."""
        ...

    def protocol_type_at(self, offset: int) -> str:
        """`consumer`, `connect`, ...; empty for a group that only has offsets (GRP-26)."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether it has no members now."""
        ...

    def check_commit(self, committer: Committer, partitions: Sequence[tuple[str, int]]) -> None:
        """Raise KafkaError if this member may not commit for these partitions (OFF-03, OFF-04)."""
        ...

    def check_fetch(self, committer: Committer, offset: int) -> None:
        """Raise KafkaError if this member may not read offsets (OFF-07)."""
        ...

    def check_delete(self) -> None:
        """Raise KafkaError NON_EMPTY_GROUP (68) if the group is not empty (OFF-21)."""
        ...

    def is_subscribed(self, topic: str) -> bool:
        """Whether a member reads this topic, so that its offsets stay (OFF-20, OFF-30)."""
        ...

    def expiry_starts_ms(self, topic: str, commit_ms: int) -> int | None:
        """From when on an offset of this topic, committed at `commit_ms`, counts as unused.

        Wall clock, milliseconds; None: it does not expire now (OFF-30).
        """
        ...

    def check_offset_delete(self) -> None:
        """Raise KafkaError 68 if offsets of this group may not be deleted at all (OFF-20)."""
        ...

    def tombstones(self) -> Sequence[Record]:
        """The records that remove this group, in the order that a replay can bear (REC-02)."""
        ...

    def on_loaded(self) -> None:
        """Its shard was loaded: set its timers (CRT-17)."""
        ...

    def on_unloaded(self) -> None:
        """Its shard goes: refuse all who wait in it with NOT_COORDINATOR (CRT-18)."""
        ...
