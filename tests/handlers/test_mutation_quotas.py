"""Quotas of changes of topics: how many partitions may be created and deleted (KIP-599)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.raw_client import RawClient

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

from .nodes import serving
from .quotas import limit

EXCEEDED = ErrorCode.THROTTLING_QUOTA_EXCEEDED


async def create(
    client: RawClient, name: str, version: int, partitions: int = 7, *, validate: bool = False
) -> tuple[int, int]:
    """The topic's code, and the throttle time."""
    topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    answer = await client.ask(CreateTopicsRequest(topics=[topic], validate_only=validate), version)
    return answer.topics[0].error_code, answer.throttle_time_ms


async def test_the_third_waits(tmp_path: Path) -> None:
    """QTA-14, QTA-15: at one a second and seven partitions each, two topics pass."""
    async with serving(tmp_path) as (node, client):
        await limit(client, {"user": "ANONYMOUS"}, controller_mutation_rate=1)
        assert await create(client, "a", 7) == (0, 0)
        assert await create(client, "b", 6) == (0, 0)
        code, throttle_ms = await create(client, "c", 6)
        assert code == EXCEEDED
        assert 2000 < throttle_ms <= 3000
        assert "c" not in node.image.topics_by_name
        assert connections(node)[0].is_stopped  # of this client alone

        async with RawClient("127.0.0.1", node.port) as other:
            named = DeleteTopicsRequest(topics=[DeleteTopicState(name="a")])
            answer = await other.ask(named, 6)
            assert answer.responses[0].error_code == EXCEEDED
            assert 0 < answer.throttle_time_ms <= 3000
        async with RawClient("127.0.0.1", node.port) as other:
            more = CreatePartitionsRequest(topics=[CreatePartitionsTopic(name="a", count=8)])
            more.topics[0].assignments = None
            answer = await other.ask(more, 3)
            assert answer.results[0].error_code == EXCEEDED
            assert 0 < answer.throttle_time_ms <= 3000
        assert len(node.image.topics_by_name["a"].partitions) == 7


def connections(node: Any) -> list[Any]:
    assert node.broker is not None
    return list(node.broker.connections._all)


@pytest.mark.parametrize("version", [2, 5])
async def test_older_versions_are_throttled_only(tmp_path: Path, version: int) -> None:
    """QTA-15: they do not know the error, so the topic is created and the client waits."""
    async with serving(tmp_path) as (node, client):
        await limit(client, {"client-id": "raw"}, controller_mutation_rate=1)
        assert await create(client, "a", version) == (0, 0)
        code, throttle_ms = await create(client, "b", version)
        assert code == 0
        assert 2000 < throttle_ms <= 3000
        assert "b" in node.image.topics_by_name


async def test_validations_are_counted(tmp_path: Path) -> None:
    """QTA-15: also what would only be created; of a topic that cannot be, nothing is counted."""
    async with serving(tmp_path) as (_, client):
        await limit(client, {"user": None}, controller_mutation_rate=1)
        assert (await create(client, "not/a/name", 7))[0] == ErrorCode.INVALID_TOPIC_EXCEPTION
        assert await create(client, "a", 7, validate=True) == (0, 0)
        assert await create(client, "a", 7, validate=True) == (0, 0)
        assert (await create(client, "a", 7, validate=True))[0] == EXCEEDED


async def test_topics_made_on_demand_are_throttled_only(tmp_path: Path) -> None:
    """QTA-15: who asks for metadata of a missing topic gets it, and waits."""
    async with serving(tmp_path, num_partitions=20) as (_, client):
        await limit(client, {"user": "ANONYMOUS"}, controller_mutation_rate=1)
        wanted = MetadataRequest(topics=[MetadataRequestTopic(name="a")])
        answer = await client.ask(wanted, 9)
        assert answer.topics[0].error_code == 0
        assert answer.throttle_time_ms > 8000
