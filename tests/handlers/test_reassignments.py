"""AlterPartitionReassignments and ListPartitionReassignments (KIP-455)."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from barnabas.protocol.messages.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)

from .controller.asking import Asking
from .nodes import create, serving


def alter(topic: str, **moves: list[int] | None) -> AlterPartitionReassignmentsRequest:
    """Partitions as p0=[1, 2]; None ends a move."""
    partitions = [
        ReassignablePartition(partition_index=int(name[1:]), replicas=replicas)
        for name, replicas in moves.items()
    ]
    return AlterPartitionReassignmentsRequest(
        topics=[ReassignableTopic(name=topic, partitions=partitions)]
    )


async def test_a_node_answers_reassignments(tmp_path: Path) -> None:
    """A single broker has nowhere to move anything."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        answer = await client.ask(alter("t", p0=[1], p7=[1]), 1)
        assert answer.error_code == 0
        codes = [one.error_code for one in answer.responses[0].partitions]
        assert codes == [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
        answer = await client.ask(alter("t", p0=[2]), 0)
        (refused,) = answer.responses[0].partitions
        assert refused.error_code == ErrorCode.INVALID_REPLICA_ASSIGNMENT
        assert "no such broker is registered" in refused.error_message
        listed = await client.ask(ListPartitionReassignmentsRequest(topics=None), 0)
        assert (listed.error_code, listed.topics) == (0, [])


@pytest.mark.parametrize("version", [0, 1])
async def test_a_move_begins_is_listed_and_ended(version: int) -> None:
    """KIP-455: adding and removing replicas are told while it is under way."""
    asking = Asking(4)
    asking.cluster.create("t", assignments=((0, (1, 2)), (1, (1, 2))))
    answer = await asking.ask(alter("t", p0=[3, 1], p1=None), version)
    assert [one.error_code for one in answer.responses[0].partitions] == [
        0,
        ErrorCode.NO_REASSIGNMENT_IN_PROGRESS,
    ]
    for topics in (
        None,
        [ListPartitionReassignmentsTopics(name="t", partition_indexes=[0, 1, 9])],
    ):
        listed = await asking.ask(ListPartitionReassignmentsRequest(topics=topics), 0)
        (topic,) = listed.topics
        (one,) = topic.partitions
        assert (topic.name, one.partition_index, one.replicas) == ("t", 0, [3, 1, 2])
        assert (one.adding_replicas, one.removing_replicas) == ([3], [2])
    await asking.ask(alter("t", p0=None), version)
    listed = await asking.ask(ListPartitionReassignmentsRequest(topics=None), 0)
    assert listed.topics == []
    assert asking.cluster.partition().replicas == (1, 2)


async def test_another_replication_factor_can_be_forbidden() -> None:
    """From version 1 on; version 0 has no word for it and means that any will do."""
    asking = Asking(3)
    asking.cluster.create("t", assignments=((0, (1, 2)),))
    request = alter("t", p0=[1, 2, 3])
    request.allow_replication_factor_change = False
    answer = await asking.ask(request, 1)
    (refused,) = answer.responses[0].partitions
    assert refused.error_code == ErrorCode.INVALID_REPLICATION_FACTOR
    assert answer.allow_replication_factor_change is False
    answer = await asking.ask(alter("t", p0=[1, 2, 3]), 0)
    assert answer.responses[0].partitions[0].error_code == 0
