"""Real brokers for the tests of the client: a node on the test's loop, and how to ask any broker.

Apache Kafka's controller answers before its broker has heard, so nothing that a controller changed
is asked for once: `eventually` asks until the answer is the one wanted.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kit.waiting import eventually

from barnabas.client import Admin, NewTopic
from barnabas.client.errors import UnknownTopicOrPartitionError

if TYPE_CHECKING:
    from barnabas.broker.node import Node


async def start_node(directory: Path, port: int = 0) -> Node:
    """A node over a directory, on the loop of the test."""
    # Here, so that the tests over fake brokers load no broker.
    from barnabas.broker.core.config.broker import BrokerConfig
    from barnabas.broker.node import Node

    config = replace(
        BrokerConfig(),
        log_dirs=(str(directory),),
        listeners=(f"PLAINTEXT://127.0.0.1:{port}",),
        logging_level="error",
    )
    return await Node.start(config)


async def create(address: str, topic: str, partitions: int = 1, **configs: str) -> None:
    """Make a topic, its settings written with `_` for `.`; it is known to the broker after this."""
    async with Admin(bootstrap_servers=address) as admin:
        settings = {name.replace("_", "."): value for name, value in configs.items()}
        await admin.create_topics([NewTopic(topic, partitions, 1, topic_configs=settings)])
        await eventually(lambda: partitions_of(admin, topic), lambda count: count == partitions)


async def partitions_of(admin: Admin, topic: str) -> int:
    """How many partitions the broker says that a topic has: 0 when it knows none of that name."""
    try:
        return len((await admin.describe_topics([topic]))[topic].partitions)
    except UnknownTopicOrPartitionError:
        return 0
