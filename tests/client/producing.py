"""Producers over fake brokers, and what these have stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Unpack

from barnabas.client import Producer
from barnabas.client.options import ProducerOptions
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from barnabas.protocol.records import decode_batch

from .fake_cluster import FakeCluster

FAST: ProducerOptions = {"retry_backoff_ms": 1, "reconnect_backoff_ms": 1}
PARTITIONS = 4
RECORDS = 3000


@asynccontextmanager
async def producing(
    cluster: FakeCluster, **options: Unpack[ProducerOptions]
) -> AsyncIterator[Producer]:
    merged: ProducerOptions = {**FAST, **options, "bootstrap_servers": cluster.bootstrap}
    async with Producer(**merged) as producer:
        yield producer


def values(cluster: FakeCluster, topic: str = "t", number: int = 0) -> list[bytes | None]:
    return [
        record.value
        for _, _, data in cluster.partition(topic, number).batches
        for record in decode_batch(data, 0)
    ]


def refusal(code: int, **fields: Any) -> ProduceResponse:
    answer = PartitionProduceResponse(index=0, error_code=code, **fields)
    return ProduceResponse(responses=[TopicProduceResponse(name="t", partition_responses=[answer])])


def stored(cluster: FakeCluster, number: int) -> list[int]:
    return [
        int(record.value or b"")
        for _, _, data in cluster.partition("t", number).batches
        for record in decode_batch(data, 0)
    ]


async def send_all(producer: Producer) -> None:
    futures = []
    for number in range(RECORDS):
        futures.append(await producer.send("t", b"%d" % number, partition=number % PARTITIONS))
        if number % 50 == 0:
            await asyncio.sleep(0)
    offsets = [each.offset for each in await asyncio.gather(*futures)]
    for first in range(PARTITIONS):
        assert offsets[first::PARTITIONS] == list(range(RECORDS // PARTITIONS))
