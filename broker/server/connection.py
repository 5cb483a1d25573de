"""A client connection: bytes become frames, and frames become requests.

One bytearray is the receive buffer: frames are parsed in it, and batches written to disk from it.
All answers to one read leave in one write.

Rules:
- ENV-01, ENV-12: a frame's length is checked before its bytes are waited for: against the general
  limit after 4 bytes, against its API's after 8. The buffer grows with what has been received, and
  never to what a length announces.
- ENV-05, ENV-06: bytes that cannot be a request close this connection and no other.
- ENV-08: requests begin in the order in which they came. An answer that must wait holds back the
  answers behind it, but not the work on further requests, up to `max.in.flight` of them.
- Reading pauses while too many answers wait, while the client does not read what was written,
  while other connections wait for their turn, while a quota is exceeded, and while the node's
  memory for frames that were received in part is used up.

Answers leave by `answer_line.py`; pauses and the end are in `link.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any, Protocol, cast  # Any: SSL objects of two event loops

from barnabas.protocol.errors import ProtocolError

from ..core.security.principal import ANONYMOUS, Principal
from .answer_budget import AnswerBudget
from .answer_line import AnswerLine
from .limits import Limits
from .link import STOP_BUDGET, STOP_END, Link
from .produce_plan import Plan
from .receive_budget import ReceiveBudget
from .trickle import ReadLate
from .wrong_protocol import guess

HEAD = Struct(">ihhi")
"""Length, API key, API version, correlation id: the same in all versions of the header."""

_LENGTH = Struct(">i")
_KEY_AND_VERSION = Struct(">hh")
LENGTH_MIN = 10
"""API key, version, correlation id and the length of the client id."""

_BUFFER_START = 4096
_BUFFER_KEPT = 65_536
_READ_EXACTLY_FROM = 65_536
_SMALL_READ_MAX = 262_144


Produce = Callable[["Connection", bytearray, int, int, int, int], bytes | None]
"""connection, buffer, start, end, version, correlation id -> the answer; b"" for none; None if the
request needs the general path."""

Dispatch = Callable[["Connection", bytearray, int, int, int, int], None]
"""connection, buffer, start, end, API key, version."""

CheckHead = Callable[[int, int, int], object]
"""API key, version, length -> ProtocolError if such a frame is not read (ENV-05, ENV-12)."""


class Login(Protocol):
    """Finds out who the client is, before any of its requests is taken."""

    def take(self, buffer: bytearray, start: int, end: int) -> int:
        """Work on one complete frame; returns where the next starts. Raises ProtocolError."""
        ...

    def abandon(self) -> None:
        """The connection was closed before the login was complete."""


class Host(Protocol):
    """What a connection needs from its listener, which all its connections share."""

    name: str
    limits: Limits
    budget: ReceiveBudget
    answers: AnswerBudget
    read_late: ReadLate
    produce: Produce
    dispatch: Dispatch
    check_head: CheckHead
    now: Callable[[], float]

    @property
    def call_soon(self) -> Callable[[Callable[[], object]], object]:
        """Schedules a call for the next turn of the event loop."""
        ...

    def admit(self, connection: Connection) -> None:
        """Count an opened connection; closes it if there are too many."""
        ...

    def forget(self, connection: Connection) -> None:
        """The connection is closed."""
        ...

    def report_closing(self, connection: Connection, reason: str) -> None:
        """This node is closing the connection."""
        ...

    def report_bug(self, connection: Connection, error: BaseException) -> None:
        """Log an unexpected exception, outside of any request."""
        ...


class Connection(asyncio.BufferedProtocol):
    """One connection; a `BufferedProtocol`, so that the kernel writes into its own buffer."""

    def __init__(self, listener: Host) -> None:
        call_soon, limits = listener.call_soon, listener.limits
        self._listener = listener
        self._limits = limits
        self.link = Link(call_soon, self._go_on, partial(listener.report_closing, self))
        self.answers = AnswerLine(
            self.link, limits, listener.answers, listener.read_late, call_soon
        )
        self._produce = listener.produce
        self._dispatch = listener.dispatch
        self._buffer = bytearray()
        self.view = memoryview(self._buffer)
        self._start = 0  # of the first byte that no request has used yet
        self._end = 0  # of the bytes that have been received
        self._read_until = 0  # the end of a large frame: reads stop there, to start the next anew
        self._is_cramped = False  # the last read filled the whole buffer
        self.frame_since: float | None = None
        self.frame_received, self.last_active = 0, 0.0
        self.client_host, self.client_port = "", 0
        self.client_software = ""
        self.local_host, self.local_port = "", 0
        self.listener_name = listener.name
        self.principal = ANONYMOUS
        self.login: Login | None = None  # until the login is complete
        self.produce_plan: Plan | None = None  # what fast_produce remembers of the last request

    # --- life ---------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports have the methods of asyncio.Transport, but do not inherit from it.
        transport = self.link.transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        local = transport.get_extra_info("sockname")
        # If the client reset the socket already, it has no peer address any more.
        self.client_host, self.client_port = (peer[0], peer[1]) if peer else ("", 0)
        self.local_host, self.local_port = (local[0], local[1]) if local else ("", 0)
        high = self._limits.write_pause
        transport.set_write_buffer_limits(high=high, low=high // 4)
        self._listener.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.link.lose()
        self.answers.abandon()
        self._listener.forget(self)
        self._replace_buffer(bytearray(), 0)

    @property
    def is_closed(self) -> bool:
        """Whether the client can receive no more answers."""
        return self.link.transport is None

    def tls(self) -> Any:
        """The event loop's SSL object; None without TLS."""
        transport = self.link.transport
        return None if transport is None else transport.get_extra_info("ssl_object")

    @property
    def is_nobodys(self) -> bool:
        """Whether the client has yet to say who it is."""
        return self.login is not None and self.principal is ANONYMOUS

    @property
    def is_stopped(self) -> bool:
        """Whether reading pauses: an incomplete frame is then not the client's fault."""
        return bool(self.link.stops)

    def close(self, reason: str) -> None:
        """Close at once; the reason goes to the log, at most one line a second and peer."""
        self.link.close(reason)

    def mute(self, delay_ms: float) -> None:
        """Begin no other request for this long, because of a quota (QTA-11)."""
        self.link.mute(delay_ms)

    def stop_taking_requests(self) -> None:
        """The node stops: begin no further requests, but answer those that were begun."""
        self.link.stop(STOP_END)

    # --- bytes in -----------------------------------------------------------------------------

    def get_buffer(self, sizehint: int) -> memoryview:
        del sizehint
        end = self._end
        if end == len(self._buffer) or self._is_cramped:
            self._make_room()
            end = self._end
        if self._read_until:
            return self.view[end : self._read_until]
        return self.view[end : end + _SMALL_READ_MAX]

    def buffer_updated(self, nbytes: int) -> None:
        self._end += nbytes
        self.link.was_active = True
        self._is_cramped = self._end == len(self._buffer) < _BUFFER_KEPT
        if not self.link.stops:
            self._turn()

    def eof_received(self) -> bool:
        return False

    def _go_on(self) -> None:
        """Nothing stops this connection any more."""
        self._turn()
        self.answers.advance()

    def _turn(self) -> None:
        """Work on the frames in the buffer, and send their answers in one write."""
        answers = self.answers
        answers.gather()
        try:
            if self.login is None or self._has_logged_in():
                self._take_frames()
        except ProtocolError as error:
            self.close(str(error))
        except Exception as error:
            self._listener.report_bug(self, error)
            self.close("an error of this broker")
        answers.flush()

    def _has_logged_in(self) -> bool:
        """Give the received bytes to the login; True once it is complete: requests follow."""
        first = self._start
        while (login := self.login) is not None:
            start = self._start
            self._start = login.take(self._buffer, start, self._end)
            if self._start == start or self.link.stops or self.link.closing_reason is not None:
                break
        if self._start != first:
            self.frame_since = None
        if self._start == self._end:
            self._start = self._end = 0
        elif self.login is not None and self.frame_since is None:
            self.frame_since = self._listener.now()
        self.frame_received = self._end - self._start
        return self.login is None

    def log_in_again(self, login: Login) -> None:
        """Take no requests until this login is complete; it gets what comes (KIP-368)."""
        self.login = login
        self.link.yield_turn()

    def let_in(self, principal: Principal, *, dispatch: Dispatch, produce: Produce) -> None:
        """The login is complete: from now on requests are taken, and given to these (SASL-13)."""
        self.principal, self.login = principal, None
        self._dispatch, self._produce = dispatch, produce

    def _take_frames(self) -> None:  # noqa: C901 - in one piece on purpose: a call costs as much
        buffer = self._buffer
        start, end = self._start, self._end
        first = start
        produce = self._produce
        answers, link = self.answers, self.link
        requests_left = self._limits.requests_per_turn
        while end - start > LENGTH_MIN + 3:
            size, key, version, correlation_id = HEAD.unpack_from(buffer, start)
            frame_end = start + 4 + size
            if frame_end > end or size < LENGTH_MIN:
                break
            answer = None
            if key == 0:
                answer = produce(self, buffer, start, frame_end, version, correlation_id)
            # Set before dispatch, which may close the connection: no frame may be handled twice.
            self._start = frame_end
            if answer is None:
                self._dispatch(self, buffer, start, frame_end, key, version)
            elif answer:
                answers.give(answer)
            start = frame_end
            requests_left -= 1
            if not requests_left or answers.out_size > self._limits.write_high:
                link.yield_turn()
            if link.stops:
                break
            if link.closing_reason is not None:
                return
        self._start = start
        if start != first:
            self.frame_since = None
        if start == end:
            self._start = self._end = self._read_until = 0
        elif not link.stops:
            self._await_rest()

    def _await_rest(self) -> None:
        """A frame is incomplete: check its head, and make room for the rest.

        Raises ProtocolError for an impossible length, or an API that is not served.
        """
        start = self._start
        received = self._end - start
        if self.frame_since is None:
            self.frame_since = self._listener.now()
        self.frame_received = received
        if received < 4:
            needed = 4
        else:
            size: int = _LENGTH.unpack_from(self._buffer, start)[0]
            if size < LENGTH_MIN or size > self._limits.frame_max:
                raise ProtocolError(f"a frame cannot be {size} bytes long{guess(size)}")
            if received >= 8:
                key, version = _KEY_AND_VERSION.unpack_from(self._buffer, start + 4)
                self._listener.check_head(key, version, size)
            needed = 4 + size
        if start + needed > len(self._buffer) and start:
            self.view[0:received] = self.view[start : self._end]
            self._start, self._end = 0, received
        large = needed >= _READ_EXACTLY_FROM
        self._read_until = min(self._start + needed, len(self._buffer)) if large else 0

    def _make_room(self) -> None:
        """The buffer is full, or there is none yet: allocate a larger one."""
        received = self._end - self._start
        capacity = max(_BUFFER_START, 4 * received)
        if self._is_cramped:
            self._is_cramped = False
            capacity = max(capacity, min(4 * len(self._buffer), _BUFFER_KEPT))
        elif received >= 4:
            # No more than a known frame length, so that 1 MB frames need a buffer of 1 MB.
            size: int = _LENGTH.unpack_from(self._buffer, self._start)[0]
            capacity = min(capacity, max(_BUFFER_START, 4 + size))
        capacity = max(capacity, received + 1)
        fresh = bytearray(capacity)
        fresh[:received] = self.view[self._start : self._end]
        self._start, self._end = 0, received
        if self._read_until:
            self._read_until = capacity
        self._replace_buffer(fresh, capacity)

    def _replace_buffer(self, fresh: bytearray, capacity: int) -> None:
        is_large = len(self._buffer) > _BUFFER_KEPT or capacity > _BUFFER_KEPT
        self.view.release()
        self._buffer = fresh
        self.view = memoryview(fresh)
        if is_large and self._listener.budget.resize(self.link, capacity):
            self.link.stop(STOP_BUDGET)

    def release_idle_buffer(self) -> None:
        """Give back a large buffer that is empty (called by the sweep over idle connections)."""
        if self._start == self._end and len(self._buffer) > _BUFFER_KEPT:
            self._start = self._end = self._read_until = 0
            self._replace_buffer(bytearray(_BUFFER_START), _BUFFER_START)

    # --- bytes out ----------------------------------------------------------------------------

    def pause_writing(self) -> None:
        self.answers.pause_writing()

    def resume_writing(self) -> None:
        self.answers.resume_writing()
