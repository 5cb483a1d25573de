"""What a handler sees: who asks, from where, and the services of the broker that was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar  # Any: handlers of either kind of node

from barnabas.protocol.header import RequestHeader
from barnabas.protocol.message import Message

from ..core.cluster.commands import AnswerT, Command
from ..core.cluster.image import ClusterImage
from ..core.cluster.lost_brokers import LostBrokers
from ..core.config.broker import BrokerConfig
from ..core.ports import Env
from ..core.replication.fetch_session import FetchSessionCache
from ..core.replication.lost_leaders import LostLeaders
from ..core.replication.replica_store import ReplicaStore
from ..core.replication.wakeups import Wakeups
from ..core.security.enveloped import ForwardedClient
from ..core.security.principal import Principal
from ..core.security.resources import CLUSTER, Operation
from ..observe.log_levels import LogLevels
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from .client_quotas import ClientQuotas
from .coordinators import Groups, InternalTopics, Transactions, Verification
from .handler import Handler
from .replication_quotas import ReplicationQuotas
from .rights import EVERYTHING, AccessControl, Rights
from .waiting import Loader, Timers, Waiting

ResultT = TypeVar("ResultT")
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Metadata(Protocol):
    """The cluster's metadata log, as handlers use it."""

    async def submit(self, command: Command[AnswerT]) -> AnswerT:
        """Decide the command, make its records durable, apply them, and return the answer.

        It returns when this broker has applied the records ("answers mean done").
        Raises KafkaError when the controller refuses.
        """
        ...


class Leader(Protocol):
    """Who leads the metadata quorum."""

    @property
    def leader_id(self) -> int:
        """The active controller's number; -1 while nobody is known."""
        ...

    @property
    def epoch(self) -> int: ...


class Quorum(Protocol):
    """The node's part in the metadata quorum, as handlers use it."""

    @property
    def leader(self) -> Leader: ...

    @property
    def kraft_version(self) -> int:
        """The level of the quorum's own feature (KIP-853)."""
        ...

    def handle(self, request: Message, context: NodeContext) -> Message | Waiting[Message]:
        """Answer a request of the quorum's own; the answer, or a `Waiting` for it."""
        ...


class Controllers(Protocol):
    """The way to the active controller, whichever node it is now."""

    async def call(
        self, request: Any, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        """The active controller's answer; asked again, and elsewhere, until `timeout_ms` is over.

        Raises PeerError (broker/server/peer_channel.py) if no controller answered in time.
        """
        ...


class OwnCertificates(Protocol):
    """The certificates of a node's listeners."""

    async def refusal(self, changes: Mapping[str, str | None]) -> str | None:
        """Why the node cannot take these settings of its certificates; None if it can, or if none
        of them is about certificates. None as a value takes a setting away."""
        ...


class NodeServices(Protocol):
    """The parts that every node has, broker or controller."""

    @property
    def certificates(self) -> OwnCertificates: ...

    @property
    def config(self) -> BrokerConfig: ...

    @property
    def node_id(self) -> int: ...

    @property
    def env(self) -> Env: ...

    @property
    def image(self) -> ClusterImage:
        """All that nodes agree on, as this node has applied it."""
        ...

    @property
    def metadata(self) -> Metadata: ...

    @property
    def quorum(self) -> Quorum: ...

    @property
    def log(self) -> Logger:
        """This node's log."""
        ...

    @property
    def log_levels(self) -> LogLevels:
        """Of this node's own loggers."""
        ...

    @property
    def quotas(self) -> ClientQuotas:
        """What clients use of their quotas."""
        ...

    @property
    def handlers(self) -> Mapping[int, Handler[Any]]:
        """API key -> handler, of what the listener that was asked serves."""
        ...

    @property
    def is_controller_listener(self) -> bool:
        """Whether a controller's listener was asked, not a broker's."""
        ...

    @property
    def access(self) -> AccessControl | None:
        """Who may do what; None where everything is allowed (ACL-10)."""
        ...

    async def in_thread(self, work: Callable[[], ResultT]) -> ResultT:
        """Run blocking or long work (fsync, decompression) off the event loop."""
        ...


class BrokerServices(NodeServices, Timers, Loader, Protocol):
    """The parts of a broker that handlers may use. `server.broker.Broker` has them."""

    @property
    def controllers(self) -> Controllers: ...

    @property
    def broker_epoch(self) -> int:
        """Offset of this broker's registration (631-01); -1 before it is registered."""
        ...

    @property
    def metadata_fresh_since_ms(self) -> float:
        """Monotonic time at which `image` was what the controller had committed (207-09)."""
        ...

    @property
    def inter_broker_listener(self) -> str:
        """Name of the listener by which brokers reach each other."""
        ...

    def broker_address(self, broker_id: int) -> tuple[str, int] | None:
        """Where other brokers reach that one, by `inter.broker.listener.name`; None if unknown."""
        ...

    @property
    def groups(self) -> Groups:
        """The group coordinator of this broker."""
        ...

    @property
    def transactions(self) -> Transactions:
        """The transaction coordinator of this broker."""
        ...

    @property
    def verification(self) -> Verification:
        """Asks whether partitions are in a transaction (TXN-50)."""
        ...

    @property
    def internal_topics(self) -> InternalTopics: ...

    @property
    def replicas(self) -> ReplicaStore:
        """The partitions that this broker hosts."""
        ...

    @property
    def lost_leaders(self) -> LostLeaders:
        """Leaders that this broker followed and that are gone."""
        ...

    @property
    def lost_brokers(self) -> LostBrokers:
        """Brokers that died a moment ago, which clients are still told of."""
        ...

    @property
    def sessions(self) -> FetchSessionCache: ...

    @property
    def replication_quotas(self) -> ReplicationQuotas:
        """How much of what replication moves is throttled."""
        ...

    @property
    def metrics(self) -> Metrics: ...

    @property
    def wakeups(self) -> Wakeups:
        """Parked fetches that must look again after the present event."""
        ...

    @property
    def has_answer_room(self) -> bool:
        """Whether answers that nobody read yet leave memory for more of them."""
        ...

    async def new_producer_id(self) -> int:
        """A producer id that nobody in the cluster ever had (98-01). Raises KafkaError."""
        ...


class Peer(Protocol):
    """The connection that a request came by."""

    client_software: str
    """What the client called itself in ApiVersions (KIP-511); empty if it has not."""

    @property
    def client_host(self) -> str: ...

    @property
    def local_host(self) -> str: ...

    @property
    def local_port(self) -> int: ...

    @property
    def listener_name(self) -> str: ...

    @property
    def principal(self) -> Principal: ...

    @property
    def is_closed(self) -> bool: ...


NodeT_co = TypeVar("NodeT_co", bound=NodeServices, covariant=True)


class RequestContext(Generic[NodeT_co]):
    """One request's surroundings."""

    __slots__ = ("_rights", "forwarded_by", "header", "node", "peer")

    def __init__(
        self, node: NodeT_co, header: RequestHeader, peer: Peer, forwarded_by: str | None = None
    ) -> None:
        """`forwarded_by`: the principal of the broker that sent it on, if one did (FWD-07)."""
        self.node = node
        self.header = header
        self.peer = peer
        self.forwarded_by = forwarded_by
        self._rights: Rights | None = None

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
    def principal(self) -> Principal:
        """Whose connection it is; `User:ANONYMOUS` where nobody had to say (SASL-13)."""
        return self.peer.principal

    @property
    def client(self) -> ForwardedClient:
        """Who asks, as a controller is told."""
        header = self.header
        return ForwardedClient(
            self.principal, self.client_host, header.client_id, header.correlation_id
        )

    @property
    def rights(self) -> Rights:
        """What who asks may do; one object for the whole request (ACL-20)."""
        rights = self._rights
        if rights is None:
            access = self.node.access
            rights = self._rights = EVERYTHING if access is None else access.rights_of(self)
        return rights

    @property
    def is_closed(self) -> bool:
        """True once nobody is there to read the answer."""
        return self.peer.is_closed


NodeContext = RequestContext[NodeServices]
"""For APIs that brokers and controllers answer, or controllers alone."""

BrokerContext = RequestContext[BrokerServices]
"""For APIs that brokers alone answer."""


def may_be_broker(context: BrokerContext) -> bool:
    """Whether who asks may speak as a replica: by right, or where nobody has rights, by having come
    to the listener of brokers (ATK-35)."""
    rights = context.rights
    if rights.is_limited:
        return rights.may(Operation.CLUSTER_ACTION, CLUSTER, is_audited=False)
    return context.peer.listener_name == context.node.inter_broker_listener
