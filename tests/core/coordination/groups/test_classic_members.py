"""Consumers of the classic protocol as members of consumer groups (848-40, 848-41)."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

import pytest

from barnabas.broker.core.coordination.groups.classic.member import Client
from barnabas.broker.core.coordination.groups.embedded_protocol import TOPICS_MAX, read_assignment
from barnabas.broker.core.coordination.groups.group import Committer
from barnabas.broker.core.coordination.timeline import LATEST
from barnabas.broker.core.reads import finish
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest

from .classic_consumer import ClassicConsumer
from .mixed import GROUP, JOINER, REBALANCE_MS, SESSION_MS
from .mixed_stories import error_of, modern, refused, round_of, scene_of

# --- classic members of a consumer group ----------------------------------------------------------


def test_a_classic_member_joins_a_consumer_group() -> None:
    """Goal: it is given an id, joins, and is told by SyncGroup what the coordinator assigned, in
    the version of its subscription; its generation is its member epoch, and nobody leads
    (848-40)."""
    scene = scene_of()
    first = modern(scene)
    first.join()
    consumer = ClassicConsumer(scene, "t")
    asked = scene.join(consumer.request()).answer
    assert asked is not None
    assert asked.error_code == ErrorCode.MEMBER_ID_REQUIRED
    assert asked.member_id.startswith("c-")
    consumer.member_id = asked.member_id
    joined = scene.join(consumer.request()).answer
    assert joined is not None
    assert (joined.error_code, joined.generation_id) == (0, 3)
    assert (joined.leader, joined.members) == ("", [])
    assert (joined.protocol_type, joined.protocol_name) == ("consumer", "own")
    synced = scene.sync(
        SyncGroupRequest(
            group_id=GROUP,
            member_id=joined.member_id,
            generation_id=3,
            protocol_type="consumer",
            protocol_name="own",
        )
    ).answer
    assert synced is not None
    assert synced.assignment[:2] == b"\x00\x03"
    assert read_assignment(synced.assignment).partitions == {}, "the other has them still"
    described = finish(scene.machine.consumer.describing(GROUP, LATEST))
    assert [one.member_type for one in described.members] == [0, 1]
    stored = scene.consumer_group.state.members[joined.member_id]
    assert stored.classic is not None
    assert stored.classic.session_timeout_ms == SESSION_MS
    assert [one.name for one in stored.classic.protocols] == ["own"]


@pytest.mark.parametrize("is_cooperative", [True, False])
def test_partitions_are_shared_between_the_protocols(is_cooperative: bool) -> None:
    """Goal: members of both protocols get their share, nobody before it is free; heartbeats tell
    classic ones to join again (848-41)."""
    scene = scene_of()
    first = modern(scene)
    first.join()
    consumer = ClassicConsumer(scene, "t", is_cooperative=is_cooperative)
    round_of(scene, first, consumer)
    assert len(first.numbers) == len(consumer.numbers) == 2
    assert sorted(first.numbers + consumer.numbers) == [0, 1, 2, 3]
    second = modern(scene, "n")
    second.join()
    round_of(scene, consumer, first, second)
    assert sorted(first.numbers + consumer.numbers + second.numbers) == [0, 1, 2, 3]
    assert consumer.codes[-1] == 0
    consumer.leave()
    round_of(scene, first, second)
    assert sorted(first.numbers + second.numbers) == [0, 1, 2, 3]


def test_heartbeats_of_classic_members() -> None:
    """Goal: 27 while the member's epoch is old, while it must give up, and when what it waits for
    is free; 22 for another generation, 25 for a stranger, a speaker of the other protocol and an
    unknown instance, 82 for an instance that another member is (848-41)."""
    scene = scene_of()
    first = modern(scene)
    first.join()
    consumer = ClassicConsumer(scene, "t")
    consumer.settle(4)
    who, at = consumer.member_id, consumer.generation
    assert scene.heartbeat(who, at) == 0, "it waits for what the other has"
    assert scene.heartbeat(who, at + 1) == ErrorCode.ILLEGAL_GENERATION
    assert scene.heartbeat("nobody", at) == ErrorCode.UNKNOWN_MEMBER_ID
    assert scene.heartbeat("m", first.epoch) == ErrorCode.UNKNOWN_MEMBER_ID
    assert scene.heartbeat(who, at, "i") == ErrorCode.UNKNOWN_MEMBER_ID
    static = modern(scene, "s", instance_id="i")
    static.join()
    assert scene.heartbeat(who, at, "i") == ErrorCode.FENCED_INSTANCE_ID
    assert scene.heartbeat(who, at) == ErrorCode.REBALANCE_IN_PROGRESS
    round_of(scene, consumer, first, static)
    static.leave()
    for _ in range(2):
        first.beat()
    assert scene.heartbeat(consumer.member_id, consumer.generation) == 27


def test_syncs_of_classic_members() -> None:
    """Goal: 22, 23, 25 and 27 as expected: 27 once there is a newer target (848-41)."""
    scene = scene_of()
    modern(scene).join()
    consumer = ClassicConsumer(scene, "t")
    consumer.settle(4)

    def code(**fields: Any) -> int:
        request: dict[str, Any] = {
            "group_id": GROUP,
            "member_id": consumer.member_id,
            "generation_id": consumer.generation,
            "protocol_type": "consumer",
            "protocol_name": "own",
        }
        reply = scene.sync(SyncGroupRequest(**{**request, **fields}))
        return 0 if reply.error is None else int(reply.error.code)

    assert code() == 0
    assert code(generation_id=9) == ErrorCode.ILLEGAL_GENERATION
    assert code(member_id="m", generation_id=2) == ErrorCode.UNKNOWN_MEMBER_ID
    assert code(protocol_type="connect") == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert code(protocol_name="range") == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    modern(scene, "n").join()
    assert code() == ErrorCode.REBALANCE_IN_PROGRESS


def test_joins_that_do_not_fit() -> None:
    """Goal: 23 for another protocol type, no protocol, none that the classic members share, and
    bytes that are no subscription; 81 for one too many (848-40, 848-07)."""
    scene = scene_of(group_consumer_max_size=3)
    modern(scene).join()
    consumer = ClassicConsumer(scene, "t", protocols=("a", "b"))
    consumer.settle(4)

    def code(kind: str = "consumer", **protocols: bytes) -> int:
        request = JoinGroupRequest(
            group_id=GROUP,
            protocol_type=kind,
            protocols=[JoinGroupRequestProtocol(name=n, metadata=m) for n, m in protocols.items()],
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=REBALANCE_MS,
        )
        reply = scene.join(request, Client("c", "h", 3))
        if reply.error is not None:
            return int(reply.error.code)
        assert reply.answer is not None
        return reply.answer.error_code

    good = consumer.metadata()
    assert code(kind="connect", a=good) == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert code() == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert code(c=good) == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert code(b=b"") == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert code(b=b"\x00\x01\x7f\xff\xff\xff") == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    many = (TOPICS_MAX + 1).to_bytes(4, "big")
    assert code(b=b"\x00\x01" + many + bytes(2 * TOPICS_MAX)) == 23, "too many topics"
    assert code(b=good) == 0
    assert code(b=good) == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_policy_keeps_classic_members_out() -> None:
    """Goal: with `disabled` nobody joins a consumer group by the classic protocol (848-40)."""
    scene = scene_of(group_consumer_migration_policy="disabled")
    modern(scene).join()
    reply = scene.join(ClassicConsumer(scene, "t").request())
    assert reply.error is not None
    assert reply.error.code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_classic_members_are_given_up() -> None:
    """Goal: one that is not heard of for its own session timeout, does not join again after 27, or
    does not sync after joining within its rebalance timeout, is a member no more (848-41)."""
    for silent_in in ("session", "join", "sync"):
        scene = scene_of()
        first = modern(scene)
        first.join()
        consumer = ClassicConsumer(scene, "t")
        consumer.settle(3 if silent_in == "sync" else 8)
        round_of(scene, first, consumer, rounds=0 if silent_in == "sync" else 8)
        who = consumer.member_id
        at = scene.consumer_group.state.current(who).epoch
        if silent_in == "join":
            modern(scene, "n").join()
        limit_s = (SESSION_MS if silent_in == "session" else REBALANCE_MS) // 1000
        passed = 0
        while who in scene.consumer_group.state.members:
            if silent_in != "session":
                scene.heartbeat(who, at)
            first.beat()
            scene.wait(1000)
            passed += 1
        assert limit_s - 1 <= passed <= limit_s, silent_in
        assert scene.heartbeat(who, at) == ErrorCode.UNKNOWN_MEMBER_ID


def test_timers_of_classic_members_after_a_move() -> None:
    """Goal: another coordinator gives classic members their own session timeout (CRT-17)."""
    scene = scene_of()
    modern(scene).join()
    consumer = ClassicConsumer(scene, "t")
    consumer.settle(4)
    scene.reload()
    scene.wait(SESSION_MS - 1)
    assert consumer.member_id in scene.consumer_group.state.members
    scene.wait(1)
    assert set(scene.consumer_group.state.members) == {"m"}


def test_leaving_by_the_classic_protocol() -> None:
    """Goal: each member has its own answer: a stranger and a speaker of the other protocol are 25,
    an administrator names an instance alone; the epoch rises once (GRP-22, 848-10)."""
    scene = scene_of()
    modern(scene).join()
    one, two = ClassicConsumer(scene, "t"), ClassicConsumer(scene, "t", instance_id="i")
    for consumer in (one, two):
        consumer.settle(8)
    epoch = scene.consumer_group.state.numbers.epoch
    left = scene.leave(
        ("m", None), ("x", None), (one.member_id, "i"), (one.member_id, None), ("", "i"), ("", "i")
    )
    assert left == [25, 25, 82, 0, 0, 25]
    assert scene.consumer_group.state.numbers.epoch == epoch + 1
    assert set(scene.consumer_group.state.members) == {"m"}


def test_offsets_of_classic_members() -> None:
    """Goal: a classic member commits with its generation; another one is 22 (OFF-04)."""
    scene = scene_of()
    modern(scene).join()
    consumer = ClassicConsumer(scene, "t")
    consumer.settle(4)
    group = scene.consumer_group
    group.check_commit(Committer(consumer.member_id, consumer.generation, None, 8), [("t", 0)])
    late = Committer(consumer.member_id, consumer.generation + 1, None, 8)
    error = refused(lambda: group.check_commit(late, [("t", 0)]))
    assert error.code is ErrorCode.ILLEGAL_GENERATION


def test_static_members_change_their_protocol() -> None:
    """Goal: an instance comes back with the other protocol and takes over what it had, without
    leaving before (848-08, 848-40)."""
    scene = scene_of()
    stays = modern(scene)
    stays.join()
    static = modern(scene, "s", instance_id="i")
    static.join()
    for _ in range(4):
        stays.beat()
        static.beat()
    had = static.numbers
    classic = ClassicConsumer(scene, "t", instance_id="i")
    classic.settle(3)
    assert classic.numbers == had
    assert error_of(static.beat) in (ErrorCode.FENCED_INSTANCE_ID, ErrorCode.UNKNOWN_MEMBER_ID)
    again = modern(scene, "s2", instance_id="i")
    again.join()
    assert again.numbers == had
    assert set(scene.consumer_group.state.members) == {"m", "s2"}


def test_an_old_version_joins_without_an_id() -> None:
    """Goal: before version 4 a JoinGroup makes a member at once (GRP-05, 848-40)."""
    scene = scene_of()
    modern(scene).join()
    consumer = ClassicConsumer(scene, "t")
    answer = scene.join(consumer.request(), changed(JOINER, api_version=3)).answer
    assert answer is not None
    assert answer.error_code == 0
    assert answer.member_id in scene.consumer_group.state.members
