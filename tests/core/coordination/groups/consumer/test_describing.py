"""What ConsumerGroupDescribe tells (848-24, 848-25)."""

from __future__ import annotations

from barnabas.broker.core.coordination.groups.consumer.describing import ROWS_AT_ONCE
from barnabas.broker.core.coordination.groups.consumer.group_records import member_record
from barnabas.broker.core.coordination.groups.consumer.member import Member

from .scene import CLIENT, GROUP, Consumer, Scene, refusal, settle

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
    group = scene.described()
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
    assert refusal(lambda: scene.described("other")) == GROUP_ID_NOT_FOUND


def test_a_topic_that_is_gone_is_not_described() -> None:
    """It has no name any more (848-24)."""
    scene = Scene()
    scene.topics.make("t", 2)
    Consumer(scene, "a", "t").join()
    scene.topics.remove("t")
    group = scene.described()
    assert not group.members[0].assignment.topic_partitions


def test_only_what_is_committed_is_described() -> None:
    """Neither a group nor a member that may yet be taken back (CRT-09, 848-24)."""
    scene = Scene()
    scene.topics.make("t", 2)
    scene.shard.commits_at_once = False
    one = Consumer(scene, "a", "t")
    one.join()
    assert refusal(scene.described) == GROUP_ID_NOT_FOUND
    scene.shard.commit()
    Consumer(scene, "b", "t").join()
    found = scene.described()
    assert [member.member_id for member in found.members] == ["a"]
    assert found.group_state == "Stable"


def test_a_large_group_is_described_in_steps() -> None:
    """A step has a bounded number of members and partitions, and what the group was when it was
    asked is told, whatever it does meanwhile (848-24)."""
    scene = Scene(group_consumer_assignment_interval_ms=0)
    scene.topics.make("t", ROWS_AT_ONCE // 10)
    members = [Consumer(scene, f"m{number:04}", "t") for number in range(ROWS_AT_ONCE * 2)]
    for one in members[:3]:
        one.join()
    settle(scene, *members[:3])
    for one in members[3:]:
        scene.groups.replay(member_record(GROUP, Member(one.member_id, CLIENT)))
    steps = scene.groups.describing(GROUP, scene.shard.committed)
    members[0].leave()
    turns = 0
    try:
        while True:
            assert next(steps) is None
            turns += 1
    except StopIteration as end:
        described = end.value
    assert turns == (ROWS_AT_ONCE * 2 + 2 * ROWS_AT_ONCE // 10) // ROWS_AT_ONCE
    assert [one.member_id for one in described.members] == [one.member_id for one in members]
    assert sum(len(one.assignment.topic_partitions) for one in described.members) == 3
