"""One connection to one broker: it drives the protocol's client end on an asyncio transport.

A connection ends as a whole: when a request gets no answer in time, when the broker sends bytes
that are not the protocol's, or when the broker closes it. All callers that still wait then get the
reason.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from collections.abc import Callable
from typing import Any, TypeVar, cast  # Any: an answer of any API

from barnabas.deadline_timer import DeadlineTimer
from barnabas.dialling import dial
from barnabas.protocol.connection.client_end import (
    IN_FLIGHT_MAX,
    Asked,
    ClientEnd,
    Event,
    ResponseClass,
    ToSend,
)
from barnabas.protocol.connection.frames import FrameSizeError, describe_greeting
from barnabas.protocol.connection.login import LoginRefusedError
from barnabas.protocol.connection.negotiation import NegotiationError
from barnabas.protocol.errors import ErrorCode, ProtocolError
from barnabas.protocol.message import Message
from barnabas.protocol.sasl.client import SaslClient
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.slow import Slow
from barnabas.slow_logins import run_slow

from ..config import ClientConfig
from ..errors import (
    ConnectionFailedError,
    MalformedResponseError,
    NotABrokerError,
    RequestTimedOutError,
    UnsupportedVersionError,
    error_of,
)
from ..login_errors import TokenUnavailableError
from .security import OPEN, ClientSecurity, closed_after_handshake, login_failure, tls_failure
from .throttle import ThrottleTimes

log = logging.getLogger("barnabas.client")

A = TypeVar("A")


async def connect(
    host: str, port: int, config: ClientConfig, security: ClientSecurity = OPEN
) -> Connection:
    """Open a connection, agree on versions and log in, within the time set for all of that.

    Raises:
        AuthenticationError: certificate, password, token or mechanism do not fit, or there is
            no token.
        NotABrokerError: something other than a broker answers there.
        ConnectionFailedError: nothing answers there, or it stopped answering.
    """
    timeout_s = config.socket_connection_setup_timeout_ms / 1000
    deadline = asyncio.get_running_loop().time() + timeout_s
    try:
        async with asyncio.timeout(timeout_s):
            login = await security.new_login()
    except TimeoutError:
        raise TokenUnavailableError(f"no token came within {timeout_s:g} s") from None
    connection = await open_socket(host, port, config, timeout_s, security.tls, login)
    try:
        await connection.open(deadline)
    except BaseException:
        connection.close()
        raise
    return connection


async def open_socket(
    host: str,
    port: int,
    config: ClientConfig,
    timeout_s: float,
    tls: ssl.SSLContext | None = None,
    login: SaslClient | None = None,
) -> Connection:
    """Open the TCP connection, with TLS if configured; `login` is used by what follows."""

    def make() -> Connection:
        return Connection(host, port, config.client_id, config.receive_message_max_bytes, login)

    try:
        async with asyncio.timeout(timeout_s):
            return await dial(make, host, port, tls, timeout_s)
    except TimeoutError as error:
        raise ConnectionFailedError(
            f"{host}:{port} did not accept a connection within {timeout_s:g} s"
        ) from error
    except ssl.SSLError as error:
        raise tls_failure(f"{host}:{port}", error) from error
    except OSError as error:
        # asyncio's own text repeats the address and leaves the reason out.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        if tls is not None and not isinstance(error, ConnectionRefusedError):
            reason += " (has this port TLS?)"
        raise ConnectionFailedError(f"cannot connect to {host}:{port}: {reason}") from error
    except (ValueError, OverflowError) as error:
        # Metadata can name any host and port; these are none that a socket takes.
        raise ConnectionFailedError(f"cannot connect to {host!r}:{port}: {error}") from error


class Connection(asyncio.Protocol):
    """Created by `connect()`; from then on `call` and `send` may be used until it is closed."""

    def __init__(
        self,
        host: str,
        port: int,
        client_id: str,
        receive_bytes_max: int,
        login: SaslClient | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self.last_used = 0.0
        self.when_closed: Callable[[Connection], None] | None = None
        self.when_writable: Callable[[], None] | None = None
        self._loop = asyncio.get_running_loop()
        self._end: ClientEnd[asyncio.Future[Any]] = ClientEnd(client_id, receive_bytes_max, login)
        self._transport: asyncio.Transport | None = None
        self._timer = DeadlineTimer(self._loop, self._end, self._on_overdue)
        self._has_tls = False
        self._error: ConnectionFailedError | None = None
        self._is_lost = self._loop.create_future()
        self.throttled_until = 0.0
        """Until this time of the loop the broker does not read; `call` waits for it, users of
        `send` check it."""
        self.throttle_times = ThrottleTimes()

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def is_closed(self) -> bool:
        return self._error is not None

    @property
    def in_flight(self) -> int:
        """The number of requests without an answer so far."""
        return self._end.in_flight

    @property
    def waiting_bytes(self) -> int:
        """The number of bytes that have been written but not yet sent."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    @property
    def login_lifetime_s(self) -> float:
        """The number of seconds after which the broker wants another login; 0 for never
        (KIP-368)."""
        return self._end.login_lifetime_ms / 1000

    def silent_s(self, now: float) -> float:
        """For how many seconds the broker has owed an answer without sending a byte."""
        return self._end.silent_s(now)

    def version_of(self, request: Message | type[Message], at_most: int | None = None) -> int:
        """The highest version of a request that broker and client have in common.

        Raises:
            UnsupportedVersionError: there is none (or none up to `at_most`).
        """
        key = request.API_KEY
        assert key is not None
        limit = request.MAX_VERSION if at_most is None else min(request.MAX_VERSION, at_most)
        version = self._end.version_of(key, request.MIN_VERSION, limit)
        if version is None:
            name = request.NAME.removesuffix("Request")
            raise UnsupportedVersionError(
                f"{self} serves {name} {self._end.offer(key)}; this client can use versions"
                f" {request.MIN_VERSION} to {limit}"
            )
        return version

    def feature_level(self, name: str) -> int:
        """The finalised level of a feature when this connection was opened; 0 if there was none."""
        return self._end.feature_level(name)

    # ------------------------------------------------------------ requests

    def open(self, deadline: float) -> asyncio.Future[Any]:
        """Agree on versions; nothing else may be sent before that."""
        transport = self._usable()
        opened: asyncio.Future[Any] = self._loop.create_future()
        transport.write(self._end.open(opened, self._loop.time(), deadline))
        self._timer.arm(deadline)
        return opened

    async def call(
        self,
        request: Message,
        answer: ResponseClass[A],
        *,
        timeout_s: float,
        at_most: int | None = None,
    ) -> A:
        """Send a request in the best common version and wait for its answer.

        Raises:
            UnsupportedVersionError: no common version.
            EncodeError: that version cannot carry a field that is set.
            RequestTimedOutError: no answer in `timeout_s`; the connection is closed.
            ConnectionFailedError: the connection ended.
        """
        version = self.version_of(request, at_most)
        if (left_s := self.throttled_until - self._loop.time()) > 0:
            await asyncio.sleep(left_s)
        return await self.send(request, answer, version, timeout_s)

    def send(
        self, request: Message, answer: ResponseClass[A], version: int, timeout_s: float
    ) -> asyncio.Future[A]:
        """Send a request now; the future gets its answer, or the reason why there is none."""
        transport = self._usable()
        if self._end.in_flight >= IN_FLIGHT_MAX:
            raise ConnectionFailedError(f"{self} owes {IN_FLIGHT_MAX} answers already")
        future: asyncio.Future[A] = self._loop.create_future()
        now = self._loop.time()
        deadline = now + timeout_s
        frame = self._end.request(request, version, answer, future, now, deadline)
        transport.write(frame)
        self.last_used = now
        self._timer.arm(deadline)
        return future

    def post(self, request: Message, version: int) -> None:
        """Send a request that gets no answer (Produce with acks=0)."""
        self._usable().write(self._end.post(request, version))
        self.last_used = self._loop.time()

    def _usable(self) -> asyncio.Transport:
        """The transport, while it carries requests. Raises ConnectionFailedError."""
        if self._error is not None or self._transport is None:
            raise copy_of(self._error or ConnectionFailedError(f"{self} is not connected"))
        return self._transport

    # ------------------------------------------------------------ from the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not an isinstance check: the transports of uvloop have a class hierarchy of their own.
        self._transport = cast(asyncio.Transport, transport)
        self._has_tls = transport.get_extra_info("ssl_object") is not None

    def data_received(self, data: bytes) -> None:
        try:
            for event in self._end.receive(data, self._loop.time()):
                self._take(event)
        except FrameSizeError as error:
            self._fail_of_bytes(str(error), error.seen)
        except LoginRefusedError as error:
            self.close(login_failure(str(self), error))
        except NegotiationError as error:
            self.close(self._refusal(error))
        except ProtocolError as error:
            self._fail_of_bytes(f"it sent an answer that does not decode: {error}", data)

    def _take(self, event: Event[asyncio.Future[Any]]) -> None:
        if isinstance(event, ToSend):
            self._usable().write(event.data)
            return
        if isinstance(event, Slow):
            run_slow(event, self._computed)
            return
        throttle_ms: int = getattr(event.response, "throttle_time_ms", 0)
        if throttle_ms > 0:
            self.throttle_times.add(throttle_ms)
            until = self._loop.time() + throttle_ms / 1000
            self.throttled_until = max(self.throttled_until, until)
        if not event.waiter.done():
            event.waiter.set_result(event.response)

    def _computed(self, token: bytes | SaslError) -> None:
        """Continue a login whose computation is done, unless the connection has ended meanwhile."""
        try:
            following = self._end.computed(token, self._loop.time())
        except LoginRefusedError as error:
            self.close(login_failure(str(self), error))
        else:
            if following is not None:
                self._usable().write(following.data)

    def resume_writing(self) -> None:
        if self.when_writable is not None:
            self.when_writable()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_lost.done():
            self._is_lost.set_result(None)
        held = self._end.held
        if isinstance(exc, ssl.SSLError):
            self.close(tls_failure(str(self), exc))
        elif not self._end.has_answered and self._has_tls:
            self.close(closed_after_handshake(str(self)))
        elif not self._end.has_answered:
            self.close(
                NotABrokerError(
                    f"{self} is no Kafka broker: it closed the connection when asked for its"
                    f" versions; {describe_greeting(held)} (a listener with TLS or a login does so,"
                    " too: is security_protocol right?)",
                    said_nothing=not held,
                )
            )
        else:
            cause = f": {exc}" if exc else ""
            self.close(ConnectionFailedError(f"{self} closed the connection{cause}"))

    # ------------------------------------------------------------ inside

    def _on_overdue(self, late: Asked[asyncio.Future[Any]]) -> None:
        if self._end.has_answered:
            self.close(RequestTimedOutError(f"{self} did not answer {late.name} in its time"))
        else:
            self._fail_of_bytes("it did not answer in time when asked for its versions", b"")

    def _refusal(self, error: NegotiationError) -> ConnectionFailedError:
        if error.code == ErrorCode.UNSUPPORTED_VERSION:
            return NotABrokerError(f"{self} refuses every version of ApiVersions")
        failed = ConnectionFailedError(f"{self} answered ApiVersions with an error")
        failed.__cause__ = error_of(error.code)
        return failed

    def _fail_of_bytes(self, what: str, seen: bytes) -> None:
        if self._end.has_answered:
            log.warning("closing the connection to %s: %s", self, what)
            self.close(MalformedResponseError(f"{self}: {what}"))
            return
        seen = seen or self._end.held
        text = f"{self} is no Kafka broker: {what}; {describe_greeting(seen)}"
        self.close(NotABrokerError(text, said_nothing=not seen))

    def close(self, reason: ConnectionFailedError | None = None) -> None:
        """End the connection; requests in flight fail with `reason`. Calling it again does
        nothing."""
        if self._error is not None:
            return
        self._error = reason or ConnectionFailedError(f"the connection to {self} was closed")
        self._timer.stop()
        if self._transport is not None:
            self._transport.abort()
        for waiter in self._end.close():
            if not waiter.done():
                waiter.set_exception(copy_of(self._error))
        if self.when_closed is not None:
            self.when_closed(self)

    async def wait_closed(self) -> None:
        """Wait until the socket is closed as well."""
        if self._transport is not None:
            await asyncio.shield(self._is_lost)


def copy_of(error: ConnectionFailedError) -> ConnectionFailedError:
    """A copy of the error: one object raised in many tasks would collect all their tracebacks."""
    made = type(error)(*error.args)
    made.retriable = error.retriable
    made.__cause__ = error.__cause__
    return made
