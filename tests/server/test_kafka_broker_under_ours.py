"""A broker of Apache Kafka 4.3.1 in a cluster whose controller is ours."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.errors import UnknownTopicOrPartitionError
from barnabas.testing.cluster_layout import free_ports, plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
OURS, KAFKA = 1, 7
PATIENCE_S = 60.0
COUNT = 200


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[ProcessCluster]:
    layout = plan_cluster(cluster_id=CLUSTER_ID, brokers=1)
    cluster = ProcessCluster.create(tmp_path / "ours", layout)
    with cluster:
        yield cluster


@pytest.fixture
def kafka(
    ours: ProcessCluster, kafka_jars: KafkaJars, tmp_path: Path
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The broker's process, and its address."""
    (port,) = free_ports(1)
    controller = ours.layout.node(OURS).controller_port
    config = tmp_path / "server.properties"
    config.write_text(
        f"process.roles=broker\nnode.id={KAFKA}\nlog.dirs={tmp_path / 'kafka'}\n"
        f"controller.quorum.voters={OURS}@127.0.0.1:{controller}\n"
        f"listeners=PLAINTEXT://127.0.0.1:{port}\ncontroller.listener.names=CONTROLLER\n"
        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n"
    )
    done = kafka_jars.run("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(config))
    assert done.returncode == 0, done.stderr
    command = ["java", "-Xmx384M", "-XX:+UseSerialGC", "-cp", kafka_jars.classpath]
    with (tmp_path / "kafka.out").open("wb") as output:
        process = subprocess.Popen(
            [*command, "kafka.Kafka", str(config)], stdout=output, stderr=output
        )
    try:
        yield process, f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


async def live_brokers(bootstrap: str) -> list[int]:
    async with Admin(bootstrap_servers=bootstrap) as admin:
        return sorted(one.node_id for one in (await admin.describe_cluster()).brokers)


async def until_brokers(bootstrap: str, wanted: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while await live_brokers(bootstrap) != wanted:
        assert time.monotonic() < deadline, f"the live brokers are not {wanted}"
        await asyncio.sleep(0.2)  # another program: there is nothing to wait on


async def until_partitions(admin: Admin, topic: str, wanted: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while await count_partitions(admin, topic) != wanted:
        assert time.monotonic() < deadline, f"{topic} has not {wanted} partitions"
        await asyncio.sleep(0.05)  # our broker hears of it from our controller


async def count_partitions(admin: Admin, topic: str) -> int:
    try:
        return len((await admin.describe_topics([topic]))[topic].partitions)
    except UnknownTopicOrPartitionError:
        return 0


async def write(bootstrap: str, topic: str, partitions: int) -> None:
    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        sent = [
            await producer.send(topic, str(number).encode(), partition=partition)
            for number in range(COUNT)
            for partition in range(partitions)
        ]
        await asyncio.wait_for(asyncio.gather(*sent), PATIENCE_S)


async def read(bootstrap: str, topic: str, partition: int) -> list[int]:
    wanted = TopicPartition(topic, partition)
    async with Consumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign([wanted])
        found = [await asyncio.wait_for(consumer.getone(wanted), PATIENCE_S) for _ in range(COUNT)]
    return [int(bytes(one.value or b"")) for one in found]


async def test_a_broker_of_kafka_under_our_controller(
    ours: ProcessCluster, kafka: tuple[subprocess.Popen[bytes], str]
) -> None:
    """Goal: it registers, leads, follows, hands requests on in envelopes, and leaves (631-03)."""
    process, address = kafka
    await until_brokers(ours.bootstrap, [OURS, KAFKA])
    both = {0: [KAFKA, OURS], 1: [OURS, KAFKA]}
    async with Admin(bootstrap_servers=ours.bootstrap) as admin:
        await admin.create_topics([NewTopic("t", replica_assignments=both)])
    await write(ours.bootstrap, "t", 2)
    # Asked of Kafka's broker, decided by our controller.
    async with Admin(bootstrap_servers=address) as admin:
        await admin.create_topics([NewTopic("through-kafka", 1, 2)])
        await admin.create_partitions({"through-kafka": 3})
    async with Admin(bootstrap_servers=ours.bootstrap) as admin:
        await until_partitions(admin, "through-kafka", 3)
    process.terminate()
    assert await asyncio.to_thread(process.wait, PATIENCE_S) in (0, 143)
    await until_brokers(ours.bootstrap, [OURS])
    for partition in both:
        assert await read(ours.bootstrap, "t", partition) == list(range(COUNT))
