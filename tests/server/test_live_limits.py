"""Limits of connections that are changed while a broker runs, as Kafka's brokers let them be."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from kit.broker import Bench, running
from kit.stopped_clock import stopped_env

from barnabas.broker.core.cluster.image import RESOURCE_BROKER
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.server.limits import Limits
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.config_record import ConfigRecord

ASKED = ApiVersionsRequest()
API_VERSIONS = 18


def change(bench: Bench, name: str, value: str | None, broker: str = "") -> None:
    """A setting of all brokers, or of one; None takes it away."""
    bench.apply(
        ConfigRecord(resource_type=RESOURCE_BROKER, resource_name=broker, name=name, value=value)
    )


async def is_taken(bench: Bench) -> bool:
    """Whether one more connection is served."""
    async with bench.connect() as client:
        client.send(ASKED, 0)
        try:
            await client.receive(API_VERSIONS, 0)
        except (asyncio.IncompleteReadError, ConnectionError):
            return False
        return True


@pytest.mark.parametrize(
    ("name", "few", "many"),
    [
        ("max.connections", "2", "10"),
        ("max.connections.per.ip", "2", "10"),
        ("max.connections.per.ip.overrides", "127.0.0.1:2", "127.0.0.1:10"),
    ],
)
async def test_how_many(tmp_path: Path, name: str, few: str, many: str) -> None:
    """Fewer, more, and as before; who is connected stays, however few there may be then."""
    async with running(tmp_path) as bench, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(bench.connect()) for _ in range(3)]
        for client in clients:
            await client.ask(ASKED, 0)
        change(bench, name, few)
        assert not await is_taken(bench)
        for client in clients:
            await client.ask(ASKED, 0)
        change(bench, name, many, str(bench.broker.node_id))
        assert await is_taken(bench)
        change(bench, name, None, str(bench.broker.node_id))
        assert not await is_taken(bench)
        change(bench, name, None)
        assert await is_taken(bench)


async def test_how_fast(tmp_path: Path) -> None:
    """QTA-16: with a rate that came later, who comes too fast waits; without it nobody does."""
    async with running(tmp_path, stopped_env(), quota_window_num=2) as bench:
        change(bench, "max.connection.creation.rate", "1")
        async with bench.connect() as first, bench.connect() as second:
            await first.ask(ASKED, 0)
            second.send(ASKED, 0)
            change(bench, "max.connection.creation.rate", None)
            async with bench.connect() as third:
                await third.ask(ASKED, 0)
            waiting = asyncio.ensure_future(second.receive(API_VERSIONS, 0))
            await asyncio.sleep(0)
            assert not waiting.done()
            waiting.cancel()


def test_never_more_than_there_are_descriptors() -> None:
    """What the operating system allows bounds every later setting."""
    limits = Limits(BrokerConfig(max_connections=100))
    assert not limits.bound_connections(150)
    limits.obey(BrokerConfig(max_connections=1000))
    assert limits.connections_max == 150
    limits.obey(BrokerConfig(max_connections=120))
    assert limits.connections_max == 120
    assert limits.bound_connections(50)
    assert limits.connections_max == 50
