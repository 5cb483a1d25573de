"""The controller role of a node, in one piece: service, listeners, timers, and who is alive."""

from __future__ import annotations

import math
from typing import Final

from ...core.cluster.commands import Bootstrap, RegisterController
from ...core.config.broker import BrokerConfig
from ...core.config.listeners import inter_broker_listener
from ...core.ports import Env
from ...observe.logging import Logger
from ...observe.metrics import Metrics
from ..access import open_access
from ..connections import LiveLimits
from ..controller.controller_registration import ControllerRegistration
from ..controller.controller_server import ControllerServer
from ..controller.controller_service import ControllerService
from ..controller.liveness import Liveness
from ..controller.periodic import Periodic
from ..lifecycle.channel import ControllerChannel
from ..quorum.quorum import Quorum

DRAIN_TIMEOUT_S: Final = 0.5
"""Longest wait for answers that are owed when a controller stops; parked fetches are not."""


class ControllerRole:
    """What a node with `process.roles=controller` has; asleep until the node leads the quorum."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        quorum: Quorum,
        *,
        own: RegisterController,
        first: Bootstrap,
        log: Logger,
        metrics: Metrics,
    ) -> None:
        """`own` is this controller as it registers, `first` what a new cluster begins with."""
        self.own = own
        publisher = quorum.publisher
        node_id = own.controller_id
        self.service = ControllerService(
            node_id, quorum, publisher, config, env, log, own=own, first=first
        )
        self._periodic = Periodic(self.service, config, env, log, self._has_readers)
        self._liveness = Liveness(
            node_id,
            config,
            env,
            inter_broker_listener(config),
            self._periodic.look_at_sessions,
            quorum.security.to_brokers,
        )
        self.server = ControllerServer(
            config,
            env,
            service=self.service,
            quorum=quorum,
            publisher=publisher,
            liveness=self._liveness,
            log=log,
            metrics=metrics,
        )
        self._live_limits = LiveLimits(config, node_id, self.server.connections)
        self._quorum = quorum
        self._is_loaded = False
        self.server.access = open_access(
            config,
            self.server.audit,
            lambda: publisher.image.security.acls,
            metrics,
            self._has_loaded,
        )
        others = config.controller_quorum_voters or config.controller_quorum_bootstrap_servers
        if self.server.access is not None and others and not config.super_users:
            log.warning("super.users is empty: other nodes are refused, unless entries allow them")
        self._channel = ControllerChannel(
            quorum,
            config,
            env,
            client_id=f"controller-{node_id}",
            local=self.server,
            security=quorum.security.to_controllers,
        )
        self._registration = ControllerRegistration(own, self._channel, publisher, config, log)
        self.service.reign_listeners += [
            self._periodic.on_reign,
            self._liveness.on_reign,
            self.server.envelope_guard.on_reign,
        ]

    def _has_loaded(self) -> bool:
        """Whether this node has once applied all that was committed (ACL-22)."""
        self._is_loaded = self._is_loaded or self._quorum.fresh_since_ms > -math.inf
        return self._is_loaded

    def _has_readers(self) -> bool:
        """Whether other nodes read the metadata log."""
        return any(reader != self.own.controller_id for reader in self._quorum.replica_progress())

    def start(self) -> None:
        """Tell the cluster of this controller; the quorum runs and the listeners serve."""
        publisher = self._quorum.publisher
        publisher.add_listener(self._live_limits.on_image)
        self._live_limits.on_image(publisher.image)
        self._registration.start()

    def on_leader_changed(self) -> None:
        """Another controller is active, or none: whoever waits for the old one tries anew."""
        self._channel.on_leader_changed()

    def rest(self) -> None:
        """Do nothing more by itself: the node stops. Who asks is answered."""
        self._periodic.stop()
        self._liveness.stop()

    async def stop(self) -> None:
        """Close the listeners and their connections."""
        self.rest()
        await self._registration.stop()
        self._channel.close()
        await self.server.stop(DRAIN_TIMEOUT_S)
