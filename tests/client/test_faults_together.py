"""Goal: lost answers, broken connections, moving leaders and forgotten sessions, all at once, lose
nothing, store nothing twice and change no order.

A producer and a consumer work against three fake brokers while a script chosen by a seed does its
worst; `python -m pytest -k faults_together` repeats a seed that failed.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from barnabas.client import Consumer, Producer, TopicPartition
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

from .fake_cluster import Action, FakeCluster, FakeNode
from .producing import PARTITIONS, RECORDS, send_all, stored

RETRIABLE = [
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.REQUEST_TIMED_OUT,
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.KAFKA_STORAGE_ERROR,
]


class Mischief:
    """What goes wrong with one request in about five, until `limit` things went wrong."""

    def __init__(self, cluster: FakeCluster, seed: int) -> None:
        self.cluster = cluster
        self.randomness = random.Random(seed)
        self.left = 120

    def __call__(self, node: FakeNode, request: Any) -> Any:
        name = type(request).NAME.removesuffix("Request")
        if self.left == 0 or self.randomness.random() > 0.2:
            return None
        self.left -= 1
        if self.randomness.random() < 0.2:
            number = self.randomness.randrange(PARTITIONS)
            self.cluster.move("t", number, self.randomness.choice(list(self.cluster.nodes)))
        if name == "Fetch" and self.randomness.random() < 0.5:
            node.sessions.clear()
            return FetchResponse(error_code=int(ErrorCode.INVALID_FETCH_SESSION_EPOCH))
        if name == "Produce" and self.randomness.random() < 0.5:
            return refuse_all(request, self.randomness.choice(RETRIABLE))
        return self.randomness.choice([Action.DROP, Action.DROP_AFTER])


def refuse_all(request: Any, code: ErrorCode) -> ProduceResponse:
    return ProduceResponse(
        responses=[
            TopicProduceResponse(
                name=topic.name,
                partition_responses=[
                    PartitionProduceResponse(index=each.index, error_code=int(code))
                    for each in topic.partition_data
                ],
            )
            for topic in request.topic_data
        ]
    )


@pytest.mark.parametrize("seed", range(6))
async def test_nothing_lost_nothing_twice_in_order(seed: int) -> None:
    async with FakeCluster(nodes=3) as cluster:
        cluster.add_topic("t", PARTITIONS)
        options: dict[str, Any] = {
            "bootstrap_servers": cluster.bootstrap,
            "retry_backoff_ms": 1,
            "retry_backoff_max_ms": 10,
            "reconnect_backoff_ms": 1,
            "reconnect_backoff_max_ms": 5,
        }
        async with (
            Producer(batch_size=600, **options) as producer,
            Consumer(auto_offset_reset="earliest", fetch_max_wait_ms=20, **options) as consumer,
            asyncio.timeout(60),
        ):
            consumer.assign([TopicPartition("t", number) for number in range(PARTITIONS)])
            cluster.script = Mischief(cluster, seed)
            sending = asyncio.create_task(send_all(producer))
            found: dict[int, list[int]] = {number: [] for number in range(PARTITIONS)}
            for _ in range(RECORDS):
                record = await consumer.getone()
                found[record.partition].append(int(record.value or b""))
            await sending
        for number in range(PARTITIONS):
            expected = [n for n in range(RECORDS) if n % PARTITIONS == number]
            assert stored(cluster, number) == expected
            assert found[number] == expected
        assert cluster.script.left < 120
