"""How fast connections may come, and how many there may be of whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.stopped_clock import stopped_env
from kit.waiting import until

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.config.listeners import listener_of_brokers_alone, own_values
from barnabas.broker.core.config.security import Override
from barnabas.broker.settings import load_config
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

ASKED = ApiVersionsRequest()
CLOCK_S = 0.002
"""The loop's time is in whole milliseconds, with uvloop."""


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
            waited = asyncio.get_running_loop().time() - began
            assert waited >= 0.1 - CLOCK_S  # two too many
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


@pytest.mark.parametrize(
    "text",
    [
        "localhost:3",
        "10.0.0.1",
        "10.0.0.1:",
        "10.0.0.1:-1",
        ":5",
        "10.0.0.1:2147483648",
        pytest.param("10.0.0.1:" + "9" * 5000, id="thousands of digits"),
    ],
)
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


TWO = {
    "listeners": ("PLAINTEXT://127.0.0.1:0", "INTERNAL://127.0.0.1:0"),
    "listener_security_protocol_map": "PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT",
    "inter_broker_listener_name": "INTERNAL",
}
"""Settings of a broker with a listener for clients, and one for brokers."""


def own(listener: str, field_name: str, value: int) -> dict[str, Any]:
    """Those of one listener with one setting of its own."""
    return {"listener_overrides": (Override(listener, "", field_name, value),)}


@pytest.mark.each_loop
async def test_a_full_listener_lets_others_wait(tmp_path: Path) -> None:
    """TLS-24: `max.connections` of a listener; in the order in which they came, and no read."""
    settings: dict[str, Any] = {**TWO, **own("plaintext", "max_connections", 2)}
    async with running(tmp_path, socket_listen_backlog_size=2, **settings) as bench:
        async with bench.connect() as first, bench.connect() as second:
            for client in (first, second):
                await client.ask(ASKED, 0)
            async with bench.connect() as third:
                third.send(ASKED, 0)
                await until(lambda: len(bench.broker.connections) == 3)
                async with bench.connect() as fourth, bench.connect() as fifth:
                    assert await fifth.closed(), "no more than two wait"
                    fourth.send(ASKED, 0)
                    await first.ask(ASKED, 0)
                    assert not third.reader._buffer  # type: ignore[attr-defined]
                    first.writer.close()
                    await third.receive(18, 0)
                    assert not fourth.reader._buffer  # type: ignore[attr-defined]
                    third.writer.close()
                    await fourth.receive(18, 0)
        await until(lambda: len(bench.broker.connections) == 0)
        async with bench.connect() as client:
            await client.ask(ASKED, 0)


async def test_who_waits_and_leaves(tmp_path: Path) -> None:
    """TLS-24: its place in the line goes to the next one; other listeners are not concerned."""
    settings: dict[str, Any] = {**TWO, **own("plaintext", "max_connections", 1)}
    async with running(tmp_path, **settings) as bench:
        internal = await bench.broker.bind("INTERNAL", "127.0.0.1", 0)
        await internal.start_serving()
        async with bench.connect() as first, bench.connect() as second, bench.connect() as third:
            await first.ask(ASKED, 0)
            await until(lambda: len(bench.broker.connections) == 3)
            for client in (second, first):
                client.writer.close()
            await third.ask(ASKED, 0)
            for _ in range(3):
                async with type(first)("127.0.0.1", internal.port) as broker:
                    await broker.ask(ASKED, 0)


@pytest.mark.each_loop
async def test_a_listener_with_a_rate_of_its_own(tmp_path: Path) -> None:
    """QTA-16: beside that of the node, and also where that one does not hold."""
    settings: dict[str, Any] = {
        **TWO,
        **own("internal", "max_connection_creation_rate", 20),
        "max_connection_creation_rate": 1,
        "quota_window_num": 2,
    }
    async with running(tmp_path, stopped_env(), **settings) as bench:
        internal = await bench.broker.bind("INTERNAL", "127.0.0.1", 0)
        await internal.start_serving()
        raw = type(bench.connect())
        loop = asyncio.get_running_loop()
        for _ in range(20):
            async with raw("127.0.0.1", internal.port) as client:
                await client.ask(ASKED, 0)
        began = loop.time()
        async with raw("127.0.0.1", internal.port) as late:
            await late.ask(ASKED, 0)
        assert loop.time() - began >= 0.05 - CLOCK_S


def test_limits_of_one_listener() -> None:
    """TLS-24, QTA-16: by its prefix; none at all is refused, and what no listener can have."""
    names = ["listeners=A://:1,B://:2", "listener.security.protocol.map=A:PLAINTEXT,B:PLAINTEXT"]
    config = load_config(
        assignments=[
            *names,
            "listener.name.a.max.connections=3",
            "listener.name.b.max.connection.creation.rate=4",
        ]
    )
    assert own_values(config, "max_connections") == {"a": 3}
    assert own_values(config, "max_connection_creation_rate") == {"b": 4}
    assert (config.max_connections, config.max_connection_creation_rate) == (10_000, 2**31 - 1)
    for wrong in ("max.connections=0", "max.connections.per.ip=3", "plain.max.connections=3"):
        with pytest.raises(ConfigError, match=r"listener\.name\.a"):
            load_config(assignments=[*names, "listener.name.a." + wrong])


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
