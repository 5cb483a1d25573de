"""One request that names very many things: it is refused, or others have their turns meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.serving.handler import COUNT_MAX
from barnabas.protocol.message import Message
from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
)
from barnabas.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

from .nodes import serving

TOO_MANY = COUNT_MAX + 1
SLICES = 20


def names(count: int) -> list[str]:
    return [f"x{number}" for number in range(count)]


def quotas() -> Message:
    entity = [EntityData(entity_type="user", entity_name="u")]
    return AlterClientQuotasRequest(entries=[EntryData(entity=entity, ops=[])] * TOO_MANY)


def reassignments() -> Message:
    rows = [ReassignablePartition(partition_index=number) for number in range(TOO_MANY)]
    return AlterPartitionReassignmentsRequest(topics=[ReassignableTopic(name="t", partitions=rows)])


def more_partitions() -> Message:
    topics = [
        CreatePartitionsTopic(name=name, count=2, assignments=None) for name in names(TOO_MANY)
    ]
    return CreatePartitionsRequest(topics=topics)


def topics() -> Message:
    return CreateTopicsRequest(
        topics=[
            CreatableTopic(name=name, num_partitions=1, replication_factor=1)
            for name in names(TOO_MANY)
        ]
    )


def settings() -> Message:
    one = AlterConfigsResource(
        resource_type=2,
        resource_name="t",
        configs=[AlterableConfig(name=name, value="1") for name in names(TOO_MANY)],
    )
    return IncrementalAlterConfigsRequest(resources=[one])


def elections() -> Message:
    rows = [TopicPartitions(topic="t", partitions=list(range(TOO_MANY)))]
    return ElectLeadersRequest(topic_partitions=rows)


@pytest.mark.parametrize(
    ("asked", "version", "rows"),
    [
        (topics(), 7, lambda answer: answer.topics),
        (more_partitions(), 3, lambda answer: answer.results),
        (DeleteTopicsRequest(topic_names=names(TOO_MANY)), 5, lambda answer: answer.responses),
        (elections(), 2, lambda answer: [answer]),
        (reassignments(), 0, lambda answer: [answer]),
        (settings(), 1, lambda answer: answer.responses),
        (quotas(), 1, lambda answer: answer.entries),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Message) else "",
)
async def test_decided_in_one_step(
    tmp_path: Path, asked: Message, version: int, rows: Callable[[Any], list[Any]]
) -> None:
    """Goal: 44 (POLICY_VIOLATION), as by Kafka, before anybody has worked on it."""
    async with serving(tmp_path) as (node, client):
        before = node.image.last_offset
        told = rows(await client.ask(asked, version))
        assert {row.error_code for row in told} == {44}
        messages = {row.error_message for row in told if hasattr(row, "error_message")}
        assert all(f"may name {COUNT_MAX} things" in message for message in messages)
        assert node.image.last_offset == before


async def test_as_many_as_may_be(tmp_path: Path) -> None:
    """Goal: the limit itself is allowed."""
    async with serving(tmp_path) as (_, client):
        answer = await client.ask(DeleteTopicsRequest(topic_names=names(COUNT_MAX)), 5)
        assert {row.error_code for row in answer.responses} == {3}
