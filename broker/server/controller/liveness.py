"""Fast failure: a broker whose heartbeat connection breaks is gone, unless it is soon back.

A process that dies takes its connections with it at once, long before its session is over. What is
seen here goes to the controller's `BrokerSessions`, which gives the broker its grace.

- A connection over which heartbeats came is lost: the broker has
  `broker.connection.loss.grace.ms` to be heard again.
- A new reign has no connections yet, and the node that led before may have died as a broker too.
  So each broker is dialled: where the connection is refused, nobody listens, and that counts as a
  lost one. Silence proves nothing; it waits for `broker.session.timeout.ms`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ...core.cluster.broker_image import BrokerImage
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError, PeerRefusedError
from ..security.peer_security import OPEN, PeerSecurity
from .reign import Reign


class Liveness:
    """The connections of brokers that show which brokers are alive."""

    def __init__(
        self,
        node_id: int,
        config: BrokerConfig,
        env: Env,
        listener_name: str,
        on_loss: Callable[[], object],
        security: PeerSecurity = OPEN,
    ) -> None:
        """`on_loss` is called when sessions may end sooner than they would have.

        `listener_name` is the listener by which brokers reach each other.
        """
        self._node_id = node_id
        self._env = env
        self._grace_ms = config.broker_connection_loss_grace_ms
        self._dial_timeout_ms = config.controller_quorum_request_timeout_ms
        self._listener_name = listener_name
        self._on_loss = on_loss
        self._security = security
        self._loop = asyncio.get_running_loop()
        self._reign: Reign | None = None
        self._connections: dict[object, dict[int, int]] = {}  # connection -> broker id -> epoch
        self._last: dict[int, object] = {}  # broker id -> the connection it was last heard on
        self._dials: set[asyncio.Task[None]] = set()

    # --- connections --------------------------------------------------------------------------

    def heard(self, broker_id: int, broker_epoch: int, connection: object) -> None:
        """A heartbeat that was in order came over this connection.

        Nothing is noted of this node's own broker: it dies with its controller. Before a reign
        begins its heartbeats come by a connection, which is closed when they need none any more.
        """
        if broker_id == self._node_id:
            return
        self._connections.setdefault(connection, {})[broker_id] = broker_epoch
        self._last[broker_id] = connection

    def lost(self, connection: object) -> None:
        """A connection of the controller's listeners is closed."""
        brokers = self._connections.pop(connection, None)
        for broker_id, epoch in (brokers or {}).items():
            if self._last.get(broker_id) is connection:
                del self._last[broker_id]
                self._lose(broker_id, epoch)

    def _lose(self, broker_id: int, epoch: int) -> None:
        if self._reign is None or not self._grace_ms:
            return
        sessions = self._reign.controller.sessions
        sessions.lose_connection(broker_id, epoch, self._env.clock.monotonic_ms())
        self._on_loss()

    # --- a new reign --------------------------------------------------------------------------

    def on_reign(self, reign: Reign | None) -> None:
        """A reign of this node has begun, or with None ended."""
        self._reign = reign
        self._cancel()
        if reign is not None and self._grace_ms:
            self._dial_the_silent(reign)

    def stop(self) -> None:
        """Stop watching."""
        self.on_reign(None)

    def _cancel(self) -> None:
        for task in list(self._dials):
            task.cancel()

    def _dial_the_silent(self, reign: Reign) -> None:
        for broker in list(reign.controller.image.brokers.values()):
            if not broker.fenced and broker.broker_id != self._node_id:
                task = self._loop.create_task(self._dial(broker))
                self._dials.add(task)
                task.add_done_callback(self._dials.discard)

    async def _dial(self, broker: BrokerImage) -> None:
        endpoint = broker.endpoint(self._listener_name)
        if endpoint is None:
            return
        channel = PeerChannel(
            lambda: (endpoint.host, endpoint.port),
            client_id=f"controller-{self._node_id}",
            clock=self._env.clock,
            security=self._security,
        )
        try:
            await channel.connect(timeout_ms=self._dial_timeout_ms)
        except PeerRefusedError:
            self._lose(broker.broker_id, broker.epoch)
        except PeerError:
            return  # nothing is known: the session decides
        finally:
            channel.close()
