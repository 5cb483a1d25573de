"""Real clients write and read while the leader of a partition is killed with SIGKILL.

Every acknowledged record is read, and none twice; nobody hangs. The reader is in the rack of the
broker that dies (its near replica is gone) or in another (it reads from a follower meanwhile).
"""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as AioTopicPartition
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from kafka import KafkaConsumer, KafkaProducer
from kafka.structs import TopicPartition as KpTopicPartition
from kit.kafka_jars import KafkaJars

from barnabas.testing.process_cluster import ProcessCluster

from .leader_kill import (
    PARTITIONS,
    PATIENCE_S,
    RECORDS,
    Accident,
    check_read_once,
    values,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SOURCE = __file__.replace("test_leader_kill.py", "LeaderKill.java")
KILL_AT = RECORDS // 2


@pytest.fixture
def accident(cluster: ProcessCluster) -> Iterator[Accident]:
    made = Accident(cluster)
    yield made
    made.clear_up()


class Reader:
    """Reads in a thread, while the test writes, until it has as many as it is told."""

    def __init__(self, poll: Callable[[], list[bytes]]) -> None:
        self.read: list[bytes] = []
        self._poll = poll
        self._wanted = RECORDS
        self._failure: BaseException | None = None
        self._gives_up = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while len(self.read) < self._wanted and not self._gives_up:
                self.read += self._poll()
        except BaseException as error:
            self._failure = error

    def result(self) -> list[bytes]:
        """What it has read; fails if it does not come to an end."""
        self._thread.join(PATIENCE_S)
        hangs = self._thread.is_alive()
        self._gives_up = True
        self._thread.join(30)
        assert self._failure is None, self._failure
        assert not hangs, f"the reader hangs after {len(self.read)} records"
        return self.read


def wait_for(condition: Callable[[], bool], act: Callable[[], object]) -> None:
    """Drive a client until the condition holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "the client hangs"
        act()


@pytest.mark.parametrize("near", [True, False], ids=["near the victim", "elsewhere"])
def test_confluent_kafka(accident: Accident, near: bool) -> None:
    """392-04: librdkafka with client.rack goes on, whichever broker it reads from."""
    rack = accident.rack(near=near)
    common = {"bootstrap.servers": accident.bootstrap, "client.rack": rack}
    consumer = Consumer(
        {**common, "group.id": "unused", "enable.auto.commit": False, "check.crcs": True}
    )
    consumer.assign(
        [TopicPartition(accident.topic, index, OFFSET_BEGINNING) for index in range(PARTITIONS)]
    )

    def poll() -> list[bytes]:
        messages = consumer.consume(500, timeout=0.2)
        return [message.value() or b"" for message in messages if message.error() is None]

    reader = Reader(poll)
    acknowledged: list[bytes] = []
    refused: list[Any] = []

    def report(error: Any, message: Any) -> None:
        if error is None:
            acknowledged.append(message.value())
        else:
            refused.append(error)

    producer = Producer({**common, "enable.idempotence": True, "linger.ms": 2})
    for number, value in enumerate(values()):
        producer.produce(accident.topic, value, partition=number % PARTITIONS, on_delivery=report)
        producer.poll(0)
        if number == KILL_AT:
            wait_for(lambda: len(acknowledged) > RECORDS // 4, lambda: producer.poll(0.05))
            accident.happen()
    assert producer.flush(PATIENCE_S) == 0, "the producer hangs"
    assert not refused, refused[0]
    try:
        check_read_once(acknowledged, reader.result())
    finally:
        consumer.close()
    assert len(acknowledged) == RECORDS


@pytest.mark.parametrize("near", [True, False], ids=["near the victim", "elsewhere"])
def test_kafka_python(accident: Accident, near: bool) -> None:
    """392-04: kafka-python with client_rack and an idempotent producer goes on."""
    options: dict[str, Any] = {"client_rack": accident.rack(near=near)}
    consumer = KafkaConsumer(
        bootstrap_servers=accident.bootstrap, auto_offset_reset="earliest", **options
    )
    consumer.assign([KpTopicPartition(accident.topic, index) for index in range(PARTITIONS)])

    def poll() -> list[bytes]:
        found = consumer.poll(timeout_ms=200)
        return [record.value for records in found.values() for record in records]

    reader = Reader(poll)
    producer = KafkaProducer(bootstrap_servers=accident.bootstrap, acks="all", linger_ms=2)
    try:
        sent = []
        for number, value in enumerate(values()):
            sent.append(producer.send(accident.topic, value, partition=number % PARTITIONS))
            if number == KILL_AT:
                sent[RECORDS // 4].get(PATIENCE_S)
                accident.happen()
        for one in sent:
            one.get(PATIENCE_S)
        check_read_once(values(), reader.result())
    finally:
        producer.close(timeout=10)
        consumer.close()


@pytest.mark.parametrize("idempotent", [True, False])
async def test_aiokafka(accident: Accident, idempotent: bool) -> None:
    """Goal: aiokafka goes on. Its idempotent producer writes once; the other may write twice."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=accident.bootstrap, auto_offset_reset="earliest", metadata_max_age_ms=2000
    )
    await consumer.start()
    consumer.assign([AioTopicPartition(accident.topic, index) for index in range(PARTITIONS)])
    read: list[bytes] = []

    async def take() -> None:
        while len(set(read)) < RECORDS:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                read.extend(record.value or b"" for record in records)

    reading = asyncio.create_task(take())
    try:
        async with AIOKafkaProducer(
            bootstrap_servers=accident.bootstrap, acks="all", enable_idempotence=idempotent
        ) as producer:
            sent = []
            for number, value in enumerate(values()):
                one = await producer.send(accident.topic, value, partition=number % PARTITIONS)
                sent.append(one)
                if number == KILL_AT:
                    await asyncio.wait_for(sent[RECORDS // 4], PATIENCE_S)
                    await asyncio.to_thread(accident.happen)
            await asyncio.wait_for(asyncio.gather(*sent), PATIENCE_S)
        await asyncio.wait_for(reading, PATIENCE_S)
    finally:
        reading.cancel()
        await stop(consumer)
    check_read_once(values(), read if idempotent else set(read))


async def stop(consumer: Any) -> None:
    """A consumer that waits to try a dead broker again lets that task's cancellation out here."""
    try:
        await consumer.stop()
    except asyncio.CancelledError:
        await consumer._client.close()


@pytest.mark.kafka
@pytest.mark.parametrize("near", [True, False], ids=["near the victim", "elsewhere"])
def test_java(accident: Accident, kafka_jars: KafkaJars, near: bool) -> None:
    """392-04, 951: the Java clients with client.rack go on, and learn of the new leader."""
    command = ["java", "-cp", kafka_jars.classpath, SOURCE, accident.bootstrap, accident.topic]
    command += [str(PARTITIONS), str(RECORDS), accident.rack(near=near)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    alarm = threading.Timer(PATIENCE_S + 60, process.kill)
    alarm.start()
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line == "half\n":
                accident.happen()
        assert process.wait() == 0, "".join(lines)
    finally:
        alarm.cancel()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    assert accident.has_happened
    assert lines[-2:] == [f"{RECORDS} acknowledged, {RECORDS} read\n", "all ok\n"], "".join(lines)
