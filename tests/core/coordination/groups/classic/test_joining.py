"""JoinGroup: who may join, under which id, and what it brings along."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import cast

import pytest
from kit.classic_groups import (
    Scene,
    answer_of,
    code_of,
    join_request,
    subscription,
)

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.classic import pending_ids
from barnabas.broker.core.coordination.groups.classic.admission import (
    ID_CHARACTERS_MAX,
    PROTOCOLS_MAX,
    check_join,
)
from barnabas.broker.core.coordination.groups.classic.sessions import NEW_MEMBER_TIMEOUT_MS
from barnabas.broker.core.coordination.groups.group import Group
from barnabas.broker.core.coordination.machine import Record
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue


@pytest.mark.parametrize(
    ("group", "session_ms", "code"),
    [
        ("", 1, ErrorCode.INVALID_GROUP_ID),
        ("g", 5_999, ErrorCode.INVALID_SESSION_TIMEOUT),
        ("g", 1_800_001, ErrorCode.INVALID_SESSION_TIMEOUT),
        ("g", -1, ErrorCode.INVALID_SESSION_TIMEOUT),
    ],
)
def test_refused_before_the_group_is_looked_at(
    group: str, session_ms: int, code: ErrorCode
) -> None:
    """Goal: an empty group id, then a session timeout out of bounds, are refused (GRP-01)."""
    request = join_request(group=group, session_ms=session_ms)
    with pytest.raises(KafkaError) as caught:
        check_join(request, BrokerConfig())
    assert caught.value.code is code


def test_very_many_protocols_are_refused() -> None:
    """Goal: a member that offers more protocols than any client does is refused before anything is
    done with them (GRP-04)."""
    most = {f"p{number}": b"" for number in range(PROTOCOLS_MAX)}
    check_join(join_request(protocols=most), BrokerConfig())
    with pytest.raises(KafkaError) as caught:
        check_join(join_request(protocols={**most, "more": b""}), BrokerConfig())
    assert caught.value.code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_bounds_of_sessions_are_allowed() -> None:
    """Goal: the shortest and the longest session timeout are allowed (GRP-01)."""
    config = dataclasses.replace(BrokerConfig(), group_min_session_timeout_ms=7)
    check_join(join_request(session_ms=7), config)
    check_join(join_request(session_ms=1_800_000), config)


def test_unknown_group() -> None:
    """Goal: a member id in an unknown group is 25; without one the group is made, and recorded as
    empty, in generation 0 (GRP-02)."""
    scene = Scene()
    assert code_of(scene.join("m")) == ErrorCode.UNKNOWN_MEMBER_ID
    assert scene.state() == ""
    scene.join()
    assert scene.state() == "Empty"
    (record,) = scene.shard.log
    assert isinstance(record.value, GroupMetadataValue)
    assert (record.value.generation, record.value.protocol, record.value.members) == (0, None, [])
    assert (record.value.protocol_type, record.version) == ("", 3)


def test_group_that_cannot_be_written() -> None:
    """Goal: if a new group's record is lost there is no group, and who waited is told (CRT-19)."""
    scene = Scene()
    scene.shard.commits_at_once = False
    waiting = scene.join(version=3)
    given = scene.join(version=9)
    assert scene.state() == "PreparingRebalance"
    assert code_of(waiting) is None
    scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert code_of(waiting) == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert scene.state() == ""
    assert not scene.shard.timers.due
    assert given.answer is not None
    assert code_of(scene.join(given.answer.member_id)) == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize(("kind", "names"), [("", ["range"]), ("consumer", [])])
def test_first_member_without_protocol(kind: str, names: list[str]) -> None:
    """Goal: the first member must name a type and a protocol (GRP-04); no group is made."""
    scene = Scene()
    joined = scene.join(kind=kind, protocols=dict.fromkeys(names, b""))
    assert code_of(joined) == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert scene.state() == ""


@pytest.mark.parametrize(
    ("kind", "names", "code"),
    [
        ("connect", ["range"], 23),
        ("consumer", ["sticky"], 23),
        ("consumer", ["a"], 23),  # one of the two members knows it
        ("consumer", ["sticky", "range"], None),
        ("consumer", ["range"], None),
    ],
)
def test_protocols_in_common(kind: str, names: list[str], code: int | None) -> None:
    """Goal: later members share the type, and a protocol with all members (GRP-04)."""
    scene = Scene()
    scene.join(version=3, protocols={"a": b"", "range": b""})
    scene.join(version=3, protocols={"range": b"", "b": b""})
    joined = scene.join(version=3, kind=kind, protocols=dict.fromkeys(names, b""))
    assert code_of(joined) == code


def test_ids_are_given_out_first() -> None:
    """Goal: since version 4 a dynamic member gets an id first, `<client.id>-<uuid>` (GRP-05)."""
    scene = Scene()
    first = scene.join(client_id="app", version=4)
    assert code_of(first) == ErrorCode.MEMBER_ID_REQUIRED
    assert first.answer is not None
    prefix, _, rest = first.answer.member_id.partition("-")
    assert (prefix, len(rest)) == ("app", 36)
    assert scene.state() == "Empty"
    second = scene.join(first.answer.member_id, client_id="app", version=4)
    scene.advance(3_000)
    assert answer_of(second).member_id == first.answer.member_id


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_old_clients_join_at_once(version: int) -> None:
    """Goal: before version 4 nobody is sent back with an id (GRP-05)."""
    scene = Scene()
    joined = scene.join(version=version)
    scene.advance(3_000)
    assert answer_of(joined).generation_id == 1


def test_static_members_join_at_once() -> None:
    """Goal: with an instance id nobody is sent back, and the id begins with it (GRP-05)."""
    scene = Scene()
    joined = scene.join(instance="pod-7")
    scene.advance(3_000)
    assert answer_of(joined).member_id.startswith("pod-7-")


def test_ids_are_drawn_from_the_environment() -> None:
    """Goal: the same run gives the same ids (GRP-05)."""
    assert Scene().stable(2) == Scene().stable(2)


def test_unused_ids_expire() -> None:
    """Goal: an id that nobody uses is void after its session timeout (GRP-05)."""
    scene = Scene()
    given = scene.join(session_ms=7_000).answer
    assert given is not None
    scene.advance(6_999)
    assert given.member_id in scene.group().roster.pending
    scene.advance(1)
    assert not scene.group().roster.pending
    assert not scene.shard.timers.due
    assert code_of(scene.join(given.member_id)) == ErrorCode.UNKNOWN_MEMBER_ID


def test_pending_ids_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: whoever asks for ids without end makes the oldest void (GRP-05, I-28)."""
    monkeypatch.setattr(pending_ids, "OF_A_GROUP_MAX", 3)
    scene = Scene()
    given = [scene.join().answer for _ in range(5)]
    ids = [one.member_id for one in given if one is not None]
    assert list(scene.group().roster.pending) == ids[2:]
    assert len(scene.shard.timers.due) == 3
    assert code_of(scene.join(ids[0])) == ErrorCode.UNKNOWN_MEMBER_ID
    assert code_of(scene.join(ids[4])) is None


def test_ids_of_all_groups_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: with very many ids of all groups given out, a group has few of them, the newest; ids
    of groups that are gone do not count (GRP-05)."""
    monkeypatch.setattr(pending_ids, "OF_ALL_MAX", 40)
    scene = Scene()
    for _ in range(30):
        scene.join(group="a")
    assert len(scene.group("a").roster.pending) == 30
    ids = [given.member_id for _ in range(30) if (given := scene.join(group="b").answer)]
    assert list(scene.group("b").roster.pending) == ids[-pending_ids.FEW :]
    assert code_of(scene.join(ids[-1], group="b")) is None
    for _ in range(30):
        scene.join(group="a")
    assert scene.around.weight.pending_ids <= 40 + 2 * pending_ids.FEW
    for name in "ab":
        scene.around.groups.pop(name)
    scene.shard.timers.due.clear()
    assert scene.around.weight.pending_ids == 0


def test_pending_id_with_an_instance() -> None:
    """Goal: an id that was given to a dynamic member is no static member's (GRP-06)."""
    scene = Scene()
    given = scene.join().answer
    assert given is not None
    joined = scene.join(given.member_id, instance="i")
    assert code_of(joined) == ErrorCode.UNKNOWN_SERVER_ERROR


def test_ids_and_instances() -> None:
    """Goal: an unknown instance is 25, another's is 82, its own may be left out (GRP-06)."""
    scene = Scene()
    (leader, other) = scene.stable(2, static=True)
    own = "i0" if scene.group().roster.static_id("i0") == leader else "i1"
    others = "i1" if own == "i0" else "i0"
    assert code_of(scene.join(leader, instance="unknown")) == 25
    assert code_of(scene.join(leader, instance=others)) == 82
    assert code_of(scene.join(other)) == 0


def test_new_member_waits_for_long() -> None:
    """Goal: a new member's session begins with its first answer; it waits for that for 300 s, even
    with a session timeout of 10 s (GRP-07)."""
    scene = Scene()
    (old,) = scene.stable(rebalance_ms=1_000_000)
    new = scene.join_new(rebalance_ms=1_000_000)
    for _ in range(59):
        scene.advance(5_000)
        assert scene.heartbeat(old, 1) == 27
    assert code_of(new) is None
    scene.advance(5_000)
    assert code_of(new) == ErrorCode.UNKNOWN_MEMBER_ID
    assert new.answer is not None
    assert new.answer.member_id == ""
    assert NEW_MEMBER_TIMEOUT_MS == 300_000


def test_new_members_that_try_again_do_not_pile_up() -> None:
    """Goal: clients that give up and join anew during a long rebalance are removed (GRP-07)."""
    scene = Scene()
    (old,) = scene.stable(rebalance_ms=1_800_000, session_ms=1_800_000)
    for _ in range(100):
        scene.join(version=3, rebalance_ms=1_800_000)
        scene.advance(10_000)
    assert len(scene.group().roster) <= 31
    scene.join(old, rebalance_ms=1_800_000)
    assert scene.state() == "CompletingRebalance"


def test_old_member_does_not_expire_while_it_waits() -> None:
    """Goal: who has joined again stays for as long as its answer takes (GRP-07)."""
    scene = Scene()
    ids = scene.stable(2, rebalance_ms=200_000)
    again = scene.join(ids[0], rebalance_ms=200_000)
    for _ in range(30):
        scene.advance(5_000)
        assert scene.heartbeat(ids[1], 1) == 27
    assert code_of(again) is None
    scene.join(ids[1], rebalance_ms=200_000)
    assert answer_of(again).generation_id == 2


def test_join_again_while_preparing() -> None:
    """Goal: who joins again while others are waited for brings new metadata (GRP-08)."""
    scene = Scene()
    ids = scene.stable(2)
    scene.join(ids[0], protocols={"range": b"older"})
    again = scene.join(ids[0], protocols={"range": b"newer"})
    scene.join(ids[1])
    listed = {one.member_id: one.metadata for one in answer_of(again).members}
    assert listed[ids[0]] == b"newer"


def test_join_again_while_completing() -> None:
    """Goal: the same protocols get the generation told again, others a rebalance (GRP-08)."""
    scene = Scene()
    waiting = [scene.join_new() for _ in range(2)]
    scene.advance(6_000)
    leader, follower = (answer_of(one).member_id for one in waiting)
    again = answer_of(scene.join(leader))
    assert (again.generation_id, len(again.members), again.leader) == (1, 2, leader)
    assert answer_of(scene.join(follower)).members == []
    assert scene.state() == "CompletingRebalance"
    changed = scene.join(follower, protocols={"range": b"changed"})
    assert code_of(changed) is None
    assert scene.state() == "PreparingRebalance"


def test_order_of_protocols_is_a_change() -> None:
    """Goal: protocols are compared byte for byte, their order included (GRP-08)."""
    scene = Scene()
    both = {"range": b"", "sticky": b""}
    _, follower = scene.stable(2, protocols=both)
    assert code_of(scene.join(follower, protocols=both)) == 0
    turned = dict(reversed(both.items()))
    assert code_of(scene.join(follower, protocols=turned)) is None


def test_join_again_when_stable() -> None:
    """Goal: an unchanged follower is answered at once; the leader may ask for a rebalance by
    joining again (GRP-08)."""
    scene = Scene()
    leader, follower = scene.stable(2)
    at_once = answer_of(scene.join(follower))
    assert (at_once.generation_id, at_once.leader, at_once.members) == (1, leader, [])
    assert scene.state() == "Stable"
    assert code_of(scene.join(leader)) is None
    assert scene.state() == "PreparingRebalance"


def test_changed_follower_rebalances() -> None:
    """Goal: a follower that reads other topics begins a rebalance (GRP-08)."""
    scene = Scene()
    _, follower = scene.stable(2)
    joined = scene.join(follower, protocols={"range": subscription("t", "u")})
    assert code_of(joined) is None
    assert scene.state() == "PreparingRebalance"


def test_second_join_replaces_the_first() -> None:
    """Goal: of two JoinGroups of one member the earlier is answered with 27 (GRP-09)."""
    scene = Scene()
    ids = scene.stable(2)
    first = scene.join(ids[0])
    second = scene.join(ids[0])
    assert code_of(first) == ErrorCode.REBALANCE_IN_PROGRESS
    assert first.answer is not None
    assert first.answer.member_id == ids[0]
    scene.join(ids[1])
    assert answer_of(second).generation_id == 2


def test_hostile_texts() -> None:
    """Goal: ids and reasons of any length are borne; ids that we make are short (GRP-28)."""
    scene = Scene()
    joined = scene.join(version=3, client_id="c" * 30_000, reason="r" * 30_000)
    scene.advance(3_000)
    assert len(answer_of(joined).member_id) == ID_CHARACTERS_MAX + 37
    assert all(len(str(fields["reason"])) <= 255 for _, fields in scene.reports)


def test_version_0_has_no_rebalance_timeout() -> None:
    """Goal: in version 0 the session timeout is how long others wait for a member (GRP-10)."""
    scene = Scene()
    first = scene.join(version=0, rebalance_ms=-1, session_ms=8_000)
    scene.advance(3_000)
    answer_of(first)
    second = scene.join(version=0, rebalance_ms=-1, session_ms=7_000)
    scene.advance(7_999)
    assert code_of(second) is None
    scene.advance(1)
    assert answer_of(second).generation_id == 2


@pytest.mark.parametrize("is_empty", [True, False])
def test_group_of_another_kind(*, is_empty: bool) -> None:
    """Goal: an empty group of another kind becomes a classic one, its records go and the new one's
    first record follows; one with members takes nobody by this protocol (GRP-01)."""
    scene = Scene()
    gone = Record(GroupMetadataKey(group="other"), None)
    other = SimpleNamespace(is_empty=is_empty, tombstones=lambda: (gone,))
    scene.around.groups["g"] = cast("Group", other)
    joined = scene.join(version=3)
    if is_empty:
        assert scene.state() == "PreparingRebalance"
        assert scene.shard.log[0] == gone
        assert scene.shard.log[1].key == GroupMetadataKey(group="g")
        assert code_of(joined) is None
    else:
        assert code_of(joined) == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
        assert code_of(scene.sync("m", 1)) == ErrorCode.UNKNOWN_MEMBER_ID
        assert scene.classic.describe("g", 0) is None
