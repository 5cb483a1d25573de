"""What ConsumerGroupDescribe tells (848-24, 848-25)."""

from __future__ import annotations

from .scene import GROUP, Consumer, Scene, settle

GROUP_ID_NOT_FOUND = 69


def test_a_described_group() -> None:
    """Members with what they have, what they shall have, and how they subscribe (848-24)."""
    scene = Scene()
    scene.topics.make("t", 2)
    one = Consumer(scene, "a", "t", pattern="t.*", instance_id="i")
    two = Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two)
    found = scene.groups.describe([GROUP, "other"], scene.shard.committed)
    group, other = found
    assert (group.error_code, group.group_id, group.group_state) == (0, GROUP, "Stable")
    assert group.group_epoch == group.assignment_epoch == scene.epoch
    assert group.assignor_name == "uniform"
    member = group.members[0]
    assert (member.member_id, member.instance_id, member.rack_id) == ("a", "i", None)
    assert (member.client_id, member.client_host) == ("client", "/127.0.0.1")
    assert (member.subscribed_topic_names, member.subscribed_topic_regex) == (["t"], "t.*")
    assert member.member_epoch == one.epoch
    assert member.member_type == 1
    assert member.assignment == member.target_assignment
    assert member.assignment.topic_partitions[0].topic_name == "t"
    assert member.assignment.topic_partitions[0].partitions == one.numbers
    assert (other.error_code, other.group_id) == (GROUP_ID_NOT_FOUND, "other")


def test_a_topic_that_is_gone_is_not_described() -> None:
    """It has no name any more (848-24)."""
    scene = Scene()
    scene.topics.make("t", 2)
    Consumer(scene, "a", "t").join()
    scene.topics.remove("t")
    group = scene.groups.describe([GROUP], scene.shard.committed)[0]
    assert not group.members[0].assignment.topic_partitions


def test_only_what_is_committed_is_described() -> None:
    """Neither a group nor a member that may yet be taken back (CRT-09, 848-24)."""
    scene = Scene()
    scene.topics.make("t", 2)
    scene.shard.commits_at_once = False
    one = Consumer(scene, "a", "t")
    one.join()
    found = scene.groups.describe([GROUP], scene.shard.committed)[0]
    assert found.error_code == GROUP_ID_NOT_FOUND
    scene.shard.commit()
    Consumer(scene, "b", "t").join()
    found = scene.groups.describe([GROUP], scene.shard.committed)[0]
    assert [member.member_id for member in found.members] == ["a"]
    assert found.group_state == "Stable"
