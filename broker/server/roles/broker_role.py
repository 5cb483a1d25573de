"""The broker role of a node, in one piece: partitions, listeners, replication, and membership.

It comes in this order: take the addresses, register, and only with the metadata of that moment
open the partitions, for a folder that the metadata does not name is set aside; then serve, then be
let in. It goes the other way round: leaderships first, while it still serves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from barnabas.protocol.errors import KafkaError

from ...core.cluster.broker_image import Endpoint
from ...core.config.broker import BrokerConfig
from ...core.log.failures import LogDirectoryFailure
from ...core.log.log_directory import LogDirectory
from ...core.ports import Env
from ...observe.logging import Logger
from ...observe.metrics import Metrics
from ..broker import Broker
from ..connections import LiveLimits
from ..lifecycle.broker_lifecycle import BrokerLifecycle
from ..lifecycle.channel import ControllerChannel
from ..lifecycle.voters_left import VotersLeft
from ..log_opening import LogOpener
from ..peer_errors import PeerError
from ..quorum.quorum import Quorum
from ..replication.replication import Replication
from .cluster_membership import ClusterMembership
from .controller_role import ControllerRole


class BrokerRole:
    """What a node with `process.roles=broker` has."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        quorum: Quorum,
        controller: ControllerRole | None,
        *,
        directories: Sequence[LogDirectory],
        log: Logger,
        metrics: Metrics,
        on_unheard: Callable[[LogDirectoryFailure], object],
    ) -> None:
        """`controller` is this node's own, if it has that role too. `on_unheard`: the controller
        was not told in time that a log directory failed, and the node must stop."""
        publisher = quorum.publisher
        self._publisher = publisher
        self._log = log
        local = None if controller is None else controller.server
        client_id = f"broker-{quorum.node_id}"
        to_controllers = quorum.security.to_controllers
        channel = partial(
            ControllerChannel,
            *(quorum, config, env),
            client_id=client_id,
            local=local,
            security=to_controllers,
        )
        # Answers on one connection come in order: what may wait long holds nothing else up.
        self._heartbeats = channel(on_lost=self._beat_now)
        self._controllers = channel()
        self._forwards = channel()
        self.lifecycle = BrokerLifecycle(
            quorum.identity,
            self._heartbeats,
            publisher,
            config,
            env,
            log,
            is_quorum_gone=VotersLeft(quorum.raft, env.clock, to_controllers).is_majority_gone,
            log_end=quorum.log_end_offset,
        )
        self.membership = ClusterMembership(
            config,
            quorum,
            publisher,
            None if controller is None else controller.service,
            controllers=self._controllers,
            forwards=self._forwards,
            lifecycle=self.lifecycle,
        )
        self.broker = Broker(
            quorum.node_id,
            config,
            env,
            membership=self.membership,
            directories=directories,
            log=log,
            metrics=metrics,
            security=quorum.security,
        )
        self.replication = Replication(
            self.broker, on_news=self.lifecycle.beat_now, on_unheard=on_unheard
        )
        self.lifecycle.connect(self.replication.offline)

    def _beat_now(self, reason: str) -> None:
        del reason
        self.lifecycle.beat_now()

    def on_leader_changed(self) -> None:
        """Another controller is active, or none: whoever waits for the old one tries anew."""
        for channel in (self._heartbeats, self._controllers, self._forwards):
            channel.on_leader_changed()
        self.lifecycle.beat_now()

    async def start(self, endpoints: Sequence[Endpoint], previous_epoch: int) -> None:
        """Register, open the partitions, serve, and be let in. Raises KafkaError, OSError."""
        await self.lifecycle.register(endpoints, previous_epoch)
        replicas = self.broker.replicas
        await self._open_logs()
        self.broker.lost_brokers.begin(self._publisher.image)
        self._publisher.add_listener(self.broker.lost_brokers.on_image)
        self._publisher.add_listener(replicas.on_image)
        self._publisher.add_listener(self.replication.on_image)
        self._publisher.add_listener(self.broker.groups.on_image)
        self._publisher.add_listener(self.broker.transactions.on_image)
        self._publisher.add_listener(self.broker.verification.channels.on_image)
        self._publisher.add_listener(self.broker.quotas.on_image)
        self._publisher.add_listener(self.broker.replication_quotas.on_image)
        live = LiveLimits(self.broker.config, self.broker.node_id, self.broker.connections)
        self._publisher.add_listener(live.on_image)
        live.on_image(self._publisher.image)
        self.broker.quotas.on_image(self._publisher.image)
        self.broker.replication_quotas.on_image(self._publisher.image)
        self.replication.start()
        # What was recovered but not known to be on the disk: no watermark waits for it any more.
        await self.broker.flushes.drain()
        await self.broker.certificates.renew()  # those that were set while it ran before
        await self.broker.serve()
        self.lifecycle.start()
        await self.lifecycle.let_in()

    async def _open_logs(self) -> None:
        """Open what is here, on threads; a log that was not closed may take long (recovery)."""
        opener = LogOpener(
            self.broker.replicas,
            lambda: self._publisher.image,
            self.broker.config.num_recovery_threads_per_data_dir,
            self._log,
        )
        beating = asyncio.create_task(self.lifecycle.beat_fenced())
        try:
            await opener.run()
        finally:
            beating.cancel()  # and not awaited: what was opened is to hear of all changes

    async def leave(self) -> None:
        """Give leaderships away, end what was begun, and be fenced (631-03)."""
        image = self._publisher.image
        own_id = self.broker.node_id
        is_alone = all(one.broker_id == own_id for one in image.active_brokers())
        if is_alone:
            # Nobody can take over: what was begun is answered by the leader that it was sent to.
            await self.broker.stop()
        try:
            await self.lifecycle.leave()
        except (KafkaError, PeerError) as error:
            self._log.warning("the controller did not let this broker go", error=str(error))
        if not is_alone:
            await self.broker.stop()

    async def stop(self) -> None:
        """End everything but the logs, which stay open."""
        await self.lifecycle.stop()
        await self.broker.stop()
        await self.replication.stop()
        await self.broker.checkpoints.drain()
        for channel in (self._heartbeats, self._controllers, self._forwards):
            channel.close()
