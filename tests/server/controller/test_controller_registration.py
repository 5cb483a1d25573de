"""A controller registers with the active one, until the metadata has it (KIP-919)."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any

from kit.list_logger import ListLogger

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.server.controller.controller_registration import (
    RETRY_MS,
    ControllerRegistration,
)
from barnabas.broker.server.peer_errors import UnsupportedPeerError
from barnabas.testing.simulation.loop import SimulatedLoop

from .parts import own

CALLS_MAX = 1000


class OldController:
    """Its list of versions has no ControllerRegistration, so that nothing is awaited."""

    def __init__(self) -> None:
        self.calls = 0

    async def call(self, request: Any, *, timeout_ms: float) -> Any:
        del request, timeout_ms
        self.calls += 1
        assert self.calls < CALLS_MAX, "it is asked without a pause"
        raise UnsupportedPeerError("serves no ControllerRegistration")


def test_a_controller_that_knows_no_registration_is_asked_again_with_pauses() -> None:
    """KIP-919: it may be replaced by a newer one; meanwhile the node does all else that it does."""
    loop = SimulatedLoop(Random(1))
    old: Any = OldController()
    publisher: Any = SimpleNamespace(image=SimpleNamespace(controllers={}))

    async def scenario() -> None:
        registration = ControllerRegistration(own(3), old, publisher, BrokerConfig(), ListLogger())
        registration.start()
        await asyncio.sleep(1.0)  # by the simulated clock
        calls = old.calls
        assert 2 <= calls <= 1 + 1000 / RETRY_MS
        publisher.image.controllers[3] = own(3)
        await asyncio.sleep(1.0)
        assert old.calls == calls, "the metadata has it"
        await registration.stop()

    try:
        loop.run_until_complete(scenario())
        assert loop.unhandled == []
    finally:
        loop.close()
