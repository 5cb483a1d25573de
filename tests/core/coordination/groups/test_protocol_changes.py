"""Groups with members that change from one protocol to the other (848-42, 848-43)."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.coordination.groups.classic.member import Client
from barnabas.broker.core.coordination.groups.classic.states import GroupState
from barnabas.broker.core.coordination.groups.embedded_protocol import read_assignment
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol

from .classic_consumer import ClassicConsumer, assigned
from .mixed import GROUP, REBALANCE_MS, SESSION_MS
from .mixed_stories import error_of, modern, refused, round_of, scene_of, stable_classic

# --- upgrade --------------------------------------------------------------------------------------


def test_a_static_member_changes_the_group_with_itself() -> None:
    """Goal: an instance of a classic group comes back with the other protocol, the first to do so,
    without leaving before: it takes over what it had, and nothing moves (848-08, 848-42)."""
    scene = scene_of()
    one = ClassicConsumer(scene, "t", instance_id="i1")
    two = ClassicConsumer(scene, "t", instance_id="i2")
    round_of(scene, one, two)
    had, others = one.numbers, two.numbers
    newcomer = modern(scene, "m", instance_id="i1")
    newcomer.join()
    assert set(scene.consumer_group.state.members) == {"m", two.member_id}
    assert newcomer.numbers == had
    round_of(scene, newcomer, two)
    assert (newcomer.numbers, two.numbers) == (had, others)
    scene.reload()
    assert set(scene.consumer_group.state.members) == {"m", two.member_id}


def test_a_classic_group_becomes_a_consumer_group() -> None:
    """Goal: its tombstone, then members, epoch, targets and what they have; the epoch is the
    generation, and the newcomer's is one above; classic heartbeats are 27, and after joining again
    all have their share (848-42, REC-01)."""
    scene = scene_of()
    one, two = stable_classic(scene)
    generation = scene.classic_group.generation
    start = len(scene.shard.log)
    newcomer = modern(scene)
    newcomer.join()
    keys = scene.keys_since(start)
    assert keys[:9] == [-2, 5, 5, 3, 7, 7, 6, 8, 8]
    assert newcomer.epoch == generation + 1
    assert newcomer.numbers == [], "the others have everything still"
    assert scene.heartbeat(one.member_id, one.generation) == ErrorCode.REBALANCE_IN_PROGRESS
    round_of(scene, newcomer, one, two)
    assert sorted(newcomer.numbers + one.numbers + two.numbers) == [0, 1, 2, 3]
    scene.reload()
    assert scene.kind == "consumer"
    assert one.codes[-1] == two.codes[-1] == 0


def test_an_empty_classic_group_is_replaced() -> None:
    """Goal: with no member left there is nothing to take over, whatever the policy (848-42)."""
    scene = scene_of(group_consumer_migration_policy="disabled")
    for consumer in stable_classic(scene, 1):
        consumer.leave()
    modern(scene).join()
    assert set(scene.consumer_group.state.members) == {"m"}


def test_who_waits_during_an_upgrade_is_told_to_join_again() -> None:
    """Goal: parked JoinGroups and SyncGroups are answered with 27 (848-42)."""
    scene = scene_of()
    one, two = stable_classic(scene)
    third = ClassicConsumer(scene, "t")
    third.settle(3)
    assert third.is_waiting
    newcomer = modern(scene)
    newcomer.join()
    third.step()
    assert third.codes[-1] == ErrorCode.REBALANCE_IN_PROGRESS
    round_of(scene, newcomer, one, two, third)
    shares = [newcomer.numbers, one.numbers, two.numbers, third.numbers]
    assert sorted(map(len, shares)) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("settings", "kind", "metadata", "assignment"),
    [
        ({"group_consumer_migration_policy": "downgrade"}, "consumer", None, assigned({})),
        ({"group_consumer_migration_policy": "disabled"}, "consumer", None, assigned({})),
        ({}, "connect", None, assigned({})),
        ({}, "consumer", b"\x00", assigned({})),
        ({}, "consumer", None, b"\xff"),
        ({}, "consumer", None, assigned({}, user_data=b"mine")),
    ],
    ids=["downgrade", "disabled", "type", "subscription", "assignment", "user data"],
)
def test_groups_that_stay_classic(
    settings: dict[str, Any], kind: str, metadata: bytes | None, assignment: bytes
) -> None:
    """Goal: where policy, type or what members say forbid it, the newcomer is told 69 and the
    classic group goes on (848-42)."""
    scene = scene_of(**settings)
    given = ClassicConsumer(scene, "t").metadata() if metadata is None else metadata
    request = JoinGroupRequest(
        group_id=GROUP,
        protocol_type=kind,
        protocols=[JoinGroupRequestProtocol(name="own", metadata=given)],
        session_timeout_ms=SESSION_MS,
        rebalance_timeout_ms=REBALANCE_MS,
    )
    joining = scene.join(request, Client("c", "h", 3))
    scene.wait(1)
    assert joining.answer is not None
    member = scene.classic_group.roster.get(joining.answer.member_id)
    assert member is not None
    member.assignment = assignment
    before = len(scene.shard.log)
    error = refused(modern(scene).join)
    assert error.code is ErrorCode.GROUP_ID_NOT_FOUND
    assert error.message is not None
    assert "classic protocol" in error.message
    assert (scene.kind, len(scene.shard.log)) == ("classic", before)


def test_a_group_that_is_too_large_stays_classic() -> None:
    """Goal: with more members than `group.consumer.max.size` the newcomer is told 69 (848-42)."""
    scene = scene_of(group_consumer_max_size=1)
    stable_classic(scene)
    assert error_of(modern(scene).join) is ErrorCode.GROUP_ID_NOT_FOUND
    assert scene.kind == "classic"


def test_an_upgrade_that_cannot_be_written() -> None:
    """Goal: the classic group goes on as it was, and its sessions still end (848-42, CRT-19)."""
    scene = scene_of()
    one, two = stable_classic(scene)
    scene.shard.commits_at_once = False
    modern(scene).join()
    assert scene.kind == "consumer"
    scene.wait(SESSION_MS + 1)  # the sessions' timers go off while nobody is in charge
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    scene.shard.commits_at_once = True
    assert scene.kind == "classic"
    assert scene.heartbeat(one.member_id, one.generation) == 0
    scene.wait(SESSION_MS // 2)
    assert scene.heartbeat(one.member_id, one.generation) == 0
    scene.wait(SESSION_MS // 2 + 1)
    assert scene.classic_group.roster.get(two.member_id) is None


# --- downgrade ------------------------------------------------------------------------------------


@pytest.mark.parametrize("goes", ["leaves", "is silent"])
def test_a_consumer_group_becomes_a_classic_group(goes: str) -> None:
    """Goal: when the last member of the consumer protocol goes, the group is a classic one of the
    same members, its generation the epoch, with their targets, and rebalances (848-43)."""
    scene = scene_of()
    last = modern(scene)
    last.join()
    one, two = ClassicConsumer(scene, "t"), ClassicConsumer(scene, "t")
    round_of(scene, last, one, two)
    epoch, start = scene.consumer_group.state.numbers.epoch, len(scene.shard.log)
    if goes == "leaves":
        last.leave()
    else:
        while scene.kind == "consumer":
            one.step()
            two.step()
            scene.wait(1000)
    keys = scene.keys_since(start)
    assert keys == [-8, -8, -8, -7, -7, -7, -6, -5, -5, -5, -4, -3, 2]
    value = scene.shard.log[-1].value
    assert isinstance(value, GroupMetadataValue)
    assert (value.generation, value.protocol_type, value.protocol) == (epoch, "consumer", "own")
    targets = {m.member_id: read_assignment(m.assignment).partitions for m in value.members}
    assert {len(one) for one in targets.values()} == {1}
    assert scene.heartbeat(one.member_id, one.generation) == ErrorCode.REBALANCE_IN_PROGRESS
    round_of(scene, one, two)
    assert scene.classic_group.state is GroupState.STABLE
    assert sorted(one.numbers + two.numbers) == [0, 1, 2, 3]
    scene.reload()
    assert scene.kind == "classic"


def test_an_instance_comes_back_as_the_first_classic_one() -> None:
    """Goal: the group of one static member becomes a classic one when that member changes its
    protocol; it has its partitions after one rebalance (848-43)."""
    scene = scene_of()
    modern(scene, "s", instance_id="i").join()
    classic = ClassicConsumer(scene, "t", instance_id="i")
    round_of(scene, classic, rounds=4)
    assert scene.kind == "classic"
    assert classic.numbers == [0, 1, 2, 3]
    assert scene.classic_group.roster.static_id("i") == classic.member_id


@pytest.mark.parametrize(
    "settings",
    [{"group_consumer_migration_policy": "upgrade"}, {"group_max_size": 1}],
    ids=["policy", "size"],
)
def test_groups_that_stay_consumer_groups(settings: dict[str, Any]) -> None:
    """Goal: where policy or size forbid it, classic members alone go on in the consumer group, and
    see topics that grow (848-43)."""
    scene = scene_of(**settings)
    last = modern(scene)
    last.join()
    one, two = ClassicConsumer(scene, "t"), ClassicConsumer(scene, "t")
    round_of(scene, last, one, two)
    last.leave()
    round_of(scene, one, two)
    assert scene.kind == "consumer"
    assert sorted(one.numbers + two.numbers) == [0, 1, 2, 3]
    scene.topics.grow("t", 6)
    scene.machine.on_metadata(["t"], {})
    round_of(scene, one, two)
    assert sorted(one.numbers + two.numbers) == [0, 1, 2, 3, 4, 5]


def test_a_downgrade_that_cannot_be_written() -> None:
    """Goal: the consumer group is back with all of its members; who joined the classic one
    meanwhile is refused (848-43, CRT-07)."""
    scene = scene_of()
    last = modern(scene)
    last.join()
    one = ClassicConsumer(scene, "t")
    round_of(scene, last, one)
    scene.shard.commits_at_once = False
    last.leave()
    assert scene.kind == "classic"
    joining = scene.join(changed_instance(one))
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    scene.shard.commits_at_once = True
    assert joining.is_given
    assert scene.kind == "consumer"
    round_of(scene, last, one)
    assert sorted(last.numbers + one.numbers) == [0, 1, 2, 3]


def changed_instance(consumer: ClassicConsumer) -> JoinGroupRequest:
    """A JoinGroup of a newcomer, by a version that needs no id beforehand."""
    request = consumer.request()
    request.member_id, request.group_instance_id = "", "new"
    return request
