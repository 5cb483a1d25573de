"""Transactional producers of other libraries: commit, abort, offsets, and who is fenced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka import TopicPartition as AioTopicPartition
from aiokafka.errors import ProducerFenced
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from kit.transactional import committed
from kit.waiting import eventually

from barnabas.client import Admin, NewTopic
from barnabas.testing.cluster import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

PATIENCE_S = 30


class Address:
    """Where a node is, and what readers of committed records see there."""

    def __init__(self, port: int) -> None:
        self.bootstrap = f"127.0.0.1:{port}"
        self._address = ("127.0.0.1", port)

    async def sees(self, *values: bytes) -> None:
        """Wait until they see exactly these; markers may still be under way."""
        await eventually(lambda: committed(self._address, "t"), lambda found: found == [*values])


@asynccontextmanager
async def node() -> AsyncIterator[Address]:
    async with Cluster(brokers=1) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 1)])
        yield Address(cluster.layout.node(1).port)


async def test_aiokafka() -> None:
    """Its protocol versions are the oldest: 47 says that another one has the id (TXN-02)."""
    async with node() as on:
        first = AIOKafkaProducer(bootstrap_servers=on.bootstrap, transactional_id="p")
        second = AIOKafkaProducer(bootstrap_servers=on.bootstrap, transactional_id="p")
        await first.start()
        try:
            for number in range(4):
                await first.begin_transaction()
                await first.send_and_wait("t", b"%d" % number, partition=0)
                if number % 2 == 0:
                    await first.send_offsets_to_transaction({AioTopicPartition("t", 0): 1}, "g")
                    await first.commit_transaction()
                else:
                    await first.abort_transaction()
            await on.sees(b"0", b"2")
            await first.begin_transaction()
            await first.send_and_wait("t", b"lost", partition=0)
            await second.start()
            with pytest.raises(ProducerFenced):
                await first.commit_transaction()
            async with second.transaction():
                await second.send_and_wait("t", b"kept", partition=0)
            await on.sees(b"0", b"2", b"kept")
        finally:
            await first.stop()
            await second.stop()


def librdkafka(on: Address) -> Producer:
    return Producer({"bootstrap.servers": on.bootstrap, "transactional.id": "p"})


async def test_confluent_kafka() -> None:
    """librdkafka commits, aborts, sends offsets, and is fenced (98-05, TXN-12, TXN-54)."""
    async with node() as on:
        first, second = librdkafka(on), librdkafka(on)
        await asyncio.to_thread(first.init_transactions, PATIENCE_S)
        consumer = Consumer({"bootstrap.servers": on.bootstrap, "group.id": "g"})
        try:
            group = await asyncio.to_thread(consumer.consumer_group_metadata)
            for number in range(4):
                first.begin_transaction()
                first.produce("t", b"%d" % number, partition=0)
                await asyncio.to_thread(first.flush, PATIENCE_S)
                if number % 2 == 0:
                    offsets = [TopicPartition("t", 0, number + 1)]
                    await asyncio.to_thread(
                        first.send_offsets_to_transaction, offsets, group, PATIENCE_S
                    )
                    await asyncio.to_thread(first.commit_transaction, PATIENCE_S)
                else:
                    await asyncio.to_thread(first.abort_transaction, PATIENCE_S)
            await on.sees(b"0", b"2")
            (found,) = await asyncio.to_thread(
                consumer.committed, [TopicPartition("t", 0)], PATIENCE_S
            )
            assert found.offset == 3
            first.begin_transaction()
            first.produce("t", b"lost", partition=0)
            await asyncio.to_thread(first.flush, PATIENCE_S)
            await asyncio.to_thread(second.init_transactions, PATIENCE_S)
            with pytest.raises(KafkaException) as fenced:
                await asyncio.to_thread(first.commit_transaction, PATIENCE_S)
            assert fenced.value.args[0].fatal()
            second.begin_transaction()
            second.produce("t", b"kept", partition=0)
            await asyncio.to_thread(second.commit_transaction, PATIENCE_S)
            await on.sees(b"0", b"2", b"kept")
        finally:
            await asyncio.to_thread(consumer.close)
