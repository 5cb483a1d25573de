"""Real clients, of which the environment of the wheel has none, against its cluster."""

from __future__ import annotations

from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as AioTopicPartition
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from kafka import KafkaConsumer, KafkaProducer
from kafka.structs import TopicPartition as KpTopicPartition

from .clusters import InstalledCluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.artifact,
    pytest.mark.filterwarnings("ignore"),  # of the clients
]

VALUES = [b"value-%05d-" % number + b"x" * 1000 for number in range(500)]


@pytest.mark.parametrize("codec", ["none", "zstd"])
def test_confluent_kafka(cluster: InstalledCluster, codec: str) -> None:
    """Goal: librdkafka, idempotent, with acks of all three."""
    topic = f"confluent-{codec}"
    cluster.create(topic, 1)
    options = {"bootstrap.servers": cluster.bootstrap, "log_level": 0}
    producer = Producer({**options, "enable.idempotence": True, "compression.type": codec})
    failed: list[Any] = []
    for value in VALUES:
        producer.produce(topic, value, on_delivery=lambda error, _: failed.append(error))
    assert producer.flush(30) == 0
    assert failed == [None] * len(VALUES)
    consumer = Consumer({**options, "group.id": "unused", "enable.auto.commit": False})
    try:
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
        found = consumer.consume(len(VALUES), timeout=30)
        assert [message.value() for message in found] == VALUES
    finally:
        consumer.close()


async def test_aiokafka(cluster: InstalledCluster) -> None:
    """Goal: the old versions of the protocol that aiokafka speaks."""
    topic = "aiokafka"
    cluster.create(topic, 1)
    servers: Any = cluster.bootstrap.split(",")  # kafka-like clients type it as one text
    async with AIOKafkaProducer(bootstrap_servers=servers, acks="all") as producer:
        sent = [await producer.send(topic, value, partition=0) for value in VALUES]
        assert [(await one).offset for one in sent] == list(range(len(VALUES)))
    consumer = AIOKafkaConsumer(bootstrap_servers=servers, auto_offset_reset="earliest")
    await consumer.start()
    try:
        consumer.assign([AioTopicPartition(topic, 0)])
        assert [(await consumer.getone()).value for _ in VALUES] == VALUES
    finally:
        await consumer.stop()


def test_kafka_python(cluster: InstalledCluster) -> None:
    """227-02: a client whose consumer has fetch sessions."""
    topic = "kafka-python"
    cluster.create(topic, 2)
    servers: Any = cluster.bootstrap.split(",")  # kafka-like clients type it as one text
    producer = KafkaProducer(bootstrap_servers=servers)
    try:
        sent = [producer.send(topic, value, partition=0) for value in VALUES]
        assert [one.get(20).offset for one in sent] == list(range(len(VALUES)))
    finally:
        producer.close()
    consumer = KafkaConsumer(
        bootstrap_servers=servers,
        auto_offset_reset="earliest",
        max_partition_fetch_bytes=50_000,  # many fetches, so that the session is used
        consumer_timeout_ms=20_000,
    )
    try:
        consumer.assign([KpTopicPartition(topic, 0), KpTopicPartition(topic, 1)])
        assert [next(consumer).value for _ in VALUES] == VALUES
    finally:
        consumer.close()
