"""Goal: brokers that die and come back while leaders move cost no record, none twice, no order,
and no reader in another rack a gap.

A seed chooses who dies when; the fakes share one log, so that a dead leader's records survive it
as committed ones do.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from barnabas.client import Consumer, Producer, TopicPartition

from .fake_cluster import FakeCluster
from .fake_log import FakeFollower
from .producing import PARTITIONS, RECORDS, send_all, stored

NODES = 3
DEATHS = 6


async def kill_and_revive(cluster: FakeCluster, seed: int) -> None:
    """One broker at a time is gone; the partitions that it led get another leader late."""
    randomness = random.Random(seed)
    for _ in range(DEATHS):
        node = cluster.nodes[randomness.randint(1, NODES)]
        others = [each for each in cluster.nodes if each != node.node_id]
        await node.stop()
        # For a while nobody leads in its place.
        await asyncio.sleep(randomness.random() * 0.02)
        for number in range(PARTITIONS):
            if cluster.partition("t", number).leader == node.node_id:
                cluster.move("t", number, randomness.choice(others))
        await cluster.wake()
        await asyncio.sleep(randomness.random() * 0.02)
        await node.start()


@pytest.mark.parametrize("rack", ["", "rack-2"])
@pytest.mark.parametrize("seed", range(3))
async def test_nothing_lost_nothing_twice_in_order(seed: int, rack: str) -> None:
    """I-5, I-19, L-4: through the death of every broker in turn."""
    async with FakeCluster(nodes=NODES) as cluster:
        cluster.add_topic("t", PARTITIONS)
        cluster.racks = {number: f"rack-{number}" for number in cluster.nodes}
        for number in range(PARTITIONS):
            followers = cluster.partition("t", number).followers
            followers.update({node_id: FakeFollower() for node_id in cluster.nodes})
        options: dict[str, Any] = {
            "bootstrap_servers": cluster.bootstrap,
            "retry_backoff_ms": 1,
            "retry_backoff_max_ms": 10,
            "reconnect_backoff_ms": 1,
            "reconnect_backoff_max_ms": 5,
        }
        async with (
            asyncio.timeout(12),
            Producer(batch_size=300, **options) as producer,
            Consumer(
                auto_offset_reset="earliest", fetch_max_wait_ms=20, client_rack=rack, **options
            ) as consumer,
        ):
            consumer.assign([TopicPartition("t", number) for number in range(PARTITIONS)])
            dying = asyncio.create_task(kill_and_revive(cluster, seed))
            sending = asyncio.create_task(send_all(producer))
            found: dict[int, list[int]] = {number: [] for number in range(PARTITIONS)}
            for _ in range(RECORDS):
                record = await consumer.getone()
                found[record.partition].append(int(record.value or b""))
            await sending
            assert consumer.reset_events() == []
            await dying
        for number in range(PARTITIONS):
            expected = [n for n in range(RECORDS) if n % PARTITIONS == number]
            assert stored(cluster, number) == expected
            assert found[number] == expected
