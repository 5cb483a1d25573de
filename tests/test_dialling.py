"""Hosts by their names: several addresses, none, and lookups that fail too late."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from barnabas.broker.server.peer_channel import PeerChannel, PeerUnavailableError
from barnabas.broker.storage.files import real_env
from barnabas.client.config import ClientConfig
from barnabas.client.errors import ConnectionFailedError
from barnabas.client.wire.connection import open_socket
from barnabas.dialling import dial
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest

NOWHERE = "a." * 150 + "invalid"
"""Too long for a name: the lookup fails on every machine, and asks nobody."""

SILENT = "::5"
"""An address that swallows what is sent to it."""


async def call_a_peer() -> None:
    channel = PeerChannel(
        lambda: (NOWHERE, 9),
        client_id="t",
        clock=real_env().clock,
        connect_timeout_ms=0,
    )
    with pytest.raises(PeerUnavailableError):
        await channel.call(DescribeClusterRequest(), timeout_ms=1000)
    channel.close()


async def call_a_broker() -> None:
    with pytest.raises(ConnectionFailedError):
        await open_socket(NOWHERE, 9, ClientConfig(), 0)


@pytest.mark.parametrize("call", [call_a_peer, call_a_broker])
def test_a_lookup_that_fails_too_late_is_nobodys_error(call: Callable[[], Awaitable[None]]) -> None:
    """Goal: on the loop that `serve` runs on, a name that fails after its time leaves no log line.

    The names of containers do that when their network is cut.
    """
    uvloop = pytest.importorskip("uvloop")
    told: list[dict[str, Any]] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(context))
        for _ in range(3):
            await call()
            with pytest.raises(OSError):  # as long as that takes, the one given up takes too
                await loop.getaddrinfo(NOWHERE, 9)
        gc.collect()

    uvloop.run(scenario())
    gc.collect()
    assert told == []


def answers(*hosts: tuple[int, str]) -> list[Any]:
    """What a lookup says."""
    found = []
    for family, host in hosts:
        place = (host, 0, 0, 0) if family == socket.AF_INET6 else (host, 0)
        found.append((family, socket.SOCK_STREAM, 6, "", place))
    return found


class Looking:
    """The loop's lookup, with answers of our own."""

    def __init__(self, found: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = found
        self.tried: list[str] = []
        loop = asyncio.get_running_loop()
        connect = loop.create_connection

        async def look_up(*_: Any, **__: Any) -> list[Any]:
            return self.found

        async def note(make: Any, host: str, port: int, **options: Any) -> Any:
            self.tried.append(host)
            if host == SILENT:
                time = loop.time
                monkeypatch.setattr(loop, "time", lambda: time() + 11)  # more than half of it
                await asyncio.Event().wait()
            if host.startswith("::"):
                raise OSError(101, "Network is unreachable")
            monkeypatch.undo()
            return await connect(make, host, port, **options)

        monkeypatch.setattr(loop, "getaddrinfo", look_up)
        monkeypatch.setattr(loop, "create_connection", note)


class HangsUp(asyncio.Protocol):
    """An end that is over as soon as it is there."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over.set()


async def test_the_next_address_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a name with an address of a family that this machine lacks is reached by the other."""
    loop = asyncio.get_running_loop()
    near, far = HangsUp(), HangsUp()
    server = await loop.create_server(lambda: far, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    found = answers((socket.AF_INET6, "::2"), (socket.AF_INET, "127.0.0.1"))
    looking = Looking(found, monkeypatch)
    assert await dial(lambda: near, "two.example", port) is near
    assert looking.tried == ["::2", "127.0.0.1"]
    await near.is_over.wait()
    await far.is_over.wait()
    server.close()


async def test_an_address_that_swallows_all_leaves_time_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Goal: a name is reached by its second address although nobody refuses at the first."""
    loop = asyncio.get_running_loop()
    far = HangsUp()
    server = await loop.create_server(lambda: far, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    found = answers((socket.AF_INET6, SILENT), (socket.AF_INET, "127.0.0.1"))
    looking = Looking(found, monkeypatch)
    connection = await open_socket("two.example", port, ClientConfig(), 20.0)
    assert looking.tried == [SILENT, "127.0.0.1"]
    connection.close()
    await connection.wait_closed()
    await far.is_over.wait()
    server.close()


async def test_what_is_told_when_no_address_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: one reason for all addresses is that reason; none at all says so."""
    looking = Looking(answers((socket.AF_INET6, "::2"), (socket.AF_INET6, "::3")), monkeypatch)
    with pytest.raises(OSError, match="unreachable") as caught:
        await dial(asyncio.Protocol, "six.example", 9)
    assert caught.value.errno == 101
    looking.found = []
    with pytest.raises(OSError, match="has no address"):
        await dial(asyncio.Protocol, "none.example", 9)
