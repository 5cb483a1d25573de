"""kafka-python produces to and consumes from a node; groups are in test_groups.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer
from kafka.admin import KafkaAdminClient
from kafka.admin import NewTopic as KpNewTopic
from kafka.structs import TopicPartition as KpTopicPartition

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
def test_round_trip(node: NodeProcess, new_topic: Callable[[], str], codec: str | None) -> None:
    """Goal: idempotent produce and a consumer that sends LastFetchedEpoch work."""
    topic = new_topic()
    values = [b"value-%05d" % number for number in range(500)]
    options: dict[str, Any] = {"compression_type": codec}
    producer = KafkaProducer(bootstrap_servers=node.bootstrap, **options)
    try:
        futures = [
            producer.send(topic, value, key=b"k", partition=0, headers=[("h", b"x")])
            for value in values
        ]
        assert [future.get(20).offset for future in futures] == list(range(len(values)))
    finally:
        producer.close()
    consumer = KafkaConsumer(
        bootstrap_servers=node.bootstrap, auto_offset_reset="earliest", consumer_timeout_ms=20_000
    )
    try:
        partition = KpTopicPartition(topic, 0)
        consumer.assign([partition])
        records = [next(consumer) for _ in values]
        assert [record.value for record in records] == values
        assert consumer.end_offsets([partition]) == {partition: len(values)}
    finally:
        consumer.close()


def test_admin(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: kafka-python's admin creates, lists and deletes."""
    topic = new_topic()
    admin = KafkaAdminClient(bootstrap_servers=node.bootstrap)
    try:
        admin.create_topics([KpNewTopic(topic, 2, 1)])
        assert topic in admin.list_topics()
        admin.delete_topics([topic])
        assert topic not in admin.list_topics()
    finally:
        admin.close()
