"""The broker's image: records applied in order, listeners told in slices, snapshots swapped in."""

from __future__ import annotations

import asyncio

from barnabas.broker.core.cluster.changes import Changes
from barnabas.broker.core.cluster.image import RESOURCE_TOPIC, ClusterImage
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.server.quorum.image_changes import changes_between
from barnabas.broker.server.quorum.publisher import PARTITIONS_PER_SLICE, ImagePublisher
from barnabas.protocol.message import Message
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.topic_record import TopicRecord


def topic(name: str, partitions: int = 1, leader: int = 1) -> list[Message]:
    topic_id = name.encode().ljust(16, b".")
    records: list[Message] = [TopicRecord(name=name, topic_id=topic_id)]
    records += [
        PartitionRecord(partition_id=index, topic_id=topic_id, replicas=[1], isr=[1], leader=leader)
        for index in range(partitions)
    ]
    return records


def config(name: str, value: str) -> Message:
    return ConfigRecord(
        resource_type=RESOURCE_TOPIC, resource_name=name, name="retention.ms", value=value
    )


def image_of(*records: Message) -> ClusterImage:
    image = ClusterImage("c")
    for offset, record in enumerate(records):
        image.apply(record, offset)
    image.take_changes()
    return image


class Told:
    """An image listener that remembers."""

    def __init__(self) -> None:
        self.parts: list[Changes] = []

    def __call__(self, image: ClusterImage, changes: Changes) -> None:
        assert isinstance(image, ClusterImage)
        self.parts.append(changes)


async def test_listeners_hear_slices_and_waiters_wait_for_the_last() -> None:
    """Goal: a change of many partitions stops nobody, and counts when all have acted."""
    publisher = ImagePublisher("c")
    told = Told()
    publisher.add_listener(told)
    records = topic("t", partitions=3 * PARTITIONS_PER_SLICE)
    last = len(records) - 1
    work = publisher.on_committed(0, 1, records, 5, last)
    assert work is not None
    waiter = asyncio.ensure_future(publisher.wait_until_applied(last))
    await asyncio.sleep(0)
    assert publisher.image.last_offset == last
    assert publisher.applied_offset == -1
    assert not waiter.done()
    await work
    await waiter
    assert len(told.parts) == 3
    assert publisher.applied_offset == last
    assert (publisher.image.last_epoch, publisher.append_wall_ms) == (1, 5)
    await publisher.wait_until_applied(3)


async def test_a_control_batch_is_passed_over() -> None:
    publisher = ImagePublisher("c")
    publisher.add_listener(Told())
    waiter = asyncio.ensure_future(publisher.wait_until_applied(2))
    await asyncio.sleep(0)
    assert publisher.on_committed(0, 1, [], 5, 2) is None
    await waiter
    assert (publisher.image.last_offset, publisher.image.last_epoch) == (2, 1)


async def test_a_snapshot_replaces_the_image_and_tells_the_difference() -> None:
    """630-14: what is not in the snapshot is gone, what is other is told."""
    publisher = ImagePublisher("c")
    told = Told()
    publisher.on_committed(0, 1, [*topic("gone"), *topic("kept")], 5, 3)
    publisher.add_listener(told)
    snapshot = [*topic("kept"), *topic("new", partitions=2), config("kept", "1")]
    work = publisher.on_snapshot(SnapshotId(50, 2), snapshot, 7)
    assert work is not None
    await work
    assert set(publisher.image.topics_by_name) == {"kept", "new"}
    assert publisher.image.cluster_id == "c"
    assert (publisher.applied_offset, publisher.image.last_epoch) == (49, 2)
    (part,) = told.parts
    assert [one.name for one in part.removed_topics.values()] == ["gone"]
    assert [key[:3] for key in part.partitions] == [b"new"]
    assert list(part.configs) == [(RESOURCE_TOPIC, "kept")]


def test_differences_of_images() -> None:
    broker = RegisterBrokerRecord(broker_id=1, broker_epoch=5, fenced=True)
    old = image_of(broker, *topic("a", 2), *topic("b"), config("a", "1"))
    same = image_of(broker, *topic("a", 2), *topic("b"), config("a", "1"))
    assert not changes_between(old, same)
    new = image_of(*topic("a", 3), *topic("b", leader=2))
    changes = changes_between(old, new)
    assert list(changes.brokers) == [1]
    assert list(changes.configs) == [(RESOURCE_TOPIC, "a")]
    assert {key[:1]: list(numbers) for key, numbers in changes.partitions.items()} == {
        b"a": [2],
        b"b": [0],
    }
    assert not changes.topics
    assert not changes.removed_topics
