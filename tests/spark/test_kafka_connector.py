"""Apache Spark's own Kafka connector reads a cluster whose leaders die and stand still.

The connector asks for LATEST without a leader epoch. It keeps a guard: when an end is below one
that it knew, it says so as a warning and asks again. No such warning may come.

Its jars are those of the newest version whose parts Maven has, for the Spark that is installed.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.kafka_jars import fetched

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.client import Admin, NewTopic, Producer, TopicPartition
from barnabas.protocol.primitives import uuid_to_text
from barnabas.spark.session import JavaMissingError, require_java
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

pytestmark = [pytest.mark.slow, pytest.mark.kafka, pytest.mark.spark]

ARTIFACTS = (
    ("org.apache.spark", "spark-sql-kafka-0-10_2.13", "4.2.0"),
    # Delegation tokens, which nobody uses here; there is no 4.2.0 of it.
    ("org.apache.spark", "spark-token-provider-kafka-0-10_2.13", "4.1.0-preview1"),
    ("org.apache.kafka", "kafka-clients", "3.9.1"),
    ("org.apache.commons", "commons-pool2", "2.12.0"),
)
PROGRAM = Path(__file__).with_name("kafka_connector_reader.py")
WARNING = "Found incorrect offsets in some partitions"
"""What KafkaOffsetReaderAdmin says when an end is lower than one before."""

SETTINGS = {
    "min.insync.replicas": "2",
    "broker.session.timeout.ms": "2000",
    "broker.heartbeat.interval.ms": "300",
}
"""A leader that stands still is replaced after 2 s."""

TOPIC = "flights"
PARTITIONS = 4
REQUEST_TIMEOUT_MS = 3000
PAUSE_S = 0.005
LIMIT_S = 60.0


@pytest.fixture
def jars() -> list[Path]:
    """The connector's."""
    try:
        require_java()
    except JavaMissingError as error:
        pytest.skip(str(error))
    return sorted(fetched("spark-kafka", ARTIFACTS, with_theirs=False).glob("*.jar"))


class Stream:
    """The program with the stream, in a process of its own."""

    def __init__(self, process: Process, folder: Path) -> None:
        self._process = process
        self._log = folder / "spark.log"

    async def ends(self) -> dict[int, int]:
        """How far it has read, by partition; fails if the stream has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"?\n")
        line = await self._process.stdout.readline()
        assert line, f"the program ended:\n{self.log[-3000:]}"
        told = json.loads(line)
        assert told["error"] is None, told["error"]
        return {int(number): end for number, end in told["ends"].items()}

    async def until(self, condition: Callable[[Mapping[int, int]], bool]) -> None:
        """Wait until what it has read is so."""
        async with asyncio.timeout(LIMIT_S):
            while not condition(await self.ends()):  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(0.1)

    async def until_it_went_on(self) -> None:
        """Wait until it has read more of every partition than now."""
        before = await self.ends()
        await self.until(
            lambda now: all(now.get(p, 0) > before.get(p, 0) for p in range(PARTITIONS))
        )

    @property
    def log(self) -> str:
        """All that Spark has logged."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""


@asynccontextmanager
async def streaming(bootstrap: str, jars: list[Path], folder: Path) -> AsyncIterator[Stream]:
    """A stream that reads TOPIC, until the block ends."""
    submit = f"--jars {','.join(map(str, jars))} pyspark-shell"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(PROGRAM),
        bootstrap,
        TOPIC,
        str(folder),
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYSPARK_SUBMIT_ARGS": submit},
    )
    assert process.stdin is not None
    try:
        yield Stream(process, folder)
        process.stdin.close()
        await asyncio.wait_for(process.wait(), LIMIT_S)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def write(producer: Producer) -> None:
    """One record after the other, to all partitions in turn, until it is cancelled."""
    for number in itertools.count():
        value = b"%d" % number
        sent = await producer.send(TOPIC, value, partition=number % PARTITIONS)
        sent.add_done_callback(asyncio.Future.result)
        await asyncio.sleep(PAUSE_S)


async def leader(admin: Admin) -> int:
    """Who leads partition 0; -1: nobody."""
    found = (await admin.describe_topics([TOPIC]))[TOPIC].partitions[0].leader
    return -1 if found is None else found


async def replaced(admin: Admin, victim: int) -> None:
    """Wait until another broker leads partition 0."""
    async with asyncio.timeout(LIMIT_S):
        while await leader(admin) in (victim, -1):  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.1)


async def ends_of(admin: Admin) -> dict[int, int]:
    where = [TopicPartition(TOPIC, number) for number in range(PARTITIONS)]
    found = await admin.list_offsets(dict.fromkeys(where, -1))
    return {one.partition: found[one].offset for one in where}


async def hurt(cluster: ProcessCluster, admin: Admin, stream: Stream) -> None:
    """A leader dies and comes back, then a leader stands still and goes on."""
    victim = await leader(admin)
    cluster.kill(victim)
    await replaced(admin, victim)
    await stream.until_it_went_on()
    cluster.spawn([victim])
    await cluster.wait_until_ready()
    await stream.until_it_went_on()

    victim = await leader(admin)
    cluster.pause(victim)
    try:
        await replaced(admin, victim)
        await stream.until_it_went_on()
    finally:
        cluster.resume(victim)
    for _ in range(5):
        await stream.until_it_went_on()


async def play(cluster: ProcessCluster, jars: list[Path], folder: Path) -> None:
    await cluster.wait_until_ready()
    options: dict[str, Any] = {
        "bootstrap_servers": cluster.bootstrap,
        "request_timeout_ms": REQUEST_TIMEOUT_MS,
    }
    async with Admin(**options) as admin:
        await admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)])
        async with streaming(cluster.bootstrap, jars, folder) as stream:
            async with Producer(**options) as producer:
                load = asyncio.create_task(write(producer))
                try:
                    await stream.until(lambda now: len(now) == PARTITIONS)
                    await hurt(cluster, admin, stream)
                finally:
                    load.cancel()
            ends = await ends_of(admin)
            await stream.until(lambda now: now == ends)
            assert WARNING not in stream.log

            # And it would have been seen: these ends are lower indeed.
            await admin.delete_topics([TOPIC])
            await admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)])
            async with asyncio.timeout(LIMIT_S):
                while WARNING not in stream.log:  # noqa: ASYNC110 - it is another process
                    await asyncio.sleep(0.2)


@pytest.mark.timeout(300)
def test_its_guard_against_ends_that_go_back_stays_silent(tmp_path: Path, jars: list[Path]) -> None:
    """207-08: through SIGKILL and SIGSTOP of leaders the stream reads all, without the warning."""
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())), brokers=3, settings=SETTINGS
    )
    cluster = ProcessCluster.create(tmp_path / "cluster", layout)
    cluster.spawn()
    try:
        asyncio.run(play(cluster, jars, tmp_path))
    finally:
        cluster.down()
