"""Clients that are stopped and started again: nothing of before works on, in any event loop."""

from __future__ import annotations

import asyncio

from barnabas.client import Consumer, Producer

from .consuming import T0, put
from .fake_cluster import FakeCluster
from .producing import values


def tasks_of(name: str) -> int:
    """How many tasks of this kind there are."""
    return sum(name in repr(task) for task in asyncio.all_tasks())


async def test_no_task_of_an_earlier_start_fetches() -> None:
    """Goal: new metadata wake what runs now; what was stopped stays so, and the next stop ends
    all that there is."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        consumer = Consumer(bootstrap_servers=cluster.bootstrap, auto_offset_reset="earliest")
        consumer.assign([T0])
        told = list(consumer._cluster.when_changed)
        for number in range(3):
            async with consumer:
                assert (await consumer.getone()).offset == number
                await consumer._cluster.refresh()
        await asyncio.sleep(0)
        assert tasks_of("Fetcher._run") == 0
        assert consumer._cluster.when_changed == told


async def test_metadata_wake_no_sender_of_an_earlier_start() -> None:
    """Goal: a producer that is started a thousand times keeps no sender but the last."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        producer = Producer(bootstrap_servers=cluster.bootstrap)
        for number in range(3):
            async with producer:
                assert (await producer.send_and_wait("t", b"%d" % number)).offset == number
        assert producer._cluster.when_changed == []
        assert values(cluster) == [b"0", b"1", b"2"]


def test_metadata_are_kept_fresh_in_another_event_loop() -> None:
    """Goal: a client may be stopped at the end of one `asyncio.run`, and started in the next."""
    client: list[Producer] = []
    port = 0

    async def scenario() -> int:
        cluster = FakeCluster()
        cluster.node.port = port  # the same one in the second loop
        cluster.add_topic("t")
        async with cluster:
            if not client:
                client.append(
                    Producer(bootstrap_servers=cluster.bootstrap, metadata_max_age_ms=100)
                )
            async with client[0] as producer:
                await producer.send_and_wait("t", b"")
                await cluster.node.until("Metadata", 4)
            return cluster.node.port

    port = asyncio.run(scenario())
    assert asyncio.run(scenario()) == port
