"""Closing a server of the event loop without losing a connection that it has just accepted."""

from __future__ import annotations

import asyncio

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
