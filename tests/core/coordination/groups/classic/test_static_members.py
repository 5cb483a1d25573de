"""Static members: they come back without a rebalance, and are fenced when there are two."""

from __future__ import annotations

import pytest
from kit.classic_groups import (
    REBALANCE_MS,
    SESSION_MS,
    Scene,
    answer_of,
    code_of,
    subscription,
)

from barnabas.protocol.errors import ErrorCode


def test_follower_comes_back() -> None:
    """Goal: a static follower comes back under a new id, without a rebalance, in the same
    generation; its assignment is still there (GRP-15)."""
    scene = Scene()
    leader, old = scene.stable(2, static=True)
    instance = scene.group().roster.get(old).instance_id  # type: ignore[union-attr]  # is there
    answer = answer_of(scene.join(instance=instance))
    assert answer.member_id != old
    assert (answer.generation_id, answer.leader, answer.members) == (1, leader, [])
    assert not answer.skip_assignment
    assert scene.state() == "Stable"
    synced = scene.sync(answer.member_id, 1)
    assert synced.answer is not None
    assert synced.answer.assignment == f"of {old}".encode()
    assert scene.heartbeat(old, 1, instance=instance) == 82
    assert scene.heartbeat(old, 1) == 25


@pytest.mark.parametrize("instance", ["i0", "i1"])
def test_comes_back_where_votes_are_even(instance: str) -> None:
    """Goal: members that prefer different protocols, as many each, do not rebalance when one of
    them comes back with what it said before: the choice is the same (GRP-13, GRP-15)."""
    scene = Scene()
    lists = {"i0": ("range", "roundrobin"), "i1": ("roundrobin", "range")}
    said = {who: dict.fromkeys(names, subscription("t")) for who, names in lists.items()}
    scene.complete([scene.join(instance=who, protocols=said[who]) for who in lists])
    answer = answer_of(scene.join(instance=instance, protocols=said[instance]))
    assert answer.generation_id == 1
    assert scene.state() == "Stable"


def test_leader_comes_back() -> None:
    """Goal: since version 9 a leader that comes back hears that it leads, who is there, and that
    it need not assign (GRP-15)."""
    scene = Scene()
    old, other = scene.stable(2, static=True)
    answer = answer_of(scene.join(instance="i0", version=9))
    assert answer.leader == answer.member_id != old
    assert {one.member_id for one in answer.members} == {answer.member_id, other}
    assert answer.skip_assignment


@pytest.mark.parametrize("version", [5, 8])
def test_leader_comes_back_with_an_old_client(version: int) -> None:
    """Goal: an older client is told that its former id leads, so that it does not assign
    (GRP-15)."""
    scene = Scene()
    old, _ = scene.stable(2, static=True)
    answer = answer_of(scene.join(instance="i0", version=version))
    assert answer.leader == old != answer.member_id
    assert (answer.members, answer.skip_assignment) == ([], False)


def test_new_id_is_written_before_it_is_told() -> None:
    """Goal: the answer waits for the record; a coordinator that takes over knows the new id
    (GRP-15)."""
    scene = Scene()
    (old,) = scene.stable(static=True)
    scene.shard.commits_at_once = False
    joined = scene.join(instance="i0")
    assert code_of(joined) is None
    scene.shard.commit()
    new = answer_of(joined).member_id
    other = scene.restarted()
    assert other.heartbeat(new, 1, instance="i0") == 0
    assert other.heartbeat(old, 1, instance="i0") == 82


def test_new_id_that_cannot_be_written() -> None:
    """Goal: the old id comes back with all that it had, and the new one hears the error
    (GRP-15)."""
    scene = Scene()
    (old,) = scene.stable(static=True, client_id="before")
    scene.shard.commits_at_once = False
    joined = scene.join(instance="i0", client_id="after", session_ms=20_000)
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert code_of(joined) == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert scene.heartbeat(old, 1, instance="i0") == 0
    (member,) = scene.described().members
    assert (member.member_id, member.client_id) == (old, "before")
    assert member.member_assignment == f"of {old}".encode()
    scene.advance(SESSION_MS)
    assert scene.state() == "Empty"


def test_new_id_that_cannot_be_written_while_others_join() -> None:
    """Goal: the old id comes back also into a rebalance that began meanwhile, and is waited for
    (GRP-15)."""
    scene = Scene()
    (old,) = scene.stable(static=True)
    scene.shard.commits_at_once = False
    joined = scene.join(instance="i0")
    other = scene.join(version=3)
    scene.shard.commits_at_once = True
    assert (code_of(joined), code_of(other)) == (0, 0), "both joined, which needs no record"
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert scene.group().roster.static_id("i0") == answer_of(joined).member_id != old


def test_rebalance_answers_the_one_who_comes_back() -> None:
    """Goal: if a rebalance begins before the record is committed, the member takes part in it
    (GRP-15)."""
    scene = Scene()
    ids = scene.stable(2, static=True)
    scene.shard.commits_at_once = False
    joined = scene.join(instance="i1")
    new = scene.join(version=3)
    scene.shard.commit()
    assert code_of(joined) is None
    scene.join(ids[0])
    assert answer_of(joined).generation_id == answer_of(new).generation_id == 2


def test_changed_choice_rebalances() -> None:
    """Goal: a static member whose protocols change the choice begins a rebalance (GRP-15)."""
    scene = Scene()
    scene.stable(1, static=True, protocols={"range": b"", "sticky": b""})
    joined = scene.join(instance="i0", protocols={"sticky": b"", "range": b""})
    assert answer_of(joined).generation_id == 2
    assert answer_of(joined).protocol_name == "sticky"


def test_changed_topics_do_not_rebalance() -> None:
    """Goal: as long as the protocol stays the same, other metadata changes nothing (GRP-15)."""
    scene = Scene()
    scene.stable(1, static=True)
    assert answer_of(scene.join(instance="i0", protocols={"range": b"x"})).generation_id == 1
    assert scene.described().members[0].member_metadata == b"x"


def test_comes_back_while_completing() -> None:
    """Goal: nobody knows whether its answer arrived, so there is a new rebalance; parked requests
    of the old id get 82 at once (GRP-15)."""
    scene = Scene()
    waiting = [scene.join(instance=f"i{number}") for number in range(2)]
    scene.advance(6_000)
    follower = answer_of(waiting[1]).member_id
    synced = scene.sync(follower, 1)
    assert code_of(synced) is None
    joined = scene.join(instance="i1")
    assert code_of(synced) == ErrorCode.FENCED_INSTANCE_ID
    assert code_of(joined) is None
    assert scene.state() == "PreparingRebalance"
    scene.join(answer_of(waiting[0]).member_id)
    assert answer_of(joined).generation_id == 2


def test_comes_back_while_preparing() -> None:
    """Goal: the new id is waited for in place of the old one, whose JoinGroup gets 82 (GRP-15)."""
    scene = Scene()
    ids = scene.stable(2, static=True)
    first = scene.join(ids[0])
    second = scene.join(instance="i0")
    assert code_of(first) == ErrorCode.FENCED_INSTANCE_ID
    assert first.answer is not None
    assert first.answer.member_id == ids[0]
    scene.join(ids[1])
    assert answer_of(second).generation_id == 2


def test_comes_back_in_the_first_window() -> None:
    """Goal: two twins in the window of an empty group: the older is fenced (GRP-15)."""
    scene = Scene()
    first = scene.join(instance="i")
    second = scene.join(instance="i")
    assert code_of(first) == ErrorCode.FENCED_INSTANCE_ID
    scene.advance(6_000)
    assert len(answer_of(second).members) == 1


def test_twice_before_the_record_is_committed() -> None:
    """Goal: the last of several incarnations wins, the others are fenced (GRP-15)."""
    scene = Scene()
    scene.stable(static=True)
    scene.shard.commits_at_once = False
    first, second = scene.join(instance="i0"), scene.join(instance="i0")
    scene.shard.commit()
    assert code_of(first) == ErrorCode.FENCED_INSTANCE_ID
    new = answer_of(second).member_id
    assert scene.restarted().heartbeat(new, 1, instance="i0") == 0


def test_twice_and_neither_can_be_written() -> None:
    """Goal: the id that comes back is the one that the log knows (GRP-15)."""
    scene = Scene()
    (old,) = scene.stable(static=True)
    scene.shard.commits_at_once = False
    waiting = [scene.join(instance="i0"), scene.join(instance="i0")]
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert [code_of(one) for one in waiting] == [82, ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert scene.heartbeat(old, 1, instance="i0") == 0


def test_timeouts_and_client_are_those_of_the_new_one() -> None:
    """Goal: client id, host and timeouts come from the one who joined again (GRP-16)."""
    scene = Scene()
    scene.stable(static=True)
    scene.join(instance="i0", client_id="new", host="10.9.9.9", session_ms=30_000, rebalance_ms=7)
    (member,) = scene.described().members
    assert (member.client_id, member.client_host) == ("new", "/10.9.9.9")
    terms = next(iter(scene.group().roster)).terms
    assert (terms.session_timeout_ms, terms.rebalance_timeout_ms) == (30_000, 7)
    scene.advance(29_999)
    assert scene.state() == "Stable"
    scene.advance(1)
    assert scene.state() == "Empty"


def test_static_members_expire() -> None:
    """Goal: a static member that is silent for its session timeout goes (GRP-17)."""
    scene = Scene()
    scene.stable(static=True)
    scene.advance(SESSION_MS)
    assert scene.state() == "Empty"
    assert scene.group().roster.static_id("i0") is None


def test_static_members_survive_the_rebalance_timeout() -> None:
    """Goal: an absent static member is part of the next generation, and stays for as long as its
    session lasts, since nobody can expect a SyncGroup of it (GRP-11)."""
    scene = Scene()
    ids = scene.stable(2, static=True, session_ms=3 * REBALANCE_MS)
    joined = scene.join(ids[0], session_ms=3 * REBALANCE_MS)
    scene.advance(REBALANCE_MS)
    answer = answer_of(joined)
    assert {one.member_id for one in answer.members} == set(ids)
    scene.sync(ids[0], 2, {ids[1]: b"kept for it"})
    scene.advance(REBALANCE_MS + 1)
    assert scene.state() == "Stable"
    back = answer_of(scene.join(instance="i1"))
    synced = scene.sync(back.member_id, 2)
    assert synced.answer is not None
    assert synced.answer.assignment == b"kept for it"
