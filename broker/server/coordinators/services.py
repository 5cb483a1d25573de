"""What the coordinators of a broker need of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...core.replication.replica_store import ReplicaStore
from ...observe.logging import Logger
from ...observe.metrics import Metrics
from ...serving.context import BrokerServices, Metadata
from ...serving.waiting import Loader
from ..security.peer_security import PeerSecurity

ResultT = TypeVar("ResultT")


class CoordinatorServices(Loader, Protocol):
    """Parts of a `Broker`."""

    @property
    def config(self) -> BrokerConfig: ...

    @property
    def env(self) -> Env: ...

    @property
    def image(self) -> ClusterImage: ...

    @property
    def metadata(self) -> Metadata: ...

    @property
    def replicas(self) -> ReplicaStore: ...

    @property
    def metrics(self) -> Metrics: ...

    @property
    def log(self) -> Logger: ...

    async def in_thread(self, work: Callable[[], ResultT]) -> ResultT: ...


class TransactionServices(BrokerServices, Protocol):
    """The same, and what markers need: handlers of the broker's own, and other brokers."""

    @property
    def peer_security(self) -> PeerSecurity:
        """How brokers make sure of each other."""
        ...

    @property
    def log(self) -> Logger: ...
