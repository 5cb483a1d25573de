"""Accepting connections, and ending that, without losing a connection that was just accepted."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any

_TURNS_TO_MAKE = 3
"""Of asyncio's loop, from an accepted socket to `connection_made`."""


async def close_server(server: asyncio.Server) -> None:
    """Take no more connections; those that were accepted are made, and stay.

    asyncio's own server fails an assertion where it makes the transport of a connection that it
    accepted in the turn in which it is closed: the socket then stays open without an owner until it
    is collected as garbage. So its sockets are watched no more first, and closed some turns later.
    """
    loop = asyncio.get_running_loop()
    if isinstance(loop, asyncio.SelectorEventLoop):
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
        for _ in range(_TURNS_TO_MAKE):
            await asyncio.sleep(0)
    server.close()


async def accept(listening: socket.socket) -> tuple[socket.socket, Any]:
    """The next connection of a listening, non-blocking socket, and its address. Raises OSError.

    Each takes a turn of the event loop, so that peers who connect without end hold up nobody.
    Where this is cancelled, the connection is still the kernel's: asyncio's own `sock_accept`
    drops one that it has accepted if its caller is cancelled in that turn.
    """
    while True:
        await _until_readable(listening)
        with suppress(BlockingIOError, InterruptedError):  # it closed again before it was accepted
            accepted, address = listening.accept()
            accepted.setblocking(False)
            return accepted, address


async def _until_readable(listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(listening, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(listening)
