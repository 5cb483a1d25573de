"""A controller over a quorum in memory."""

from __future__ import annotations

from typing import Any

from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import (
    Bootstrap,
    CreateTopics,
    NewTopic,
    RegisterBroker,
    RegisterController,
    UnfenceBroker,
)
from barnabas.broker.core.cluster.features import FINALISED_AT_FIRST, SUPPORTED
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.server.controller.controller_service import ControllerService
from barnabas.broker.server.quorum.publisher import ImagePublisher
from barnabas.broker.storage.files import real_env

from .memory_quorum import MemoryQuorum

ENDPOINT = Endpoint("PLAINTEXT", "localhost", 9092)


def own(node_id: int) -> RegisterController:
    """A controller as it registers."""
    endpoint = Endpoint("CONTROLLER", "localhost", 9093)
    return RegisterController(node_id, bytes([node_id]) * 16, (endpoint,), SUPPORTED)


class Parts:
    """A controller over a quorum in memory."""

    def __init__(self, node_id: int = 1, **settings: Any) -> None:
        self.config = BrokerConfig(**settings)
        self.quorum = MemoryQuorum(node_id)
        self.publisher = ImagePublisher("a-cluster")
        self.log = ListLogger()
        quorum: Any = self.quorum
        self.service = ControllerService(
            node_id,
            quorum,
            self.publisher,
            self.config,
            real_env(),
            self.log,
            own=own(node_id),
            first=Bootstrap(FINALISED_AT_FIRST),
        )
        self.quorum.add_listener(self.publisher)

    async def register(self, broker_id: int, endpoint: Endpoint = ENDPOINT) -> int:
        """A broker that is let in at once; its epoch."""
        answer = await self.service.submit(
            RegisterBroker(
                broker_id,
                bytes([broker_id]) * 16,
                "a-cluster",
                (endpoint,),
                SUPPORTED,
                (bytes([100 + broker_id]) * 16,),
            )
        )
        await self.service.submit(UnfenceBroker(broker_id, answer.broker_epoch))
        epoch: int = answer.broker_epoch
        return epoch


def create(name: str, replicas: int = 1) -> CreateTopics:
    return CreateTopics((NewTopic(name, 1, replicas),))
