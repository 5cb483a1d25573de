"""aiokafka produces and consumes with its old protocol versions; groups are in test_groups.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as AioTopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin import NewTopic as AioNewTopic

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("idempotent", [False, True])
async def test_round_trip(
    node: NodeProcess, new_topic: Callable[[], str], codec: str | None, idempotent: bool
) -> None:
    """Goal: Produce 8, Fetch 11, Metadata 5, InitProducerId 0 serve aiokafka."""
    topic = new_topic()
    values = [b"value-%05d" % number for number in range(500)]
    async with AIOKafkaProducer(
        bootstrap_servers=node.bootstrap, compression_type=codec, enable_idempotence=idempotent
    ) as producer:
        futures = [
            await producer.send(topic, value, key=b"k", partition=0, headers=[("h", b"x")])
            for value in values
        ]
        offsets = [(await future).offset for future in futures]
    assert offsets == list(range(len(values)))
    consumer = AIOKafkaConsumer(bootstrap_servers=node.bootstrap, auto_offset_reset="earliest")
    await consumer.start()
    try:
        partition = AioTopicPartition(topic, 0)
        consumer.assign([partition])
        assert await consumer.end_offsets([partition]) == {partition: len(values)}
        records: list[Any] = []
        while len(records) < len(values):
            for batch in (await consumer.getmany(timeout_ms=10_000)).values():
                records.extend(batch)
        assert [record.value for record in records] == values
        assert records[0].headers == (("h", b"x"),)
    finally:
        await consumer.stop()


async def test_admin(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: aiokafka's admin creates, lists and deletes."""
    topic = new_topic()
    admin = AIOKafkaAdminClient(bootstrap_servers=node.bootstrap)
    await admin.start()
    try:
        await admin.create_topics([AioNewTopic(topic, 2, 1)])
        assert topic in await admin.list_topics()
        await admin.delete_topics([topic])
        assert topic not in await admin.list_topics()
    finally:
        await admin.close()
