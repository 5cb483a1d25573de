"""Goal: what is handed over is sent, when the client may send it; what is not, is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from barnabas.client import Producer
from barnabas.client.producing import sender
from barnabas.client.wire.pool import Lane
from barnabas.protocol.message import Message

from . import fake_handlers
from .fake_cluster import FakeCluster, FakeNode
from .grouping import becomes
from .producing import producing, values

LARGE = b"x" * 300_000
"""After so much, send() gives the event loop a turn."""


async def test_stop_writes_what_no_broker_acknowledges() -> None:
    """Goal: with acks=0, records that the socket has not taken yet are written before it closes."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        reads = asyncio.Event()

        async def produce(node: FakeNode, request: Any, version: int) -> Message:
            del version
            await reads.wait()  # the broker reads nothing meanwhile
            return fake_handlers.produce(node, request)

        cluster.more["Produce"] = produce
        async with producing(cluster, acks=0) as producer:
            sent = 0
            while not waiting_bytes(producer, cluster):
                await producer.send("t", LARGE)
                sent += 1
                await producer.flush()
            reads.set()
        await becomes(lambda: len(values(cluster)) == sent)


def waiting_bytes(producer: Producer, cluster: FakeCluster) -> int:
    """What the socket to the broker has not taken."""
    connection = producer._cluster.pool.ready("127.0.0.1", cluster.node.port, Lane.PRODUCE)
    return 0 if connection is None else connection.waiting_bytes


async def send_one(producer: Producer) -> None:
    await producer.send("t", LARGE)


async def send_one_of_many(producer: Producer) -> None:
    await producer.send_many("t", [LARGE])


@pytest.mark.parametrize("send", [send_one, send_one_of_many])
async def test_who_is_cancelled_has_sent_nothing(
    send: Callable[[Producer], Awaitable[None]],
) -> None:
    """Goal: a program that sends again what it was cancelled in sends nothing twice."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster) as producer:
            await producer.send_and_wait("t", LARGE)
            done = []
            for _ in range(6):
                task = asyncio.ensure_future(send(producer))
                await asyncio.sleep(0)  # it runs up to where it waits
                task.cancel()
                [result] = await asyncio.gather(task, return_exceptions=True)
                done.append(result is None)
            await producer.flush()
        assert len(values(cluster)) == 1 + sum(done)


async def test_a_broker_is_sent_to_as_soon_as_it_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """QTA-12: a batch waits as long as the broker says, not until something else wakes the
    sender."""
    monkeypatch.setattr(sender, "EXPIRY_CHECK_S", 3600.0)
    async with FakeCluster() as cluster:
        cluster.add_topic("t")

        async def produce(node: FakeNode, request: Any, version: int) -> Message:
            del version
            answer = fake_handlers.produce(node, request)
            answer.throttle_time_ms = 20
            return answer

        cluster.more["Produce"] = produce
        async with producing(cluster) as producer, asyncio.timeout(10):
            for number in range(3):
                assert (await producer.send_and_wait("t", b"")).offset == number
