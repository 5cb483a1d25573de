"""TCP on virtual time: servers, connections, delay, bandwidth, partial segments, cuts and resets.

TCP neither reorders nor duplicates inside a connection, so neither does this. A cut link holds
bytes back until it heals (what retransmission does) or until the connection is reset.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import log
from random import Random
from typing import Any

from .incarnation import CURRENT, Incarnation
from .link_profile import LinkProfile
from .loop import SimulatedLoop
from .transport import SimulatedTransport, host_of

EPHEMERAL_PORTS = range(32768, 61000)


class SimulatedServer(asyncio.AbstractServer):
    """What `create_server` returns: one listening address of one incarnation."""

    def __init__(
        self, network: SimulatedNetwork, key: tuple[str, int], owner: Any, *, listens: bool
    ) -> None:
        self._network = network
        self.key = key
        self.owner: Incarnation | None = owner
        self.sockets = (_FakeSocket(key),)
        self.listens = listens
        """False while the address is only taken: connections are refused."""

    def close(self) -> None:
        if self._network.servers.get(self.key, (None,))[0] is self:
            del self._network.servers[self.key]

    def is_serving(self) -> bool:
        return self._network.servers.get(self.key, (None,))[0] is self

    async def start_serving(self) -> None:
        self.listens = True

    async def serve_forever(self) -> None:
        await asyncio.get_running_loop().create_future()

    async def wait_closed(self) -> None:
        """Closing is at once."""

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._network.loop


class _FakeSocket:
    def __init__(self, key: tuple[str, int]) -> None:
        self._key = key

    def fileno(self) -> int:
        """-1: the system knows nothing of it."""
        return -1

    def getsockname(self) -> tuple[str, int]:
        return self._key


class SimulatedNetwork:
    """All hosts, links and connections of one simulation.

    Hosts are node names: a connection belongs to the incarnation that opened or accepted it, and
    `cut(a, b)` names nodes. Addresses are plain strings; each node usually listens on one.
    """

    def __init__(self, loop: SimulatedLoop, random: Random, profile: LinkProfile | None = None):
        self.loop = loop
        self.random = random
        self.profile = profile or LinkProfile()
        self.servers: dict[tuple[str, int], tuple[SimulatedServer, Callable[[], Any]]] = {}
        self.transports: dict[int, SimulatedTransport] = {}
        self.cuts: set[tuple[str, str]] = set()
        """From whom to whom nothing passes."""
        self.half_open: set[frozenset[str]] = set()
        """Two hosts each, of which one lost its end of a connection, and the other was not told."""
        self._next_port = EPHEMERAL_PORTS.start
        self._lingering: list[tuple[str, str, SimulatedTransport, list[bytes]]] = []
        loop.network = self

    # -- faults -------------------------------------------------------------------------------

    def cut(self, source: str, target: str, *, both_ways: bool = True) -> None:
        """Bytes from one node to the other are held back, silently, until `heal`."""
        self.cuts.add((source, target))
        if both_ways:
            self.cuts.add((target, source))

    def heal(self, source: str | None = None, target: str | None = None) -> None:
        """Mend one pair, or everything; what was held back is delivered in order."""
        if source is None:
            self.cuts.clear()
        else:
            assert target is not None
            self.cuts -= {(source, target), (target, source)}
        for transport in list(self.transports.values()):
            transport.link_changed()
        lingering, self._lingering = self._lingering, []
        for one in lingering:
            if self.is_cut(one[0], one[1]):
                self._lingering.append(one)
            else:
                one[2].send_what_lingers(one[3])

    def keep_for_later(
        self, source: str, target: str, transport: SimulatedTransport, written: list[bytes]
    ) -> None:
        """A process died while this link was cut: its system sends the rest when it can."""
        self._lingering.append((source, target, transport, written))

    @property
    def has_cuts(self) -> bool:
        """Whether any link is cut."""
        return bool(self.cuts)

    def is_cut(self, source: str, target: str) -> bool:
        return (source, target) in self.cuts

    def reset_all_of(
        self, incarnation: Incarnation, *, silently: bool = False, lingers: bool = False
    ) -> None:
        """The node died: its sockets are gone; peers see a reset, or nothing at all.

        `lingers`: the process alone died; its system still sends what it had written.
        """
        for key, (server, _) in list(self.servers.items()):
            if server.owner is incarnation:
                del self.servers[key]
        for transport in list(self.transports.values()):
            if transport.owner is incarnation:
                transport.die(silently=silently, lingers=lingers)

    def delay_s(self) -> float:
        """One way, drawn anew for each segment; order within a connection is kept elsewhere."""
        profile = self.profile
        return profile.delay_min_s - log(1.0 - self.random.random()) * profile.delay_mean_s

    # -- the loop's API -----------------------------------------------------------------------

    async def create_server(
        self,
        protocol_factory: Callable[[], Any],
        host: Any = None,
        port: int | None = None,
        **options: Any,
    ) -> SimulatedServer:
        name = host if isinstance(host, str) else (host[0] if host else "0.0.0.0")
        key = (name, port or self._take_port())
        if key in self.servers:
            raise OSError(98, f"simulated address in use: {key[0]}:{key[1]}")
        listens = options.get("start_serving", True)
        server = SimulatedServer(self, key, CURRENT.get(), listens=listens)
        self.servers[key] = (server, protocol_factory)
        return server

    async def create_connection(
        self,
        protocol_factory: Callable[[], Any],
        host: str | None = None,
        port: int | None = None,
        **options: Any,
    ) -> tuple[SimulatedTransport, Any]:
        del options
        owner = CURRENT.get()
        assert host is not None
        assert port is not None
        await asyncio.sleep(self.delay_s() + self.delay_s())
        found = self._find(host, port)
        waited_s = 0.0
        # A SYN that gets lost is sent again, after one second and then ever later.
        while found is not None and self._unreachable(owner, found[0].owner):
            pause_s = min(max(1.0, waited_s), self.profile.connect_timeout_s - waited_s)
            if pause_s <= 0:
                raise TimeoutError(110, f"simulated connect timeout to {host}:{port}")
            await asyncio.sleep(pause_s)
            waited_s += pause_s
            found = self._find(host, port)
        if found is None:
            raise ConnectionRefusedError(111, f"simulated connection refused by {host}:{port}")
        server, server_factory = found
        near = SimulatedTransport(self, owner, (host_of(owner), self._take_port()), (host, port))
        far = SimulatedTransport(self, server.owner, (host, port), near.local)
        near.peer, far.peer = far, near
        for transport in (near, far):
            self.transports[id(transport)] = transport
        self._in_context(server.owner, far.start, server_factory)
        near.start(protocol_factory)
        return near, near.get_protocol()

    def _find(self, host: str, port: int) -> tuple[SimulatedServer, Callable[[], Any]] | None:
        """Who listens there, if anybody does."""
        found = self.servers.get((host, port)) or self.servers.get(("0.0.0.0", port))
        if found is None or not found[0].listens:
            return None
        owner = found[0].owner
        return None if owner is not None and owner.is_dead else found

    def _unreachable(self, a: Incarnation | None, b: Incarnation | None) -> bool:
        here, there = host_of(a), host_of(b)
        return self.is_cut(here, there) or self.is_cut(there, here)

    def _in_context(
        self, owner: Incarnation | None, callback: Callable[..., object], *args: Any
    ) -> None:
        if owner is None:
            self.loop.call_soon(callback, *args)
        else:
            self.loop.call_soon(callback, *args, context=self.loop.context_of(owner))

    def _take_port(self) -> int:
        self._next_port += 1
        if self._next_port not in EPHEMERAL_PORTS:
            self._next_port = EPHEMERAL_PORTS.start
        return self._next_port
