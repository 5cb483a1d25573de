"""Controllers on sockets over quorums in memory, and channels to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from kit.list_logger import ListLogger

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.controller.controller_server import ControllerServer
from barnabas.broker.server.controller.liveness import Liveness
from barnabas.broker.server.controller.periodic import Periodic
from barnabas.broker.server.lifecycle.channel import ControllerChannel
from barnabas.broker.server.roles.cluster_membership import ClusterMembership
from barnabas.broker.storage.files import real_env

from .parts import Parts


class Controller:
    """One controller that listens."""

    def __init__(self, node_id: int, **settings: Any) -> None:
        self.has_readers = False
        self.parts = Parts(node_id, **settings)
        service = self.parts.service
        config = self.parts.config
        self.log: ListLogger = self.parts.log
        self.periodic = Periodic(service, config, real_env(), self.log, lambda: self.has_readers)
        self.liveness = Liveness(
            node_id, config, real_env(), "PLAINTEXT", self.periodic.look_at_sessions
        )
        service.reign_listeners += [self.periodic.on_reign, self.liveness.on_reign]
        quorum: Any = self.parts.quorum
        self.server = ControllerServer(
            config,
            real_env(),
            service=service,
            quorum=quorum,
            publisher=self.parts.publisher,
            liveness=self.liveness,
            log=self.log,
            metrics=Metrics(),
        )
        service.reign_listeners.append(self.server.envelope_guard.on_reign)

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self.server.listeners[0].port

    async def stop(self) -> None:
        self.periodic.stop()
        self.liveness.stop()
        await self.server.stop(1.0)


@asynccontextmanager
async def controllers(count: int = 1, **settings: Any) -> AsyncIterator[list[Controller]]:
    """So many controllers with numbers from 1 on; nobody leads."""
    made = [Controller(number, **settings) for number in range(1, count + 1)]
    try:
        for one in made:
            await one.server.bind("CONTROLLER", "127.0.0.1", 0)
            await one.server.serve()
        yield made
    finally:
        for one in made:
            await one.stop()
    for one in made:
        bugs = [line for line in one.log.lines if line[0] == "error"]
        assert not bugs, bugs


class Leader:
    """What a channel asks: a test says where the leader is."""

    def __init__(self, address: tuple[str, int] | None = None) -> None:
        self.address = address

    def leader_address(self) -> tuple[str, int] | None:
        return self.address


def channel_to(leader: Leader, **settings: Any) -> ControllerChannel:
    return ControllerChannel(leader, BrokerConfig(**settings), real_env(), client_id="broker-1")


def membership(one: Controller, leader: Leader, *, own: bool = False) -> ClusterMembership:
    """Of a broker on another node, or on the controller's own."""
    quorum: Any = one.parts.quorum
    lifecycle: Any = None
    return ClusterMembership(
        BrokerConfig(request_timeout_ms=2000),
        quorum,
        one.parts.publisher,
        one.parts.service if own else None,
        controllers=channel_to(leader),
        forwards=channel_to(leader),
        lifecycle=lifecycle,
    )
