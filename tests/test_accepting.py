"""Connections are accepted, and servers closed, without losing one that was taken last."""

from __future__ import annotations

import asyncio
import socket

import pytest

from barnabas.accepting import accept, close_server


class Taken(asyncio.Protocol):
    """Notes its transport."""

    transport: asyncio.BaseTransport | None = None

    def __init__(self) -> None:
        self.is_over = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over.set()


async def test_what_is_accepted_in_the_turn_of_the_close_is_made() -> None:
    """Goal: whoever closes a server hears of each connection that it took, and can close it."""
    taken = Taken()
    server = await asyncio.get_running_loop().create_server(lambda: taken, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()):
        # The first turn sees that somebody waits, in the second the loop accepts, and its task that
        # makes the transport has not begun.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await close_server(server)
        assert taken.transport is not None
        taken.transport.close()
        await taken.is_over.wait()


async def test_nobody_connects_after_the_close() -> None:
    """Goal: the port refuses when the call returns."""
    server = await asyncio.get_running_loop().create_server(Taken, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    await close_server(server)
    with socket.socket() as knocking:
        assert knocking.connect_ex(address) != 0


@pytest.mark.parametrize("turns", range(6))
async def test_who_is_cancelled_while_somebody_connects_loses_no_connection(turns: int) -> None:
    """Goal: an accepted connection reaches the caller, or it was never accepted."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        accepting = asyncio.create_task(accept(listening))
        await asyncio.sleep(0)
        with socket.create_connection(listening.getsockname()):
            for _ in range(turns):
                await asyncio.sleep(0)
            accepting.cancel()
            await asyncio.wait([accepting])
            accepted, _ = listening.accept() if accepting.cancelled() else accepting.result()
            accepted.close()


async def test_others_have_their_turns_while_many_connect() -> None:
    """Goal: a queue of connections that never empties does not hold up the event loop."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as listening:
        listening.setblocking(False)
        callers = [socket.create_connection(listening.getsockname()) for _ in range(8)]
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        for taken in range(8):
            accepted, _ = await accept(listening)
            accepted.close()
            assert turns > taken
        beside.cancel()
        for caller in callers:
            caller.close()
