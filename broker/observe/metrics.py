"""Counters and the few histograms of a node, named as Kafka's MBeans are.

A counter is an attribute that is added to: what happens a hundred thousand times a second must cost
no call. `snapshot` gives them their names when somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from barnabas.protocol.apis import APIS

from ..core.replication.fetch_session import FetchSessionCache
from ..core.replication.replica_store import ReplicaStore
from ..core.security.authorizer import Authorizer
from .histogram import Histogram
from .security_metrics import LoginFigures, Throttles

LAG_BOUNDS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Metrics:
    """What a node counts."""

    __slots__ = (
        "authorizers",
        "bytes_in",
        "connections_closed",
        "connections_created",
        "event_loop_lag",
        "failed_authentications",
        "fsync_rounds",
        "logins",
        "produce_requests",
        "requests",
        "sources",
        "successful_authentications",
        "throttles",
        "unexpected_errors",
    )

    def __init__(self) -> None:
        self.produce_requests = 0
        """On the hot path; those on the general road are in `requests`."""
        self.requests: Counter[int] = Counter()
        self.bytes_in = 0
        self.connections_created = 0
        self.connections_closed = 0
        self.successful_authentications = 0
        self.failed_authentications = 0
        self.fsync_rounds = 0
        self.unexpected_errors = 0
        self.event_loop_lag = Histogram(LAG_BOUNDS_MS)
        self.authorizers: list[Authorizer] = []
        """One of the broker, one of the controller, where the node has an authorizer."""
        self.logins: dict[str, LoginFigures] = {}
        """By listener."""
        self.throttles = Throttles()
        self.sources: list[Callable[[], dict[str, float]]] = []
        """Parts of the node that have figures of their own, asked at a snapshot."""

    def logins_of(self, listener: str) -> LoginFigures:
        """Where the logins of this listener are counted."""
        return self.logins.setdefault(listener, LoginFigures(listener))

    def snapshot(
        self,
        replicas: ReplicaStore,
        sessions: FetchSessionCache,
        connection_count: Callable[[], int],
    ) -> dict[str, float]:
        """All figures of now by name."""
        lag = self.event_loop_lag
        partitions = list(replicas)
        leaders = [one.leader for one in partitions if one.leader is not None]
        figures: dict[str, float] = {
            "BrokerTopicMetrics.BytesInTotal": self.bytes_in,
            "BrokerTopicMetrics.TotalProduceRequests": self.produce_requests + self.requests[0],
            "BrokerTopicMetrics.TotalFetchRequests": self.requests[1],
            "ReplicaManager.PartitionCount": len(partitions),
            "ReplicaManager.LeaderCount": len(leaders),
            "ReplicaManager.OfflineReplicaCount": sum(one.is_offline for one in partitions)
            + len(replicas.unavailable),
            "ReplicaManager.UnderMinIsrPartitionCount": sum(
                one.in_sync.count < one.in_sync.min_count for one in leaders
            ),
            "ReplicaManager.AtMinIsrPartitionCount": sum(
                one.in_sync.count == one.in_sync.min_count for one in leaders
            ),
            "ReplicaManager.UnderReplicatedPartitions": sum(
                one.in_sync.count <= len(one.followers) for one in leaders
            ),
            "ReplicaManager.IsrExpandsTotal": replicas.surroundings.isr_expands,
            "ReplicaManager.IsrShrinksTotal": replicas.surroundings.isr_shrinks,
            "ReplicaManager.PendingFollowerFetches": sum(one.pending_count for one in leaders),
            "FetchSessionCache.NumIncrementalFetchSessions": len(sessions),
            "FetchSessionCache.NumIncrementalFetchPartitionsCached": sessions.partitions_cached,
            "FetchSessionCache.IncrementalFetchSessionEvictions": sessions.evictions,
            "SocketServer.ConnectionCount": connection_count(),
            "SocketServer.ConnectionsCreated": self.connections_created,
            "SocketServer.ConnectionsClosedByBroker": self.connections_closed,
            "SocketServer.SuccessfulAuthentications": self.successful_authentications,
            "SocketServer.FailedAuthentications": self.failed_authentications,
            "SocketServer.ExpiredConnectionsKilledCount": sum(
                one.expired for one in self.logins.values()
            ),
            "LogFlushStats.LogFlushRounds": self.fsync_rounds,
            "RequestMetrics.UnexpectedErrors": self.unexpected_errors,
            "EventLoopLagMs.p50": lag.quantile(0.5),
            "EventLoopLagMs.p99": lag.quantile(0.99),
            "EventLoopLagMs.Max": lag.largest,
        }
        for key, count in sorted(self.requests.items()):
            figures[f"RequestMetrics.RequestsTotal.{APIS[key].name}"] = count
        for source in (
            *(one.snapshot for one in self.logins.values()),
            self.throttles.snapshot,
            self._rights,
            *self.sources,
        ):
            figures.update(source())
        return figures

    def _rights(self) -> dict[str, float]:
        """What was decided of whoever asked, and by how many entries."""
        authorizers = self.authorizers
        if not authorizers:
            return {}
        allowed = sum(one.allowed for one in authorizers)
        denied = sum(one.denied for one in authorizers)
        return {
            "StandardAuthorizer.authorization-request-total": allowed + denied,
            "StandardAuthorizer.authorization-allowed-total": allowed,
            "StandardAuthorizer.authorization-denied-total": denied,
            "StandardAuthorizer.acls-total-count": max(one.acl_count for one in authorizers),
        }
