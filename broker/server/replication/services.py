"""What replication needs of the node around it; `broker.server.broker.Broker` has all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol  # Any: an answer of any API; what a read gives

from barnabas.protocol.message import Message

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...core.reads import Planned
from ...core.replication.lost_leaders import LostLeaders
from ...core.replication.replica_store import ReplicaStore
from ...observe.logging import Logger
from ...observe.metrics import Metrics
from ...serving.replication_quotas import ReplicationQuotas
from ..checkpoints import Checkpoints
from ..security.peer_security import PeerSecurity


class Controllers(Protocol):
    """The channel to the active controller."""

    async def call(
        self, request: Message, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        """The active controller's answer. Raises PeerError if none came in time."""
        ...


class ReplicationServices(Protocol):
    """The parts of a broker that replication works with; read anew at each use."""

    @property
    def node_id(self) -> int: ...

    @property
    def config(self) -> BrokerConfig: ...

    @property
    def env(self) -> Env: ...

    @property
    def peer_security(self) -> PeerSecurity:
        """TLS and logins for connections between brokers."""
        ...

    @property
    def image(self) -> ClusterImage:
        """The cluster's metadata, as this broker has applied it."""
        ...

    @property
    def replicas(self) -> ReplicaStore: ...

    @property
    def replication_quotas(self) -> ReplicationQuotas: ...

    @property
    def checkpoints(self) -> Checkpoints: ...

    @property
    def lost_leaders(self) -> LostLeaders: ...

    @property
    def controllers(self) -> Controllers: ...

    @property
    def broker_epoch(self) -> int:
        """The epoch of this broker's registration; -1 before it is registered."""
        ...

    @property
    def log(self) -> Logger: ...

    @property
    def metrics(self) -> Metrics: ...

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Do a planned read on a thread, then call `done` on the event loop with its result or
        error."""
        ...

    def broker_address(self, broker_id: int) -> tuple[str, int] | None:
        """The address at which other brokers reach this one; None if it is not known."""
        ...
