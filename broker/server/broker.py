"""The broker role of a node: partitions, listeners, the hot paths, and what runs beside them.

Handlers know it as `BrokerServices`. `node.py` gives it the metadata log and the directories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any  # Any: the result depends on the kind of read

from ..core.cluster.image import ClusterImage
from ..core.cluster.lost_brokers import LostBrokers
from ..core.config.broker import BrokerConfig
from ..core.config.listeners import inter_broker_listener, listener_of_brokers_alone
from ..core.log.log_directory import LogDirectory
from ..core.ports import Env
from ..core.reads import Load, Planned
from ..core.replication.fetch_session import FetchSessionCache
from ..core.replication.lost_leaders import LostLeaders
from ..core.replication.replica_store import ReplicaStore
from ..core.replication.wakeups import Wakeups
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from ..serving.client_quotas import ClientQuotas
from ..serving.context import BrokerContext, Controllers, Quorum
from ..serving.handler import Handler
from ..serving.replication_quotas import ReplicationQuotas
from ..serving.waiting import Cancellable
from .access import open_access, open_audit
from .arrivals import Arrivals
from .background import Background
from .checkpoints import Checkpoints
from .connections import Connections
from .coordinators.group_coordinator import GroupCoordinator
from .coordinators.internal_topics import InternalTopics
from .coordinators.transaction_coordinator import TransactionCoordinator
from .coordinators.verification import Verification
from .dispatch import Dispatch
from .fast_produce import FastProduce
from .group_commit import GroupCommitter
from .limits import Limits
from .listener import Listener
from .log_compactor import LogCompactor
from .log_readers import LogReaders
from .membership import Membership
from .produce_answers import ProduceAnswers
from .producer_ids import ProducerIds
from .security.certificates import Certificates
from .security.node_security import NodeSecurity
from .served_apis import OF_BROKERS
from .worker import ResultT, Worker

DRAIN_TIMEOUT_S = 5.0
"""The longest wait for answers that are owed when a node stops."""


class Broker:
    """One node's partitions, and the clients that it serves."""

    def __init__(
        self,
        node_id: int,
        config: BrokerConfig,
        env: Env,
        *,
        membership: Membership,
        directories: Sequence[LogDirectory],
        log: Logger,
        metrics: Metrics,
        security: NodeSecurity | None = None,
    ) -> None:
        """`security` is as configured, if it has not been read before."""
        self.node_id = node_id
        self.config, self.env = config, env
        self.metadata = membership.metadata
        self.metrics, self.log, self.log_levels = metrics, log, log.levels
        network_log, audit = log.named("barnabas.network"), open_audit(config, env)
        self._membership = membership
        self.access = open_access(config, audit, lambda: self.image.security.acls, metrics)
        self.inter_broker_listener = inter_broker_listener(config)
        self.security = security or NodeSecurity(config, env.clock)
        self.peer_security = self.security.to_brokers
        self._loop = asyncio.get_running_loop()
        self.wakeups = Wakeups(self._loop.call_soon)
        self.sessions = FetchSessionCache(
            config.max_incremental_fetch_session_cache_slots,
            env.random,
            config.max_incremental_fetch_session_cache_partitions,
        )
        self.quotas = ClientQuotas(config, env.clock, metrics.throttles)
        self.replication_quotas = ReplicationQuotas(config, node_id, env.clock)
        self.flushes = GroupCommitter(metrics)
        self.checkpoints = Checkpoints()
        self.replicas = ReplicaStore(
            node_id,
            config,
            directories,
            flushes=self.flushes,
            report=lambda event, fields: log.warning(event, **fields),
        )
        self.lost_leaders = LostLeaders(env.clock, config.broker_connection_loss_grace_ms)
        self.lost_brokers = LostBrokers(node_id, env.clock, config.lost_broker_listing_ms)
        self._producer_ids = ProducerIds(self)
        self.groups = GroupCoordinator(self)
        self.internal_topics = InternalTopics(self)
        self.transactions = TransactionCoordinator(self, self._producer_ids)
        self.verification = Verification(self)
        metrics.sources += (self.groups.figures, self.transactions.figures)
        limits = Limits(config)
        self.connections = Connections(limits, network_log, metrics, self._new_arrivals(), audit)
        self._worker = Worker()
        self._log_readers = LogReaders(config.log_read_threads)
        self._decoders = LogReaders(1)  # more would keep the interpreter from the loop
        self.dispatch = Dispatch(
            self,
            self.handlers,
            self.load,
            limits=limits,
            log=network_log,
            metrics=metrics,
            answers=self.connections.answers,
            forwarding=membership,
        )
        self._fast_produce = self._new_fast_produce()
        self.listeners: list[Listener] = []
        self.background = Background(
            config, env, self.replicas, self.flushes, self.checkpoints, metrics, log
        )
        self.compactor = self._new_compactor()

    def _new_arrivals(self) -> Arrivals:
        exempt = listener_of_brokers_alone(self.config)
        return Arrivals(self.config, self.env.clock, self.quotas, exempt)

    def _new_fast_produce(self) -> FastProduce:
        return FastProduce(
            self.replicas.by_wire_name,
            self.replicas.by_wire_id,
            self.env.clock.wall_ms,
            self.metrics,
            ProduceAnswers(self),
            self.quotas,
            self.access,
        )

    def _new_compactor(self) -> LogCompactor:
        return LogCompactor(
            self.config,
            self.env,
            self.replicas,
            self.checkpoints,
            image_of=lambda: self.image,
            log=self.log.named("barnabas.broker.compaction"),
            metrics=self.metrics,
        )

    # --- what handlers use --------------------------------------------------------------------

    @property
    def handlers(self) -> Mapping[int, Handler[BrokerContext]]:
        """The handlers of a broker, by API key."""
        return OF_BROKERS

    @property
    def is_controller_listener(self) -> bool:
        """A broker's listeners serve clients and other brokers."""
        return False

    @property
    def certificates(self) -> Certificates:
        """The security of this node's listeners."""
        return self.security.certificates

    @property
    def image(self) -> ClusterImage:
        """The cluster's metadata, as this broker has applied it."""
        return self._membership.image

    @property
    def quorum(self) -> Quorum:
        """This node's part in the metadata quorum."""
        return self._membership.quorum

    @property
    def controllers(self) -> Controllers:
        """The channel to the active controller."""
        return self._membership.controllers

    @property
    def broker_epoch(self) -> int:
        """The offset of this broker's registration (631-01); -1 before it is registered."""
        return self._membership.broker_epoch

    @property
    def metadata_fresh_since_ms(self) -> float:
        """Monotonic time at which `image` was what the controller had committed (207-09)."""
        return self._membership.metadata_fresh_since_ms

    def broker_address(self, broker_id: int) -> tuple[str, int] | None:
        """The address at which other brokers reach this one; None if it is unknown, or does not
        listen."""
        broker = self.image.brokers.get(broker_id)
        endpoint = None if broker is None else broker.endpoint(self.inter_broker_listener)
        return None if endpoint is None else (endpoint.host, endpoint.port)

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback on the event loop after `delay_ms` milliseconds."""
        return self._loop.call_later(delay_ms / 1000.0, callback)

    async def in_thread(self, work: Callable[[], ResultT]) -> ResultT:
        """Run blocking or long work off the event loop, one piece at a time."""
        return await self._worker.run(work)

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Do a planned read on a thread, then call `done` on the event loop with its result or
        error."""
        is_decoding = isinstance(planned, Load) and planned.is_decoding
        readers = self._decoders if is_decoding else self._log_readers
        readers.load(planned, done)

    @property
    def has_answer_room(self) -> bool:
        """Whether the unsent answers leave memory for another one."""
        return not self.connections.answers.is_full

    async def new_producer_id(self) -> int:
        """A producer id that was never given out in the cluster (98-01). Raises KafkaError."""
        return await self._producer_ids.take()

    # --- life ---------------------------------------------------------------------------------

    async def bind(self, name: str, host: str, port: int) -> Listener:
        """Bind an address, so that its port is known; nobody is served yet. Raises OSError."""
        listener = Listener(
            name,
            self.connections,
            produce=self._fast_produce,
            requests=self.dispatch,
            read_late=self._log_readers.read,
            security=self.security.listener(name, lambda: self.image),
        )
        await listener.bind(host, port, self.config)
        self.listeners.append(listener)
        return listener

    async def serve(self) -> None:
        """Accept connections, and begin the background work."""
        self.connections.start_sweeping()
        self.background.start()
        self.groups.start()
        self.compactor.start()
        self.transactions.start()
        for listener in self.listeners:
            await listener.start_serving()

    async def stop(self) -> None:
        """Accept no more connections, send the answers that are owed, end the background work.

        The logs stay open: `node.py` closes them, and writes the marker of a clean stop.
        """
        for listener in self.listeners:
            await listener.close()
        self.connections.stop_sweeping()
        await self.background.stop()
        await self.internal_topics.stop()
        await self.transactions.stop()
        await self.verification.stop()
        await self._producer_ids.stop()
        await self.groups.stop()
        await self.compactor.stop()
        for partition in self.replicas:
            partition.waiters.wake_all()
        await self.connections.drain(DRAIN_TIMEOUT_S)
        await self.dispatch.stop()
        self._log_readers.stop()
        self._decoders.stop()
        await self.flushes.drain()
        await self.checkpoints.drain()

    def figures(self) -> dict[str, float]:
        """All present metrics by name."""
        return self.metrics.snapshot(self.replicas, self.sessions, self.connections.__len__)
