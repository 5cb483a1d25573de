"""Transactions where one broker is Apache Kafka 4.3.1 and the other one ours: each coordinates
what the other one leads, and takes over from the other."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess
from kit.waiting import eventually

from barnabas.broker.core.coordination.partition_of import partition_of
from barnabas.broker.node import Node
from barnabas.client import Admin, GroupMetadata, NewTopic, Producer, TopicPartition
from barnabas.client.errors import ClientError

from .java_processes import committed
from .mixed_cluster import (
    ASSIGNED,
    KAFKA,
    LED_BY_KAFKA,
    LED_BY_US,
    OURS,
    PATIENCE_S,
    are_active,
    check_same_files,
    is_full,
    join,
    until,
)

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TRANSACTIONS, GROUPS = "__transaction_state", "__consumer_offsets"


@pytest.fixture
def kafka(kafka_jars: KafkaJars, tmp_path: Path) -> Iterator[KafkaProcess]:
    """The controller, and one of the two brokers."""
    (tmp_path / "kafka").mkdir()
    settings = {
        "auto.leader.rebalance.enable": "false",
        # It asks for these when it starts, and for the topics' own numbers no more.
        "transaction.state.log.num.partitions": str(len(ASSIGNED)),
        "offsets.topic.num.partitions": str(len(ASSIGNED)),
    }
    process = KafkaProcess(kafka_jars, tmp_path / "kafka", settings)
    try:
        process.start()
        yield process
    finally:
        process.stop()


@asynccontextmanager
async def mixed(kafka: KafkaProcess, ours: Path) -> AsyncIterator[tuple[Node, str]]:
    """Both brokers, and three topics of which each broker leads one partition and follows one."""
    node = await join(kafka, ours)
    try:
        await until(partial(are_active, node), "our broker is not active in its own metadata")
        bootstrap = f"{kafka.address},127.0.0.1:{node.port}"
        compacted = {"cleanup.policy": "compact", "min.insync.replicas": "1"}
        async with Admin(bootstrap_servers=bootstrap) as admin:
            await admin.create_topics(
                [
                    NewTopic("t", replica_assignments=ASSIGNED),
                    *(
                        NewTopic(name, replica_assignments=ASSIGNED, topic_configs=compacted)
                        for name in (TRANSACTIONS, GROUPS)
                    ),
                ]
            )
        for topic, number in itertools.product(("t", TRANSACTIONS, GROUPS), ASSIGNED):
            await until(partial(is_full, node, topic, number), f"{topic} is not in sync")
        yield node, bootstrap
    finally:
        await node.stop()


def named(stem: str, partition: int) -> str:
    """A transactional id or group that this partition of the internal topic has."""
    return next(
        name
        for name in (f"{stem}-{number}" for number in itertools.count())
        if partition_of(name, len(ASSIGNED)) == partition
    )


async def fill(producer: Producer, group: str, value: bytes, offset: int) -> None:
    """A record to each partition, and an offset of a group."""
    for partition in ASSIGNED:
        await producer.send("t", value, partition=partition)
    await producer.send_offsets_to_transaction(
        GroupMetadata(group), {TopicPartition("t", 0): offset}
    )


async def seen(bootstrap: str) -> list[bytes]:
    return sorted(value for _, value in await committed(bootstrap, "t"))


async def offset_of(bootstrap: str, group: str) -> int:
    """What the group has committed; -1 for nothing."""
    at = TopicPartition("t", 0)
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = await admin.list_group_offsets(group, [at], require_stable=True)
    return found[at].offset if at in found else -1


async def coordinator_of(admin: Admin, transactional_id: str) -> int:
    """Who describes it: right after a move nobody may."""
    try:
        found = await admin.describe_transactions([transactional_id])
    except ClientError:
        return -1
    return found[transactional_id].coordinator_id


async def until_ended(bootstrap: str, transactional_id: str, state: str) -> int:
    """Who coordinates it, once its last marker is written: an end is answered before (TXN-20)."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = await eventually(
            lambda: admin.describe_transactions([transactional_id]),
            lambda found: found[transactional_id].state == state,
        )
    return found[transactional_id].coordinator_id


async def test_each_coordinates_what_the_other_leads(kafka: KafkaProcess, tmp_path: Path) -> None:
    """KIP-890, TXN-33, TXN-54: markers, added partitions and offsets go from either to either."""
    async with mixed(kafka, tmp_path / "ours") as (node, bootstrap):
        expected = []
        pairs = itertools.product((LED_BY_KAFKA, LED_BY_US), repeat=2)
        for number, (coordinated, grouped) in enumerate(pairs):
            name, group = named("p", coordinated), named(f"g{number}", grouped)
            producer = Producer(bootstrap_servers=bootstrap, transactional_id=name)
            async with asyncio.timeout(PATIENCE_S), producer:
                async with producer.transaction():
                    await fill(producer, group, b"kept-%d" % number, 7)
                await producer.begin_transaction()
                await fill(producer, group, b"lost-%d" % number, 8)
                await producer.flush()
                await producer.abort_transaction()
            assert await offset_of(bootstrap, group) == 7
            expected += [b"kept-%d" % number] * 2
            coordinator = await until_ended(bootstrap, name, "CompleteAbort")
            assert coordinator == (KAFKA, OURS)[coordinated]
        assert await seen(bootstrap) == sorted(expected)
        await check_same_files(kafka, node, tmp_path / "ours")


async def test_an_open_transaction_moves_from_ours_to_kafka(
    kafka: KafkaProcess, tmp_path: Path
) -> None:
    """KIP-98: our broker stops; Kafka reads its state, leads its partitions, and commits."""
    name, group = named("p", LED_BY_US), named("g", LED_BY_US)
    async with mixed(kafka, tmp_path / "ours") as (_, bootstrap), asyncio.timeout(PATIENCE_S):
        async with Producer(bootstrap_servers=bootstrap, transactional_id=name) as producer:
            await producer.begin_transaction()
            await fill(producer, group, b"moved", 7)
            prepared = await producer.prepare_transaction()
        async with Admin(bootstrap_servers=bootstrap) as admin:
            assert await coordinator_of(admin, name) == OURS
    async with asyncio.timeout(PATIENCE_S):
        assert await seen(kafka.address) == []
        async with Admin(bootstrap_servers=kafka.address) as admin:
            await admin.commit_prepared_transaction(prepared)
            assert await coordinator_of(admin, name) == KAFKA
        await until_ended(kafka.address, name, "CompleteCommit")
        assert await offset_of(kafka.address, group) == 7
        assert await seen(kafka.address) == [b"moved", b"moved"]


async def test_an_open_transaction_moves_from_kafka_to_ours(
    kafka: KafkaProcess, tmp_path: Path
) -> None:
    """KIP-98: the partitions of Kafka's broker are given to ours, which goes on with its state."""
    name, group = named("p", LED_BY_KAFKA), named("g", LED_BY_KAFKA)
    async with mixed(kafka, tmp_path / "ours") as (node, bootstrap), asyncio.timeout(PATIENCE_S):
        async with Producer(bootstrap_servers=bootstrap, transactional_id=name) as producer:
            await producer.begin_transaction()
            await fill(producer, group, b"moved", 7)
            prepared = await producer.prepare_transaction()
        moved = [TopicPartition(each, LED_BY_KAFKA) for each in (TRANSACTIONS, GROUPS, "t")]
        async with Admin(bootstrap_servers=bootstrap) as admin:
            assert await coordinator_of(admin, name) == KAFKA
            await admin.alter_partition_reassignments({each: [OURS, KAFKA] for each in moved})
            await admin.elect_leaders(partitions=moved)
            await eventually(lambda: coordinator_of(admin, name), lambda found: found == OURS)
            await admin.commit_prepared_transaction(prepared)
        await until_ended(bootstrap, name, "CompleteCommit")
        assert await offset_of(bootstrap, group) == 7
        assert await seen(bootstrap) == [b"moved", b"moved"]
        await check_same_files(kafka, node, tmp_path / "ours")
