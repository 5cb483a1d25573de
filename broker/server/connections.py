"""All connections of a node, whichever listener took them: how many there may be, and which go.

- `max.connections` and `max.connections.per.ip` hold for all listeners together.
- A sweep, not a timer per connection, closes what has been silent for `connections.max.idle.ms`
  and what began a frame and does not go on with it. An idle connection costs nothing between.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from operator import attrgetter

from ..core.cluster.changes import Changes
from ..core.cluster.effective import connection_limits
from ..core.cluster.image import RESOURCE_BROKER, ClusterImage
from ..core.config.broker import BrokerConfig
from ..core.config.listeners import canonical
from ..core.quotas.entities import canonical_address
from ..observe.audit import Audit
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from .answer_budget import AnswerBudget
from .arrivals import Arrivals
from .connection import Connection
from .limits import PROGRESS_BYTES_PER_MS, Limits
from .listener_room import ListenerRoom
from .peer_log import PeerLog
from .receive_budget import ReceiveBudget

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
        self._rooms: dict[str, ListenerRoom] = {}
        """By the name of the listener, as `canonical` writes it."""
        self._per_ip: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self.answers = AnswerBudget(limits.answers_max, limits.answer_grace_ms, self._loop.time)
        self._sweep_timer: asyncio.TimerHandle | None = None
        self._is_over = False
        self.peer_log = PeerLog(log.warning, lambda: self._loop.time() * 1000.0)

    def __len__(self) -> int:
        return len(self._all)

    def of(self, listener: str) -> list[Connection]:
        """Those that this listener took."""
        return [one for one in self._all if one.listener_name == listener]

    def room_of(self, listener: str) -> ListenerRoom:
        """The place that this listener has."""
        name, limits = canonical(listener), self.limits
        most = limits.connections_of_listeners.get(name)
        return self._rooms.setdefault(name, ListenerRoom(most, limits.waiting_max))

    def obey(self, config: BrokerConfig) -> None:
        """Take the limits of connections of this configuration; nobody who is here must go."""
        limits = self.limits
        limits.set_connections(config)
        for name, room in self._rooms.items():
            room.allow(limits.connections_of_listeners.get(name))
        if self._arrivals is not None:
            self._arrivals.obey(config)

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
            connection.link.cut_off()
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
            if connection.answers.take_activity():
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
            if all(connection.answers.is_quiet for connection in self._all):
                break
            await asyncio.sleep(_DRAIN_STEP_S)
        for connection in list(self._all):
            connection.link.end()
        # A connection that was accepted just before the listener closed is made some turns of the
        # loop later.
        self._is_over = True
        for _ in range(_TURNS_TO_ACCEPT):
            await asyncio.sleep(0)
        for connection in list(self._all):
            connection.link.cut_off()


class LiveLimits:
    """Has a node's connections obey what was set on brokers since it started (KIP-226)."""

    def __init__(self, static: BrokerConfig, node_id: int, connections: Connections) -> None:
        """`static` is the node's own configuration."""
        self._static = static
        self._node_id = node_id
        self._connections = connections

    def on_image(self, image: ClusterImage, changes: Changes | None = None) -> None:
        """Obey the limits of this image, if they may have changed."""
        if changes is None or any(kind == RESOURCE_BROKER for kind, _ in changes.configs):
            self._connections.obey(connection_limits(self._static, image, self._node_id))
