"""Topics that a client uses are in its refreshes, whoever gives up; a missing one holds up none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from barnabas.client import TopicPartition
from barnabas.client.config import ClientConfig
from barnabas.client.errors import UnknownTopicOrPartitionError
from barnabas.client.wire.cluster import Cluster
from barnabas.protocol.message import Message

from . import fake_handlers
from .consuming import T0, consuming, put, read
from .fake_cluster import FakeCluster, FakeNode


@asynccontextmanager
async def view_of(cluster: FakeCluster) -> AsyncIterator[Cluster]:
    """A view that waits for no topic."""
    view = Cluster(
        ClientConfig(bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1, topic_wait_ms=0)
    )
    await view.start()
    try:
        yield view
    finally:
        await view.close()


class Gates:
    """Holds the answers to questions for topics; each gate opens for one of them."""

    def __init__(self, cluster: FakeCluster, count: int) -> None:
        self.gates = [asyncio.Event() for _ in range(count)]
        self._asked = 0
        self._cluster = cluster
        cluster.more["Metadata"] = self._answer

    async def _answer(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        if request.topics:
            self._asked += 1
            await self._cluster.wake()
            if self._asked <= len(self.gates):
                await self.gates[self._asked - 1].wait()
        return fake_handlers.cluster_metadata(node, request)

    async def asked(self, count: int) -> None:
        """Wait until so many questions came."""
        async with asyncio.timeout(10), self._cluster.data:
            await self._cluster.data.wait_for(lambda: self._asked >= count)


async def is_in_refreshes(view: Cluster, cluster: FakeCluster) -> bool:
    """Whether the view hears of a new leader of the topic."""
    await view.refresh()  # what was asked before may be answered only now
    cluster.move("t", 0, 2)
    await view.refresh()
    return view.metadata.leader_id("t", 0) == 2


async def two_who_ask(view: Cluster, gates: Gates) -> tuple[asyncio.Task[Any], asyncio.Task[Any]]:
    """The first waits for the answer to its question, the second for that to the next one."""
    first = asyncio.create_task(view.topic("t"))
    await gates.asked(1)
    second = asyncio.create_task(view.topic("t"))
    await asyncio.sleep(0)
    return first, second


async def test_who_looks_in_vain_gives_up_no_topic_of_others() -> None:
    """Goal: a topic that is away for a moment comes back to who reads it."""
    async with FakeCluster(nodes=2) as cluster, view_of(cluster) as view:
        view.track(["t"])
        with pytest.raises(UnknownTopicOrPartitionError):
            await view.topic("t")
        cluster.add_topic("t")
        await view.refresh()
        assert await is_in_refreshes(view, cluster)


async def test_who_is_cancelled_gives_up_no_topic_that_is_known() -> None:
    """Goal: the first to ask has its answer, the second is cancelled: the topic is in use."""
    async with FakeCluster(nodes=2) as cluster, view_of(cluster) as view:
        cluster.add_topic("t")
        gates = Gates(cluster, 2)
        first, second = await two_who_ask(view, gates)
        gates.gates[0].set()
        await first
        await gates.asked(2)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        gates.gates[1].set()
        assert await is_in_refreshes(view, cluster)


async def test_who_is_cancelled_first_gives_up_no_topic_of_who_waits_still() -> None:
    """Goal: the first to ask is cancelled, the second gets its answer: the topic is in use."""
    async with FakeCluster(nodes=2) as cluster, view_of(cluster) as view:
        cluster.add_topic("t")
        gates = Gates(cluster, 1)
        first, second = await two_who_ask(view, gates)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        gates.gates[0].set()
        await second
        assert await is_in_refreshes(view, cluster)


async def test_a_missing_topic_holds_up_no_other() -> None:
    """Goal: partitions that are there are read at once, beside some of a topic that is not yet."""
    missing = [TopicPartition("missing", number) for number in range(3)]
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0, *missing, topic_wait_ms=60_000) as consumer:
            assert await read(consumer, 10) == list(range(10))
            cluster.add_topic("missing", 3)
            put(cluster, 5, missing[2])
            await cluster.wake()
            assert await read(consumer, 5) == list(range(5))
