"""What a handler sees: who asks, from where, and the services of the broker that was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from barnabas.protocol.header import RequestHeader

    from ..core.cluster.image import ClusterImage
    from ..core.config.broker import BrokerConfig
    from ..core.ports import Env
    from ..core.replication.fetch_session import FetchSessionCache
    from ..core.replication.replica_store import ReplicaStore
    from ..core.replication.wakeups import Wakeups
    from ..observe.metrics import Metrics


class Cancellable(Protocol):
    """What `call_later` gives back."""

    def cancel(self) -> None: ...


class Metadata(Protocol):
    """The cluster's metadata log, as handlers use it."""

    async def submit(self, command: Any) -> Any:
        """Decide the command, make its records durable, apply them, and return the answer.

        It returns when this broker has applied the records ("answers mean done").
        Raises KafkaError when the controller refuses.
        """
        ...


class BrokerServices(Protocol):
    """The parts of a node that handlers may use. `broker.node.Node` has them."""

    @property
    def config(self) -> BrokerConfig: ...

    @property
    def node_id(self) -> int: ...

    @property
    def env(self) -> Env: ...

    @property
    def image(self) -> ClusterImage:
        """All that brokers agree on, as this broker has applied it."""
        ...

    @property
    def metadata(self) -> Metadata: ...

    @property
    def replicas(self) -> ReplicaStore:
        """The partitions that this broker hosts."""
        ...

    @property
    def sessions(self) -> FetchSessionCache: ...

    @property
    def metrics(self) -> Metrics: ...

    @property
    def wakeups(self) -> Wakeups:
        """Parked fetches that must look again after the present event."""
        ...

    async def new_producer_id(self) -> int:
        """A producer id that nobody in the cluster ever had (98-01). Raises KafkaError."""
        ...

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback on the event loop once `delay_ms` milliseconds have passed."""
        ...

    async def in_thread(self, work: Callable[[], Any]) -> Any:
        """Run blocking or long work (fsync, decompression) off the event loop."""
        ...


class Peer(Protocol):
    """The connection that a request came by."""

    @property
    def client_host(self) -> str: ...

    @property
    def local_host(self) -> str: ...

    @property
    def local_port(self) -> int: ...

    @property
    def listener_name(self) -> str: ...

    @property
    def is_closed(self) -> bool: ...


class RequestContext:
    """One request's surroundings."""

    __slots__ = ("header", "node", "peer")

    def __init__(self, node: BrokerServices, header: RequestHeader, peer: Peer) -> None:
        self.node = node
        self.header = header
        self.peer = peer

    @property
    def api_version(self) -> int:
        """The version that the request came in, and the answer leaves in."""
        return self.header.api_version

    @property
    def client_host(self) -> str:
        """Address of the client, without the port."""
        return self.peer.client_host

    @property
    def local_host(self) -> str:
        """The address that this connection was dialled on (design, decision 9)."""
        return self.peer.local_host

    @property
    def local_port(self) -> int:
        """The port that this connection was dialled on."""
        return self.peer.local_port

    @property
    def listener_name(self) -> str:
        """Name of the listener that took the connection, such as PLAINTEXT."""
        return self.peer.listener_name

    @property
    def is_closed(self) -> bool:
        """True once nobody is there to read the answer."""
        return self.peer.is_closed
