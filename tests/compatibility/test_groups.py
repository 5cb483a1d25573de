"""Groups of real clients by the classic protocol: members come and go, partitions follow them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as AioTopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from confluent_kafka import Consumer, Producer
from kafka import KafkaConsumer
from kit.kafka_python import know_topic
from kit.waiting import PATIENCE_S, eventually

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

PARTITIONS = 3
VALUES = 90


def fill(node: NodeProcess, topic: str) -> None:
    """`VALUES` values, as many in each partition."""
    producer = Producer({"bootstrap.servers": node.bootstrap})
    for number in range(VALUES):
        producer.produce(topic, b"%d" % number, partition=number % PARTITIONS)
    assert producer.flush(30) == 0


class Loop:
    """A consumer that polls on a thread of its own, as a program would."""

    def __init__(self, poll: Callable[[], list[bytes]], close: Callable[[], object]) -> None:
        self.values: list[bytes] = []
        self._poll = poll
        self._close = close
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._is_over.is_set():
            self.values += self._poll()
        self._close()

    def stop(self) -> None:
        """Leave the group."""
        self._is_over.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


class Librdkafka(Loop):
    """A member with librdkafka."""

    def __init__(self, node: NodeProcess, group: str, topic: str, **config: Any) -> None:
        settings = {
            "bootstrap.servers": node.bootstrap,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "session.timeout.ms": 6_000,
            "heartbeat.interval.ms": 500,
            **config,
        }
        self._consumer = Consumer({k: one for k, one in settings.items() if one is not None})
        self.assigned: set[int] = set()
        self._consumer.subscribe([topic])
        super().__init__(self._some, self._consumer.close)

    def _some(self) -> list[bytes]:
        found = self._consumer.consume(100, 0.1)
        self.assigned = {one.partition for one in self._consumer.assignment()}
        return [value for one in found if (value := one.value()) is not None]


class ByConsumerProtocol(Librdkafka):
    """A member with librdkafka whose partitions the coordinator assigns (KIP-848)."""

    def __init__(self, node: NodeProcess, group: str, topic: str, **config: Any) -> None:
        theirs = {"session.timeout.ms": None, "heartbeat.interval.ms": None}  # the broker's affair
        super().__init__(node, group, topic, **{"group.protocol": "consumer", **theirs, **config})


class KafkaPython(Loop):
    """A member with kafka-python."""

    def __init__(self, node: NodeProcess, group: str, topic: str) -> None:
        self._consumer = KafkaConsumer(
            topic,
            bootstrap_servers=node.bootstrap,
            group_id=group,
            auto_offset_reset="earliest",
            session_timeout_ms=6_000,
            heartbeat_interval_ms=500,
        )
        know_topic(self._consumer, topic)
        self.assigned: set[int] = set()
        super().__init__(self._some, self._consumer.close)

    def _some(self) -> list[bytes]:
        found = self._consumer.poll(timeout_ms=100)
        self.assigned = {one.partition for one in self._consumer.assignment()}
        return [one.value for records in found.values() for one in records]


async def shares(members: list[Any], wanted: list[int]) -> None:
    """Wait until all partitions are shared, each to one member, in such numbers."""

    async def ask() -> list[set[int]]:
        return [set(one.assigned) for one in members]

    def is_shared(found: list[set[int]]) -> bool:
        counts = sorted(len(one) for one in found)
        return counts == wanted and set().union(*found) == set(range(PARTITIONS))

    await eventually(ask, is_shared)


@pytest.mark.parametrize("kind", [Librdkafka, ByConsumerProtocol, KafkaPython])
async def test_three_come_and_go(
    node: NodeProcess, new_topic: Callable[[], str], kind: type[Librdkafka | KafkaPython]
) -> None:
    """Goal: three members share three partitions; when two leave, one has all; everything is read,
    and committed offsets are where the next one begins (GRP-10, GRP-22; 848-12, 848-17)."""
    topic = new_topic()
    fill(node, topic)
    members: list[Librdkafka | KafkaPython] = []
    try:
        for count, wanted in enumerate(([3], [1, 2], [1, 1, 1]), 1):
            members.append(kind(node, topic, topic))
            await shares(members, wanted)
            assert len(members) == count
        for left in ([1, 2], [3]):
            await asyncio.to_thread(members.pop(0).stop)
            await shares(members, left)

        async def read() -> int:
            return len(members[0].values)

        fill(node, topic)
        await eventually(read, lambda found: found >= VALUES)
    finally:
        for one in members:
            await asyncio.to_thread(one.stop)
    again = kind(node, topic, topic)
    try:
        await shares([again], [3])
        assert again.values == []
    finally:
        await asyncio.to_thread(again.stop)


async def test_a_pattern_of_the_consumer_protocol(
    node: NodeProcess, new_topic: Callable[[], str]
) -> None:
    """Goal: a static member that subscribes by regular expression shares with one that names the
    topic, and has its partitions again when it comes back (848-08, 848-22)."""
    topic = new_topic()
    fill(node, topic)
    static = {"group.instance.id": "one"}
    members = [
        ByConsumerProtocol(node, topic, topic),
        ByConsumerProtocol(node, topic, f"^{topic[:-1]}[a-z0-9]", **static),
    ]
    try:
        await shares(members, [1, 2])
        had = members[1].assigned
        await asyncio.to_thread(members[1].stop)
        members[1] = ByConsumerProtocol(node, topic, topic, **static)
        await shares(members, [1, 2])
        assert members[1].assigned == had
    finally:
        for one in members:
            await asyncio.to_thread(one.stop)


async def test_three_of_aiokafka(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: aiokafka's members share, leave, and read everything (GRP-10, GRP-22)."""
    topic = new_topic()
    fill(node, topic)
    seen: list[bytes] = []
    async with AsyncExitStack() as stack:
        members = [await stack.enter_async_context(aio(node, topic)) for _ in range(3)]

        async def shared() -> list[int]:
            for one in members:
                for records in (await one.getmany(timeout_ms=50)).values():
                    seen.extend(record.value for record in records if record.value is not None)
            return sorted(len(one.assignment()) for one in members)

        await eventually(shared, lambda found: found == [1, 1, 1])
        await eventually(shared, lambda _: len(set(seen)) == VALUES)
        await members.pop().stop()
        await eventually(shared, lambda found: found == [1, 2])
        for one in members:
            await one.commit()
    async with aio(node, topic) as last:
        await eventually(lambda: _assigned(last), lambda found: found == PARTITIONS)
        offsets = [
            await last.committed(AioTopicPartition(topic, number)) for number in range(PARTITIONS)
        ]
        assert offsets == [VALUES // PARTITIONS] * PARTITIONS


async def _assigned(consumer: AIOKafkaConsumer) -> int:
    return len(consumer.assignment())


def aio(node: NodeProcess, topic: str) -> AIOKafkaConsumer:
    return AIOKafkaConsumer(
        topic,
        bootstrap_servers=node.bootstrap,
        group_id=topic,
        auto_offset_reset="earliest",
        partition_assignment_strategy=(RangePartitionAssignor,),
        session_timeout_ms=6_000,
        heartbeat_interval_ms=500,
    )


async def test_clients_of_three_kinds(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: librdkafka, kafka-python and aiokafka share one group: range is what they all know
    (GRP-04, GRP-13)."""
    topic = new_topic()
    fill(node, topic)
    first = Librdkafka(node, topic, topic, **{"partition.assignment.strategy": "range"})
    second = KafkaPython(node, topic, topic)
    try:
        async with aio(node, topic) as third:

            async def shared() -> list[int]:
                await third.getmany(timeout_ms=50)
                own = len(third.assignment())
                return sorted([own, len(first.assigned), len(second.assigned)])

            await eventually(shared, lambda found: found == [1, 1, 1])
        await shares([first, second], [1, 2])
    finally:
        for one in (first, second):
            await asyncio.to_thread(one.stop)


async def test_static_member_starts_again(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """Goal: a static member that stops and starts again within its session gets its partitions
    back, and the other keeps its own (GRP-15)."""
    topic = new_topic()
    fill(node, topic)
    config = {"session.timeout.ms": 60_000}
    kept = Librdkafka(node, topic, topic, **config, **{"group.instance.id": "a"})
    member = Librdkafka(node, topic, topic, **config, **{"group.instance.id": "b"})
    try:
        await shares([kept, member], [1, 2])
        before, own = set(kept.assigned), set(member.assigned)
        await asyncio.to_thread(member.stop)
        member = Librdkafka(node, topic, topic, **config, **{"group.instance.id": "b"})
        await shares([kept, member], [1, 2])
        assert (set(kept.assigned), set(member.assigned)) == (before, own)
    finally:
        for one in (kept, member):
            await asyncio.to_thread(one.stop)
