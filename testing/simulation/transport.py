"""One end of a simulated TCP connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Protocol

from .incarnation import Incarnation
from .link_profile import LinkProfile
from .loop import SimulatedLoop


def host_of(owner: Incarnation | None) -> str:
    """The simulator's own code runs on a host of its own."""
    return owner.node if owner is not None else "simulator"


HIGH_WATER_BYTES = 64 * 1024
LOW_WATER_BYTES = 16 * 1024


class Network(Protocol):
    """What an end of a connection asks of the network; `SimulatedNetwork` has it."""

    loop: SimulatedLoop
    random: Random
    profile: LinkProfile
    transports: dict[int, SimulatedTransport]
    cuts: set[tuple[str, str]]
    half_open: set[frozenset[str]]

    def is_cut(self, source: str, target: str) -> bool:
        """Whether nothing passes from one host to the other."""
        ...

    def delay_s(self) -> float:
        """The delay of one segment."""
        ...

    def keep_for_later(
        self, source: str, target: str, transport: SimulatedTransport, written: list[bytes]
    ) -> None:
        """Send what a dead process had written when the link is healed."""
        ...


class SimulatedTransport(asyncio.Transport):
    """Written bytes wait here, leave in segments, and arrive at `peer` in order, later."""

    def __init__(
        self,
        network: Network,
        owner: Incarnation | None,
        local: tuple[str, int],
        remote: tuple[str, int],
    ) -> None:
        super().__init__({"sockname": local, "peername": remote, "socket": None})
        self._network = network
        self._loop = loop = network.loop
        self.owner = owner
        self._context = loop.own_context if owner is None else loop.context_of(owner)
        self.local = local
        self.peer: SimulatedTransport | None = None
        self._protocol: Any = None
        self._fills_buffers = False
        self._outgoing: deque[bytes] = deque()
        self._outgoing_bytes = 0
        self._in_flight = 0
        self._last_arrival_s = 0.0
        self._incoming: deque[bytes] = deque()
        """Arrived while reading was paused."""
        self._reading = True
        self._eof_sent = self._closing = self._closed = self._got_eof = False
        self._protocol_paused = False
        self._high, self._low = HIGH_WATER_BYTES, LOW_WATER_BYTES

    def start(self, protocol_factory: Callable[[], Any]) -> None:
        """Make the protocol and tell it; runs in the context of the owner."""
        self.set_protocol(protocol_factory())
        self._protocol.connection_made(self)
        while self._incoming and self._reading and not self._closed:
            self._hand_over(self._incoming.popleft())

    # -- writing ------------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        if self._closing or self._eof_sent:
            return
        size = len(data)
        if size:
            self._outgoing.append(bytes(data))
            self._outgoing_bytes += size
            self._pump()
            if self._outgoing_bytes > self._high and not self._protocol_paused:
                self._protocol_paused = True
                self._protocol.pause_writing()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        self.write(b"".join(list_of_data))

    def _pump(self) -> None:
        """Send what may be sent now; held back on a cut link or when the peer does not read."""
        peer, network = self.peer, self._network
        if peer is None or (network.cuts and self._is_held()):
            return
        outgoing, profile, draw = self._outgoing, network.profile, network.random.random
        while outgoing and self._in_flight < self._high * 4:
            segment = outgoing.popleft()
            size = whole = len(segment)
            size = min(size, profile.segment_bytes_max)
            if size > 1 and draw() < profile.tiny_segment_probability:
                size = int(draw() * (size - 1)) + 1
            if size < whole:
                outgoing.appendleft(segment[size:])
                segment = segment[:size]
            self._in_flight += size
            self._schedule(peer, peer._arrive, segment, size / profile.bytes_per_s)
        if (self._closing or self._eof_sent) and not outgoing and not self._closed:
            self._schedule(peer, peer._arrive_eof, b"", 0.0)
            if self._closing:
                self._finish(None)

    def _schedule(
        self,
        peer: SimulatedTransport,
        arrive: Callable[[bytes], None],
        segment: bytes,
        time_s: float,
    ) -> None:
        loop = self._loop
        when = loop.now + self._network.delay_s() + time_s
        # Never before what was sent earlier.
        if when <= self._last_arrival_s:
            when = self._last_arrival_s + 1e-9
        self._last_arrival_s = when
        loop.set_timer(when, arrive, (segment,), peer._context, peer.owner)

    def _is_held(self) -> bool:
        peer = self.peer
        assert peer is not None
        return self._network.is_cut(host_of(self.owner), host_of(peer.owner))

    def link_changed(self) -> None:
        """A link was healed: go on."""
        if not self._closed:
            self._pump()

    def _acknowledged(self, size: int) -> None:
        self._in_flight -= size
        self._outgoing_bytes -= size
        if self._closed:
            return
        if self._outgoing or self._closing or self._eof_sent:
            self._pump()
        if self._protocol_paused and self._outgoing_bytes <= self._low:
            self._protocol_paused = False
            self._call_owner(self._protocol.resume_writing)

    # -- reading ------------------------------------------------------------------------------

    def _arrive(self, segment: bytes) -> None:
        if self._closed or self._got_eof:
            return
        if self._reading and not self._incoming and self._protocol is not None:
            self._hand_over(segment)
        else:
            self._incoming.append(segment)

    def _deliver(self) -> None:
        while self._incoming and self._reading and not self._closed and self._protocol is not None:
            self._hand_over(self._incoming.popleft())

    def _hand_over(self, segment: bytes) -> None:
        protocol, peer, size = self._protocol, self.peer, len(segment)
        if peer is not None:
            peer._acknowledged(size)
        if not self._fills_buffers:
            protocol.data_received(segment)
            return
        position = 0
        while position < size and not self._closed:
            buffer = protocol.get_buffer(size - position)
            part = size - position
            if len(buffer) < part:
                part = len(buffer)
                assert part > 0, "get_buffer() returned an empty buffer"
            buffer[:part] = segment if part == size else segment[position : position + part]
            position += part
            protocol.buffer_updated(part)

    def _arrive_eof(self, _: bytes) -> None:
        if self._closed or self._got_eof:
            return
        self._got_eof = True
        keep_open = self._protocol.eof_received() if self._protocol is not None else False
        if not keep_open:
            self.close()

    # -- ending -------------------------------------------------------------------------------

    def close(self) -> None:
        if not self._closing and not self._closed:
            self._closing = True
            self._reading = False
            self._pump()

    def abort(self) -> None:
        self.die(silently=False)

    def die(self, *, silently: bool, lingers: bool = False) -> None:
        """This end is gone at once; of what was written, a random part may still arrive.

        `lingers`: only the process died. What it had written, and the end of the connection, come
        to the other side when the link lets them through, whatever runs here by then.
        """
        if self._closed:
            return
        peer = self.peer
        is_held = lingers and peer is not None and self._is_held()
        written = list(self._outgoing)
        self._finish(None)
        if peer is None or peer._closed:
            return
        if is_held:
            self._network.keep_for_later(host_of(self.owner), host_of(peer.owner), self, written)
        elif silently:
            self._network.half_open.add(frozenset((host_of(self.owner), host_of(peer.owner))))
        else:
            self._schedule(peer, peer._arrive_reset, b"", 0.0)

    def send_what_lingers(self, written: list[bytes]) -> None:
        """The link is there again: what a dead process had written goes out."""
        peer = self.peer
        assert peer is not None
        for data in written:
            self._schedule(peer, peer._arrive, data, 0.0)
        self._schedule(peer, peer._arrive_reset, b"", 0.0)

    def _arrive_reset(self, _: bytes) -> None:
        self._finish(ConnectionResetError(104, "simulated connection reset by peer"))

    def _finish(self, error: Exception | None) -> None:
        if self._closed:
            return
        self._closed = self._closing = True
        self._outgoing.clear()
        self._incoming.clear()
        self._network.transports.pop(id(self), None)
        if self._protocol is not None:
            self._call_owner(self._protocol.connection_lost, error)

    def _call_owner(self, callback: Callable[..., object], *args: Any) -> None:
        self._loop.call_soon(callback, *args, context=self._context)

    @property
    def waiting_bytes(self) -> int:
        """What was written and has not left: memory of the owner.

        What is under way, or came and was not read, lies in the buffers of the system.
        """
        return self._outgoing_bytes - self._in_flight

    # -- the rest of the transport's API ------------------------------------------------------

    def is_closing(self) -> bool:
        return self._closing

    def is_reading(self) -> bool:
        return self._reading and not self._closing

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        if not self._closing and not self._reading:
            self._reading = True
            self._call_owner(self._deliver)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._eof_sent:
            self._eof_sent = True
            self._pump()

    def get_write_buffer_size(self) -> int:
        return self._outgoing_bytes

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._low, self._high

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = HIGH_WATER_BYTES if high is None else high
        self._low = self._high // 4 if low is None else low

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol
        self._fills_buffers = isinstance(protocol, asyncio.BufferedProtocol)
