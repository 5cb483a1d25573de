"""Two fake brokers in two racks, of which the nearer one follows."""

from __future__ import annotations

import asyncio

from barnabas.client import Consumer

from .consuming import T0
from .fake_cluster import FakeCluster
from .fake_log import FakeFollower

LEADER, NEAR = 1, 2


def two_racks() -> FakeCluster:
    """Node 1 leads in rack a, node 2 follows in rack b."""
    cluster = FakeCluster(nodes=2)
    cluster.racks = {LEADER: "a", NEAR: "b"}
    cluster.add_topic("t")
    cluster.partition("t").followers[NEAR] = FakeFollower()
    return cluster


async def until_read_from(consumer: Consumer, node_id: int) -> None:
    """Wait until a consumer means to read T0 from a node (-1: the leader)."""
    async with asyncio.timeout(10):
        while consumer.preferred_read_replica(T0) != node_id:
            await consumer.getmany(timeout_ms=5)
