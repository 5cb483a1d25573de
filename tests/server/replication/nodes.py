"""A broker's surroundings for tests of replication: no listeners, a controller that is scripted."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.reads import Planned
from barnabas.broker.core.replication.lost_leaders import LostLeaders
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.checkpoints import Checkpoints
from barnabas.broker.server.security.peer_security import OPEN
from barnabas.broker.storage.files import real_env

NODE_ID = 1


class ScriptedController:
    """Answers with what `answer` gives, or when `release` lets it."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.versions: list[tuple[int, int] | None] = []
        self.answers: deque[Callable[[Any], Any] | Exception] = deque()
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.in_flight = 0
        self.in_flight_max = 0

    async def call(
        self, request: Any, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        assert timeout_ms > 0
        self.requests.append(request)
        self.versions.append(versions)
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight, self.in_flight_max)
        try:
            await self.is_open.wait()
            answer = self.answers.popleft()
            if isinstance(answer, Exception):
                raise answer
            return answer(request)
        finally:
            self.in_flight -= 1


class Services:
    """`ReplicationServices` without a broker."""

    peer_security = OPEN

    def __init__(self, config: BrokerConfig | None = None) -> None:
        self.node_id = NODE_ID
        self.config = config or BrokerConfig()
        self.env = real_env()
        self.image = ClusterImage("a-cluster")
        self.lost_leaders = LostLeaders(self.env.clock, 200)
        self.controllers = ScriptedController()
        self.broker_epoch = 70
        self.log = ListLogger()
        self.metrics = Metrics()
        self.replicas: Any = None
        self.checkpoints = Checkpoints()
        self.addresses: dict[int, tuple[str, int]] = {}
        self.is_disk_stuck = False
        """Whether what is to be loaded waits for `answer_of_disk`."""
        self.loads: list[tuple[Planned, Callable[[Any], object]]] = []

    def broker_address(self, broker_id: int) -> tuple[str, int] | None:
        return self.addresses.get(broker_id)

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Done in the next turn of the loop, or with `answer_of_disk` if the disk is stuck."""
        self.loads.append((planned, done))
        if not self.is_disk_stuck:
            asyncio.get_running_loop().call_soon(self.answer_of_disk)

    def answer_of_disk(self, error: OSError | None = None) -> None:
        """What is waited for comes, or fails."""
        loads, self.loads = self.loads, []
        for planned, done in loads:
            given: Any = error
            if error is None:
                try:
                    given = planned.wait()
                except Exception as failed:
                    given = failed
            done(given)
