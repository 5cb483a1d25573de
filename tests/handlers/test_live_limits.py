"""Limits of connections that change while a node runs, by IncrementalAlterConfigs (KIP-226)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import pytest
from kit.broker import NODE_ID, running
from kit.raw_client import RawClient
from kit.stopped_clock import stopped_env
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.broker.server.listener_room import ListenerRoom
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.config_record import ConfigRecord

from .configs import APPEND, BROKER, DELETE, SET, alter, describe, resource
from .nodes import serving

ASKED = ApiVersionsRequest()
OF_LISTENER = "listener.name.plaintext."
CLOCK_S = 0.002
"""The loop's time is in whole milliseconds, with uvloop."""


class Scene:
    """A node, and somebody who was there before everybody else."""

    def __init__(self, node: Node, first: RawClient) -> None:
        self.node = node
        self._first = first

    async def set(self, name: str, value: str | None, broker: str | None = None) -> None:
        """Set it, or take it away, on this broker or on all (an empty name)."""
        name_of_broker = str(self.node.node_id) if broker is None else broker
        operation = DELETE if value is None else SET
        changed = await alter(
            self._first, resource(BROKER, name_of_broker, (name, operation, value))
        )
        assert changed in ([(0, None)], [(0, "")]), changed

    def client(self) -> RawClient:
        return RawClient("127.0.0.1", self.node.port)

    async def is_let_in(self) -> bool:
        """Whether one more connection is served; it is gone afterwards."""
        connections = self.node.broker.connections
        before = len(connections)
        try:
            async with self.client() as client:
                await client.ask(ASKED, 0)
                return True
        except (asyncio.IncompleteReadError, ConnectionError):
            return False
        finally:
            await until(lambda: len(connections) == before)


@asynccontextmanager
async def scene(directory: Path) -> AsyncIterator[Scene]:
    async with serving(directory) as (node, client):
        await client.ask(ASKED, 0)
        yield Scene(node, client)


@pytest.mark.parametrize("broker", ["", None])
async def test_connections_of_an_address(tmp_path: Path, broker: str | None) -> None:
    """TLS-24: on one broker or on all; who is there stays, and the setting goes again."""
    async with scene(tmp_path) as one:
        await one.set("max.connections.per.ip", "1", broker)
        assert not await one.is_let_in()
        await one.set("max.connections.per.ip.overrides", "10.0.0.1:5,127.0.0.1:2", broker)
        assert await one.is_let_in()
        await one.set("max.connections.per.ip.overrides", None, broker)
        assert not await one.is_let_in()
        await one.set("max.connections.per.ip", None, broker)
        assert await one.is_let_in()


async def test_connections_of_a_node(tmp_path: Path) -> None:
    """TLS-24: fewer than there are closes nobody, and lets nobody in."""
    async with scene(tmp_path) as one, one.client() as second:
        await second.ask(ASKED, 0)
        await one.set("max.connections", "1")
        assert not await one.is_let_in()
        await second.ask(ASKED, 0)
        await one.set("max.connections", "3", "")
        assert not await one.is_let_in(), "the broker's own beats that of all"
        await one.set("max.connections", None)
        assert await one.is_let_in()


async def test_descriptors_bound_it(tmp_path: Path) -> None:
    """TLS-24: no setting allows more connections than there are descriptors for."""
    async with scene(tmp_path) as one:
        limits = one.node.broker.connections.limits
        assert limits.connections_possible < 2**31 - 1
        await one.set("max.connections", "2147483647")
        assert limits.connections_max == limits.connections_possible


@pytest.mark.parametrize("broker", ["", None])
async def test_connections_of_a_listener(tmp_path: Path, broker: str | None) -> None:
    """TLS-24: of one that had no limit; who waits comes in when it is raised, or goes."""
    async with scene(tmp_path) as one:
        for higher in ("2", None):
            await one.set(OF_LISTENER + "max.connections", "1", broker)
            async with one.client() as waiting:
                waiting.send(ASKED, 0)
                await until(lambda: len(one.node.broker.connections) == 2)
                await one.set(OF_LISTENER + "max.connections", higher, broker)
                await waiting.receive(18, 0)
            await until(lambda: len(one.node.broker.connections) == 1)


def test_who_waits_while_the_number_is_lowered() -> None:
    """TLS-24: nobody goes, and nobody comes in before there is a place again."""

    class Guest:
        closing_reason = None
        is_in = True

        def wait_from_start(self) -> None:
            self.is_in = False

        def let_begin(self) -> None:
            self.is_in = True

        def close(self, reason: str) -> None:
            raise AssertionError(reason)

    room = ListenerRoom(2, 10)
    guests = [Guest() for _ in range(4)]
    for guest in guests:
        room.take_in(guest)
    room.allow(1)
    room.leave(guests[0])
    assert [one.is_in for one in guests[1:]] == [True, False, False]
    room.allow(2)
    assert [one.is_in for one in guests[1:]] == [True, True, False]
    room.allow(None)
    assert all(one.is_in for one in guests)


@pytest.mark.each_loop
@pytest.mark.parametrize("prefix", ["", OF_LISTENER])
async def test_how_fast_they_come(tmp_path: Path, prefix: str) -> None:
    """QTA-16: a rate that was not there at the start, and its end."""
    loop, name = asyncio.get_running_loop(), prefix + "max.connection.creation.rate"

    def row(value: str | None) -> ConfigRecord:
        return ConfigRecord(
            resource_type=BROKER, resource_name=str(NODE_ID), name=name, value=value
        )

    async with running(tmp_path, stopped_env(), quota_window_num=2) as bench:
        bench.apply(row("20"))
        for _ in range(20):
            async with bench.connect() as client:
                await client.ask(ASKED, 0)
        began = loop.time()
        async with bench.connect() as client:
            await client.ask(ASKED, 0)
        assert loop.time() - began >= 0.05 - CLOCK_S
        bench.apply(row(None))
        rates = bench.broker.connections._arrivals
        assert rates is not None
        assert not rates._rates


REFUSED = (
    ("max.connections", "-1", "max.connections"),
    ("max.connections", "many", "max.connections"),
    ("max.connections.per.ip", "-1", "max.connections.per.ip"),
    ("max.connections.per.ip.overrides", "localhost:3", "localhost:3"),
    ("max.connections.per.ip.overrides", "10.0.0.1", "10.0.0.1"),
    ("max.connection.creation.rate", "0", "max.connection.creation.rate"),
    (OF_LISTENER + "max.connections", "0", "at least 1"),
    (OF_LISTENER + "max.connections", "x", "max.connections"),
    (OF_LISTENER + "max.connection.creation.rate", "-5", "max.connection.creation.rate"),
    (OF_LISTENER + "connections.max.reauth.ms", "5", "cannot be changed while a node runs"),
)
"""Name, value, and what the answer tells of it."""


async def test_what_is_refused(tmp_path: Path) -> None:
    """TLS-24, QTA-16: 42, which names what was wrong; nothing changes."""
    async with serving(tmp_path) as (node, client):
        for broker, (name, value, told) in product(("", str(node.node_id)), REFUSED):
            ((code, message),) = await alter(client, resource(BROKER, broker, (name, SET, value)))
            assert code == 42
            assert told in str(message)
            assert name not in node.image.config_of(BROKER, broker)


async def test_overrides_are_a_list(tmp_path: Path) -> None:
    """TLS-24: addresses can be added one by one."""
    async with serving(tmp_path) as (node, client):
        name, broker = "max.connections.per.ip.overrides", str(node.node_id)
        for text in ("10.0.0.1:5", "10.0.0.2:6"):
            await alter(client, resource(BROKER, broker, (name, APPEND, text)))
        limits = node.broker.connections.limits
        assert limits.connections_per_ip_overrides == {"10.0.0.1": 5, "10.0.0.2": 6}


async def test_they_are_described(tmp_path: Path) -> None:
    """TLS-24: as settings that can be changed, with where they were set, of a listener too."""
    async with serving(tmp_path) as (node, client):
        broker, prefixed = str(node.node_id), OF_LISTENER + "max.connections"
        await alter(client, resource(BROKER, broker, (prefixed, SET, "7")))
        await alter(client, resource(BROKER, "", ("max.connections", SET, "9")))
        result = await describe(client, BROKER, broker, prefixed, "max.connections")
        found = {one.name: one for one in result.configs}
        assert [
            (one.value, one.config_source, one.read_only, one.is_sensitive, one.config_type)
            for one in (found[prefixed], found["max.connections"])
        ] == [("7", 2, False, False, 3), ("9", 3, False, False, 3)]
