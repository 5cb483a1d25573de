"""Goal: no frame to a controller's port ends a node, spoils its files or stops elections."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.node import Node
from barnabas.client import Admin, NewTopic
from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import begin_quorum_epoch_request as begin
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)

from .clusters import CLUSTER_ID, NodesCluster, cluster

pytestmark = pytest.mark.slow

TOPIC = "__cluster_metadata"
INT32_MAX = (1 << 31) - 1
KEYS = (1, 52, 53, 54, 59, 80, 81, 82)
NUMBERS = (-(1 << 31), -2, -1, 0, 1, 2, 3, 4, 99, 1 << 20, INT32_MAX - 1, INT32_MAX)
METADATA_ID = bytes(15) + b"\1"


def port_of(node: Node) -> int:
    assert node.controller is not None
    return node.controller.server.listeners[0].port


async def tell(node: Node, request: Any, version: int) -> Any:
    """The answer of a controller to anybody who asks; None if it only closes the connection."""
    async with RawClient("127.0.0.1", port_of(node)) as client:
        try:
            return await client.ask(request, version)
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
            return None


def claim(leader_id: int, epoch: int, cluster_id: str | None) -> begin.BeginQuorumEpochRequest:
    """Somebody leads, says somebody."""
    partition = begin.PartitionData(leader_id=leader_id, leader_epoch=epoch)
    topic = begin.TopicData(topic_name=TOPIC, partitions=[partition])
    return begin.BeginQuorumEpochRequest(cluster_id=cluster_id, topics=[topic])


async def check_well(running: NodesCluster, directory: Path, epoch: int) -> None:
    """All live, their files can be read, the next leader is elected, and changes go on."""
    for number, node in running.nodes.items():
        assert not node.failed.is_set()
        path = directory / f"node-{number}" / "__cluster_metadata-0" / "quorum-state"
        assert QuorumState.decode(path.read_bytes()).leader_epoch <= epoch
    active = running.active.node_id
    await running.kill(active)
    survivor = next(iter(running.nodes.values()))
    await asyncio.wait_for(until(lambda: survivor.quorum.leader.leader_id in running.nodes), 30)
    async with Admin(bootstrap_servers=running.bootstrap) as admin:
        await admin.create_topics([NewTopic("after", 1, 2)])


@pytest.mark.parametrize("cluster_id", [None, CLUSTER_ID])
@pytest.mark.parametrize("epoch", ["this", INT32_MAX])
async def test_a_leader_that_is_none(tmp_path: Path, cluster_id: str | None, epoch: Any) -> None:
    """595-09, 595-10: node 99 leads this epoch, or the last one; three nodes are told so."""
    async with cluster(tmp_path, combined=3) as running:
        now = running.active.quorum.leader.epoch
        asked = now if epoch == "this" else epoch
        for leader_id in (99, 2):
            for node in running.nodes.values():
                answer = await tell(node, claim(leader_id, asked, cluster_id), 0)
                if cluster_id is None:
                    assert answer.error_code == int(ErrorCode.INCONSISTENT_CLUSTER_ID)
        await check_well(running, tmp_path, now)


async def test_a_voters_number_is_not_enough_to_commit(tmp_path: Path) -> None:
    """595-03, 595-04: while a voter fetches, nobody else acknowledges records for it."""
    async with cluster(tmp_path, combined=3) as running:
        active = running.active
        voter = next(one for one in running.nodes if one != active.node_id)
        partition = FetchPartition(
            current_leader_epoch=active.quorum.leader.epoch,
            fetch_offset=active.quorum.log_end_offset,
            last_fetched_epoch=active.quorum.leader.epoch,
            partition_max_bytes=1000,
        )
        request = FetchRequest(
            cluster_id=CLUSTER_ID,
            replica_state=ReplicaState(replica_id=voter),
            max_bytes=1000,
            topics=[FetchTopic(topic=TOPIC, topic_id=METADATA_ID, partitions=[partition])],
        )
        answer = await tell(active, request, 17)
        (row,) = answer.responses[0].partitions
        assert row.error_code == int(ErrorCode.BROKER_NOT_AVAILABLE)


def hostile(kind: Any, random: Random, depth: int = 0) -> Any:
    """A message of this class with values that no sound node sends, in a form that can be read."""
    made = kind()
    for name in kind.FIELDS:
        value = getattr(made, name)
        if isinstance(value, bool):
            setattr(made, name, random.random() < 0.5)
        elif isinstance(value, int):
            small = name.endswith(("port", "version", "level"))
            setattr(made, name, random.randrange(100) if small else random.choice(NUMBERS))
    if hasattr(made, "cluster_id"):
        made.cluster_id = random.choice((None, CLUSTER_ID, CLUSTER_ID, CLUSTER_ID, "another"))
    return made


def frame_of(key: int, random: Random) -> Any:
    """A request about the metadata log."""
    module = __import__(api(key).request.__module__, fromlist=["*"])
    made = hostile(api(key).request, random)
    if hasattr(made, "topics"):
        partition_kind = next(
            getattr(module, name)
            for name in ("FetchPartition", "PartitionSnapshot", "PartitionData")
            if hasattr(module, name)
        )
        topic_kind = next(
            getattr(module, name)
            for name in ("FetchTopic", "TopicSnapshot", "TopicData")
            if hasattr(module, name)
        )
        partition, topic = hostile(partition_kind, random), topic_kind()
        for name in ("partition_index", "partition"):
            if hasattr(partition, name):
                setattr(partition, name, 0)
        for name in ("topic_name", "topic", "name"):
            if hasattr(topic, name):
                setattr(topic, name, TOPIC)
        if hasattr(topic, "topic_id"):
            topic.topic_id = METADATA_ID
        if hasattr(partition, "snapshot_id"):
            partition.snapshot_id = hostile(module.SnapshotId, random)
        topic.partitions = [partition]
        made.topics = [topic]
    if key == 1:
        made.replica_id = -1  # newer versions have it in their own place
        made.isolation_level = 0
        made.replica_state = hostile(module.ReplicaState, random)
        made.max_wait_ms = random.choice((-1, 0, 1))
    return made


async def test_frames_that_no_voter_sends(tmp_path: Path) -> None:
    """595-01 to 595-10: hundreds of requests of the quorum with hostile values, to every node."""
    random = Random(5)
    async with cluster(tmp_path, combined=3) as running:
        first = running.active.quorum.leader.epoch
        for _ in range(40):
            for key in KEYS:
                for node in running.nodes.values():
                    async with RawClient("127.0.0.1", port_of(node)) as client:
                        client.send(frame_of(key, random), api(key).max_version)
                        await client.writer.drain()
        await asyncio.wait_for(
            until(
                lambda: any(
                    one.controller is not None and one.controller.service.is_active
                    for one in running.nodes.values()
                )
            ),
            30,
        )
        await check_well(running, tmp_path, first + 10_000)
