"""What a classic group tells offsets, lists and descriptions."""

from __future__ import annotations

import pytest
from kit.classic_groups import Scene, subscription

from barnabas.broker.core.coordination.groups.embedded_protocol import TOPICS_MAX
from barnabas.broker.core.coordination.groups.group import Committer, GroupKind
from barnabas.broker.core.coordination.timeline import LATEST
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey

COMMIT_MS = 1_000


def test_topics_of_all_members() -> None:
    """Goal: the topics of the chosen protocol count as read, those of others do not (GRP-25)."""
    scene = Scene()
    a, b, other = subscription("t", "u"), subscription("v"), subscription("w")
    scene.join(version=3, protocols={"range": a, "sticky": other})
    scene.join(version=3, protocols={"range": b})
    scene.advance(6_000)
    group = scene.group()
    assert [group.is_subscribed(one) for one in "tuvw"] == [True, True, True, False]


@pytest.mark.parametrize("garbage", [b"", b"\x00", b"\x00\x01\x7f\xff\xff\xff", b"\xff\xff" * 9])
def test_unreadable_metadata(garbage: bytes) -> None:
    """Goal: bytes that are no subscription make the topics unknown, without an error: nothing is
    subscribed, nothing expires (GRP-25, OFF-30)."""
    scene = Scene()
    scene.stable(1, protocols={"range": garbage})
    assert not scene.group().is_subscribed("t")
    assert scene.group().expiry_starts_ms("t", COMMIT_MS) is None


def test_subscriptions_of_very_many_topics() -> None:
    """Goal: topics are all looked at in one turn, so a member that names more than a bound counts
    as one whose metadata cannot be read; up to the bound it is read (GRP-25, OFF-30)."""
    for count, is_read in ((TOPICS_MAX, True), (TOPICS_MAX + 1, False)):
        scene = Scene()
        scene.stable(1, protocols={"range": subscription(*["t"] * count)})
        assert scene.group().is_subscribed("t") is is_read
        assert (scene.group().expiry_starts_ms("u", COMMIT_MS) == COMMIT_MS) is is_read


def test_later_versions_of_subscriptions() -> None:
    """Goal: a version that we do not know is read as far as we know it (GRP-25)."""
    later = b"\x00\x63" + subscription("t")[2:] + b"and more"
    scene = Scene()
    scene.stable(1, protocols={"range": later})
    assert scene.group().is_subscribed("t")


def test_other_types_are_not_looked_into() -> None:
    """Goal: of groups of other types nobody knows what they read (GRP-25)."""
    scene = Scene()
    scene.stable(1, kind="connect", protocols={"range": subscription("t")})
    assert not scene.group().is_subscribed("t")


def test_subscription_of_a_static_member_that_came_back() -> None:
    """Goal: what it reads now is what counts, although nothing was rebalanced (GRP-25)."""
    scene = Scene()
    scene.stable(1, static=True)
    scene.join(instance="i0", protocols={"range": subscription("now")})
    assert [scene.group().is_subscribed(one) for one in ("t", "now")] == [False, True]


def test_simple_group() -> None:
    """Goal: a group for offsets alone has no type and no members, and anybody may join it
    (GRP-26)."""
    scene = Scene()
    group = scene.classic.simple_group("g")
    assert (group.kind, group.state_name_at(LATEST)) == (GroupKind.CLASSIC, "Empty")
    assert (group.protocol_type_at(LATEST), group.is_empty) == ("", True)
    assert scene.commit() == 0
    assert scene.stable(1, kind="connect")
    assert group.protocol_type_at(LATEST) == "connect"


def test_expiry_of_simple_groups() -> None:
    """Goal: offsets of a group without a type expire by their own time (OFF-30)."""
    assert Scene().classic.simple_group("g").expiry_starts_ms("t", COMMIT_MS) == COMMIT_MS


def test_expiry_of_empty_groups() -> None:
    """Goal: offsets of a group that is empty expire from when it became so (OFF-30)."""
    scene = Scene()
    (only,) = scene.stable()
    scene.leave(only)
    since = scene.clock.wall_ms()
    scene.advance(1_000_000)
    assert scene.group().expiry_starts_ms("t", COMMIT_MS) == since
    assert scene.restarted().group().expiry_starts_ms("t", COMMIT_MS) == since


def test_expiry_of_stable_groups() -> None:
    """Goal: offsets of topics that a stable group does not read expire by their own time, others
    do not (OFF-30)."""
    scene = Scene()
    scene.stable()
    group = scene.group()
    assert group.expiry_starts_ms("t", COMMIT_MS) is None
    assert group.expiry_starts_ms("other", COMMIT_MS) == COMMIT_MS


@pytest.mark.parametrize("kind", ["consumer", "connect"])
def test_nothing_expires_while_rebalancing(kind: str) -> None:
    """Goal: what a group reads is uncertain while it rebalances: nothing expires (OFF-30)."""
    scene = Scene()
    (leader,) = scene.stable(kind=kind)
    scene.join(version=3, kind=kind)
    assert scene.state() == "PreparingRebalance"
    assert scene.group().expiry_starts_ms("other", COMMIT_MS) is None
    scene.join(leader, kind=kind)
    assert scene.state() == "CompletingRebalance"
    assert scene.group().expiry_starts_ms("other", COMMIT_MS) is None


def test_nothing_expires_in_stable_groups_of_other_types() -> None:
    """Goal: nobody knows what they read (OFF-30)."""
    scene = Scene()
    scene.stable(kind="connect")
    assert scene.group().expiry_starts_ms("other", COMMIT_MS) is None


def deleted(scene: Scene) -> int:
    try:
        scene.group().check_delete()
    except KafkaError as error:
        return int(error.code)
    return 0


def test_delete() -> None:
    """Goal: only an empty group may be deleted, by one tombstone (OFF-21)."""
    scene = Scene()
    ids = scene.stable(2)
    assert deleted(scene) == ErrorCode.NON_EMPTY_GROUP
    scene.leave(ids[0])
    assert deleted(scene) == ErrorCode.NON_EMPTY_GROUP
    scene.leave(ids[1])
    assert deleted(scene) == 0
    (record,) = scene.group().tombstones()
    assert (record.key, record.value) == (GroupMetadataKey(group="g"), None)
    scene.classic.replay_group(GroupMetadataKey(group="g"), None, 9)
    assert scene.state() == ""


def test_offset_delete() -> None:
    """Goal: offsets may be deleted of empty groups, and of those whose topics are known
    (OFF-20)."""
    scene = Scene()
    scene.stable()
    scene.group().check_offset_delete()
    assert scene.group().is_subscribed("t")
    other = Scene()
    (only,) = other.stable(kind="connect")
    with pytest.raises(KafkaError) as caught:
        other.group().check_offset_delete()
    assert caught.value.code is ErrorCode.NON_EMPTY_GROUP
    other.leave(only)
    other.group().check_offset_delete()


def test_everybody_may_fetch_offsets() -> None:
    """Goal: a classic group asks no reader who it is (OFF-07)."""
    scene = Scene()
    scene.stable()
    scene.group().check_fetch(Committer("nobody", 7, "i", 9), LATEST)


def test_described_only_when_stable() -> None:
    """Goal: metadata, assignment and protocol are told of a stable group only (GRP-27)."""
    scene = Scene()
    leader, _ = scene.stable(2, protocols={"range": b"m"}, host="10.0.0.7")
    found = scene.described()
    assert (found.group_state, found.protocol_data) == ("Stable", "range")
    assert [one.member_metadata for one in found.members] == [b"m", b"m"]
    assert found.members[0].member_assignment == f"of {leader}".encode()
    assert found.members[0].client_host == "/10.0.0.7"
    scene.join(leader, protocols={"range": b"m"})
    found = scene.described()
    assert (found.group_state, found.protocol_data) == ("PreparingRebalance", "")
    assert [one.member_metadata for one in found.members] == [b"", b""]
    assert [one.member_assignment for one in found.members] == [b"", b""]


def test_described_as_committed() -> None:
    """Goal: a group that is not committed is not told of (CRT-09)."""
    scene = Scene()
    scene.shard.commits_at_once = False
    scene.join()
    assert scene.classic.describe("g", 0) is None
    scene.shard.commit()
    assert scene.classic.describe("g", scene.shard.committed) is not None
