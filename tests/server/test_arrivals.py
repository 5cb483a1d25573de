"""How fast connections may come, and how many there may be of whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.stopped_clock import stopped_env

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.config.listeners import listener_of_brokers_alone
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

ASKED = ApiVersionsRequest()


@pytest.mark.each_loop
async def test_who_comes_too_fast_is_served_later(tmp_path: Path) -> None:
    """QTA-16: nobody is refused; over the rate a connection waits as long as the rate says."""
    settings: dict[str, Any] = {"max_connection_creation_rate": 20, "quota_window_num": 2}
    async with running(tmp_path, stopped_env(), **settings) as bench:
        for _ in range(20):
            async with bench.connect() as client:
                await client.ask(ASKED, 0)
        began = asyncio.get_running_loop().time()
        async with bench.connect() as second, bench.connect() as third:
            await third.ask(ASKED, 0)
            assert asyncio.get_running_loop().time() - began >= 0.1  # two too many
            await second.ask(ASKED, 0)


@pytest.mark.each_loop
async def test_an_address_over_its_quota_is_closed(tmp_path: Path) -> None:
    """QTA-16: after the throttle time, unanswered, and without counting."""
    async with running(tmp_path, stopped_env(), quota_window_num=2) as bench:
        bench.limit({"ip": "127.0.0.1"}, connection_creation_rate=20)
        async with bench.connect() as one:
            for _ in range(19):
                async with bench.connect() as client:
                    await client.ask(ASKED, 0)
            async with bench.connect() as client:
                client.send(ASKED, 0)
                assert await client.closed()
            await one.ask(ASKED, 0)
        assert "connection_creation_rate" in str(bench.log.lines[-1])


async def test_overrides_of_single_addresses(tmp_path: Path) -> None:
    """TLS-24: another number than max.connections.per.ip, for an address in any spelling."""
    overrides = ("127.0.0.1:1", "[0:0::1]:3")
    async with (
        running(tmp_path, max_connections_per_ip_overrides=overrides) as bench,
        bench.connect() as first,
        bench.connect() as second,
    ):
        assert await second.closed()
        await first.ask(ASKED, 0)


@pytest.mark.parametrize("text", ["localhost:3", "10.0.0.1", "10.0.0.1:", "10.0.0.1:-1", ":5"])
def test_overrides_that_make_no_sense(text: str) -> None:
    """TLS-24: they are refused by name, and nothing is resolved."""
    with pytest.raises(ConfigError, match=r"max\.connections\.per\.ip\.overrides"):
        BrokerConfig(max_connections_per_ip_overrides=(text,))


async def test_a_broker_finds_room(tmp_path: Path) -> None:
    """TLS-24: on a listener of their own brokers are exempt from max.connections."""
    listeners = ("PLAINTEXT://127.0.0.1:0", "INTERNAL://127.0.0.1:0")
    protocols = "PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT"
    async with running(
        tmp_path,
        listeners=listeners,
        listener_security_protocol_map=protocols,
        inter_broker_listener_name="INTERNAL",
        max_connections=1,
    ) as bench:
        internal = await bench.broker.bind("INTERNAL", "127.0.0.1", 0)
        await internal.start_serving()
        async with bench.connect() as client, bench.connect() as another:
            assert await another.closed()
            await client.ask(ASKED, 0)
            async with type(client)("127.0.0.1", internal.port) as broker:
                await broker.ask(ASKED, 0)
                assert await client.closed()


def test_clients_share_the_only_listener() -> None:
    """QTA-16: then brokers are not exempt."""
    config = BrokerConfig(listeners=("A://:1",), listener_security_protocol_map="A:PLAINTEXT")
    assert listener_of_brokers_alone(config) is None
    config = replace(
        config,
        listeners=("A://:1", "B://:2", "C://:3"),
        controller_listener_names=("C",),
        inter_broker_listener_name="B",
        listener_security_protocol_map="A:PLAINTEXT,B:PLAINTEXT,C:PLAINTEXT",
    )
    assert listener_of_brokers_alone(config) == "B"
