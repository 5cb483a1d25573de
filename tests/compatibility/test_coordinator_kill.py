"""Groups of three real clients go on while the broker that coordinates them is killed (SIGKILL).

Every acknowledged record is read, and nothing is read again that a commit had covered.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as AioTopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from kafka import KafkaConsumer
from kafka.structs import OffsetAndMetadata
from kafka.structs import TopicPartition as KpTopicPartition
from kit.kafka_python import know_topic

from barnabas.testing.process_cluster import ProcessCluster

from .coordinator_kill import GroupAccident, Journal, wait_until
from .leader_kill import PARTITIONS, PATIENCE_S, RECORDS, values

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

KILL_AT = RECORDS // 2
PACE = 50
"""So many records are written between two pauses, so that members read while the broker dies."""

Found = list[tuple[int, int, bytes]]
"""Partition, offset, value."""


@pytest.fixture
def accident(cluster: ProcessCluster) -> Iterator[GroupAccident]:
    made = GroupAccident(cluster)
    yield made
    made.clear_up()


class Librdkafka:
    """A member by librdkafka."""

    def __init__(self, accident: GroupAccident, **config: Any) -> None:
        self._topic = accident.topic
        self._consumer = Consumer(
            {
                "bootstrap.servers": accident.bootstrap,
                "group.id": accident.group,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                **config,
            }
        )
        self._consumer.subscribe([self._topic])

    def poll(self) -> Found:
        """What the next call gives."""
        return [
            (one.partition() or 0, one.offset() or 0, one.value() or b"")
            for one in self._consumer.consume(100, 0.1)
            if one.error() is None
        ]

    def assigned(self) -> set[int]:
        """Its partitions."""
        return {one.partition for one in self._consumer.assignment()}

    def commit(self, offsets: dict[int, int]) -> None:
        """Commit and wait; raises its own error."""
        rows = [TopicPartition(self._topic, index, at) for index, at in offsets.items()]
        for one in self._consumer.commit(offsets=rows, asynchronous=False) or ():
            if one.error is not None:
                raise KafkaException(one.error)

    def close(self) -> None:
        """Leave."""
        self._consumer.close()


class ByConsumerProtocol(Librdkafka):
    """A member by librdkafka whose partitions the coordinator assigns (KIP-848)."""

    def __init__(self, accident: GroupAccident) -> None:
        super().__init__(accident, **{"group.protocol": "consumer"})


class KafkaPython:
    """A member by kafka-python."""

    def __init__(self, accident: GroupAccident) -> None:
        self._topic = accident.topic
        self._consumer = KafkaConsumer(
            self._topic,
            bootstrap_servers=accident.bootstrap,
            group_id=accident.group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
        )
        know_topic(self._consumer, self._topic)

    def poll(self) -> Found:
        """What the next call gives."""
        found = self._consumer.poll(timeout_ms=100)
        return [(one.partition, one.offset, one.value) for rows in found.values() for one in rows]

    def assigned(self) -> set[int]:
        """Its partitions."""
        return {one.partition for one in self._consumer.assignment()}

    def commit(self, offsets: dict[int, int]) -> None:
        """Commit and wait; raises its own error."""
        self._consumer.commit(
            {
                KpTopicPartition(self._topic, index): OffsetAndMetadata(at, "", -1)
                for index, at in offsets.items()
            }
        )

    def close(self) -> None:
        """Leave."""
        self._consumer.close()


class Aiokafka:
    """A member by aiokafka, on an event loop of its own."""

    def __init__(self, accident: GroupAccident) -> None:
        self._topic = accident.topic
        self._runner = asyncio.Runner()
        self._runner.run(self._start(accident))

    async def _start(self, accident: GroupAccident) -> None:
        self._consumer = AIOKafkaConsumer(
            self._topic,
            bootstrap_servers=accident.bootstrap,
            group_id=accident.group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            partition_assignment_strategy=(RangePartitionAssignor,),
            metadata_max_age_ms=2000,
        )
        await self._consumer.start()

    def poll(self) -> Found:
        """What the next call gives."""
        found = self._runner.run(self._consumer.getmany(timeout_ms=100))
        return [
            (one.partition, one.offset, one.value or b"") for rows in found.values() for one in rows
        ]

    def assigned(self) -> set[int]:
        """Its partitions."""
        return {one.partition for one in self._consumer.assignment()}

    def commit(self, offsets: dict[int, int]) -> None:
        """Commit and wait; raises its own error."""
        rows = {AioTopicPartition(self._topic, index): at for index, at in offsets.items()}
        self._runner.run(self._consumer.commit(rows))

    def close(self) -> None:
        """Leave."""
        self._runner.run(self._consumer.stop())
        self._runner.close()


Member = Librdkafka | KafkaPython | Aiokafka


class Running:
    """A member that reads, commits and writes both into the journal, on a thread of its own."""

    def __init__(self, make: Callable[[], Member], journal: Journal) -> None:
        self.assigned: set[int] = set()
        self.refused: list[Exception] = []
        self._make = make
        self._journal = journal
        self._waiting: dict[int, int] = {}
        self._is_over = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            member = self._make()
            while not self._is_over.is_set():
                self._step(member)
            member.close()
        except BaseException as error:
            self._failure = error

    def _step(self, member: Member) -> None:
        found = member.poll()
        self.assigned = member.assigned()
        self._journal.read(found)
        waiting = self._waiting | {index: offset + 1 for index, offset, _ in found}
        self._waiting = {index: at for index, at in waiting.items() if index in self.assigned}
        if not self._waiting:
            return
        try:
            member.commit(self._waiting)
        except Exception as error:  # each client has errors of its own; tried again with the next
            self.refused.append(error)
        else:
            self._journal.committed(self._waiting)
            self._waiting = {}

    def stop(self) -> None:
        """Leave; fails with what ended the member before."""
        self._is_over.set()
        self._thread.join(PATIENCE_S)
        assert self._failure is None, self._failure
        assert not self._thread.is_alive(), "the member hangs"


def write(accident: GroupAccident) -> list[bytes]:
    """All values, with the coordinator's death in the middle; what was acknowledged."""
    acknowledged: list[bytes] = []

    def report(error: Any, message: Any) -> None:
        if error is None:
            acknowledged.append(message.value())

    producer = Producer(
        {"bootstrap.servers": accident.bootstrap, "enable.idempotence": True, "linger.ms": 2}
    )
    for number, value in enumerate(values()):
        producer.produce(accident.topic, value, partition=number % PARTITIONS, on_delivery=report)
        if number % PACE == 0:
            producer.poll(0.02)
        if number == KILL_AT:
            accident.happen()
    assert producer.flush(PATIENCE_S) == 0, "the producer hangs"
    assert len(acknowledged) == RECORDS
    return acknowledged


@pytest.mark.parametrize("kind", [Librdkafka, ByConsumerProtocol, KafkaPython, Aiokafka])
def test_group_of_three(accident: GroupAccident, kind: Callable[[GroupAccident], Member]) -> None:
    """Goal: the group is there at the next coordinator, with its members and offsets (GRP-22,
    REC-01)."""
    journal = Journal()
    members: list[Running] = []
    try:
        for _ in range(3):  # each joins a group that is settled
            members.append(Running(lambda: kind(accident), journal))
            wait_until(lambda: all(one.assigned for one in members), "joining")
        wait_until(lambda: sorted(len(one.assigned) for one in members) == [1, 1, 1], "sharing")
        accident.find_victim()
        acknowledged = write(accident)
        wait_until(lambda: journal.values >= set(acknowledged), "reading everything")
        wait_until(journal.is_all_committed, "committing everything")
    finally:
        for one in members:
            one.stop()
    assert journal.reads_after_commit == [], [one.refused for one in members]
