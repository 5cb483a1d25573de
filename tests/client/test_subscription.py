"""Goal: topics named the way everybody names them are read whole; nothing waits without a word."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from barnabas.client import Admin, Consumer, ConsumerConfig, Producer, TopicPartition
from barnabas.client.errors import (
    ConfigurationError,
    NothingAssignedError,
    UnknownTopicOrPartitionError,
)

from .consuming import T0, T1, consuming, put, read
from .fake_cluster import FakeCluster
from .fake_log import FakePartition

FAST: dict[str, Any] = {
    "retry_backoff_ms": 1,
    "reconnect_backoff_ms": 1,
    "auto_offset_reset": "earliest",
    "topic_wait_ms": 20,
}


async def test_topics_by_position_are_read_whole() -> None:
    """Goal: Consumer("a", "b", ...) reads every partition of both, without assign()."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        cluster.add_topic("u", 1)
        put(cluster, 10, T0)
        put(cluster, 10, T1)
        put(cluster, 10, TopicPartition("u", 0))
        servers = cluster.bootstrap
        async with Consumer("t", "u", bootstrap_servers=servers, **FAST) as consumer:
            assert consumer.assignment() == {T0, T1, TopicPartition("u", 0)}
            assert len(await read(consumer, 30)) == 30


@pytest.mark.parametrize("topics", [("t",), (["t"],), ({"t"},)])
async def test_subscribe_after_the_start(topics: tuple[Any, ...]) -> None:
    """Goal: the calls of aiokafka and of Kafka's client do the same; positions are kept."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 10, T0)
        put(cluster, 10, T1)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 4) == [0, 1, 2, 3]
            consumer.subscribe(*topics)
            assert len(await read(consumer, 16)) == 16
            assert await consumer.position(T0) == 10
            consumer.assign([T1])
            assert consumer.assignment() == {T1}


async def test_partitions_that_come_later_are_read_from_their_beginning() -> None:
    """Goal: what came into a new partition before it was noticed is read, even from `latest`."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 1)
        put(cluster, 10, T0)
        options = {**FAST, "auto_offset_reset": "latest", "metadata_max_age_ms": 100}
        async with Consumer("t", bootstrap_servers=cluster.bootstrap, **options) as consumer:
            assert await consumer.position(T0) == 10
            cluster.topics["t"].partitions.append(FakePartition(1))
            put(cluster, 3, T1)
            async with asyncio.timeout(10):
                found = [await consumer.getone() for _ in range(3)]
            assert [(each.topic_partition, each.offset) for each in found] == [
                (T1, 0),
                (T1, 1),
                (T1, 2),
            ]
            assert await consumer.position(T0) == 10, "the others keep their place"


async def test_a_topic_that_is_not_there_is_named() -> None:
    """Goal: start() says which topic is missing, and leaves nothing open behind it."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        consumer = Consumer("t", "nowhere", bootstrap_servers=cluster.bootstrap, **FAST)
        with pytest.raises(UnknownTopicOrPartitionError, match="'nowhere'"):
            await consumer.start()
        async with consuming(cluster, topic_wait_ms=20) as other:
            other.subscribe("nowhere")
            with pytest.raises(UnknownTopicOrPartitionError, match="'nowhere'"):
                await other.getmany(timeout_ms=1)


async def test_nothing_assigned_is_said_and_not_waited_for() -> None:
    """Goal: each way to read raises at once, and names what to call."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        async with consuming(cluster) as consumer, asyncio.timeout(10):
            with pytest.raises(NothingAssignedError, match="subscribe"):
                await anext(aiter(consumer))
            with pytest.raises(NothingAssignedError, match="assign"):
                await consumer.getone()
            with pytest.raises(NothingAssignedError, match=r"Consumer\('topic'\)"):
                await consumer.getmany(timeout_ms=60_000)
            consumer.assign([T0])
            with pytest.raises(NothingAssignedError, match="t-1 is not assigned"):
                await consumer.getone(T1)
            waiting = asyncio.create_task(consumer.getone())
            await cluster.node.until("Fetch", 1)
            consumer.unassign()
            with pytest.raises(NothingAssignedError):
                await waiting


def test_what_only_groups_have_needs_one() -> None:
    """Goal: an option or a call of consumer groups without `group_id` says what it lacks."""
    with pytest.raises(ConfigurationError, match="group_instance_id needs a group_id"):
        Consumer("t", group_instance_id="i")
    with pytest.raises(ConfigurationError, match="need a group_id"):
        Consumer().subscribe("t", pattern="t.*")
    assert ConsumerConfig.from_properties({"enable.auto.commit": True}).group_id is None


def test_what_is_no_configuration_is_refused() -> None:
    """Goal: a positional argument of another kind is named, not taken as the configuration."""
    with pytest.raises(TypeError, match="ProducerConfig, not 'localhost:9092'"):
        Producer(cast("Any", "localhost:9092"))
    with pytest.raises(TypeError, match="AdminConfig, not"):
        Admin(cast("Any", ["localhost:9092"]))
    with pytest.raises(TypeError, match="topic must be a str, not ConsumerConfig"):
        Consumer(cast("Any", ConsumerConfig()))
    with pytest.raises(TypeError, match="client_id beside a ConsumerConfig"):
        Consumer("t", config=ConsumerConfig(), client_id="x")
    with pytest.raises(TypeError, match="takes TopicPartition"):
        Consumer().assign(cast("Any", ["t"]))
    with pytest.raises(TypeError, match="topic must be a str, not bytes"):
        Consumer().assign([cast("Any", (b"t", 0))])
    with pytest.raises(ConfigurationError, match="no option 'group_idd'"):
        Consumer("t", group_idd="g")  # type: ignore[call-arg]  # a misspelt one
