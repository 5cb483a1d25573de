"""SyncGroup: assignments are written before anybody is told, and failures are repaired."""

from __future__ import annotations

import pytest
from kit.classic_groups import REBALANCE_MS, SESSION_MS, Scene, answer_of, code_of

from barnabas.broker.core.coordination.groups.classic.syncing import check_sync
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest


def completing(count: int = 2, **fields: object) -> tuple[Scene, list[str]]:
    """A group whose members have their generation; the leader first."""
    scene = Scene()
    waiting = [scene.join_new(**fields) for _ in range(count)]
    scene.advance(6_000)
    answers = [answer_of(one) for one in waiting]
    ids = sorted((one.member_id for one in answers), key=lambda one: one != answers[0].leader)
    return scene, ids


@pytest.mark.parametrize("kind", [None, "consumer"])
@pytest.mark.parametrize("name", [None, "range"])
@pytest.mark.parametrize("version", [3, 4, 5])
def test_names_of_the_protocol_are_mandatory(
    version: int, kind: str | None, name: str | None
) -> None:
    """Goal: since version 5 type and name must both be there, else 23 (GRP-19)."""
    request = SyncGroupRequest(group_id="g", protocol_type=kind, protocol_name=name)
    if version < 5 or (kind and name):
        check_sync(request, version)
        return
    with pytest.raises(KafkaError) as caught:
        check_sync(request, version)
    assert caught.value.code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_empty_group_id() -> None:
    """Goal: the empty group id is no group to sync in (CRT-04)."""
    with pytest.raises(KafkaError) as caught:
        check_sync(SyncGroupRequest(), 3)
    assert caught.value.code is ErrorCode.INVALID_GROUP_ID


@pytest.mark.parametrize(("kind", "name"), [("connect", "range"), ("consumer", "sticky")])
def test_other_protocol(kind: str, name: str) -> None:
    """Goal: who means another protocol than the group's is refused with 23 (GRP-19)."""
    scene, ids = completing()
    assert code_of(scene.sync(ids[0], 1, kind=kind, protocol=name)) == 23
    assert code_of(scene.sync(ids[0], 1, kind=None, protocol=None)) == 0


def test_all_wait_for_the_leader() -> None:
    """Goal: followers wait; the leader's assignment is written, then all are answered, with
    nothing for those whom it left out and nothing for strangers (GRP-20)."""
    scene, (leader, first, second) = completing(3)
    scene.shard.commits_at_once = False
    waiting = [scene.sync(first, 1), scene.sync(second, 1)]
    waiting.append(scene.sync(leader, 1, {leader: b"L", first: b"F", "stranger": b"S"}))
    assert [code_of(one) for one in waiting] == [None] * 3
    assert scene.state() == "CompletingRebalance"
    scene.shard.commit()
    assert scene.state() == "Stable"
    answers = [one.answer for one in waiting]
    assert [one and one.assignment for one in answers] == [b"F", b"", b"L"]
    assert [one and one.protocol_name for one in answers] == ["range"] * 3
    value = scene.shard.log[-1].value
    assert isinstance(value, GroupMetadataValue)
    assert (value.generation, value.leader, value.protocol) == (1, leader, "range")
    stored = {one.member_id: one.assignment for one in value.members}
    assert stored == {leader: b"L", first: b"F", second: b""}


def test_late_follower_is_answered_at_once() -> None:
    """Goal: a follower that syncs in a stable group gets its assignment (GRP-20)."""
    scene, (leader, follower) = completing()
    scene.sync(leader, 1, {follower: b"F"})
    late = scene.sync(follower, 1)
    assert late.answer is not None
    assert late.answer.assignment == b"F"


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.UNKNOWN_SERVER_ERROR,
    ],
)
def test_assignment_that_cannot_be_written(code: ErrorCode) -> None:
    """Goal: all are told the error, a line names the group, and all must join again (CRT-19,
    CRT-11)."""
    scene, ids = completing()
    scene.shard.commits_at_once = False
    waiting = [scene.sync(one, 1) for one in reversed(ids)]
    scene.shard.fail(code)
    assert [code_of(one) for one in waiting] == [code, code]
    assert scene.state() == "PreparingRebalance"
    assert ("group-not-written", "g") in [(what, f["group"]) for what, f in scene.reports]
    scene.shard.commits_at_once = True
    again = [scene.join(one) for one in ids]
    assert answer_of(again[0]).generation_id == 2
    scene.complete(again)
    assert scene.state() == "Stable"


def test_rebalance_while_the_assignment_is_written() -> None:
    """Goal: who comes while the record is on its way begins a rebalance: the assignment is
    answered with 27, and the record changes nothing when it is committed (CRT-19)."""
    scene, ids = completing()
    scene.shard.commits_at_once = False
    waiting = [scene.sync(one, 1) for one in reversed(ids)]
    new = scene.join(version=3)
    assert [code_of(one) for one in waiting] == [27, 27]
    scene.shard.commit()
    assert scene.state() == "PreparingRebalance"
    again = [scene.join(one) for one in ids]
    assert [answer_of(one).generation_id for one in (*again, new)] == [2, 2, 2]


def test_leader_that_syncs_twice() -> None:
    """Goal: while one assignment is on its way no other is written; the earlier request hears 27,
    the later one gets what was written (CRT-19)."""
    scene, (leader, _) = completing()
    scene.shard.commits_at_once = False
    first = scene.sync(leader, 1, {leader: b"first"})
    second = scene.sync(leader, 1, {leader: b"second"})
    assert len(scene.shard.log) == scene.shard.committed + 1
    scene.shard.commit()
    assert code_of(first) == 27
    assert second.answer is not None
    assert second.answer.assignment == b"first"
    assert scene.restarted().described().members == scene.described().members


def test_leader_that_crashes_before_its_sync() -> None:
    """Goal: the leader's session ends, its followers join again and one of them leads (GRP-20)."""
    scene, (leader, follower) = completing()
    waiting = scene.sync(follower, 1)
    scene.advance(SESSION_MS)
    assert code_of(waiting) == ErrorCode.REBALANCE_IN_PROGRESS
    assert leader not in scene.group().roster
    assert answer_of(scene.join(follower)).leader == follower


def test_member_that_never_syncs() -> None:
    """Goal: who sent no SyncGroup for a rebalance timeout is removed, although it lives, and
    although the group is stable (GRP-21)."""
    scene, (leader, follower) = completing()
    scene.sync(leader, 1)
    assert scene.state() == "Stable"
    for _ in range(int(REBALANCE_MS / 5_000)):
        assert scene.heartbeat(leader, 1) == scene.heartbeat(follower, 1) == 0
        scene.advance(5_000)
    assert scene.state() == "PreparingRebalance"
    assert follower not in scene.group().roster
    assert scene.heartbeat(leader, 1) == 27


def test_all_have_synced() -> None:
    """Goal: after the last SyncGroup nothing is left of that wait (GRP-21)."""
    scene, ids = completing()
    assert ("sync", "g") in scene.shard.timers.due
    for one in ids:
        scene.sync(one, 1)
    assert ("sync", "g") not in scene.shard.timers.due


def test_member_that_leaves_while_its_sync_waits() -> None:
    """Goal: nobody who waits is forgotten: its SyncGroup is answered with 25 (GRP-22)."""
    scene, (_, follower) = completing()
    waiting = scene.sync(follower, 1)
    scene.leave(follower)
    assert code_of(waiting) == ErrorCode.UNKNOWN_MEMBER_ID


def test_second_sync_replaces_the_first() -> None:
    """Goal: of two SyncGroups of one member the earlier is answered with 27 (GRP-09)."""
    scene, (leader, follower) = completing()
    first, second = scene.sync(follower, 1), scene.sync(follower, 1)
    assert (code_of(first), code_of(second)) == (27, None)
    scene.sync(leader, 1)
    assert code_of(second) == 0
