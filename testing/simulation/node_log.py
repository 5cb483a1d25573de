"""The log of a simulated node: its lines go to the run's bus."""

from __future__ import annotations

from barnabas.broker.observe.logging import Logger

from .hooks import HookBus


class NodeLog(Logger):
    """Hands on each line, whatever its level."""

    def __init__(self, bus: HookBus) -> None:
        super().__init__()
        self._bus = bus

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        self._bus.tell_line(level, event, fields)
