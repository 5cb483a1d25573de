"""The other way round: Apache Kafka 4.3.1 boots from a directory that we wrote, and we from its."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from kit.batches import batch
from kit.kafka_jars import KafkaJars
from kit.producing import send
from kit.raw_client import RawClient

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.testing.cluster_layout import free_ports

from .taken_over import consume, offset_of

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

START_TIMEOUT_S = 90.0


def properties(directory: Path, port: int, controller_port: int) -> str:
    return "\n".join(
        [
            "process.roles=broker,controller",
            "node.id=1",
            f"controller.quorum.bootstrap.servers=127.0.0.1:{controller_port}",
            f"listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
            "controller.listener.names=CONTROLLER",
            "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            f"log.dirs={directory}",
            "offsets.topic.replication.factor=1",
        ]
    )


def launch(jars: KafkaJars, config: Path) -> subprocess.Popen[bytes]:
    command = ["java", "-Xmx256M", "-XX:TieredStopAtLevel=1", "-cp", jars.classpath]
    command += ["kafka.Kafka", str(config)]
    with (config.parent / "kafka.out").open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=output)


@contextlib.asynccontextmanager
async def kafka(jars: KafkaJars, directory: Path, folder: Path) -> AsyncIterator[RawClient]:
    """Kafka on the directory, and a client of it; stopped in good order."""
    port, controller_port = free_ports(2)
    config = folder / "server.properties"
    config.write_text(properties(directory, port, controller_port))
    process = launch(jars, config)
    try:
        client = await serving_client(process, port, folder)
        async with client:
            yield client
        process.terminate()
        await asyncio.to_thread(process.wait, 60)
    finally:
        process.kill()
        process.wait()


async def serving_client(process: subprocess.Popen[bytes], port: int, folder: Path) -> RawClient:
    """A client, once the broker says that it leads what it holds."""
    deadline = time.monotonic() + START_TIMEOUT_S
    wanted = MetadataRequest(
        topics=[MetadataRequestTopic(name="t")], allow_auto_topic_creation=False
    )
    while time.monotonic() < deadline:
        assert process.poll() is None, (folder / "kafka.out").read_text()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with RawClient("127.0.0.1", port) as client:
                answer = await client.ask(wanted, 12)
                if answer.topics[0].partitions and answer.topics[0].partitions[0].leader_id == 1:
                    return RawClient("127.0.0.1", port)
        await asyncio.sleep(0.25)  # another program starts; there is nothing to wait on
    raise AssertionError("Kafka did not serve in time: " + (folder / "kafka.out").read_text())


async def start(directory: Path) -> Node:
    listeners = ("PLAINTEXT://127.0.0.1:0",)
    return await Node.start(
        replace(BrokerConfig(), log_dirs=(str(directory),), listeners=listeners)
    )


async def test_there_and_back_again(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """Decision 7: ours to Kafka to ours; every record is there, ids and settings stay."""
    directory = tmp_path / "data"
    now = int(time.time() * 1000)
    node = await start(directory)
    cluster = node.cluster_id
    async with RawClient("127.0.0.1", node.port) as client:
        await client.ask(MetadataRequest(topics=[MetadataRequestTopic(name="t")]), 9)
        for number in range(5):
            await send(client, batch(b"ours %d" % number, timestamp=now))
        expected = await consume(client, "t", 0, 0, 0)
    topic_id = node.image.topics_by_name["t"].topic_id
    await node.stop()

    async with kafka(kafka_jars, directory, tmp_path) as client:
        assert await consume(client, "t", 0, 0, 0) == expected
        row = await send(client, batch(b"kafka's", timestamp=now))
        assert (row.error_code, row.base_offset) == (0, 5)
        answer = await client.ask(MetadataRequest(topics=[MetadataRequestTopic(name="t")]), 12)
        assert answer.cluster_id == cluster
        assert answer.topics[0].topic_id == topic_id

    node = await start(directory)
    try:
        assert node.cluster_id == cluster
        assert node.image.topics_by_name["t"].topic_id == topic_id
        async with RawClient("127.0.0.1", node.port) as client:
            assert await offset_of(client, "t", 0, -1, 0) == 6
            assert (await consume(client, "t", 0, 0, 0))["records"] == 6
    finally:
        await node.stop()
