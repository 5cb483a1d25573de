"""The assignors by name, and from a member's bytes to what an assignor is given."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

from barnabas.protocol.errors import DecodeError

from ...structs import TopicPartition
from ..formats import (
    Subscribed,
    cooperative_user_data,
    decode_subscription,
    encode_subscription,
    read_cooperative_user_data,
    read_sticky_user_data,
    sticky_user_data,
)
from .members import Assignment, Member, Partitions
from .range_assignor import assign_range
from .roundrobin import assign_roundrobin
from .sticky import assign_cooperative, assign_sticky

log = logging.getLogger("barnabas.client")

STICKY = "sticky"
COOPERATIVE = "cooperative-sticky"


class Assignor(NamedTuple):
    """One way to assign; `is_cooperative`: members keep what they own while they join."""

    assign: Callable[[Iterable[Member], Partitions], Assignment]
    is_cooperative: bool = False


ASSIGNORS = {
    "range": Assignor(assign_range),
    "roundrobin": Assignor(assign_roundrobin),
    STICKY: Assignor(assign_sticky),
    COOPERATIVE: Assignor(assign_cooperative, is_cooperative=True),
}


def is_cooperative(names: Iterable[str]) -> bool:
    """Whether members may keep partitions while they join: all assignors must allow it, since any
    of them may be chosen."""
    return all(ASSIGNORS[name].is_cooperative for name in names)


class Held(NamedTuple):
    """What a member has, or had when it last was in the group; and of which generation."""

    partitions: frozenset[TopicPartition]
    generation: int


def metadata_for(name: str, topics: Iterable[str], held: Held, rack: str | None) -> bytes:
    """What a member says of itself to the assignor `name`."""
    wanted = tuple(topics)
    if name == STICKY:
        data = sticky_user_data(held.partitions, held.generation)
        return encode_subscription(Subscribed(wanted, (), held.generation, rack, data))
    if name == COOPERATIVE:
        owned = tuple(sorted(held.partitions))
        data = cooperative_user_data(held.generation)
        return encode_subscription(Subscribed(wanted, owned, held.generation, rack, data))
    return encode_subscription(Subscribed(wanted, rack=rack))


def member_of(name: str, member_id: str, instance_id: str | None, metadata: bytes) -> Member:
    """A member from its bytes; one whose bytes make no sense subscribes to nothing, so that it
    cannot keep the others from being assigned."""
    try:
        told = decode_subscription(metadata)
        owned, generation = tuple(told.owned), told.generation
        if name == STICKY and told.user_data:
            partitions, generation = read_sticky_user_data(told.user_data)
            owned = tuple(partitions)
        elif name == COOPERATIVE:
            generation = max(generation, read_cooperative_user_data(told.user_data))
    except DecodeError as error:
        log.warning("member %s says what makes no sense: %s", member_id, error)
        return Member(member_id, frozenset(), instance_id)
    return Member(
        member_id, frozenset(told.topics), instance_id, owned, generation, told.rack or None
    )
