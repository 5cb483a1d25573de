"""Classic groups come from the log, and leave with their shard."""

from __future__ import annotations

import pytest
from kit.classic_groups import SESSION_MS, Scene, answer_of, code_of

from barnabas.broker.core.coordination.machine import Record
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue, MemberMetadata


def test_stable_group_comes_back() -> None:
    """Goal: members, generation and assignments are as before; nobody notices (CRT-17)."""
    scene = Scene()
    ids = scene.stable(2, static=True)
    after = scene.restarted()
    assert after.described() == scene.described()
    assert [after.heartbeat(one, 1) for one in ids] == [0, 0]
    assert after.commit(ids[0], 1) == 0
    synced = after.sync(ids[1], 1)
    assert synced.answer is not None
    assert synced.answer.assignment == f"of {ids[1]}".encode()


def test_sessions_are_whole_after_a_load() -> None:
    """Goal: every member has a whole session timeout, whatever had passed (CRT-17)."""
    scene = Scene()
    scene.stable(2)
    after = scene.restarted()
    after.advance(SESSION_MS - 1)
    assert after.state() == "Stable"
    after.advance(1)
    assert after.state() == "Empty"


def test_group_over_its_size() -> None:
    """Goal: a group that is larger than is allowed by now must rebalance, and those who are too
    many are refused (CRT-17)."""
    scene = Scene()
    ids = scene.stable(3)
    after = scene.restarted(group_max_size=2)
    assert after.state() == "PreparingRebalance"
    joined = [after.join(one) for one in ids]
    after.advance(SESSION_MS)
    assert [code_of(one) for one in joined] == [0, 0, 81]
    assert len(answer_of(joined[0]).members) == 2


def test_empty_group_comes_back() -> None:
    """Goal: the group keeps its generation and type without members (GRP-23)."""
    scene = Scene()
    (only,) = scene.stable()
    scene.leave(only)
    after = scene.restarted()
    assert (after.state(), after.group().generation) == ("Empty", 2)
    assert after.group().protocol_type == "consumer"
    after.stable()
    assert after.group().generation == 3


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_every_version_can_be_read(version: int) -> None:
    """Goal: values of all versions, as bytes, become a group; what a version lacks has a sensible
    value (CRT-15)."""
    written = GroupMetadataValue(
        protocol_type="consumer",
        generation=7,
        protocol="range",
        leader="m",
        current_state_timestamp=99,
        members=[
            MemberMetadata(
                member_id="m",
                group_instance_id="i" if version >= 3 else None,
                client_id="c",
                client_host="/h",
                rebalance_timeout=30_000,
                session_timeout=10_000,
                subscription=b"s",
                assignment=b"a",
            )
        ],
    )
    value = GroupMetadataValue.decode(written.encode(version), version)
    scene = Scene([Record(GroupMetadataKey(group="g"), value, version)])
    group = scene.group()
    assert (scene.state(), group.generation, group.leader_id) == ("Stable", 7, "m")
    (member,) = group.roster
    assert member.terms.rebalance_timeout_ms == (30_000 if version >= 1 else 10_000)
    assert group.state_since_ms == (99 if version >= 2 else None)
    assert group.roster.static_id("i") == ("m" if version >= 3 else None)
    assert (member.assignment, member.metadata("range")) == (b"a", b"s")
    assert scene.heartbeat("m", 7) == 0


def test_log_may_say_anything() -> None:
    """Goal: tombstones of unknown groups, the same member twice, members without a protocol are
    all replayed (CRT-16)."""
    twice = GroupMetadataValue(
        protocol_type="consumer",
        generation=3,
        protocol=None,
        leader="gone",
        members=[MemberMetadata(member_id="m"), MemberMetadata(member_id="m")],
    )
    scene = Scene(
        [
            Record(GroupMetadataKey(group="g"), None),
            Record(GroupMetadataKey(group="g"), twice, 3),
            Record(GroupMetadataKey(group="h"), twice, 3),
            Record(GroupMetadataKey(group="h"), None),
        ]
    )
    assert (scene.state(), scene.state("h")) == ("Stable", "")
    assert len(scene.group().roster) == 1
    scene.advance(1)
    assert scene.state() == "Empty"


def test_record_follows_offsets() -> None:
    """Goal: a group that was known by its offsets becomes what its record says (GRP-26)."""
    scene = Scene()
    scene.stable()
    after = Scene()
    after.classic.simple_group("g")
    for offset, record in enumerate(scene.shard.log):
        after.machine.replay(record, offset, None)
    assert after.state() == "Stable"


def test_unload_refuses_all_who_wait() -> None:
    """Goal: JoinGroups and SyncGroups that wait are answered with 16, and no timer is left
    (CRT-18)."""
    scene = Scene()
    first = scene.join(version=3)
    scene.join()
    waiting = [scene.join(version=3, group="h") for _ in range(2)]
    scene.advance(2_999)
    scene.join(version=3)
    scene.advance(1)
    scene.advance(3_000)
    follower = answer_of(waiting[1]).member_id
    synced = scene.sync(follower, 1, group="h")
    late = scene.join(version=3)
    assert (code_of(first), code_of(late), code_of(synced)) == (0, None, None)
    scene.machine.on_unloaded()
    assert code_of(late) == code_of(synced) == ErrorCode.NOT_COORDINATOR
    assert scene.shard.timers.due == {}
    assert (scene.state(), scene.state("h")) == ("Dead", "Dead")


def test_unload_while_an_assignment_is_written() -> None:
    """Goal: the shard fails what is not committed, then unloads: each is answered once (CRT-18)."""
    scene = Scene()
    (waiting,) = [scene.join_new()]
    scene.advance(3_000)
    scene.shard.commits_at_once = False
    synced = scene.sync(answer_of(waiting).member_id, 1)
    scene.shard.fail(ErrorCode.NOT_COORDINATOR)
    scene.machine.on_unloaded()
    assert code_of(synced) == ErrorCode.NOT_COORDINATOR
    assert scene.state() == "Dead"


def test_timers_of_a_group_that_is_gone() -> None:
    """Goal: a group is deleted while an id is pending, and made anew: the old timers do nothing
    (CRT-16, OFF-33)."""
    scene = Scene()
    scene.join()
    scene.classic.replay_group(GroupMetadataKey(group="g"), None, 1)
    scene.advance(5_000)
    scene.stable(session_ms=60_000)
    scene.advance(20_000)
    assert scene.state() == "Stable"
