"""Real clusters on one event loop: started, written to, hurt, healed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.cluster.topic_image import PartitionImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.testing.cluster_layout import free_ports

from .clusters import CLUSTER_ID, NodesCluster, cluster

pytestmark = pytest.mark.slow


def partition_of(node: Node, topic: str) -> PartitionImage:
    found = node.image.partition(topic, 0)
    assert found is not None
    return found


async def write(bootstrap: str, topic: str, values: Sequence[str]) -> None:
    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        sent = [await producer.send(topic, value.encode()) for value in values]
        await asyncio.gather(*sent)


async def read(bootstrap: str, topic: str, count: int) -> list[str]:
    partition = TopicPartition(topic, 0)
    async with Consumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign([partition])
        records = [await consumer.getone(partition) for _ in range(count)]
    return [bytes(record.value or b"").decode() for record in records]


async def create(running: NodesCluster, name: str) -> None:
    async with Admin(bootstrap_servers=running.bootstrap) as admin:
        await admin.create_topics([NewTopic(name, 1, 3)])


@pytest.mark.parametrize("dies", ["leader", "active controller"])
async def test_a_cluster_goes_on_when_a_node_is_killed(tmp_path: Path, dies: str) -> None:
    """631-02: nothing that was acknowledged is lost, and the node comes back into the ISR."""
    async with cluster(tmp_path, combined=3, min_insync_replicas=2) as running:
        await create(running, "t")
        first = [f"before {number}" for number in range(20)]
        await write(running.bootstrap, "t", first)
        active = running.active
        victim = active.node_id
        if dies == "leader":
            victim = partition_of(active, "t").leader
        survivor = next(node for node in running.nodes.values() if node.node_id != victim)
        await running.kill(victim)
        await asyncio.wait_for(until(lambda: survivor.image.brokers[victim].fenced), 20)
        assert victim not in partition_of(survivor, "t").isr
        second = [f"after {number}" for number in range(20)]
        await write(running.bootstrap, "t", second)
        await running.start(victim)
        await asyncio.wait_for(until(lambda: len(partition_of(survivor, "t").isr) == 3), 20)
        assert await asyncio.wait_for(read(running.bootstrap, "t", 40), 20) == first + second


async def test_any_broker_takes_what_the_controller_decides(tmp_path: Path) -> None:
    """Decision 4: each broker sends it on; when the answer is there, every broker has it."""
    async with cluster(tmp_path, combined=3) as running:
        for node in running.nodes.values():
            name = f"by-{node.node_id}"
            topic = CreatableTopic(name=name, num_partitions=2, replication_factor=3)
            async with RawClient("127.0.0.1", node.port) as client:
                answer = await client.ask(CreateTopicsRequest(topics=[topic], timeout_ms=9000), 7)
            assert [one.error_code for one in answer.topics] == [ErrorCode.NONE]
            for other in running.nodes.values():
                assert len(other.image.topics_by_name[name].partitions) == 2


async def test_any_broker_describes_the_quorum(tmp_path: Path) -> None:
    """KIP-595: the leader answers, whichever broker was asked; all voters have its log."""
    async with cluster(tmp_path, combined=3) as running:
        asked = TopicData(
            topic_name="__cluster_metadata", partitions=[PartitionData(partition_index=0)]
        )
        for node in running.nodes.values():
            async with RawClient("127.0.0.1", node.port) as client:
                answer = await client.ask(DescribeQuorumRequest(topics=[asked]), 2)
            assert answer.error_code == ErrorCode.NONE
            (partition,) = answer.topics[0].partitions
            assert partition.error_code == ErrorCode.NONE
            assert partition.leader_id == running.active.node_id
            assert sorted(one.replica_id for one in partition.current_voters) == [1, 2, 3]


async def test_brokers_and_controllers_apart(tmp_path: Path) -> None:
    """process.roles: one controller that serves no clients, two brokers that have no vote."""
    async with cluster(tmp_path, controllers=1, brokers=2, min_insync_replicas=1) as running:
        controller = running.nodes[1]
        assert controller.role is None
        async with RawClient("127.0.0.1", controller.port) as client:
            answer = await client.ask(DescribeClusterRequest(endpoint_type=2), 1)
        assert answer.error_code == ErrorCode.NONE
        assert [(one.broker_id, one.port) for one in answer.brokers] == [(1, controller.port)]
        async with Admin(bootstrap_servers=running.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 2)])
        await write(running.bootstrap, "t", ["a", "b"])
        assert await asyncio.wait_for(read(running.bootstrap, "t", 2), 20) == ["a", "b"]


async def test_a_node_that_stops_hands_over_first(tmp_path: Path) -> None:
    """631-03: its leaderships are elsewhere before it goes, and nobody waits for its session."""
    async with cluster(tmp_path, combined=3, min_insync_replicas=2) as running:
        await create(running, "t")
        await write(running.bootstrap, "t", ["a"])
        leader = partition_of(running.active, "t").leader
        before = partition_of(running.active, "t").leader_epoch
        await running.stop(leader)
        rest = next(iter(running.nodes.values()))
        await asyncio.wait_for(until(lambda: rest.image.brokers[leader].fenced), 20)
        now = partition_of(rest, "t")
        assert (now.leader in running.nodes, now.leader_epoch) == (True, before + 1)
        await write(running.bootstrap, "t", ["b"])
        assert await asyncio.wait_for(read(running.bootstrap, "t", 2), 20) == ["a", "b"]
        await running.start(leader)
        await asyncio.wait_for(until(lambda: len(partition_of(rest, "t").isr) == 3), 20)


async def test_a_cluster_that_was_stopped_comes_back(tmp_path: Path) -> None:
    """595-01, 631-01: all nodes stop, all start; records, topics and epochs go on."""
    async with cluster(tmp_path, combined=3, min_insync_replicas=2) as running:
        await create(running, "t")
        await write(running.bootstrap, "t", ["a", "b"])
        before = running.active
        epochs = {number: one.epoch for number, one in before.image.brokers.items()}
        quorum_epoch = before.quorum.leader.epoch
        await asyncio.gather(*(running.stop(number) for number in list(running.nodes)))
        await running.start()
        now = running.active
        assert now.quorum.leader.epoch > quorum_epoch
        assert all(one.epoch > epochs[number] for number, one in now.image.brokers.items())
        await write(running.bootstrap, "t", ["c"])
        assert await asyncio.wait_for(read(running.bootstrap, "t", 3), 20) == ["a", "b", "c"]


async def test_a_broker_joins_a_node_that_began_alone(tmp_path: Path) -> None:
    """853-01: controller.quorum.bootstrap.servers instead of a list of voters."""
    door, first, second = free_ports(3)
    common: dict[str, Any] = {
        "cluster_id": CLUSTER_ID,
        "controller_listener_names": ("CONTROLLER",),
        "controller_quorum_bootstrap_servers": (f"127.0.0.1:{door}",),
        "logging_level": "error",
    }
    configs = [
        replace(
            BrokerConfig(),
            node_id=1,
            log_dirs=(str(tmp_path / "1"),),
            listeners=(f"PLAINTEXT://127.0.0.1:{first}", f"CONTROLLER://127.0.0.1:{door}"),
            **common,
        ),
        replace(
            BrokerConfig(),
            node_id=2,
            process_roles=("broker",),
            log_dirs=(str(tmp_path / "2"),),
            listeners=(f"PLAINTEXT://127.0.0.1:{second}",),
            **common,
        ),
    ]
    running = NodesCluster(configs)
    try:
        await running.start(1)
        await running.start(2)
        async with Admin(bootstrap_servers=f"127.0.0.1:{second}") as admin:
            await admin.create_topics([NewTopic("t", 1, 2)])
        await write(f"127.0.0.1:{second}", "t", ["a"])
        assert await asyncio.wait_for(read(f"127.0.0.1:{first}", "t", 1), 20) == ["a"]
        assert set(partition_of(running.nodes[1], "t").isr) == {1, 2}
    finally:
        for number in list(running.nodes):
            await running.kill(number)


async def test_a_topic_is_created_on_demand_by_any_broker(tmp_path: Path) -> None:
    """auto.create.topics.enable: a broker that is not the active controller asks it."""
    async with cluster(tmp_path, combined=3, auto_create_topics_enable=True) as running:
        active = running.active.node_id
        other = next(node for number, node in running.nodes.items() if number != active)
        async with RawClient("127.0.0.1", other.port) as client:
            topic = MetadataRequestTopic(name="wanted")
            request = MetadataRequest(topics=[topic], allow_auto_topic_creation=True)
            answer = await client.ask(request, 9)
        assert [one.error_code for one in answer.topics] == [ErrorCode.NONE]
        assert "wanted" in running.active.image.topics_by_name
