"""A static member that comes late to a rebalance may find that a generation went by without it."""

from __future__ import annotations

import pytest

from barnabas.client.groups.classic_member import ClassicMember, ClassicOptions
from barnabas.client.groups.reactions import Reaction
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

NOTHING = b"\0\0\0\0\0\0\xff\xff\xff\xff"


def joined(member: ClassicMember, generation: int) -> Reaction:
    answer = JoinGroupResponse(generation_id=generation, member_id="m", protocol_name="sticky")
    return member.on_join(answer)


def member_in(generation: int) -> ClassicMember:
    """A member with an assignment of this generation."""
    options = ClassicOptions("g", "static", 10_000, 10_000, ("cooperative-sticky",))
    member = ClassicMember(options)
    assert not comes_late(member, generation)
    return member


def comes_late(member: ClassicMember, generation: int) -> bool:
    """Whether it does that, with an assignment of this generation."""
    joined(member, generation)
    reaction, _ = member.on_sync(SyncGroupResponse(assignment=NOTHING))
    assert reaction is Reaction.DONE
    return member.came_late


@pytest.mark.parametrize(("generation", "has_missed"), [(4, False), (5, False), (6, True)])
def test_a_generation_that_went_by(generation: int, has_missed: bool) -> None:
    """CLI-07: the next one is joined in time, and the same again is no rebalance."""
    member = member_in(4)
    assert comes_late(member, generation) is has_missed
    assert not comes_late(member, generation + 1), "it has what it was given then"


def test_a_generation_that_was_joined_and_not_reached() -> None:
    """CLI-07: its members knew what this one owned, so nobody else was given that."""
    member = member_in(4)
    joined(member, 5)
    member.on_sync(SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
    assert not comes_late(member, 6)


def test_a_generation_that_went_by_and_one_that_was_not_reached() -> None:
    """CLI-07: it counts until there is an assignment."""
    member = member_in(4)
    joined(member, 6)
    member.on_sync(SyncGroupResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
    assert comes_late(member, 7)


def test_who_has_lost_everything_misses_nothing() -> None:
    """CLI-07: it begins anew anyway."""
    member = member_in(4)
    member.left()
    assert not comes_late(member, 9)
