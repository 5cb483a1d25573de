"""A door in front of one listener of a node: TCP in, TCP out, and the links decide what passes.

Everybody who dials a node of an in-process cluster, nodes too, comes through such a door, so that
links are cut and nodes are paused without any change to the nodes. Who knocks is told by the
client id of the first request (`broker-1`, `raft-client-1`, `controller-1`: node 1; everything
else is a client), so a client must not call itself like a node.

A closed way is one on which nothing arrives and nothing is refused: bytes wait, in the order in
which they were sent, first here and then, when the buffers are full, at their sender. The ends of
connections wait too. In a secured cluster nodes are known by their certificates instead
(`secured/door_tls.py`), and handshakes of TLS, which are made with the door, wait for nobody. New
connections are taken while the way is closed, as a kernel does for a
process that is stopped; only their bytes wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections import deque
from functools import partial
from typing import Any, Final, cast

from barnabas.accepting import accept
from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.header import decode_request_header

from .links import CLIENTS, Links, Member
from .secured.door_tls import DoorTls

HOST: Final = "127.0.0.1"
_NODE: Final = re.compile(r"(?:broker|raft-client|controller)-(\d+)(?:-|$)")
_SIZE_BYTES: Final = 4
_HEAD_BYTES_MAX: Final = 32 * 1024 + 64
"""A first frame whose header is larger than this is from no program that we know."""


def caller_of(client_id: str | None) -> Member:
    """The member that uses this client id: a node's number, or CLIENTS."""
    found = _NODE.match(client_id or "")
    return int(found[1]) if found else CLIENTS


class HeldPort:
    """A port that stays reserved while nobody listens on it, so that connections to it are
    refused."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        # With this option set here and by the listener, both can bind the port.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((HOST, 0))
        self.number = int(self._socket.getsockname()[1])

    def close(self) -> None:
        """Release the port."""
        self._socket.close()


class Relay:
    """The entrance to `owner`'s listener on `target_port`, with a port of its own for its whole
    life."""

    def __init__(self, owner: int, links: Links) -> None:
        self.owner = owner
        self.links = links
        self._held = HeldPort()
        self._target = HeldPort()
        self.tls: DoorTls | None = None
        """The certificate and key with which TLS ends here, in a secured cluster."""
        self._accepting: asyncio.Task[None] | None = None
        self._handshakes: set[asyncio.Task[None]] = set()
        self._passages: dict[Passage, None] = {}
        links.add_listener(self._go_on)

    @property
    def is_open(self) -> bool:
        """Whether it takes connections; one may have been accepted just before it was closed."""
        return self._accepting is not None and not self._accepting.cancelling()

    @property
    def port(self) -> int:
        """The port to which others connect."""
        return self._held.number

    @property
    def target_port(self) -> int:
        """The port on which the node has to listen."""
        return self._target.number

    async def open(self) -> None:
        """Begin to take connections."""
        if self._accepting is not None:
            await asyncio.gather(self._accepting, return_exceptions=True)
        listening = socket.create_server((HOST, self.port))
        listening.setblocking(False)
        self._accepting = asyncio.get_running_loop().create_task(self._accept(listening))
        self._accepting.add_done_callback(lambda _: listening.close())

    async def _accept(self, listening: socket.socket) -> None:
        # Not `create_server`: asyncio's server leaves a connection open and without an owner that
        # it accepted in the very turn in which it is closed.
        loop = asyncio.get_running_loop()
        while True:
            with contextlib.suppress(ConnectionError):  # it closed again before it was accepted
                accepted, _ = await accept(listening)
                if self.tls is None:
                    await loop.connect_accepted_socket(lambda: _End(self.new_passage()), accepted)
                    continue
                task = loop.create_task(self._shake_hands(accepted, self.tls))
                self._handshakes.add(task)
                task.add_done_callback(partial(self._handshake_done, accepted))

    async def _shake_hands(self, accepted: socket.socket, tls: DoorTls) -> None:
        """Accept in a task of its own, so that a silent peer keeps nobody else out."""
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(
                lambda: _End(self.new_passage()), accepted, ssl=tls.server
            )
        except OSError:
            accepted.close()  # no TLS, or the wrong certificate: the peer has been told

    def _handshake_done(self, accepted: socket.socket, task: asyncio.Task[None]) -> None:
        self._handshakes.discard(task)
        if task.cancelled():
            accepted.close()  # also where it was cancelled before it began

    def new_passage(self) -> Passage:
        """The protocol for a new connection."""
        return Passage(self)

    def close(self) -> None:
        """Take no more connections, and break the existing ones."""
        if self._accepting is not None:
            self._accepting.cancel()
        for task in list(self._handshakes):
            task.cancel()
        for passage in list(self._passages):
            passage.break_off()

    def dispose(self) -> None:
        """Close for good."""
        self.close()
        self.links.remove_listener(self._go_on)
        self._held.close()
        self._target.close()

    def break_off(self, member: Member) -> None:
        """Break all connections that `member` opened through this door."""
        for passage in list(self._passages):
            if passage.caller == member:
                passage.break_off()

    def add(self, passage: Passage) -> None:
        """Add a new connection."""
        self._passages[passage] = None

    def remove(self, passage: Passage) -> None:
        """Remove a connection that has ended."""
        self._passages.pop(passage, None)

    def _go_on(self) -> None:
        for passage in list(self._passages):
            passage.pump()


class Passage:
    """One connection: the caller's end, the node's end, and the bytes that wait between them."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.caller: Member | None = None
        self._head = bytearray()
        self._near: _End | None = None
        self._far: _End | None = None
        self._inward = _Way()
        self._outward = _Way()
        self._dialling: asyncio.Task[None] | None = None
        self._is_broken = False

    # --- from the ends ------------------------------------------------------------------------

    def made(self, end: _End) -> None:
        """An end is connected: the caller's comes first."""
        if self._is_broken or (self._near is None and not self.relay.is_open):
            end.abort()
            return
        if self._near is None:
            tls = self.relay.tls
            if tls is not None and tls.is_for_nodes:
                self.caller = tls.node_of(end.tls)
                if self.caller is None or self.relay.links.is_dead(self.caller):
                    end.abort()
                    return
            self._near = end
            self.relay.add(self)
            self._dialling = asyncio.get_running_loop().create_task(self._dial())
            return
        self._far = end
        self.pump()

    async def _dial(self) -> None:
        tls, caller = self.relay.tls, self.caller
        context = None
        if tls is not None:
            context = tls.towards(caller if isinstance(caller, int) else None)
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: _End(self),
                HOST,
                self.relay.target_port,
                ssl=context,
                server_hostname=None if context is None else HOST,
            )
        except OSError:
            self.break_off()

    def received(self, end: _End, data: bytes) -> None:
        """Take bytes; they wait until their way is open."""
        if end is self._near:
            self._inward.waiting.append(data)
            if self.caller is None:
                self._recognise(data)
        else:
            self._outward.waiting.append(data)
        self.pump()

    def _recognise(self, data: bytes) -> None:
        """Find out who is calling by the head of the first request, once that has arrived."""
        self._head += data
        if len(self._head) <= _SIZE_BYTES:
            return
        try:
            header, _ = decode_request_header(bytes(self._head), _SIZE_BYTES)
            self.caller = caller_of(header.client_id)
        except ProtocolError:
            if len(self._head) < _HEAD_BYTES_MAX and not self._is_frame_whole():
                return
            self.caller = CLIENTS  # an unknown program; the node will refuse it
        self._head.clear()
        if self.relay.links.is_dead(self.caller):
            self.break_off()

    def _is_frame_whole(self) -> bool:
        size = int.from_bytes(self._head[:_SIZE_BYTES], "big", signed=True)
        return len(self._head) >= _SIZE_BYTES + size

    def ended(self, end: _End) -> None:
        """One side has closed its end: tell the other side when it has got all bytes."""
        way = self._inward if end is self._near else self._outward
        way.has_ended = True
        if self.caller is None and end is self._near:
            self.caller = CLIENTS
        self.pump()

    # --- moving bytes -------------------------------------------------------------------------

    def pump(self) -> None:
        """Forward what may pass, and let the ends read or pause."""
        near, far, caller = self._near, self._far, self.caller
        if self._is_broken or near is None:
            return
        links, owner = self.relay.links, self.relay.owner
        ends = caller is not None and (
            (links.is_open(caller, owner) and self._inward.flow(far))
            or (links.is_open(owner, caller) and self._outward.flow(near))
        )
        if ends:
            self._finish()
            return
        near.read(caller is None or not self._inward.waiting)
        if far is not None:
            far.read(not self._outward.waiting)

    def _finish(self) -> None:
        """One side has closed, and the other has got all its bytes: close that end too."""
        for end in (self._near, self._far):
            if end is not None:
                end.close()
        self._forget()

    def break_off(self) -> None:
        """Close both ends at once, and drop what waits."""
        for end in (self._near, self._far):
            if end is not None:
                end.abort()
        self._forget()

    def _forget(self) -> None:
        self._is_broken = True
        self.relay.remove(self)
        if self._dialling is not None and self._far is None:
            self._dialling.cancel()


class _Way:
    """The bytes that wait in one direction."""

    __slots__ = ("has_ended", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[bytes] = deque()
        self.has_ended = False

    def flow(self, end: _End | None) -> bool:
        """Give `end` what it takes; returns whether all is delivered and nothing can follow."""
        while end is not None and self.waiting and end.takes_more:
            end.write(self.waiting.popleft())
        return self.has_ended and not self.waiting


class _End(asyncio.Protocol):
    """One socket of a passage."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._transport: asyncio.Transport | None = None
        self._reads = True
        self.takes_more = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports have the methods of asyncio.Transport, but do not inherit from it.
        self._transport = cast("asyncio.Transport", transport)
        self._passage.made(self)

    def data_received(self, data: bytes) -> None:
        self._passage.received(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._passage.ended(self)

    def pause_writing(self) -> None:
        self.takes_more = False

    def resume_writing(self) -> None:
        self.takes_more = True
        self._passage.pump()

    @property
    def tls(self) -> Any:
        """The SSL object; None without TLS. Any: its type depends on the event loop."""
        assert self._transport is not None, "connected"
        return self._transport.get_extra_info("ssl_object")

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._call("write", data)

    def read(self, wanted: bool) -> None:
        """Read, or leave what arrives in the kernel's buffers."""
        if wanted != self._reads:
            self._reads = wanted
            self._call("resume_reading" if wanted else "pause_reading")

    def close(self) -> None:
        """Close when everything written has been sent."""
        self._call("close")

    def abort(self) -> None:
        """Close at once."""
        self._call("abort")

    def _call(self, name: str, *arguments: Any) -> None:
        transport = self._transport
        if transport is not None and not (transport.is_closing() and name != "abort"):
            getattr(transport, name)(*arguments)
