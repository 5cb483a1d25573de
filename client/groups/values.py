"""The plain values of consumer groups that a program hands over and gets back."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from ..structs import TopicPartition


class OffsetAndMetadata(NamedTuple):
    """A committed offset: the next record to read, a text of the program's, and the leader epoch
    of the record before it (-1 when unknown), by which a truncation is noticed (KIP-320)."""

    offset: int
    metadata: str = ""
    leader_epoch: int = -1


class GroupState(enum.StrEnum):
    """How a consumer stands to its group."""

    NO_GROUP = "no group"
    """It has no `group_id`, or chose its partitions by assign()."""
    JOINING = "joining"
    """It has not been a member since it started or subscribed."""
    STABLE = "stable"
    """It is a member, and has what it was assigned."""
    REBALANCING = "rebalancing"
    """The group is being assigned anew, or this consumer gives up or takes over partitions."""
    FENCED = "fenced"
    """The group went on without it: everything is lost, `reason` says why. It joins again, after
    PollIntervalExceededError when the program asks for records."""
    DEAD = "dead"
    """It stopped for `reason`, which each call raises. subscribe() or a new start may help."""


class ConsumerState(NamedTuple):
    """A consumer's membership at this moment."""

    state: GroupState
    reason: Exception | None = None
    """Why it is dead or fenced; while joining or rebalancing, what last went wrong, if anything."""
    member_id: str = ""
    generation: int = -1
    """Generation (classic) or member epoch (consumer) of the present assignment; -1 for none."""
    protocol: str = ""
    """The assignor that the group chose (classic), or `consumer`."""
    loop_lag_ms: int = 0
    """By how much the event loop was last late for a heartbeat."""


class CloseOption(enum.Enum):
    """What stop() tells the group (KIP-1092)."""

    DEFAULT = "default"
    """A dynamic member leaves; a static one stays until its session ends, so that a restart causes
    no rebalance."""
    LEAVE_GROUP = "leave group"
    """Leave, static or not."""
    REMAIN_IN_GROUP = "remain in group"
    """Stay until the session ends, static or not."""


class RebalanceListener(Protocol):
    """Is told which partitions come and go. Other partitions may be read meanwhile; a callback that
    raises ends the membership: each call raises what it raised."""

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """These are given up after this call; until it returns they can be committed."""

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """These are new; seek() in here decides where they begin."""

    async def on_partitions_lost(self, lost: set[TopicPartition]) -> None:
        """These belong to somebody else already: nothing of them can be committed."""


class ConsumerRebalanceListener:
    """A `RebalanceListener` to inherit from, whose callbacks do nothing."""

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Nothing."""

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Nothing."""

    async def on_partitions_lost(self, lost: set[TopicPartition]) -> None:
        """As `on_partitions_revoked`, for a program that makes no difference."""
        await self.on_partitions_revoked(lost)


class Identity(NamedTuple):
    """Who commits: generation or member epoch, member and instance; -1 and "" for nobody."""

    generation: int = -1
    member_id: str = ""
    instance_id: str | None = None
    is_epoch: bool = False
    """`generation` is a member epoch of the consumer protocol."""


NOBODY = Identity()


class GroupMetadata(NamedTuple):
    """Who a consumer is in its group, for offsets that a transaction commits (KIP-447): a consumer
    that the group has gone on without is found out by it."""

    group_id: str
    generation: int = -1
    member_id: str = ""
    instance_id: str | None = None


def listed(partitions: Iterable[TopicPartition]) -> str:
    """Partitions for a text, at most ten of them."""
    names = [str(each) for each in sorted(partitions)]
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
