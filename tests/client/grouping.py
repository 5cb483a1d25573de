"""Consumers of one group over fake brokers, made to heartbeat fast; and a listener that notes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Unpack

from barnabas.client import Consumer, ConsumerRecord, TopicPartition
from barnabas.client.options import ConsumerOptions

from .consuming import put
from .fake_cluster import FakeCluster
from .fake_groups import FakeGroups


class Noted:
    """A rebalance listener that writes down what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, set[int]]] = []

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        self.calls.append(("revoked", {each.partition for each in revoked}))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        self.calls.append(("assigned", {each.partition for each in assigned}))

    async def on_partitions_lost(self, lost: set[TopicPartition]) -> None:
        self.calls.append(("lost", {each.partition for each in lost}))


@asynccontextmanager
async def grouping(
    cluster: FakeCluster, *topics: str, **options: Unpack[ConsumerOptions]
) -> AsyncIterator[Consumer]:
    merged: ConsumerOptions = {
        "retry_backoff_ms": 1,
        "reconnect_backoff_ms": 1,
        "auto_offset_reset": "earliest",
        "heartbeat_interval_ms": 10,
        "session_timeout_ms": 5_000,
        "group_id": "g",
        "enable_auto_commit": False,
        "close_timeout_ms": 2_000,
        **options,
        "bootstrap_servers": cluster.bootstrap,
    }
    async with Consumer(*topics, **merged) as consumer:
        yield consumer


@asynccontextmanager
async def topic_of(
    partitions: int, records: int = 10, nodes: int = 1
) -> AsyncIterator[tuple[FakeCluster, FakeGroups]]:
    """A cluster with a coordinator and a topic `t`, as many records in each partition."""
    async with FakeCluster(nodes) as cluster:
        cluster.add_topic("t", partitions)
        for number in range(partitions):
            put(cluster, records, TopicPartition("t", number))
        yield cluster, FakeGroups(cluster)


async def becomes(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; fails after ten seconds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - members tell nobody of their steps
            await asyncio.sleep(0.002)


def numbers(consumer: Consumer) -> list[int]:
    """The partitions that a consumer has."""
    return sorted(each.partition for each in consumer.assignment())


async def take(consumer: Consumer, count: int) -> list[ConsumerRecord]:
    """The next `count` records."""
    found: list[ConsumerRecord] = []
    async with asyncio.timeout(10):
        while len(found) < count:
            batches = await consumer.getmany(timeout_ms=5000, max_records=count - len(found))
            found += [row for rows in batches.values() for row in rows]
    return found


async def reading(consumer: Consumer) -> None:
    """Read for ever."""
    async for _ in consumer:
        pass
