"""Goal: a consumer reads from the replica of its own rack as long as that one serves it, and from
the leader as soon as it does not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from barnabas.client import ReplicaBytes
from barnabas.protocol.errors import ErrorCode

from .consuming import T0, consuming, put, read, refusal
from .fake_cluster import Action, FakeCluster, FakeNode
from .fake_log import FakeFollower
from .racks import LEADER, NEAR, two_racks, until_read_from


async def test_records_come_from_the_replica_of_ones_rack() -> None:
    """392-17: who is read from, and how many bytes came from whom."""
    async with two_racks() as cluster:
        put(cluster, 100)
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=20) as consumer:
            assert consumer.preferred_read_replica(T0) == -1
            assert await read(consumer, 100) == list(range(100))
            assert consumer.preferred_read_replica(T0) == NEAR
            [near] = consumer.bytes_read()
            assert near == ReplicaBytes(NEAR, "b", True, 0, near.total_bytes)
            assert near.total_bytes == sum(
                len(data) for _, _, data in cluster.partition("t").batches
            )
        assert {each.rack_id for each in cluster.node.of("Fetch")} == {"b"}
        assert cluster.nodes[NEAR].of("Fetch")[0].session_epoch == 0, "a session of its own"


async def test_without_a_rack_records_come_from_the_leader() -> None:
    async with two_racks() as cluster:
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
            [leader] = consumer.bytes_read()
            assert (leader.node_id, leader.is_local, leader.from_follower_bytes) == (1, False, 0)
        assert cluster.nodes[NEAR].count("Fetch") == 0


async def test_the_leader_is_asked_again_after_metadata_max_age() -> None:
    """392-14: a preference expires, and the leader names a replica anew."""
    async with (
        two_racks() as cluster,
        consuming(
            cluster, T0, client_rack="b", metadata_max_age_ms=100, fetch_max_wait_ms=10
        ) as consumer,
    ):
        await until_read_from(consumer, NEAR)
        await cluster.node.until("Fetch", 4)
        put(cluster, 10)
        assert await read(consumer, 10) == list(range(10))


async def test_a_replica_that_dies_is_left_at_once() -> None:
    """392-14: the connection failed; meanwhile the leader is not told the rack, or it would send
    the consumer straight back."""
    async with two_racks() as cluster:
        put(cluster, 10)
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=10) as consumer:
            assert await read(consumer, 10) == list(range(10))
            await cluster.nodes[NEAR].stop()
            put(cluster, 10)
            assert await read(consumer, 10) == list(range(10, 20))
            assert consumer.preferred_read_replica(T0) == -1
            assert cluster.node.of("Fetch")[-1].rack_id == ""
            assert consumer.position_events() == []


async def test_a_replica_that_metadata_does_not_list_is_left() -> None:
    """392-14: missing in metadata."""
    async with two_racks() as cluster:
        put(cluster, 10)
        async with consuming(
            cluster, T0, client_rack="b", metadata_max_age_ms=100, fetch_max_wait_ms=10
        ) as consumer:
            assert await read(consumer, 10) == list(range(10))
            gone = cluster.nodes.pop(NEAR)
            cluster.partition("t").followers.clear()
            await until_read_from(consumer, -1)
            put(cluster, 10)
            assert await read(consumer, 10) == list(range(10, 20))
            await gone.stop()


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.KAFKA_STORAGE_ERROR,
    ],
)
async def test_a_replica_that_refuses_is_left(code: ErrorCode) -> None:
    """392-05, 392-14: the preference is dropped, metadata is asked for, nothing moves."""
    async with two_racks() as cluster:
        put(cluster, 10)

        def script(node: FakeNode, request: Any) -> Any:
            is_near = node.node_id == NEAR and type(request).NAME == "FetchRequest"
            return refusal(cluster, code) if is_near else None

        cluster.script = script
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=10) as consumer:
            before = sum(node.count("Metadata") for node in cluster.nodes.values())
            assert await read(consumer, 10) == list(range(10))
            assert cluster.nodes[NEAR].count("Fetch") == 1, "not asked again at once"
            assert consumer.preferred_read_replica(T0) == -1
            async with asyncio.timeout(10):  # it is asked for in the background
                while sum(node.count("Metadata") for node in cluster.nodes.values()) <= before:
                    await consumer.getmany(timeout_ms=5)
            assert consumer.position_events() == []


async def test_a_replica_that_breaks_off_is_left() -> None:
    """392-14: a request that failed without an answer."""
    async with two_racks() as cluster:
        put(cluster, 10)
        cluster.script = lambda node, request: (
            Action.DROP if node.node_id == NEAR and type(request).NAME == "FetchRequest" else None
        )
        async with consuming(cluster, T0, client_rack="b") as consumer:
            assert await read(consumer, 10) == list(range(10))
            [leader] = consumer.bytes_read()
            assert leader.node_id == LEADER


@pytest.mark.parametrize("at", [8, 70])
async def test_a_replica_with_a_damaged_copy_is_left(at: int) -> None:
    """A flipped bit in a length or in a record: the leader has a copy of its own."""
    async with two_racks() as cluster:
        put(cluster, 10)
        whole = cluster.partition("t").batches

        def script(node: FakeNode, request: Any) -> Any:
            damaged = bytearray(whole[0][2])
            damaged[at] ^= 0x80
            is_near = node.node_id == NEAR and type(request).NAME == "FetchRequest"
            cluster.partition("t").batches = (
                [(*whole[0][:2], bytes(damaged)), *whole[1:]] if is_near else whole
            )

        cluster.script = script
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=10) as consumer:
            assert await read(consumer, 10) == list(range(10))
            assert consumer.preferred_read_replica(T0) == -1
            assert cluster.nodes[NEAR].count("Fetch") <= 2, "one may have been on its way"
            assert consumer.position_events() == []


async def test_a_replica_that_nobody_knows_is_no_place_to_go() -> None:
    """The leader names node 9, which metadata does not have: it is read from itself."""
    async with FakeCluster() as cluster:
        cluster.racks = {9: "b"}
        cluster.add_topic("t")
        cluster.partition("t").followers[9] = FakeFollower()
        put(cluster, 10)
        async with consuming(cluster, T0, client_rack="b") as consumer:
            assert await read(consumer, 10) == list(range(10))
