"""One listening address: who may connect, what its connections share, and which are closed.

- `max.connections` and `max.connections.per.ip` hold for all listeners together.
- A sweep, not a timer per connection, closes what has been silent for `connections.max.idle.ms`
  and what began a frame and does not go on with it. An idle connection costs nothing between.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from operator import attrgetter
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from ssl import SSLContext
from typing import Protocol

from barnabas.accepting import close_server
from barnabas.protocol.errors import ErrorCode

from ..core.config.broker import BrokerConfig
from ..core.config.listeners import canonical
from ..core.ports import Buffer
from ..core.quotas.entities import canonical_address
from ..observe.audit import Audit
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from .answer_budget import AnswerBudget
from .arrivals import Arrivals
from .connection import CheckHead, Connection, Dispatch, Produce
from .limits import PROGRESS_BYTES_PER_MS, Limits
from .listener_room import ListenerRoom
from .peer_log import PeerLog
from .receive_budget import ReceiveBudget
from .refusals import Refusals
from .security.listener_security import ListenerSecurity
from .security.login import LoginDriver, LoginEnd
from .security.login_report import LoginReport
from .security.tls_server import TlsServer, listening_sockets
from .trickle import ReadLate

_TURNS_TO_ACCEPT = 5
"""Of asyncio, from the socket to `connection_made`, and from `close()` to the transport's end."""
_DRAIN_STEP_S = 0.002


class Connections:
    """All connections of a node, whichever listener took them."""

    def __init__(
        self,
        limits: Limits,
        log: Logger,
        metrics: Metrics,
        arrivals: Arrivals | None = None,
        audit: Audit | None = None,
    ) -> None:
        """`arrivals`: how fast they may come; None for any. `audit` hears of logins."""
        self.audit = audit
        self._arrivals = arrivals
        self.limits = limits
        self.log = log
        self.metrics = metrics
        self.budget = ReceiveBudget(limits.received_max)
        self._all: dict[Connection, None] = {}
        self._per_ip: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self.answers = AnswerBudget(limits.answers_max, limits.answer_grace_ms, self._loop.time)
        self._sweep_timer: asyncio.TimerHandle | None = None
        self._is_over = False
        self.peer_log = PeerLog(log.warning, lambda: self._loop.time() * 1000.0)

    def __len__(self) -> int:
        return len(self._all)

    def refusal(self, host: str) -> str | None:
        """Why this address may begin no further handshake; None if it may."""
        if self._per_ip[host] >= (most := self._most_of(host)):
            return f"max.connections.per.ip is {most}"
        return None

    def _most_of(self, host: str) -> int:
        """Most connections of this address."""
        overrides = self.limits.connections_per_ip_overrides
        most = self.limits.connections_per_ip_max
        return overrides.get(canonical_address(host) or host, most) if overrides else most

    def admit(self, connection: Connection) -> None:
        """Take it in, or close it again: the node, or its address, has too many."""
        limits = self.limits
        host = connection.client_host
        metrics = self.metrics
        metrics.connections_created += 1
        self._all[connection] = None
        self._per_ip[host] += 1
        if self._is_over:
            connection.cut_off()
            return
        now = self._loop.time()
        connection.last_active = now
        most = self._most_of(host)
        if len(self._all) > limits.connections_max and not self._make_room(connection):
            connection.close(f"max.connections is {limits.connections_max}")
        elif self._per_ip[host] > most:
            connection.close(f"max.connections.per.ip is {most}")
        elif self._arrivals is not None:
            self._arrivals.begin(connection)

    def _make_room(self, connection: Connection) -> bool:
        """Whether it is a broker on a listener of its own: then the client goes that was silent
        longest (TLS-24)."""
        exempt = None if self._arrivals is None else self._arrivals.exempt
        if connection.listener_name != exempt:
            return False
        clients = [one for one in self._all if one.listener_name != exempt]
        if clients:
            oldest = min(clients, key=attrgetter("last_active"))
            oldest.close(f"max.connections is {self.limits.connections_max}, and a broker came")
        return True

    def forget(self, connection: Connection) -> None:
        """It is gone."""
        if connection in self._all:
            del self._all[connection]
            host = connection.client_host
            self._per_ip[host] -= 1
            if not self._per_ip[host]:
                del self._per_ip[host]

    def start_sweeping(self) -> None:
        """Look for idle connections and half frames from now on."""
        limits = self.limits
        shortest = min(limits.half_frame_timeout_ms, limits.answer_grace_ms)
        if limits.idle_ms >= 0:
            shortest = min(shortest, limits.idle_ms)
        interval_s = min(max(shortest / 8, 10.0), 5000.0) / 1000.0

        def sweep() -> None:
            self._sweep()
            self._sweep_timer = self._loop.call_later(interval_s, sweep)

        self._sweep_timer = self._loop.call_later(interval_s, sweep)

    def _sweep(self) -> None:
        now = self._loop.time()
        limits = self.limits
        idle_s = limits.idle_ms / 1000.0
        for connection in list(self._all):
            if connection.take_activity():
                connection.last_active = now
            elif idle_s >= 0 and now - connection.last_active > idle_s:
                connection.close(f"silent for connections.max.idle.ms ({limits.idle_ms})")
            else:
                connection.release_idle_buffer()
            since = connection.frame_since
            if since is not None and not connection.is_stopped:
                allowed = limits.half_frame_timeout_ms
                allowed += connection.frame_received // PROGRESS_BYTES_PER_MS
                if (now - since) * 1000.0 > allowed:
                    connection.close(f"half a frame for {limits.half_frame_timeout_ms} ms")
        self._close_overdue()

    def _close_overdue(self) -> None:
        """Who keeps others waiting for memory by not reading."""
        reason = f"unread answers for connections.max.unread.ms ({self.limits.answer_grace_ms})"
        for holder in self.answers.overdue():
            holder.close(reason)

    def stop_sweeping(self) -> None:
        if self._sweep_timer is not None:
            self._sweep_timer.cancel()
            self._sweep_timer = None

    async def drain(self, timeout_s: float) -> None:
        """Let answers that are owed leave, then close all connections, also those still to come.

        What a client has not read when the time is over is lost to it.
        """
        deadline = self._loop.time() + timeout_s
        for connection in list(self._all):
            connection.stop_taking_requests()
        while self._loop.time() < deadline:
            if all(connection.is_quiet for connection in self._all):
                break
            await asyncio.sleep(_DRAIN_STEP_S)
        for connection in list(self._all):
            connection.end()
        # A connection that was accepted just before the listener closed is made some turns of the
        # loop later.
        self._is_over = True
        for _ in range(_TURNS_TO_ACCEPT):
            await asyncio.sleep(0)
        for connection in list(self._all):
            connection.cut_off()


def _nothing_is_late(
    read: Callable[[], Buffer], done: Callable[[Buffer | BaseException], object]
) -> None:
    """Where no answer has records."""
    done(read())


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

    def check_head(self, key: int, version: int, size: int, /) -> None:
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
        self._refusals = requests.refusals
        self.connections = connections
        self._report = LoginReport(
            name, connections.metrics, connections.peer_log, connections.audit
        )
        self.limits = connections.limits
        self.budget = connections.budget
        self.answers = connections.answers
        self.read_late = read_late
        self.produce = produce
        self.dispatch: Dispatch = requests
        self.check_head: CheckHead = requests.check_head
        self._on_lost = on_lost
        limits = connections.limits
        most = limits.connections_of_listeners.get(canonical(name))
        self._room = None if most is None else ListenerRoom(most, limits.waiting_max)
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
        security, backlog = self.security, config.socket_listen_backlog_size
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
        """Take connections from now on."""
        assert self._server is not None, "bind() first"
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
            principal = security.principal_of(connection.tls())
            if principal is None:
                text = "no rule of ssl.principal.mapping.rules names this certificate's user"
                self.handshake_failed(connection.client_host, text)
                connection.close(text)
            else:
                connection.principal = principal
                if security.sasl is None:
                    self._report.certified(connection)
        self.connections.admit(connection)
        if self._room is not None:
            self._room.take_in(connection)

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
            connection.answer(answer)

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
        if self._room is not None:
            self._room.leave(connection)
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
