"""Logs that were compacted while they are read, and logs that Kafka wrote (CRT-16, REC-02)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.coordination.groups.consumer.group_records import (
    current_record,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    old_metadata_tombstone,
    target_record,
)
from barnabas.broker.core.coordination.groups.consumer.member import Client, Current, Member
from barnabas.broker.core.coordination.machine import Record
from barnabas.protocol.coordinator_records import encode_key
from barnabas.protocol.messages.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_partition_metadata_value import (
    ConsumerGroupPartitionMetadataValue,
)

from .scene import GROUP, Consumer, Scene, settle, through_bytes

TOPIC = (1).to_bytes(16, "big")


def replay(scene: Scene, *records: Record) -> None:
    for record in records:
        scene.machine.replay(through_bytes(record), len(scene.shard.log), None)
        scene.shard.log.append(record)
    scene.shard.commit()


def scene_with_topic() -> Scene:
    scene = Scene()
    scene.topics.make("t", 4)
    return scene


def test_ends_of_what_never_was() -> None:
    """Tombstones for groups and members that nobody knows change nothing (CRT-16)."""
    scene = scene_with_topic()
    replay(scene, *member_tombstones(GROUP, "a"), *group_tombstones(GROUP, ["a"], ["x.*"]))
    assert GROUP not in scene.around.groups
    Consumer(scene, "b", "t").join()
    replay(scene, *member_tombstones(GROUP, "a"))
    assert list(scene.group.state.members) == ["b"]


def test_members_without_their_group() -> None:
    """A member's records make the group; its epoch comes when its record does (CRT-16)."""
    scene = scene_with_topic()
    replay(scene, current_record(GROUP, "a", Current(epoch=5, assigned={(TOPIC, 0): 5})))
    assert scene.group.is_empty
    replay(scene, member_record(GROUP, Member("a", Client("c", "/h"))), epoch_record(GROUP, 5, 0))
    assert scene.epoch == 5
    assert scene.group.state.owner_of((TOPIC, 0)) == "a"


def test_a_partition_of_two_members_in_the_middle_of_the_log() -> None:
    """The last record of each member decides whose it is (CRT-16, 848-18)."""
    one, two = Client("c", "/h"), Client("d", "/h")
    has, has_not = Current(epoch=5, assigned={(TOPIC, 0): 5}), Current(epoch=6)
    scene = scene_with_topic()
    replay(
        scene,
        member_record(GROUP, Member("a", one)),
        member_record(GROUP, Member("b", two)),
        current_record(GROUP, "a", has),
        current_record(GROUP, "b", has),  # `a` gave it up in a record that is compacted away
        current_record(GROUP, "a", has_not),
    )
    assert scene.group.state.owner_of((TOPIC, 0)) == "b"
    replay(scene, current_record(GROUP, "b", has_not), current_record(GROUP, "a", has))
    assert scene.group.state.owner_of((TOPIC, 0)) == "a"


def test_what_a_stranger_has_is_free() -> None:
    """An assignment without its member holds nothing back for ever (CRT-16)."""
    scene = scene_with_topic()
    replay(
        scene,
        current_record(GROUP, "ghost", Current(epoch=1, assigned={(TOPIC, 0): 1})),
        target_record(GROUP, "ghost", frozenset({(TOPIC, 0)})),
    )
    one = Consumer(scene, "a", "t")
    one.join()
    assert one.numbers == [0, 1, 2, 3]


def test_an_assignment_without_epochs_has_those_of_its_member() -> None:
    """Kafka before 4.3 wrote none (OFF-04)."""
    scene = scene_with_topic()
    value = ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=7,
        previous_member_epoch=6,
        state=9,
        assigned_partitions=[TopicPartitions(topic_id=TOPIC, partitions=[0, 1])],
    )
    record = current_record(GROUP, "a", Current())
    replay(scene, member_record(GROUP, Member("a", Client("c", "/h"))), Record(record.key, value))
    assert scene.group.state.current("a").assigned == {(TOPIC, 0): 7, (TOPIC, 1): 7}


def test_the_old_record_of_a_group_goes_with_its_next_epoch() -> None:
    """What Kafka 4.0 wrote of a group's topics is taken back once (REC-02)."""
    scene = scene_with_topic()
    old = old_metadata_tombstone(GROUP)
    replay(scene, Record(old.key, ConsumerGroupPartitionMetadataValue()))
    start = len(scene.shard.log)
    one = Consumer(scene, "a", "t")
    one.join()
    assert scene.keys_since(start) == [5, -4, 3, 7, 6, 8]
    start = len(scene.shard.log)
    one.leave()
    assert scene.keys_since(start) == [-8, -7, -5, 3]
    replay(scene, old)


@given(st.integers(0, 40), st.integers(0, 40), st.booleans())
def test_any_part_of_a_log_may_be_compacted(first: int, length: int, keeps_ends: bool) -> None:
    """A stretch that is cleaned, in a log that goes on, leads to the same state (CRT-16)."""
    scene = scene_with_topic()
    one, two = Consumer(scene, "a", "t", instance_id="i"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two, rounds=3)
    one.leave(-2)
    back = Consumer(scene, "c", "t", instance_id="i")
    back.join()
    settle(scene, back, two, rounds=3)
    two.leave()
    settle(scene, back, rounds=3)
    before = scene.described()
    log = scene.shard.log
    last = {encode_key(record.key): number for number, record in enumerate(log)}
    cleaned = [
        record
        for number, record in enumerate(log)
        if not first <= number < first + length
        or (last[encode_key(record.key)] == number and (keeps_ends or record.value is not None))
    ]
    if not keeps_ends:
        # An end may only go when nothing before it is left of its key.
        gone = {encode_key(record.key) for record in log if record not in cleaned}
        ended = {key for key in gone if log[last[key]].value is None}
        cleaned = [record for record in cleaned if encode_key(record.key) not in ended]
    scene.shard.log = cleaned
    scene.shard.committed = len(cleaned)
    scene.reload()
    assert scene.described() == before
    partitions = {one for one in back.owned if scene.group.state.owner_of(one) == "c"}
    assert len(partitions) == 4
