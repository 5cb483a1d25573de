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
from ..checkpoints import Checkpoints
from ..security.peer_security import PeerSecurity


class Controllers(Protocol):
    """The way to the active controller, whichever node that is now."""

    async def call(
        self, request: Message, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        """The active controller's answer. Raises PeerError if none came in time."""
        ...


class ReplicationServices(Protocol):
    """The parts of a broker that replication works with; looked at anew for each use."""

    @property
    def node_id(self) -> int: ...

    @property
    def config(self) -> BrokerConfig: ...

    @property
    def env(self) -> Env: ...

    @property
    def peer_security(self) -> PeerSecurity:
        """How brokers make sure of each other."""
        ...

    @property
    def image(self) -> ClusterImage:
        """All that brokers agree on, as this broker has applied it."""
        ...

    @property
    def replicas(self) -> ReplicaStore: ...

    @property
    def checkpoints(self) -> Checkpoints: ...

    @property
    def lost_leaders(self) -> LostLeaders: ...

    @property
    def controllers(self) -> Controllers: ...

    @property
    def broker_epoch(self) -> int:
        """Epoch of this broker's registration; -1 before it is registered."""
        ...

    @property
    def log(self) -> Logger: ...

    @property
    def metrics(self) -> Metrics: ...

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Do it on a thread, then call `done` on the event loop: with what it gave, or raised."""
        ...

    def broker_address(self, broker_id: int) -> tuple[str, int] | None:
        """Where other brokers reach that one; None if it is not known."""
        ...
