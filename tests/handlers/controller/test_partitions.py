"""AlterPartition and AssignReplicasToDirs on the controllers' listener."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import assign_replicas_to_dirs_request as directories
from barnabas.protocol.messages.alter_partition_request import (
    AlterPartitionRequest,
    BrokerState,
    PartitionData,
    TopicData,
)

from .asking import Asking


def proposal(asking: Asking, topic_id: bytes, *isr: int, **fields: Any) -> AlterPartitionRequest:
    """Broker 1 proposes for two partitions, of which the second does not exist."""
    cluster = asking.cluster
    now = cluster.partition()
    made = [
        PartitionData(
            partition_index=number,
            leader_epoch=now.leader_epoch,
            partition_epoch=now.partition_epoch,
            new_isr=list(isr),
            new_isr_with_epochs=[
                BrokerState(broker_id=one, broker_epoch=cluster.epoch(one)) for one in isr
            ],
            **fields,
        )
        for number in (0, 9)
    ]
    return AlterPartitionRequest(
        broker_id=1,
        broker_epoch=cluster.epoch(1),
        topics=[TopicData(topic_id=topic_id, partitions=made)],
    )


def for_version(request: AlterPartitionRequest, version: int) -> AlterPartitionRequest:
    for topic in request.topics:
        for partition in topic.partitions:
            if version < 3:
                partition.new_isr_with_epochs = []
            else:
                partition.new_isr = []
    return request


@pytest.mark.parametrize("version", [2, 3])
async def test_an_isr_is_proposed_and_answered(version: int) -> None:
    """497-01: each partition has its own answer, with the state after."""
    asking = Asking(3)
    topic_id = asking.cluster.create("t", assignments=((0, (1, 2, 3)),))
    answer = await asking.ask(for_version(proposal(asking, topic_id, 1, 3), version), version)
    (topic,) = answer.topics
    taken, unknown = topic.partitions
    assert (answer.error_code, topic.topic_id, taken.error_code) == (0, topic_id, 0)
    assert (taken.leader_id, taken.leader_epoch, taken.isr, taken.partition_epoch) == (
        1,
        0,
        [1, 3],
        1,
    )
    assert unknown.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert asking.cluster.partition().isr == (1, 3)


async def test_an_old_broker_epoch_of_a_member_is_seen_from_version_3() -> None:
    """903-01: version 2 tells none, so that it cannot be judged."""
    asking = Asking(2)
    topic_id = asking.cluster.create("t", assignments=((0, (1, 2)),))
    for version, code in ((3, ErrorCode.INELIGIBLE_REPLICA), (2, ErrorCode.NONE)):
        request = proposal(asking, topic_id, 1, 2)
        for partition in request.topics[0].partitions:
            partition.new_isr_with_epochs[1].broker_epoch -= 1
        answer = await asking.ask(for_version(request, version), version)
        assert answer.topics[0].partitions[0].error_code == code


async def test_the_sender_must_be_registered() -> None:
    """497-01: a stale broker epoch is an error of the whole answer (77)."""
    asking = Asking(1)
    topic_id = asking.cluster.create("t")
    request = for_version(proposal(asking, topic_id, 1), 3)
    request.broker_epoch -= 1
    answer = await asking.ask(request, 3)
    assert (answer.error_code, answer.topics) == (ErrorCode.STALE_BROKER_EPOCH, [])


async def test_a_leadership_is_given_away() -> None:
    """C3: the private tagged field arrives; NEW_LEADER_ELECTED (108) is the answer."""
    asking = Asking(2)
    topic_id = asking.cluster.create("t", assignments=((0, (1, 2)),))
    request = proposal(asking, topic_id, 2, 1, relinquish_leadership=True)
    answer = await asking.ask(for_version(request, 3), 3)
    assert answer.topics[0].partitions[0].error_code == ErrorCode.NEW_LEADER_ELECTED
    now = asking.cluster.partition()
    assert (now.leader, now.isr, now.leader_epoch) == (2, (2, 1), 1)


async def test_replicas_are_assigned_to_directories() -> None:
    """KIP-858: each partition of each directory has its own code."""
    asking = Asking(1)
    topic_id = asking.cluster.create("t", num_partitions=2)
    where = asking.cluster.image.brokers[1].log_dirs[0]

    def topic(*numbers: int) -> directories.TopicData:
        made = [directories.PartitionData(partition_index=number) for number in numbers]
        return directories.TopicData(topic_id=topic_id, partitions=made)

    request = directories.AssignReplicasToDirsRequest(
        broker_id=1,
        broker_epoch=asking.cluster.epoch(1),
        directories=[
            directories.DirectoryData(id=where, topics=[topic(0)]),
            directories.DirectoryData(id=b"x" * 16, topics=[topic(1, 7)]),
        ],
    )
    answer = await asking.ask(request, 0)
    codes = [
        [one.error_code for topic in each.topics for one in topic.partitions]
        for each in answer.directories
    ]
    assert codes == [[0], [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]]
    assert [one.id for one in answer.directories] == [where, b"x" * 16]
    assert asking.cluster.partition("t", 1).directories == (b"x" * 16,)
    assert asking.cluster.partition("t", 1).leader == -1, "it has no such directory"
