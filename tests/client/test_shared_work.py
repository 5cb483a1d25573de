"""Goal: who waits for what others wait for too gets an end of its own: its limit, or the stop."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client.config import ClientConfig
from barnabas.client.errors import ClientClosedError
from barnabas.client.wire.cluster import Cluster
from barnabas.client.wire.first_success import first_success
from barnabas.client.wire.shared import shared

from .fake_cluster import Action, FakeCluster
from .producing import producing


async def test_work_that_is_cancelled_is_no_cancellation_of_who_waits() -> None:
    work = asyncio.create_task(asyncio.Event().wait())
    waiting = asyncio.create_task(shared(work))
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(ClientClosedError, match="stopped"):
        await waiting
    with pytest.raises(ClientClosedError):
        await first_success([lambda: shared(work)], 1000.0)


async def test_who_is_cancelled_leaves_the_work_to_the_others() -> None:
    ready = asyncio.Event()
    work = asyncio.create_task(ready.wait())
    one, other = asyncio.create_task(shared(work)), asyncio.create_task(shared(work))
    await asyncio.sleep(0)
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    ready.set()
    assert await other


async def test_a_call_that_waits_is_told_of_the_stop() -> None:
    """Not by a CancelledError, with which its task would vanish out of a TaskGroup."""
    async with FakeCluster() as cluster:
        async with producing(cluster) as producer:
            cluster.script = lambda node, request: (
                Action.HANG if type(request).NAME == "MetadataRequest" else None
            )
            count = cluster.node.count("Metadata")
            waiting = asyncio.create_task(producer.send("new", b"v"))
            await cluster.node.until("Metadata", count + 1)
        with pytest.raises(ClientClosedError):
            await waiting


async def test_a_caller_that_gives_up_takes_no_topic_from_another() -> None:
    async with FakeCluster() as cluster:
        config = ClientConfig(bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1)
        view = Cluster(config)
        await view.start()
        hasty = asyncio.create_task(view.topic("t"))
        patient = asyncio.create_task(view.topic("t"))
        await cluster.node.until("Metadata", 3)
        hasty.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hasty
        cluster.add_topic("t")
        async with asyncio.timeout(10):
            assert (await patient).name == "t"
        await view.close()
