"""A whole node on a free port, and a client that sends requests by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kit.raw_client import RawClient

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.protocol.messages.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)


@asynccontextmanager
async def serving(directory: Path, **settings: Any) -> AsyncIterator[tuple[Node, RawClient]]:
    """A node and a connection to it; settings by field name."""
    settings.setdefault("listeners", ("PLAINTEXT://127.0.0.1:0",))
    settings.setdefault("offsets_topic_replication_factor", 1)
    settings.setdefault("offsets_topic_num_partitions", 4)
    settings.setdefault("transaction_state_log_replication_factor", 1)
    settings.setdefault("transaction_state_log_min_isr", 1)
    settings.setdefault("transaction_state_log_num_partitions", 4)
    config = replace(BrokerConfig(), log_dirs=(str(directory),), **settings)
    node = await Node.start(config)
    try:
        async with RawClient("127.0.0.1", node.port) as client:
            yield node, client
    finally:
        await node.stop()


async def create(client: RawClient, name: str, partitions: int = 1, **configs: str) -> bytes:
    """Create a topic over the wire; configs with _ for . in their names. Its id."""
    topic = CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=1,
        configs=[
            CreatableTopicConfig(name=key.replace("_", "."), value=value)
            for key, value in configs.items()
        ],
    )
    answer = await client.ask(CreateTopicsRequest(topics=[topic]), 7)
    assert answer.topics[0].error_code == 0, answer
    topic_id: bytes = answer.topics[0].topic_id
    return topic_id


def records_before(*rows: tuple[str, int, int]) -> DeleteRecordsRequest:
    return DeleteRecordsRequest(
        topics=[
            DeleteRecordsTopic(
                name=name, partitions=[DeleteRecordsPartition(partition_index=index, offset=offset)]
            )
            for name, index, offset in rows
        ]
    )
