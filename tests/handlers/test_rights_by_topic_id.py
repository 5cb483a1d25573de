"""Who may write to a topic that a request calls by its id (Produce 13, KIP-516)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.batches import batch
from kit.producing import produce
from kit.raw_client import RawClient

from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.describe_producers_request import (
    DescribeProducersRequest,
    TopicRequest,
)

from .nodes import create, serving

TOPIC, LITERAL, READ, WRITE, ALLOW, DENY = 2, 3, 3, 4, 3, 2
ANYBODY: Final = "User:ANONYMOUS"
SETTINGS: Final = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow_everyone_if_no_acl_found": True,
}


async def decree(client: RawClient, topic: str, operation: int, permission: int) -> None:
    """An entry about one topic and everybody who is not authenticated."""
    entry = AclCreation(
        resource_type=TOPIC,
        resource_name=topic,
        resource_pattern_type=LITERAL,
        principal=ANYBODY,
        host="*",
        operation=operation,
        permission_type=permission,
    )
    answer = await client.ask(CreateAclsRequest(creations=[entry]), 3)
    assert answer.results[0].error_code == 0


@pytest.mark.parametrize("version", [12, 13])
async def test_rights_are_those_of_the_name(tmp_path: Path, version: int) -> None:
    """ACL-18: 29 whichever way the topic is called, on either path, alone or among others; an
    unknown id is 100 to everybody."""
    async with serving(tmp_path, **SETTINGS) as (node, client):
        ids = {name: await create(client, name) for name in ("mine", "theirs")}
        before = node.broker.metrics.produce_requests

        async def codes(*names: str) -> list[int]:
            request = produce(None)
            request.topic_data = [
                produce(batch(b"v"), topic=ids[name] if version >= 13 else name).topic_data[0]
                for name in names
            ]
            answer = await client.ask(request, version)
            return [row.partition_responses[0].error_code for row in answer.responses]

        assert await codes("mine") == [0]
        assert await codes("theirs") == [0]
        assert node.broker.metrics.produce_requests == before + 2, "on the hot path"
        await decree(client, "theirs", WRITE, DENY)
        assert await codes("theirs") == [29]
        assert await codes("mine") == [0]
        assert await codes("mine", "theirs") == [0, 29]
        partition = node.broker.replicas.get("theirs", 0)
        assert partition is not None
        assert partition.log.log_end_offset == 1
        ids["mine"] = b"\7" * 16
        assert await codes("mine") == ([100] if version >= 13 else [0])


async def test_producers_are_described_to_readers(tmp_path: Path) -> None:
    """ACL-18: 29 without the right to read the topic."""
    async with serving(tmp_path, **SETTINGS) as (_, client):
        await create(client, "t")
        await decree(client, "t", READ, DENY)
        topics = [TopicRequest(name="t", partition_indexes=[0])]
        answer = await client.ask(DescribeProducersRequest(topics=topics), 0)
        (row,) = answer.topics[0].partitions
        assert (row.error_code, row.active_producers) == (29, [])
