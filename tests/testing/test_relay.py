"""The doors of an in-process cluster, with an echo behind: what passes, what waits, what breaks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from barnabas.accepting import close_server
from barnabas.protocol.header import encode_request
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.testing.links import CLIENTS, Links
from barnabas.testing.relay import HOST, Relay, caller_of

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
OWNER = 1


class House:
    """A node that sends back what it hears, and its door."""

    def __init__(self) -> None:
        self.links = Links()
        self.relay = Relay(OWNER, self.links)
        self.ended = asyncio.Event()
        self.heard = 0
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        self._server = await asyncio.start_server(
            self._echo, HOST, self.relay.target_port, reuse_address=True
        )
        await self.relay.open()

    async def _echo(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                self.heard += len(data)
                writer.write(data)
                await writer.drain()
        self.ended.set()
        writer.close()

    async def dial(self) -> Streams:
        return await asyncio.open_connection(HOST, self.relay.port)

    async def close(self) -> None:
        self.relay.dispose()
        for writer in self._writers:
            writer.close()
        assert self._server is not None
        await close_server(self._server)


@contextlib.asynccontextmanager
async def a_house() -> AsyncIterator[House]:
    house = House()
    await house.open()
    try:
        yield house
    finally:
        await house.close()


def hello(client_id: str | None) -> bytes:
    """A first request frame."""
    return encode_request(ApiVersionsRequest(), 0, 1, client_id)


async def greet(streams: Streams, client_id: str) -> None:
    reader, writer = streams
    writer.write(hello(client_id))
    assert await reader.readexactly(len(hello(client_id))) == hello(client_id)


async def is_silent(reader: asyncio.StreamReader) -> bool:
    """Nothing comes in a while; a while is many turns of the loop, with pauses for the kernel."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.05)
        return False
    return True


@pytest.mark.parametrize(
    ("client_id", "caller"),
    [
        ("broker-3", 3),
        ("broker-12-fetcher-1", 12),
        ("raft-client-2", 2),
        ("controller-4", 4),
        ("broker-3x", CLIENTS),
        ("barnabas", CLIENTS),
        ("", CLIENTS),
        (None, CLIENTS),
    ],
)
def test_who_calls(client_id: str | None, caller: int | str) -> None:
    """Nodes are known by the client ids of their connections to each other."""
    assert caller_of(client_id) == caller


@pytest.mark.parametrize("step", [1, 7, 1000])
async def test_bytes_pass_in_any_pieces(step: int) -> None:
    """What is sent arrives, and so does the end; the first head may come byte by byte."""
    async with a_house() as house:
        reader, writer = await house.dial()
        sent = hello("me") + bytes(300)
        for start in range(0, len(sent), step):
            writer.write(sent[start : start + step])
            await asyncio.sleep(0)
        assert await reader.readexactly(len(sent)) == sent
        writer.close()
        await asyncio.wait_for(house.ended.wait(), 10)


async def test_a_sender_is_held_back() -> None:
    """Who sends more than the other reads waits, and nothing of it is lost."""
    async with a_house() as house:
        reader, writer = await house.dial()
        await greet((reader, writer), "me")
        sent = bytes(range(256)) * 40_000
        sending = asyncio.ensure_future(_send(writer, sent))
        assert await asyncio.wait_for(reader.readexactly(len(sent)), 30) == sent
        await sending
        writer.close()


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


@pytest.mark.parametrize("towards_node", [True, False])
async def test_a_cut_way_holds_bytes_until_it_heals(towards_node: bool) -> None:
    """One direction is cut: its bytes wait, the other's do not; another caller notices nothing."""
    async with a_house() as house:
        ours, theirs = await house.dial(), await house.dial()
        await greet(ours, "broker-2")
        await greet(theirs, "somebody")
        before = house.heard
        house.links.cut(*((2, OWNER) if towards_node else (OWNER, 2)))
        reader, writer = ours
        writer.write(b"abc")
        assert await is_silent(reader)
        assert house.heard == before + (0 if towards_node else 3)
        await greet(theirs, "still here")
        house.links.heal()
        assert await asyncio.wait_for(reader.readexactly(3), 10) == b"abc"
        for _, one in (ours, theirs):
            one.close()


async def test_ends_wait_on_a_cut_way_too() -> None:
    """A connection that one side closed lives on at the other until the way is open."""
    async with a_house() as house:
        reader, writer = await house.dial()
        await greet((reader, writer), "broker-2")
        house.links.pause(2)
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.02)
        assert not house.ended.is_set()
        house.links.resume(2)
        await asyncio.wait_for(house.ended.wait(), 10)


async def test_new_connections_on_a_closed_way_wait() -> None:
    """They are taken, and what they say arrives when the way is open again."""
    async with a_house() as house:
        house.links.pause(OWNER)
        reader, writer = await house.dial()
        writer.write(hello("broker-2"))
        assert await is_silent(reader)
        assert house.heard == 0
        house.links.resume(OWNER)
        frame = hello("broker-2")
        assert await asyncio.wait_for(reader.readexactly(len(frame)), 10) == frame
        writer.close()


async def test_the_dead_are_refused_and_a_closed_door_too() -> None:
    """Whoever was killed gets no connection; a closed door refuses, and opens on its port."""
    async with a_house() as house:
        house.links.bury(2)
        reader, writer = await house.dial()
        writer.write(hello("broker-2"))
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(1), 10) == b""
        writer.close()
        assert house.heard == 0
        streams = await house.dial()
        await greet(streams, "me")
        house.relay.close()
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(streams[0].read(1), 10) == b""
        streams[1].close()
        with pytest.raises(ConnectionRefusedError):
            await house.dial()
        await house.relay.open()
        streams = await house.dial()
        await greet(streams, "me")
        streams[1].close()


async def test_only_one_callers_connections_break() -> None:
    """The connections of a node that is killed break; those of others stay."""
    async with a_house() as house:
        ours, theirs = await house.dial(), await house.dial()
        await greet(ours, "raft-client-2")
        await greet(theirs, "raft-client-3")
        house.relay.break_off(2)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(ours[0].read(1), 10) == b""
        await greet(theirs, "raft-client-3")
        for _, one in (ours, theirs):
            one.close()
