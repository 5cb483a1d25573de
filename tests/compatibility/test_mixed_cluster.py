"""A barnabas broker in a cluster whose controller and other broker are Apache Kafka 4.3.1."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from barnabas.broker.node import Node
from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition

from .mixed_cluster import (
    ASSIGNED,
    LED_BY_KAFKA,
    LED_BY_US,
    LOG,
    OURS,
    PATIENCE_S,
    are_active,
    check_same_files,
    is_full,
    join,
    until,
)

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

METADATA = "__cluster_metadata-0"


@pytest.fixture
def kafka(kafka_jars: KafkaJars, tmp_path: Path) -> Iterator[KafkaProcess]:
    """It makes a snapshot of its metadata after every 2 kB."""
    (tmp_path / "kafka").mkdir()
    settings = {
        "metadata.log.max.record.bytes.between.snapshots": "2000",
        "auto.leader.rebalance.enable": "false",
    }
    process = KafkaProcess(kafka_jars, tmp_path / "kafka", settings)
    try:
        process.start()
        yield process
    finally:
        process.stop()


async def write(bootstrap: str, values: Sequence[str]) -> None:
    """The same values to both partitions, acknowledged by all in sync."""
    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        sent = [
            await producer.send("t", value.encode(), partition=partition)
            for value in values
            for partition in (LED_BY_KAFKA, LED_BY_US)
        ]
        await asyncio.wait_for(asyncio.gather(*sent), PATIENCE_S)


async def read(bootstrap: str, partition: int, count: int) -> list[str]:
    wanted = TopicPartition("t", partition)
    async with Consumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign([wanted])
        records = [
            await asyncio.wait_for(consumer.getone(wanted), PATIENCE_S) for _ in range(count)
        ]
    return [bytes(record.value or b"").decode() for record in records]


def leads(node: Node, partition: int) -> bool:
    """Whether our broker leads the partition, as far as it has heard."""
    found = node.image.partition("t", partition)
    return found is not None and found.leader == OURS


async def test_a_broker_of_ours_under_kafkas_controller(
    kafka: KafkaProcess, tmp_path: Path
) -> None:
    """Goal: it registers, loads the snapshot, follows and leads, hands over, and comes back."""
    ours = tmp_path / "ours"
    async with Admin(bootstrap_servers=kafka.address) as admin:
        await admin.create_topics([NewTopic(f"before-{number}", 8, 1) for number in range(5)])
    snapshots = kafka.data / METADATA
    await until(
        lambda: any(int(one.name[:20]) > 0 for one in snapshots.glob("*.checkpoint")),
        "Kafka made no snapshot of its metadata",
    )
    node = await join(kafka, ours)
    try:
        # 630-10, 630-14: it came as the snapshot, and the log begins where that ends.
        assert list((ours / METADATA).glob("*.checkpoint"))
        assert not (ours / METADATA / LOG).exists()
        assert len(node.image.topics_by_name["before-4"].partitions) == 8
        await until(partial(are_active, node), "our broker is not active in its own metadata")
        both = f"{kafka.address},127.0.0.1:{node.port}"
        async with Admin(bootstrap_servers=both) as admin:
            await admin.create_topics([NewTopic("t", replica_assignments=ASSIGNED)])
        first = [f"first {number}" for number in range(300)]
        await write(both, first)
        for partition in (LED_BY_KAFKA, LED_BY_US):
            await until(partial(is_full, node, "t", partition), "a replica is not in sync")
            assert await read(both, partition, len(first)) == first
        await check_same_files(kafka, node, ours)
    finally:
        await node.stop()
    # 631-03: Kafka leads both now, without a gap, and takes records that we have not.
    second = [f"second {number}" for number in range(100)]
    await write(kafka.address, second)
    node = await join(kafka, ours)
    try:
        for partition in (LED_BY_KAFKA, LED_BY_US):
            await until(partial(is_full, node, "t", partition), "our broker is not in sync again")
        both = f"{kafka.address},127.0.0.1:{node.port}"
        async with Admin(bootstrap_servers=both) as admin:
            elected = await admin.elect_leaders(partitions=[TopicPartition("t", LED_BY_US)])
        assert elected == [TopicPartition("t", LED_BY_US)]
        third = [f"third {number}" for number in range(100)]
        await write(both, third)
        await until(partial(leads, node, LED_BY_US), "our broker does not lead again")
        assert await read(both, LED_BY_US, 500) == first + second + third
        await check_same_files(kafka, node, ours)
    finally:
        await node.stop()
