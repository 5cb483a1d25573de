"""One TCP connection to another node: the driver of the protocol's client end, for `PeerChannel`.

It ends as a whole: when an answer is late, when bytes come that no node sends, or when the peer
goes. Whoever still waits then gets the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast  # Any: an answer of any API

from barnabas.deadline_timer import DeadlineTimer
from barnabas.protocol.apis import api
from barnabas.protocol.connection.client_end import IN_FLIGHT_MAX, Asked, ClientEnd, ToSend
from barnabas.protocol.connection.frames import FrameSizeError, describe_greeting
from barnabas.protocol.connection.login import LoginRefusedError
from barnabas.protocol.connection.negotiation import NegotiationError
from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.message import Message
from barnabas.protocol.sasl.client import SaslClient
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.slow import Slow
from barnabas.slow_logins import run_slow

from .peer_errors import PeerError, PeerTimeoutError, PeerUnavailableError

LOGIN_SHARE: Final = 0.85
"""Of the time for which a login holds, after which calls go over a new connection."""


class PeerConnection(asyncio.Protocol):
    """See the module. `address` is for texts; frames beyond `max_frame_bytes` end it."""

    def __init__(
        self,
        address: tuple[str, int],
        client_id: str,
        max_frame_bytes: int,
        on_closed: Callable[[PeerConnection, PeerError], object],
        login: SaslClient | None = None,
    ) -> None:
        """`on_closed` is called once, however it ends; `login` if the peer wants one."""
        self.address = address
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self._end: ClientEnd[asyncio.Future[Any]] = ClientEnd(client_id, max_frame_bytes, login)
        self._transport: asyncio.Transport | None = None
        self._timer = DeadlineTimer(self._loop, self._end, self._on_overdue)
        self._error: PeerError | None = None
        self._opened_at = 0.0
        self._is_retired = False

    def __str__(self) -> str:
        return f"{self.address[0]}:{self.address[1]}"

    @property
    def is_closed(self) -> bool:
        """Whether it can carry no more calls."""
        return self._error is not None

    def version_of(self, api_key: int, versions: tuple[int, int] | None) -> int | None:
        """The highest version that the peer, our schema and the caller have in common."""
        ours = api(api_key)
        low, high = ours.min_version, ours.max_version
        if versions is not None:
            low, high = max(low, versions[0]), min(high, versions[1])
        return self._end.version_of(api_key, low, high)

    @property
    def is_spent(self) -> bool:
        """Whether its login ends soon: the next call should go over a new connection."""
        lifetime_s = LOGIN_SHARE * self._end.login_lifetime_ms / 1000
        return lifetime_s > 0 and self._loop.time() > self._opened_at + lifetime_s

    def retire(self) -> None:
        """Send nothing more, and close once what is under way has its answers."""
        self._is_retired = True
        if not self._end.in_flight:
            self.close()

    def offer(self, api_key: int) -> str:
        """In words, which versions of this API the peer serves."""
        return self._end.offer(api_key)

    # --- requests -----------------------------------------------------------------------------

    def open(self, timeout_s: float) -> asyncio.Future[Any]:
        """Agree on versions; nothing else may be sent before that. Raises PeerUnavailableError."""
        transport = self._usable()
        opened: asyncio.Future[Any] = self._loop.create_future()
        self._opened_at = now = self._loop.time()
        transport.write(self._end.open(opened, now, now + timeout_s))
        self._timer.arm(now + timeout_s)
        return opened

    def send(self, request: Message, version: int, timeout_s: float) -> asyncio.Future[Any]:
        """Send now; the future gets the decoded answer or a PeerError.

        Raises PeerUnavailableError if the connection is closed or owes too many answers,
        EncodeError if `version` cannot carry the request.
        """
        transport = self._usable()
        if self._end.in_flight >= IN_FLIGHT_MAX:
            raise PeerUnavailableError(f"{self} owes {IN_FLIGHT_MAX} answers already")
        assert request.API_KEY is not None
        answer = api(request.API_KEY).response
        future: asyncio.Future[Any] = self._loop.create_future()
        now = self._loop.time()
        deadline = now + timeout_s
        transport.write(self._end.request(request, version, answer, future, now, deadline))
        self._timer.arm(deadline)
        return future

    def _usable(self) -> asyncio.Transport:
        """The transport, while it carries requests. Raises PeerUnavailableError."""
        if self._error is not None or self._transport is None:
            raise PeerUnavailableError(str(self._error or f"{self} is not connected"))
        return self._transport

    # --- from the event loop ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports have the methods of asyncio.Transport, but do not inherit from it.
        self._transport = cast("asyncio.Transport", transport)
        if self._error is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        cause = f": {exc}" if exc else ""
        self.close(PeerUnavailableError(f"{self} closed the connection{cause}"))

    def eof_received(self) -> bool:
        # At once: `connection_lost` comes a turn later, and a client may ask in between.
        self.close(PeerUnavailableError(f"{self} closed the connection"))
        return False

    def data_received(self, data: bytes) -> None:
        try:
            for event in self._end.receive(data, self._loop.time()):
                if isinstance(event, ToSend):
                    self._usable().write(event.data)
                elif isinstance(event, Slow):
                    run_slow(event, self._computed)
                elif not event.waiter.done():
                    event.waiter.set_result(event.response)
            if self._is_retired:
                self.retire()
        except FrameSizeError as error:
            seen = describe_greeting(error.seen)
            self.close(PeerUnavailableError(f"{self} speaks another protocol: {error}; {seen}"))
        except LoginRefusedError as error:
            self._refuse(error)
        except NegotiationError as error:
            self.close(
                PeerUnavailableError(
                    f"{self} answered ApiVersions with the error code {error.code}"
                )
            )
        except ProtocolError as error:
            self.close(PeerUnavailableError(f"{self} speaks another protocol: {error}"))

    def _computed(self, token: bytes | SaslError) -> None:
        """The work of a login is done: go on with it, unless the connection has ended."""
        try:
            following = self._end.computed(token, self._loop.time())
        except LoginRefusedError as error:
            self._refuse(error)
        else:
            if following is not None:
                self._usable().write(following.data)

    # --- inside -------------------------------------------------------------------------------

    def _on_overdue(self, late: Asked[asyncio.Future[Any]]) -> None:
        self.close(PeerTimeoutError(f"{self} did not answer {late.name}Request in time"))

    def _refuse(self, error: LoginRefusedError) -> None:
        self.close(PeerUnavailableError(f"{self} does not let this node in: {error}"))

    def close(self, error: PeerError | None = None) -> None:
        """End it; whoever waits fails with `error`. A second call does nothing."""
        if self._error is not None:
            return
        self._error = error or PeerUnavailableError(f"the connection to {self} was closed")
        self._timer.stop()
        if self._transport is not None:
            self._transport.abort()
        for waiter in self._end.close():
            if not waiter.done():
                waiter.set_exception(type(self._error)(*self._error.args))
                # A caller that was cancelled meanwhile looks at it no more.
                waiter.exception()
        self._on_closed(self, self._error)
