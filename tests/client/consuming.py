"""A consumer over fake brokers, and records whose values are their offsets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Unpack

from barnabas.client import Consumer, TopicPartition
from barnabas.client.options import ConsumerOptions
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from barnabas.protocol.record_builder import RecordBatchBuilder

from .fake_cluster import FakeCluster

T0, T1 = TopicPartition("t", 0), TopicPartition("t", 1)


@asynccontextmanager
async def consuming(
    cluster: FakeCluster, *assigned: TopicPartition, **options: Unpack[ConsumerOptions]
) -> AsyncIterator[Consumer]:
    merged: ConsumerOptions = {
        "retry_backoff_ms": 1,
        "reconnect_backoff_ms": 1,
        "auto_offset_reset": "earliest",
        **options,
        "bootstrap_servers": cluster.bootstrap,
    }
    async with Consumer(**merged) as consumer:
        if assigned:
            consumer.assign(assigned)
        yield consumer


def put(cluster: FakeCluster, count: int, where: TopicPartition = T0, per_batch: int = 10) -> None:
    """Append records whose values are their offsets."""
    partition = cluster.partition(*where)
    while count:
        size = min(per_batch, count)
        builder = RecordBatchBuilder()
        for number in range(size):
            builder.append(1, None, b"%d" % (partition.next_offset + number), ())
        partition.add(builder.build(), size)
        count -= size


async def read(consumer: Consumer, count: int) -> list[int]:
    """The offsets of the next `count` records; each value must say the same."""
    found: list[int] = []
    async with asyncio.timeout(10):
        while len(found) < count:
            batches = await consumer.getmany(timeout_ms=5000, max_records=count - len(found))
            for rows in batches.values():
                assert all(row.value == b"%d" % row.offset for row in rows)
                found += [row.offset for row in rows]
    return found


def refusal(cluster: FakeCluster, code: int) -> FetchResponse:
    topic = FetchableTopicResponse(
        topic="t",
        topic_id=cluster.topics["t"].topic_id,
        partitions=[PartitionData(partition_index=0, error_code=code, records=b"")],
    )
    return FetchResponse(session_id=9, responses=[topic])
