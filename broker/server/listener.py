"""One listening address: who may connect, and what its connections share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET, socket
from ssl import SSLContext
from typing import Protocol

from barnabas.accepting import close_server
from barnabas.protocol.errors import ErrorCode

from ..core.config.broker import BrokerConfig
from ..core.ports import Buffer
from ..core.security.distinguished_name import CertificateError
from .connection import CheckHead, Connection, Dispatch, Produce
from .connections import Connections
from .refusals import Refusals
from .security.listener_security import ListenerSecurity
from .security.login import LoginDriver, LoginEnd
from .security.login_report import LoginReport
from .security.tls_server import TlsServer, listening_sockets
from .trickle import ReadLate


def _nothing_is_late(
    read: Callable[[], Buffer], done: Callable[[Buffer | BaseException], object]
) -> None:
    """Where no answer has records."""
    done(read())


def _listen(bound: Iterable[socket], backlog: int) -> None:
    """What the loop is about to do, and uvloop would tell nobody of if it failed. Raises OSError.

    Several may have bound an address while none of them listened there; one can listen.
    """
    for one in bound:
        if one.fileno() >= 0:  # on a simulated network there is nothing to ask
            with socket(fileno=os.dup(one.fileno())) as same:
                same.listen(backlog)


class Requests(Protocol):
    """Takes requests from connections; `dispatch.Dispatch` does."""

    def __call__(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        key: int,
        version: int,
        /,
    ) -> None: ...

    def check_head(self, key: int, version: int, size: int, /) -> object:
        """Raise ProtocolError if such a frame is not read."""
        ...

    @property
    def refusals(self) -> Refusals: ...


class Listener:
    """One address, and what its connections need to work."""

    def __init__(
        self,
        name: str,
        connections: Connections,
        *,
        produce: Produce,
        requests: Requests,
        read_late: ReadLate = _nothing_is_late,
        security: ListenerSecurity,
        on_lost: Callable[[Connection], object] | None = None,
    ) -> None:
        """`read_late` reads what is sent from files; `on_lost` hears of connections that ended."""
        self.name = name
        self.security = security
        security.on_untrusted = self._end_certified
        self._refusals = requests.refusals
        self.connections = connections
        self._report = LoginReport(
            name, connections.metrics, connections.peer_log, connections.audit
        )
        self._backlog = 0
        self.limits = connections.limits
        self.budget = connections.budget
        self.answers = connections.answers
        self.read_late = read_late
        self.produce = produce
        self.dispatch: Dispatch = requests
        self.check_head: CheckHead = requests.check_head
        self._on_lost = on_lost
        self._room = connections.room_of(name)
        self._loop = asyncio.get_running_loop()
        self.now = self._loop.time
        self.call_soon = self._loop.call_soon
        self._server: asyncio.Server | TlsServer | None = None
        self.host = ""
        self.port = 0
        self.is_open = False
        """Whether other machines can connect."""

    async def bind(self, host: str, port: int, config: BrokerConfig) -> None:
        """Take the address; port 0 picks a free one. Raises OSError, and ConfigError if what logins
        need cannot be fetched."""
        warn = self.connections.log.warning
        await self.security.start(warn)
        try:
            await self._bind(host, port, config)
        except BaseException:
            await self.security.stop()
            raise
        readable = self.security.readable_mechanisms
        if self.is_open and readable:
            warn("logins can be read on their way", listener=self.name, mechanisms=readable)

    async def _bind(self, host: str, port: int, config: BrokerConfig) -> None:
        security = self.security
        backlog = self._backlog = config.socket_listen_backlog_size
        if security.tls is not None:
            self._server = TlsServer(
                self,
                listening_sockets(host, port, backlog),
                most=security.handshakes_max,
                timeout_ms=security.timeout_ms,
            )
        else:
            self._server = await self._loop.create_server(
                self.new_connection,
                # Without a host: all addresses, of both families if they can have the same port.
                host or ("0.0.0.0" if port == 0 else None),
                port,
                backlog=backlog,
                reuse_address=True,
                start_serving=False,
            )
        for opened in self._server.sockets:  # what is set here, accepted sockets inherit
            if config.socket_send_buffer_bytes >= 0:
                opened.setsockopt(SOL_SOCKET, SO_SNDBUF, config.socket_send_buffer_bytes)
            if config.socket_receive_buffer_bytes >= 0:
                opened.setsockopt(SOL_SOCKET, SO_RCVBUF, config.socket_receive_buffer_bytes)
        names = [opened.getsockname() for opened in self._server.sockets]
        self.host, self.port = min(names, key=lambda name: ":" in name[0])[:2]
        self.is_open = not all(name[0] == "::1" or name[0].startswith("127.") for name in names)

    async def start_serving(self) -> None:
        """Take connections from now on. Raises OSError if somebody else, who had bound the same
        address, listens there by now."""
        assert self._server is not None, "bind() first"
        if not isinstance(self._server, TlsServer):
            _listen(self._server.sockets, self._backlog)
        await self._server.start_serving()

    async def close(self) -> None:
        """Take no more connections; those that are open stay."""
        server, self._server = self._server, None
        await self.security.stop()
        if isinstance(server, TlsServer):
            await server.close()
        elif server is not None:
            await close_server(server)

    # --- who comes ----------------------------------------------------------------------------

    def new_connection(self) -> Connection:
        """For somebody who was accepted."""
        connection = Connection(self)
        if self.security.sasl is not None:
            connection.login = LoginDriver(connection, self, self.security.sasl)
        return connection

    @property
    def tls(self) -> SSLContext | None:
        """With which the next handshake is made; None without TLS."""
        return self.security.tls

    def refusal(self, host: str) -> str | None:
        """Why this address may begin no further handshake; None if it may."""
        return self.connections.refusal(host)

    def admit(self, connection: Connection) -> None:
        """Take it in; with TLS, a certificate may say who it is."""
        security = self.security
        if security.tls is not None:
            try:
                connection.principal = security.principal_of(connection.tls())
            except CertificateError as error:
                self.handshake_failed(connection.client_host, str(error))
                connection.close(str(error))
            else:
                if security.sasl is None:
                    self._report.certified(connection)
        self.connections.admit(connection)
        self._room.take_in(connection.link)

    def _end_certified(self) -> None:
        """An authority is not trusted any more: whoever showed a certificate must do it again."""
        for connection in self.connections.of(self.name):
            tls = connection.tls()
            if tls is not None and tls.getpeercert(binary_form=True) is not None:
                connection.close("the authorities changed: certificates are asked for again")

    def handshake_failed(self, host: str, reason: str) -> None:
        """Count it, and tell of it (TLS-23)."""
        self._report.handshake_failed(host, reason)

    def handshake_took(self, duration_ms: float) -> None:
        """Count one that came about, and its time (SEC-07)."""
        self._report.handshake_took(duration_ms)

    def refuse(self, connection: Connection, frame: bytes, code: ErrorCode) -> None:
        """Answer a frame, which is without its length, in the form of its own answer."""
        answer = self._refusals.of_frame(frame, code)
        if answer is not None:
            connection.answers.give(answer)

    def login_ended(self, connection: Connection, end: LoginEnd) -> None:
        """Count it, and tell of it."""
        self._report.ended(connection, end)

    def login_expired(self) -> None:
        """A connection is closed since its login was not renewed in its time: count it."""
        self._report.expired()

    def forget(self, connection: Connection) -> None:
        """It is gone."""
        if connection.login is not None:
            connection.login.abandon()
        self.connections.forget(connection)
        self._room.leave(connection.link)
        if self._on_lost is not None:
            self._on_lost(connection)

    def report_closing(self, connection: Connection, reason: str) -> None:
        """A connection is closed by us: say why, at most once a second and peer."""
        self.connections.metrics.connections_closed += 1
        self.connections.peer_log.report(
            connection.client_host, "connection closed", reason=reason, listener=self.name
        )

    def report_bug(self, connection: Connection, error: BaseException) -> None:
        """An exception that nobody expected, outside of any request."""
        self.connections.log.error(
            "unexpected error on a connection",
            client=connection.client_host,
            error=repr(error),
            exc_info=error,
        )
