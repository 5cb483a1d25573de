"""confluent-kafka (librdkafka) produces and consumes; groups are in test_groups.py."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import (
    OFFSET_BEGINNING,
    TIMESTAMP_CREATE_TIME,
    Consumer,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # its stubs export too little
    AdminClient,
    ConfigResource,  # pyright: ignore[reportPrivateImportUsage]
    NewPartitions,  # pyright: ignore[reportPrivateImportUsage]
    NewTopic,  # pyright: ignore[reportPrivateImportUsage]
)

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]


def deliver(producer: Producer, topic: str, values: list[bytes], **kwargs: Any) -> list[Any]:
    """Produce all values, wait for all reports; returns the delivered messages in order."""
    reports: list[Any] = []

    def report(error: Any, message: Any) -> None:
        assert error is None, error
        reports.append(message)

    for value in values:
        producer.produce(topic, value, on_delivery=report, **kwargs)
    assert producer.flush(30) == 0
    assert len(reports) == len(values)
    return reports


def read(node: NodeProcess, topic: str, partition: int, count: int, **config: Any) -> list[Any]:
    """Read `count` messages of one partition from its start."""
    consumer = Consumer(
        {
            "bootstrap.servers": node.bootstrap,
            "group.id": "unused",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "check.crcs": True,
            **config,
        }
    )
    try:
        consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING)])
        messages: list[Any] = []
        while len(messages) < count:
            batch = consumer.consume(count - len(messages), timeout=20)
            assert batch, f"only {len(messages)} of {count} messages arrived"
            for message in batch:
                assert message.error() is None, message.error()
                messages.append(message)
        return messages
    finally:
        consumer.close()
        gc.collect()


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("idempotent", [False, True])
def test_round_trip(
    node: NodeProcess, new_topic: Callable[[], str], codec: str, idempotent: bool
) -> None:
    """Goal: what librdkafka sends with each codec comes back byte for byte, in order."""
    topic = new_topic()
    producer = Producer(
        {
            "bootstrap.servers": node.bootstrap,
            "compression.type": codec,
            "enable.idempotence": idempotent,
            "linger.ms": 5,
        }
    )
    values = [b"value-%06d-" % number * 5 for number in range(2000)]
    reports = deliver(
        producer, topic, values, partition=1, key=b"k", headers=[("h", b"1"), ("empty", None)]
    )
    assert [message.offset() for message in reports] == list(range(len(values)))
    messages = read(node, topic, 1, len(values))
    assert [message.value() for message in messages] == values
    assert messages[0].headers() == [("h", b"1"), ("empty", None)]
    assert messages[0].key() == b"k"
    assert messages[0].timestamp()[0] == TIMESTAMP_CREATE_TIME


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_acks(node: NodeProcess, new_topic: Callable[[], str], acks: str) -> None:
    """Goal: each acks setting delivers (ENV-09: no answer to acks=0)."""
    topic = new_topic()
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    admin.create_topics([NewTopic(topic, 1)])[topic].result(20)
    producer = Producer({"bootstrap.servers": node.bootstrap, "acks": acks})
    deliver(producer, topic, [b"a", b"b", b"c"], partition=0)
    assert [m.value() for m in read(node, topic, 0, 3)] == [b"a", b"b", b"c"]


def test_watermarks_and_offsets_for_times(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: ListOffsets by time, earliest and latest answer as a client reads them (207-06)."""
    topic = new_topic()
    producer = Producer({"bootstrap.servers": node.bootstrap})
    for number in range(10):
        producer.produce(topic, b"v", partition=0, timestamp=1_700_000_000_000 + number * 1000)
        producer.flush(10)
    consumer = Consumer({"bootstrap.servers": node.bootstrap, "group.id": "unused"})
    try:
        assert consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=10) == (0, 10)
        wanted = TopicPartition(topic, 0, 1_700_000_004_500)
        assert consumer.offsets_for_times([wanted], timeout=10)[0].offset == 5
    finally:
        consumer.close()


def test_admin(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: topics are created, grown, configured and deleted through librdkafka's admin."""
    topic = new_topic()
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    admin.create_topics([NewTopic(topic, 2, config={"retention.ms": "3600000"})])[topic].result(20)
    assert len(admin.list_topics(topic, timeout=10).topics[topic].partitions) == 2
    admin.create_partitions([NewPartitions(topic, 5)])[topic].result(20)
    assert len(admin.list_topics(topic, timeout=10).topics[topic].partitions) == 5
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    entries = admin.describe_configs([resource])[resource].result(20)
    assert entries["retention.ms"].value == "3600000"
    assert entries["cleanup.policy"].value == "delete"
    admin.delete_topics([topic])[topic].result(20)
    assert topic not in admin.list_topics(timeout=10).topics


def test_delete_records(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: records below an offset go, and reading starts there."""
    topic = new_topic()
    producer = Producer({"bootstrap.servers": node.bootstrap})
    deliver(producer, topic, [b"%d" % n for n in range(10)], partition=0)
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    futures = admin.delete_records([TopicPartition(topic, 0, 4)])
    for future in futures.values():
        assert future.result(20).low_watermark == 4
    assert [m.value() for m in read(node, topic, 0, 6)] == [b"%d" % n for n in range(4, 10)]


def test_large_messages(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: batches near max.message.bytes pass, larger ones get MESSAGE_TOO_LARGE."""
    topic = new_topic()
    producer = Producer({"bootstrap.servers": node.bootstrap, "message.max.bytes": 3_000_000})
    values = [bytes([n]) * 900_000 for n in range(5)]
    deliver(producer, topic, values, partition=0)
    assert [m.value() for m in read(node, topic, 0, 5)] == values
    errors: list[Any] = []
    producer.produce(
        topic, b"x" * 2_000_000, partition=0, on_delivery=lambda error, _: errors.append(error)
    )
    producer.flush(20)
    assert errors[0].name() == "MSG_SIZE_TOO_LARGE"
