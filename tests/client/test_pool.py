"""Goal: one connection an address and purpose: made once, closed when idle, backed off."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from barnabas.client.config import ClientConfig
from barnabas.client.errors import ClientClosedError, ConnectionFailedError
from barnabas.client.wire import cluster as view_of_cluster
from barnabas.client.wire import pool
from barnabas.client.wire.backoff import Backoff
from barnabas.client.wire.cluster import Cluster
from barnabas.client.wire.pool import ConnectionPool, Lane
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.metadata_response import MetadataResponse

from .fake_cluster import Action, FakeCluster


async def test_callers_share_one_attempt() -> None:
    async with FakeCluster() as cluster:
        pool = ConnectionPool(ClientConfig(bootstrap_servers=cluster.bootstrap))
        port = cluster.node.port
        found = await asyncio.gather(
            *[pool.get("127.0.0.1", port, Lane.CONTROL) for _ in range(10)]
        )
        assert len({id(each) for each in found}) == 1
        other = await pool.get("127.0.0.1", port, Lane.FETCH)
        assert other is not found[0]
        assert cluster.node.connections == 2
        await pool.close()
        assert other.is_closed
        with pytest.raises(ClientClosedError):
            await pool.get("127.0.0.1", port, Lane.CONTROL)


async def test_a_closed_connection_is_replaced() -> None:
    async with FakeCluster() as cluster:
        pool = ConnectionPool(ClientConfig(bootstrap_servers=cluster.bootstrap))
        first = await pool.get("127.0.0.1", cluster.node.port, Lane.CONTROL)
        first.close()
        assert pool.ready("127.0.0.1", cluster.node.port, Lane.CONTROL) is None
        assert await pool.get("127.0.0.1", cluster.node.port, Lane.CONTROL) is not first
        await pool.close()


async def test_idle_connections_are_closed() -> None:
    async with FakeCluster() as cluster:
        config = ClientConfig(bootstrap_servers=cluster.bootstrap, connections_max_idle_ms=50)
        pool = ConnectionPool(config)
        connection = await pool.get("127.0.0.1", cluster.node.port, Lane.CONTROL)
        async with asyncio.timeout(5):
            await connection.wait_closed()
        await pool.close()


async def test_attempts_on_one_address_are_spaced() -> None:
    async with FakeCluster() as cluster:
        port = cluster.node.port
    config = ClientConfig(reconnect_backoff_ms=40, reconnect_backoff_max_ms=40)
    pool = ConnectionPool(config)
    loop = asyncio.get_running_loop()
    started = loop.time()
    for _ in range(3):
        with pytest.raises(ConnectionFailedError, match="Connection refused"):
            await pool.get("127.0.0.1", port, Lane.CONTROL)
    assert loop.time() - started >= 2 * 0.04 * 0.8  # jitter takes at most a fifth
    await pool.close()


async def test_metadata_is_asked_for_once_however_many_ask() -> None:
    async with FakeCluster() as cluster:
        view = Cluster(ClientConfig(bootstrap_servers=cluster.bootstrap))
        await view.start()
        before = cluster.node.count("Metadata")
        await asyncio.gather(*[view.refresh() for _ in range(20)])
        # The first, and one for all who asked while it was under way: theirs may be news.
        assert cluster.node.count("Metadata") - before == 2
        for _ in range(20):
            view.refresh_soon()
        await cluster.node.until("Metadata", before + 3)
        await view.close()


async def test_metadata_does_not_grow_old() -> None:
    async with FakeCluster() as cluster:
        config = ClientConfig(
            bootstrap_servers=cluster.bootstrap, metadata_max_age_ms=100, retry_backoff_ms=1
        )
        view = Cluster(config)
        await view.start()
        await cluster.node.until("Metadata", 4)
        await view.close()


async def test_metadata_is_asked_for_elsewhere_when_a_broker_stands_still() -> None:
    """Its connection is open and quiet; nobody waits for `request_timeout_ms`."""
    async with FakeCluster(nodes=2) as cluster:
        config = ClientConfig(bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1)
        view = Cluster(config)
        await view.start()
        silent = next(node for node in cluster.nodes.values() if node.count("Metadata"))
        cluster.script = lambda node, request: Action.HANG if node is silent else None
        async with asyncio.timeout(10):
            await view.refresh()
        assert silent.count("Metadata") == 2, "it was asked, in vain"
        await view.close()


async def test_while_a_broker_stands_still_metadata_is_asked_for_without_growing_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its partitions go to others when its session is over: nobody waits for long after that."""
    monkeypatch.setattr(pool, "SILENT_S", 0.01)
    monkeypatch.setattr(pool, "SILENCE_CHECK_S", 0.01)
    monkeypatch.setattr(view_of_cluster, "SILENCE_CHECK_S", 0.01)
    monkeypatch.setattr(view_of_cluster, "STEADY_REFRESHES", 1)
    async with FakeCluster(nodes=2) as cluster:
        # Between two refreshes that bring nothing new: an hour, then two, …
        config = ClientConfig(
            bootstrap_servers=f"127.0.0.1:{cluster.nodes[2].port}",
            retry_backoff_ms=3_600_000,
            retry_backoff_max_ms=36_000_000,
        )
        view = Cluster(config)
        await view.start()
        silent = cluster.nodes[1]
        connection = await view.pool.get("127.0.0.1", silent.port, Lane.PRODUCE)
        cluster.script = lambda node, request: Action.HANG if node is silent else None
        answer = connection.send(MetadataRequest(), MetadataResponse, 9, 60.0)
        async with asyncio.timeout(30):
            await cluster.nodes[2].until("Metadata", cluster.nodes[2].count("Metadata") + 8)
        await view.close()
        with pytest.raises(ConnectionFailedError):
            await answer


async def test_requests_to_a_broker_that_left_the_cluster_end() -> None:
    async with FakeCluster(nodes=2) as cluster:
        # Not by bootstrap: those addresses are asked whoever metadata names.
        view = Cluster(ClientConfig(bootstrap_servers=f"127.0.0.1:{cluster.nodes[2].port}"))
        await view.start()
        gone = cluster.nodes[1]
        connection = await view.pool.get("127.0.0.1", gone.port, Lane.PRODUCE)
        cluster.script = lambda node, request: Action.HANG if node is gone else None
        answer = connection.send(MetadataRequest(), MetadataResponse, 9, 60.0)
        del cluster.nodes[1]
        await view.refresh()
        with pytest.raises(ConnectionFailedError, match="has left the cluster"):
            await answer
        await view.close()
        await gone.stop()


async def test_a_bounded_backoff_is_steady_before_it_grows() -> None:
    backoff = Backoff(100, 1000, Random(1), steady=3)
    waits = [backoff.next_s() for _ in range(8)]
    assert all(0.08 <= wait <= 0.12 for wait in waits[:3])
    assert 0.16 <= waits[3] <= 0.24
    assert 0.8 <= waits[7] <= 1.2
