"""Rebalances: how long they wait for whom, and what the next generation is."""

from __future__ import annotations

import pytest
from kit.classic_groups import REBALANCE_MS, Scene, answer_of, code_of

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue


def test_first_rebalance_waits_for_more() -> None:
    """Goal: an empty group waits 3 s, and 3 s again when members came in that time (GRP-10)."""
    scene = Scene()
    first = scene.join(version=3)
    scene.advance(2_000)
    second = scene.join(version=3)
    scene.advance(3_999)
    assert code_of(first) is None
    scene.advance(1)
    assert (answer_of(first).generation_id, answer_of(second).generation_id) == (1, 1)


def test_first_member_alone_waits_once() -> None:
    """Goal: nobody else came, so the window is not prolonged (GRP-10)."""
    scene = Scene()
    first = scene.join(version=3)
    scene.advance(2_999)
    assert code_of(first) is None
    scene.advance(1)
    assert answer_of(first).generation_id == 1


def test_first_rebalance_is_bounded() -> None:
    """Goal: however many come, the window ends with the largest rebalance timeout (GRP-10)."""
    scene = Scene()
    first = scene.join(version=3, rebalance_ms=10_000)
    for _ in range(9):
        scene.advance(1_000)
        scene.join(version=3, rebalance_ms=9_000)
    assert code_of(first) is None
    scene.advance(1_000)
    assert len(answer_of(first).members) == 10


def test_without_delay() -> None:
    """Goal: `group.initial.rebalance.delay.ms` may be 0 (GRP-10)."""
    scene = Scene(group_initial_rebalance_delay_ms=0)
    first = scene.join(version=3)
    scene.advance(0)
    assert answer_of(first).generation_id == 1


def test_rebalance_ends_when_all_have_joined() -> None:
    """Goal: a later rebalance waits for nobody but its members (GRP-10)."""
    scene = Scene()
    ids = scene.stable(2)
    new = scene.join_new()
    assert [code_of(scene.join(one)) for one in ids] == [None, 0]
    assert answer_of(new).generation_id == 2
    assert scene.state() == "CompletingRebalance"


def test_rebalance_ends_with_the_largest_timeout() -> None:
    """Goal: dynamic members who have not joined by then are removed (GRP-10, GRP-11)."""
    scene = Scene()
    waiting = [scene.join(version=3, rebalance_ms=ms) for ms in (20_000, 40_000)]
    (leader, silent), _ = scene.complete(waiting)
    joined = scene.join(leader, rebalance_ms=20_000)
    for _ in range(39):
        scene.advance(1_000)
        assert scene.heartbeat(silent, 1) == 27
    assert code_of(joined) is None
    scene.advance(1_000)
    assert [one.member_id for one in answer_of(joined).members] == [leader]


def test_pending_id_is_waited_for() -> None:
    """Goal: an id that was given out blocks the end of the join phase; when it leaves or expires
    the phase is complete at once (GRP-05)."""
    for ending in ("leaves", "expires", "joins"):
        scene = Scene()
        (old,) = scene.stable()
        third = scene.join(version=3)
        given = scene.join(session_ms=6_000).answer
        assert given is not None
        again = scene.join(old)
        assert code_of(again) is None, "the id is waited for"
        if ending == "leaves":
            assert scene.leave(given.member_id) == [0]
        elif ending == "expires":
            scene.advance(6_000)
        else:
            scene.join(given.member_id)
        assert answer_of(again).generation_id == 2
        assert answer_of(third).generation_id == 2


def test_removed_member_is_not_waited_for() -> None:
    """Goal: a member that goes while others have joined completes the phase at once (GRP-10)."""
    scene = Scene()
    leader, other = scene.stable(2)
    again = scene.join(leader)
    assert scene.leave(other) == [0]
    assert answer_of(again).generation_id == 2


def test_only_pending_ids_are_left() -> None:
    """Goal: the last member expires while an id is pending: empty at once; the id still counts
    (GRP-12)."""
    scene = Scene()
    scene.stable()
    scene.advance(5_000)
    given = scene.join().answer
    assert given is not None
    scene.advance(5_000)
    assert scene.state() == "Empty"
    joined = scene.join(given.member_id)
    scene.advance(3_000)
    assert answer_of(joined).generation_id == 3


def test_what_a_generation_begins_with() -> None:
    """Goal: all get generation, protocol, leader and their own id, the leader alone the members
    with instance and metadata (GRP-13)."""
    scene = Scene()
    a = scene.join(version=3, protocols={"range": b"of a"})
    b = scene.join(instance="i", protocols={"range": b"of b"})
    scene.advance(6_000)
    leader, other = answer_of(a), answer_of(b)
    for one in (leader, other):
        assert (one.generation_id, one.protocol_type, one.protocol_name) == (1, "consumer", "range")
        assert one.leader == leader.member_id
    assert other.members == []
    assert [(m.member_id, m.group_instance_id, m.metadata) for m in leader.members] == [
        (leader.member_id, None, b"of a"),
        (other.member_id, "i", b"of b"),
    ]


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        (("a b", "b a", "b a"), "b"),
        (("a b c", "c a", "c a"), "c"),
        (("x a b", "b a"), None),  # a and b have a vote each: either may win
        (("x a", "y a", "z a"), "a"),
    ],
)
def test_vote(lists: tuple[str, ...], expected: str | None) -> None:
    """Goal: of the protocols that all know, the one most members like best wins (GRP-13)."""
    scene = Scene()
    joined = [scene.join(version=3, protocols=dict.fromkeys(one.split(), b"")) for one in lists]
    scene.advance(6_000)
    chosen = answer_of(joined[0]).protocol_name
    assert chosen == expected or (expected is None and chosen in ("a", "b"))


def test_leader_that_leaves_is_replaced() -> None:
    """Goal: some member always leads (GRP-14)."""
    scene = Scene()
    leader, other = scene.stable(2)
    assert scene.leave(leader) == [0]
    assert answer_of(scene.join(other)).leader == other


def test_leader_that_does_not_join_is_replaced() -> None:
    """Goal: if the leader has not joined by the end, one who has leads (GRP-11)."""
    scene = Scene()
    leader, other = scene.stable(2, static=True, session_ms=100_000)
    joined = scene.join(other, protocols={"range": b"changed"}, session_ms=100_000)
    scene.advance(REBALANCE_MS)
    answer = answer_of(joined)
    assert answer.leader == other
    assert {one.member_id for one in answer.members} == {leader, other}


def test_nobody_joins() -> None:
    """Goal: static members of whom nobody joins are given another rebalance timeout, until their
    sessions end (GRP-11)."""
    scene = Scene()
    ids = scene.stable(3, static=True, session_ms=150_000)
    scene.leave(ids[0])
    scene.advance(2 * REBALANCE_MS)
    assert (scene.state(), len(scene.group().roster)) == ("PreparingRebalance", 2)
    scene.advance(30_000)
    assert scene.state() == "Empty"


def test_nobody_joins_and_the_timeout_is_tiny() -> None:
    """Goal: waiting for static members with a rebalance timeout of 1 ms does not spin (GRP-11)."""
    scene = Scene()
    ids = scene.stable(2, static=True, rebalance_ms=1)
    scene.leave(ids[0])
    scene.advance(1)
    for _ in range(8):
        _, go_on = scene.shard.timers.due[("join", "g")]
        scene.advance(999)
        assert scene.shard.timers.due[("join", "g")][1] is go_on
        scene.advance(1)
        assert scene.state() == "PreparingRebalance"


def test_last_member_goes() -> None:
    """Goal: the group is empty, a generation further, keeps its type but no protocol, and is
    recorded so (GRP-23)."""
    scene = Scene()
    (only,) = scene.stable()
    assert scene.leave(only) == [0]
    assert scene.state() == "Empty"
    value = scene.shard.log[-1].value
    assert isinstance(value, GroupMetadataValue)
    assert (value.generation, value.protocol_type, value.protocol) == (2, "consumer", None)
    assert (value.members, value.leader) == ([], None)
    assert value.current_state_timestamp == scene.clock.wall_ms()


def test_empty_group_that_cannot_be_recorded() -> None:
    """Goal: the group is empty although that was not written, and a line says so (GRP-23)."""
    scene = Scene()
    (only,) = scene.stable()
    scene.shard.commits_at_once = False
    scene.leave(only)
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert scene.state() == "Empty"
    assert scene.reports[-1][0] == "group-not-written"


def test_generation_begins_again() -> None:
    """Goal: after 2^31-1 comes generation 1, not a negative one (GRP-24)."""
    scene = Scene()
    (only,) = scene.stable()
    scene.group().generation = 2**31 - 1
    assert answer_of(scene.join(only)).generation_id == 1


def test_other_protocol_types() -> None:
    """Goal: groups of any type work alike; their bytes are not looked into (GRP-25)."""
    scene = Scene()
    ids = scene.stable(2, kind="connect", protocols={"v2": b"\x00", "v1": b""})
    assert scene.described().protocol_type == "connect"
    assert scene.described().protocol_data == "v2"
    assert scene.heartbeat(ids[1], 1) == 0


def test_session_ends() -> None:
    """Goal: a member that is silent for its session timeout is removed, and the others join again
    (GRP-18)."""
    scene = Scene()
    leader, other = scene.stable(2)
    scene.advance(9_000)
    assert scene.heartbeat(leader, 1) == 0
    scene.advance(1_000)
    assert scene.state() == "PreparingRebalance"
    assert scene.heartbeat(other, 1) == 25
    assert scene.heartbeat(leader, 1) == 27


def test_sessions_last_with_heartbeats_and_commits() -> None:
    """Goal: heartbeats and commits are signs of life (GRP-18)."""
    scene = Scene()
    leader, other = scene.stable(2)
    for _ in range(5):
        scene.advance(9_000)
        assert scene.heartbeat(leader, 1) == 0
        assert scene.commit(other, 1) == 0
    assert scene.state() == "Stable"


def test_commits_count_while_preparing() -> None:
    """Goal: a commit is a sign of life also while a rebalance waits for the member (GRP-18)."""
    scene = Scene()
    leader, other = scene.stable(2)
    scene.join(leader)
    for _ in range(3):
        scene.advance(9_000)
        assert scene.commit(other, 1) == 0
    assert other in scene.group().roster


def test_transactional_commit_is_no_sign_of_life() -> None:
    """Goal: commits in transactions come from producers: they keep no session up (GRP-18)."""
    scene = Scene()
    (only,) = scene.stable()
    scene.advance(9_000)
    assert scene.commit(only, 1, is_transactional=True) == 0
    scene.advance(1_000)
    assert scene.state() == "Empty"


def test_heartbeats_set_no_timers() -> None:
    """Goal: a heartbeat costs no timer: the one that is set looks again when it goes off
    (GRP-18)."""
    scene = Scene()
    (only,) = scene.stable()
    before = dict(scene.shard.timers.due)
    scene.advance(1_000)
    assert scene.heartbeat(only, 1) == 0
    assert scene.shard.timers.due == before
