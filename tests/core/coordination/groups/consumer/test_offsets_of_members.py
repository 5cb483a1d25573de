"""Who may commit, read and remove offsets of a consumer group (OFF-04, OFF-07, OFF-20, OFF-30)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.coordination.groups.group import Committer, GroupKind

from .scene import Consumer, Scene, refusal, settle

STALE_MEMBER_EPOCH = 113
UNKNOWN_MEMBER_ID = 25
UNSUPPORTED_VERSION = 35


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("t", 4)
    return scene


def commit(
    scene: Scene, member_id: str, epoch: int, *partitions: int, version: int = 9, txn: bool = False
) -> int:
    committer = Committer(member_id, epoch, None, version, txn)
    rows = [("t", partition) for partition in partitions]
    return refusal(lambda: scene.group.check_commit(committer, rows))


def fetch(scene: Scene, member_id: str, epoch: int) -> int:
    committer = Committer(member_id, epoch, None, 9)
    return refusal(lambda: scene.group.check_fetch(committer, scene.shard.committed))


def test_a_member_commits_with_its_epoch(scene: Scene) -> None:
    """The present epoch is good, a later one never, and old versions know no epochs (OFF-04)."""
    one = Consumer(scene, "a", "t")
    one.join()
    assert commit(scene, "a", 2, 0) == 0
    assert commit(scene, "a", 3, 0) == STALE_MEMBER_EPOCH
    assert commit(scene, "a", 2, 0, version=8) == UNSUPPORTED_VERSION
    assert commit(scene, "a", 2, 0, version=0, txn=True) == 0
    assert commit(scene, "b", 2, 0) == UNKNOWN_MEMBER_ID
    assert commit(scene, "", -1, 0) == UNKNOWN_MEMBER_ID
    assert commit(scene, "", -1, 0, txn=True) == 0


def test_an_old_epoch_is_good_for_what_the_member_had_then(scene: Scene) -> None:
    """As long as it has the partition, or has yet to give it up; else the whole request is
    refused (OFF-04, KIP-1251)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two)
    assert one.epoch == 3
    kept, moved = one.numbers, two.numbers
    assert commit(scene, "a", 2, *kept) == 0
    assert commit(scene, "a", 2, kept[0], moved[0]) == STALE_MEMBER_EPOCH
    assert commit(scene, "a", 1, kept[0]) == STALE_MEMBER_EPOCH
    assert commit(scene, "b", 2, moved[0]) == STALE_MEMBER_EPOCH
    assert commit(scene, "b", 3, moved[0]) == 0
    committer = Committer("a", 2, None, 9)
    assert refusal(lambda: scene.group.check_commit(committer, [("gone", 0)])) == STALE_MEMBER_EPOCH


def test_partitions_to_be_given_up_may_be_committed(scene: Scene) -> None:
    """A client commits before it gives up (OFF-04, 848-17)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    one.gives_up = False
    scene.wait(1000)
    two.beat()
    one.beat()
    assert scene.group.state.current("a").revoking
    assert commit(scene, "a", 2, 0, 1, 2, 3) == 0


def test_anybody_commits_to_an_empty_group(scene: Scene) -> None:
    """An admin client resets offsets of a group without members (OFF-04)."""
    one = Consumer(scene, "a", "t")
    one.join()
    one.leave()
    assert commit(scene, "", -1, 0, version=8) == 0
    assert commit(scene, "a", 2, 0) == UNKNOWN_MEMBER_ID


def test_a_member_reads_with_its_epoch(scene: Scene) -> None:
    """Unknown 25, another epoch 113, by what is committed (OFF-07)."""
    one = Consumer(scene, "a", "t")
    scene.shard.commits_at_once = False
    one.join()
    assert fetch(scene, "a", 2) == UNKNOWN_MEMBER_ID
    scene.shard.commit()
    assert fetch(scene, "a", 2) == 0
    assert fetch(scene, "a", 1) == STALE_MEMBER_EPOCH
    assert fetch(scene, "a", 3) == STALE_MEMBER_EPOCH
    assert fetch(scene, "", -1) == UNKNOWN_MEMBER_ID


def test_subscribed_offsets_stay(scene: Scene) -> None:
    """Offsets of topics that nobody subscribes to expire from their commit on (OFF-20, OFF-30)."""
    one = Consumer(scene, "a", "t")
    one.join()
    assert scene.group.is_subscribed("t")
    assert scene.group.expiry_starts_ms("t", 77) is None
    assert scene.group.expiry_starts_ms("u", 77) == 77
    scene.group.check_offset_delete()
    one.leave()
    assert scene.group.expiry_starts_ms("t", 77) == 77


def test_what_lists_of_groups_tell(scene: Scene) -> None:
    """Kind, protocol type and state (848-24, 848-25)."""
    one = Consumer(scene, "a", "t")
    one.join()
    group = scene.group
    assert (group.group_id, group.kind) == ("g", GroupKind.CONSUMER)
    assert group.protocol_type_at(scene.shard.committed) == "consumer"
    assert group.state_name_at(scene.shard.committed) == "Stable"
    scene.shard.commits_at_once = False
    one.leave()
    assert group.state_name_at(scene.shard.committed) == "Stable"
    scene.shard.commit()
    assert group.state_name_at(scene.shard.committed) == "Empty"
