"""The broker role of a node: partitions, listeners, the hot paths, and what runs beside them.

Handlers know it as `BrokerServices`. `node.py` gives it the metadata log and the directories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.replication.fetch_session import FetchSessionCache
from ..core.replication.replica_store import ReplicaStore
from ..core.replication.wakeups import Wakeups
from .background import Background
from .dispatch import Dispatch
from .fast_produce import FastProduce
from .group_commit import GroupCommitter
from .limits import Limits
from .listener import Connections, Listener
from .produce_answers import ProduceAnswers
from .producer_ids import ProducerIds

if TYPE_CHECKING:
    from ..core.cluster.image import ClusterImage
    from ..core.config.broker import BrokerConfig
    from ..core.log.log_directory import LogDirectory
    from ..core.ports import Env
    from ..handlers.context import Cancellable, Metadata
    from ..observe.logging import Logger
    from ..observe.metrics import Metrics

DRAIN_TIMEOUT_S = 5.0
"""Longest wait for answers that are owed when a node stops."""


class Broker:
    """One node's partitions and the clients that talk to them."""

    def __init__(
        self,
        node_id: int,
        config: BrokerConfig,
        env: Env,
        *,
        metadata: Metadata,
        image: Callable[[], ClusterImage],
        directories: Sequence[LogDirectory],
        log: Logger,
        metrics: Metrics,
    ) -> None:
        self.node_id = node_id
        self.config = config
        self.env = env
        self.metadata = metadata
        self.metrics = metrics
        self.log = log
        self._image = image
        self._loop = asyncio.get_running_loop()
        self.wakeups = Wakeups(self._loop.call_soon)
        self.sessions = FetchSessionCache(
            config.max_incremental_fetch_session_cache_slots, env.random
        )
        self.flushes = GroupCommitter(metrics)
        self.replicas = ReplicaStore(
            node_id,
            config,
            directories,
            flushes=self.flushes,
            report=lambda event, fields: log.warning(event, **fields),
        )
        self._producer_ids = ProducerIds(self)
        limits = Limits(config)
        self.connections = Connections(limits, log, metrics)
        self._thread = asyncio.Lock()
        self.dispatch = Dispatch(self, limits, log, metrics)
        self._fast_produce = FastProduce(
            self.replicas.by_wire_name, env.clock.wall_ms, metrics, ProduceAnswers(self)
        )
        self.listeners: list[Listener] = []
        self._background = Background(config, env, self.replicas, self.flushes, metrics, log)

    # --- what handlers use --------------------------------------------------------------------

    @property
    def image(self) -> ClusterImage:
        """All that brokers agree on, as this broker has applied it."""
        return self._image()

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback on the event loop once `delay_ms` milliseconds have passed."""
        return self._loop.call_later(delay_ms / 1000.0, callback)

    async def in_thread(self, work: Callable[[], Any]) -> Any:
        """Run blocking or long work off the event loop, one piece at a time.

        Threads share one interpreter: eight at work would leave the loop a ninth of it.
        """
        async with self._thread:
            return await self._loop.run_in_executor(None, work)

    async def new_producer_id(self) -> int:
        """A producer id that nobody in the cluster ever had (98-01). Raises KafkaError."""
        return await self._producer_ids.take()

    # --- life ---------------------------------------------------------------------------------

    async def bind(self, name: str, host: str, port: int) -> Listener:
        """Take an address, so that its port is known; nobody is served yet. Raises OSError."""
        listener = Listener(
            name,
            self.connections,
            produce=self._fast_produce,
            dispatch=self.dispatch,
            check_head=self.dispatch.check_head,
        )
        await listener.bind(host, port, self.config)
        self.listeners.append(listener)
        return listener

    async def serve(self) -> None:
        """Take connections, and begin the background work."""
        self.connections.start_sweeping()
        self._background.start()
        for listener in self.listeners:
            await listener.start_serving()

    async def stop(self) -> None:
        """Take no more connections, give the answers that are owed, end the background work.

        The logs stay open: `node.py` closes them, and leaves the marker of a clean stop.
        """
        for listener in self.listeners:
            listener.close()
        self.connections.stop_sweeping()
        await self._background.stop()
        for partition in self.replicas:
            partition.wake_all()
        await self.connections.drain(DRAIN_TIMEOUT_S)
        await self.dispatch.stop()
        await self.flushes.drain()

    def figures(self) -> dict[str, float]:
        """All metrics of now by name."""
        return self.metrics.snapshot(self.replicas, self.sessions, self.connections.__len__)
