"""The listening half of a listener with TLS: accepts, shakes hands, and makes connections of both.

At most `connections.max.handshakes` are under way at one time, each for a limited time; beyond
that nobody is accepted. While there is no room, who has not finished within a second gives up its
place: peers that say nothing keep nobody out for long (TLS-22).
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from functools import partial
from ssl import SSLContext
from typing import Final, Protocol

from barnabas.accepting import accept
from barnabas.tls import reason_of

from ..connection import Connection

PATIENCE_S: Final = 1.0
"""Time that a handshake has while there is no room for another one."""

_AGAIN_S: Final = 0.25
"""After a failure to accept, such as too many open files."""


class Owner(Protocol):
    """The listener, as handshakes need it."""

    def new_connection(self) -> Connection:
        """What takes requests once the handshake is over."""
        ...

    @property
    def tls(self) -> SSLContext | None:
        """With which the next handshake is made; not None for a listener with TLS."""
        ...

    def refusal(self, host: str) -> str | None:
        """Why this address may begin no further handshake; None if it may."""
        ...

    def handshake_failed(self, host: str, reason: str) -> None:
        """Count and log it (TLS-23)."""
        ...

    def handshake_took(self, duration_ms: float) -> None:
        """Count one that came about, and its time (SEC-07)."""
        ...


class TlsServer:
    """In the place of an `asyncio.Server`."""

    def __init__(
        self,
        owner: Owner,
        sockets: list[socket.socket],
        *,
        most: int,
        timeout_ms: int,
    ) -> None:
        """`sockets` listen; at most `most` handshakes at a time, each for `timeout_ms`."""
        self._owner = owner
        self.sockets = sockets
        self._most = most
        self._timeout_s = timeout_ms / 1000.0
        self._loop = asyncio.get_running_loop()
        self._accepting: list[asyncio.Task[None]] = []
        self._tasks: dict[asyncio.Task[None], float] = {}
        """Handshakes under way, oldest first, and since when."""
        self._given_up: set[asyncio.Task[None]] = set()

    async def start_serving(self) -> None:
        """Take connections from now on."""
        for listening in self.sockets:
            self._accepting.append(self._loop.create_task(self._accept(listening)))

    async def close(self) -> None:
        """Take no more connections, and end the handshakes; connections that were made stay."""
        tasks = (*self._accepting, *self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listening in self.sockets:
            listening.close()

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            await self._room()
            try:
                accepted, address = await accept(listening)
            except OSError:
                await asyncio.sleep(_AGAIN_S)
                continue
            host = str(address[0])
            refusal = self._owner.refusal(host)
            if refusal is not None:
                accepted.close()
                self._owner.handshake_failed(host, refusal)
                continue
            task = self._loop.create_task(self._shake_hands(accepted, host))
            self._tasks[task] = self._loop.time()
            task.add_done_callback(partial(self._done, accepted))

    async def _room(self) -> None:
        """Return once another handshake may begin."""
        while len(self._tasks) >= self._most:
            oldest = next(iter(self._tasks.values()))
            left_s = oldest + PATIENCE_S - self._loop.time()
            await asyncio.wait(
                tuple(self._tasks),
                timeout=max(left_s, 0.0),
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task, since in self._tasks.items():
                if since + PATIENCE_S <= self._loop.time():
                    self._given_up.add(task)
                    task.cancel()

    def _done(self, accepted: socket.socket, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        self._given_up.discard(task)
        if task.cancelled():  # before it began: what has begun closes it itself
            accepted.close()

    async def _shake_hands(self, accepted: socket.socket, host: str) -> None:
        with suppress(OSError):  # a socket that was reset before we looked
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        began = self._loop.time()
        try:
            async with asyncio.timeout(self._timeout_s):
                # The connection is made, and takes requests, before this returns.
                await self._loop.connect_accepted_socket(
                    self._owner.new_connection, accepted, ssl=self._owner.tls
                )
            self._owner.handshake_took((self._loop.time() - began) * 1000.0)
        except asyncio.CancelledError:
            accepted.close()
            if asyncio.current_task() in self._given_up:
                self._owner.handshake_failed(host, "others waited for its place")
        except TimeoutError:
            accepted.close()
            self._owner.handshake_failed(host, f"not over within {self._timeout_s:g} s")
        except Exception as error:  # of the peer's making, whatever it is
            accepted.close()
            self._owner.handshake_failed(host, reason_of(error))


def listening_sockets(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Sockets on all addresses of this host; all of this machine's without one. Raises OSError."""
    places = socket.getaddrinfo(
        host or ("0.0.0.0" if port == 0 else None),
        port,
        type=socket.SOCK_STREAM,
        flags=socket.AI_PASSIVE,
    )
    sockets: list[socket.socket] = []
    try:
        for family, kind, protocol, _, place in dict.fromkeys(places):
            try:
                made = socket.socket(family, kind, protocol)
            except OSError:
                continue  # this machine has no such family
            sockets.append(made)
            made.setblocking(False)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind(place)
            made.listen(backlog)
    except OSError:
        for made in sockets:
            made.close()
        raise
    if not sockets:
        raise OSError(f"no address of {host!r} can be listened on")
    return sockets
