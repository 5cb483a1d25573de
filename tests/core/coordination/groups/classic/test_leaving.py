"""LeaveGroup: several members at once, by id or by instance."""

from __future__ import annotations

from kit.classic_groups import Scene, answer_of, code_of

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity


def test_several_members_leave() -> None:
    """Goal: each has its own error, and there is one rebalance for all (GRP-22)."""
    scene = Scene()
    ids = scene.stable(4)
    generations = [fields for what, fields in scene.reports if what == "group-rebalance"]
    assert scene.leave(ids[1], "nobody", ids[2], ids[1]) == [0, 25, 0, 25]
    after = [fields for what, fields in scene.reports if what == "group-rebalance"]
    assert len(after) == len(generations) + 1
    assert {one.member_id for one in scene.group().roster} == {ids[0], ids[3]}


def test_answer_names_members_as_the_request_did() -> None:
    """Goal: ids and instances of the answer are those of the request, in its order (GRP-22)."""
    scene = Scene()
    scene.stable(2, static=True)
    request = LeaveGroupRequest(
        group_id="g",
        members=[
            MemberIdentity(group_instance_id="i1"),
            MemberIdentity(member_id="x", group_instance_id="i0"),
            MemberIdentity(group_instance_id="i9"),
            MemberIdentity(),
        ],
    )
    answer = scene.shard.write(lambda: scene.classic.leave(request))
    assert [(m.member_id, m.group_instance_id, m.error_code) for m in answer.members] == [
        ("", "i1", 0),
        ("x", "i0", 82),
        ("", "i9", 25),
        ("", None, 25),
    ]


def test_static_member_leaves_by_its_id_alone() -> None:
    """Goal: a static member that says only its member id goes (GRP-22)."""
    scene = Scene()
    ids = scene.stable(2, static=True)
    assert scene.leave(ids[0]) == [0]
    assert scene.group().roster.static_id("i0") is None


def test_unknown_group() -> None:
    """Goal: each member of an unknown group gets 25, the top none (GRP-22)."""
    assert Scene().leave("a", "b") == [25, 25]


def test_unused_id_leaves() -> None:
    """Goal: an id that was not used yet is void, and the group goes on as it was (GRP-22)."""
    scene = Scene()
    scene.stable(2)
    given = scene.join().answer
    assert given is not None
    assert scene.leave(given.member_id) == [0]
    assert scene.state() == "Stable"
    assert not scene.group().roster.pending


def test_unused_id_leaves_an_empty_group() -> None:
    """Goal: the same in a group without members (GRP-22)."""
    scene = Scene()
    given = scene.join().answer
    assert given is not None
    assert scene.leave(given.member_id) == [0]
    assert scene.state() == "Empty"
    assert not scene.shard.timers.due


def test_new_member_leaves_while_it_waits() -> None:
    """Goal: its JoinGroup is answered with 25, and the first window goes on without it (GRP-22)."""
    scene = Scene()
    first, second = scene.join(instance="a"), scene.join(instance="b")
    assert scene.leave(("", "a")) == [0]
    assert code_of(first) == ErrorCode.UNKNOWN_MEMBER_ID
    scene.advance(6_000)
    assert answer_of(second).leader == answer_of(second).member_id


def test_all_leave_in_the_first_window() -> None:
    """Goal: the window ends with an empty group (GRP-23)."""
    scene = Scene()
    scene.join(instance="a")
    assert scene.leave(("", "a")) == [0]
    scene.advance(6_000)
    assert (scene.state(), len(scene.group().roster)) == ("Empty", 0)
    assert not scene.shard.timers.due


def test_long_reasons() -> None:
    """Goal: reasons of any length are borne, and cut for the log (GRP-28)."""
    scene = Scene()
    (only,) = scene.stable()
    request = LeaveGroupRequest(
        group_id="g", members=[MemberIdentity(member_id=only, reason="r" * 32_000)]
    )
    scene.shard.write(lambda: scene.classic.leave(request))
    reason = scene.reports[-1][1]["reason"]
    assert isinstance(reason, str)
    assert len(reason) <= 255
