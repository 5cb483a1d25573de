"""The open connections: one for each address and purpose, closed when idle."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..config import ClientConfig
from ..env import REAL_ENV, ClientEnv
from ..errors import ClientClosedError, ConnectionFailedError
from .backoff import Backoff
from .connection import Connection, connect
from .security import security_of
from .shared import shared
from .throttle import ThrottleTimes

SILENCE_CHECK_S = 0.25
SILENT_S = 2.0
"""A broker that owes an answer for longer than this may hang; the metadata says whether it is
alive."""

WRITTEN_CHECK_S = 0.005

LOGIN_SHARE = 0.85
"""The share of a login's lifetime after which its connection is replaced by a new one."""


class Lane(enum.StrEnum):
    """What a connection is used for. Brokers answer the requests of one connection in order, so a
    request that waits for data (a long poll) or for replicas (acks=all) must not delay short
    questions. A `StrEnum`, because lanes are parts of keys that are looked up all the time, and a
    plain `Enum` is hashed in Python."""

    CONTROL = "control"
    PRODUCE = "produce"
    FETCH = "fetch"
    FETCH_TOO = "fetch too"
    GROUP = "group"
    """Joining a group, which waits for the other members, and heartbeats."""
    OFFSETS = "offsets"
    """Requests that must not wait behind a join: commits, committed offsets, leaving."""
    TRANSACTION = "transaction"
    """Requests that a transaction coordinator answers once all its replicas have the change."""


class Key(NamedTuple):
    """One connection of the pool."""

    host: str
    port: int
    lane: Lane


class ConnectionPool:
    """At most one connection for each address and lane."""

    def __init__(
        self,
        config: ClientConfig,
        env: ClientEnv = REAL_ENV,
        when_silent: Callable[[], None] | None = None,
    ) -> None:
        """`when_silent` is called each `SILENCE_CHECK_S` while any broker is silent."""
        self._config = config
        self._security = security_of(config)
        self._env = env
        self._loop = asyncio.get_running_loop()
        self._open: dict[Key, Connection] = {}
        self._replaced: set[Connection] = set()
        self._opening: dict[Key, asyncio.Task[Connection]] = {}
        self._backoff: dict[tuple[str, int], Backoff] = {}
        self._not_before: dict[tuple[str, int], float] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.throttle_times = ThrottleTimes()
        """The throttle times of all connections together."""
        self._idle_timer: asyncio.TimerHandle | None = None
        self._when_silent = when_silent
        self._silence_timer = self._loop.call_later(SILENCE_CHECK_S, self._watch_silence)
        if config.connections_max_idle_ms:
            self._watch_idle()

    def ready(self, host: str, port: int, lane: Lane) -> Connection | None:
        """The connection if it is open; never waits."""
        return self._open.get(Key(host, port, lane))

    def is_silent(self, host: str, port: int) -> bool:
        """Whether a broker has owed an answer on any connection for longer than it should take."""
        return any((key.host, key.port) == (host, port) for key in self._silent())

    def _silent(self) -> Iterator[Key]:
        """Connections whose broker owes an answer for too long."""
        now = self._loop.time()
        limit_s = SILENT_S + self._config.park_ms / 1000
        for key, connection in self._open.items():
            if connection.silent_s(now) > limit_s and key.lane is not Lane.GROUP:
                yield key

    def keep_only(
        self, addresses: Iterable[tuple[str, int]], bootstrap: Iterable[tuple[str, int]]
    ) -> None:
        """End requests to brokers that have left the cluster: they would never be answered, and
        each of them is retried elsewhere. Without this, a broker that hangs would only be noticed
        when `request_timeout_ms` is over. Bootstrap addresses may be other names of the same
        brokers; they are used for short questions only."""
        known = set(addresses)
        for_questions = known.union(bootstrap)
        for key, connection in list(self._open.items()):
            fine = for_questions if key.lane is Lane.CONTROL else known
            if (key.host, key.port) not in fine and connection.in_flight:
                connection.close(ConnectionFailedError(f"{connection} has left the cluster"))

    async def get(self, host: str, port: int, lane: Lane) -> Connection:
        """The connection, opened if necessary; callers that ask at the same time share one attempt.

        Raises:
            ConnectionFailedError: it could not be opened.
        """
        key = Key(host, port, lane)
        connection = self._open.get(key)
        if connection is not None:
            return connection
        if self._is_closed:
            raise ClientClosedError("the client was stopped")
        task = self._opening.get(key)
        if task is None:
            task = self._loop.create_task(self._connect(key))
            self._opening[key] = task
            task.add_done_callback(lambda done: self._opened(key, done))
        return await shared(task)

    async def _connect(self, key: Key) -> Connection:
        address = (key.host, key.port)
        wait = self._not_before.get(address, 0.0) - self._loop.time()
        if wait > 0:
            await asyncio.sleep(wait)
        try:
            connection = await connect(key.host, key.port, self._config, self._security)
        except Exception:
            backoff = self._backoff.setdefault(
                address,
                Backoff(
                    self._config.reconnect_backoff_ms,
                    self._config.reconnect_backoff_max_ms,
                    self._env.new_random(),
                ),
            )
            self._not_before[address] = self._loop.time() + backoff.next_s()
            raise
        self._backoff.pop(address, None)
        self._not_before.pop(address, None)
        return connection

    def _opened(self, key: Key, task: asyncio.Task[Connection]) -> None:
        self._opening.pop(key, None)
        if task.cancelled() or task.exception() is not None:
            return
        connection = task.result()
        if connection.is_closed:
            return
        if self._is_closed:
            connection.close()
            return
        self._open[key] = connection
        connection.throttle_times = self.throttle_times
        if connection.login_lifetime_s:
            delay_s = LOGIN_SHARE * connection.login_lifetime_s
            self._loop.call_later(delay_s, self._replace, key, connection)
        connection.when_closed = lambda gone: self._forget(key, gone)

    def _forget(self, key: Key, connection: Connection) -> None:
        if self._open.get(key) is connection:
            del self._open[key]

    def _replace(self, key: Key, connection: Connection) -> None:
        """The login ends soon: the next request uses a new connection, and this one closes when
        idle."""
        if self._open.get(key) is connection:
            del self._open[key]
            self._replaced.add(connection)

    @property
    def has_silence(self) -> bool:
        """Whether any broker is silent."""
        return any(True for _ in self._silent())

    def _watch_silence(self) -> None:
        if self._when_silent is not None and self.has_silence:
            self._when_silent()
        for connection in [
            one for one in self._replaced if not one.in_flight and not one.waiting_bytes
        ]:
            self._replaced.discard(connection)
            connection.close()
        self._silence_timer = self._loop.call_later(SILENCE_CHECK_S, self._watch_silence)

    def _watch_idle(self) -> None:
        """Close connections unused for `connections_max_idle_ms`; checked four times in that
        period."""
        idle_s = self._config.connections_max_idle_ms / 1000
        now = self._loop.time()
        for connection in list(self._open.values()):
            if not connection.in_flight and now - connection.last_used > idle_s:
                connection.close()
        self._idle_timer = self._loop.call_later(max(0.05, idle_s / 4), self._watch_idle)

    @property
    def unsent_bytes(self) -> int:
        """Bytes of requests that the sockets have not taken yet."""
        return sum(each.waiting_bytes for each in (*self._open.values(), *self._replaced))

    async def written(self, limit_s: float) -> None:
        """Wait until the sockets have taken all requests, but no longer than this: closing a
        connection drops what its socket has not taken."""
        deadline = self._loop.time() + limit_s
        # asyncio tells nobody when a socket has taken the last byte, so there is no event.
        while self.unsent_bytes and self._loop.time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(WRITTEN_CHECK_S)

    async def close(self) -> None:
        """Close every connection and wait until the sockets are gone."""
        self._is_closed = True
        self._silence_timer.cancel()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        opening = list(self._opening.values())
        for task in opening:
            task.cancel()
        await asyncio.gather(*opening, return_exceptions=True)
        connections = [*self._open.values(), *self._replaced]
        for connection in connections:
            connection.close()
        for connection in connections:
            await connection.wait_closed()
