"""One life of one simulated node: everything that it schedules carries its tag."""

from __future__ import annotations

from collections import deque
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class Incarnation:
    """A node between a start and a crash or stop.

    Tasks, timers and callbacks inherit the tag through their context. When it is dead, the loop
    skips whatever carries it; its coroutines lie in the morgue until the run ends, so that no
    `finally` and no `except CancelledError` of a crashed node ever runs.
    """

    node: str
    number: int
    clock_rate: float = 1.0
    is_dead: bool = False
    paused_until: float | None = None
    held: deque[Any] = field(default_factory=deque)
    """Callbacks that came due while the node was paused, in order."""
    owed_s: float = 0.0
    """Work for which the node has not been held up yet."""
    context: Context | None = None
    """The context in which its code runs; made when it is first needed."""

    def __repr__(self) -> str:
        state = "dead" if self.is_dead else "paused" if self.paused_until is not None else "alive"
        return f"<{self.node}#{self.number} {state}>"


CURRENT: ContextVar[Incarnation | None] = ContextVar("barnabas_incarnation", default=None)
"""The incarnation whose code is running; None for the simulator's."""
