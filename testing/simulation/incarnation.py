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
    busy_since_s: float = 0.0
    """Since when it has been held up without a rest, or was last."""
    busy_until_s: float = 0.0
    context: Context | None = None
    """The context in which its code runs; made when it is first needed."""

    def hold_up(self, now_s: float, until_s: float) -> None:
        """Note that nothing of it runs from now on until then."""
        if now_s > self.busy_until_s:
            self.busy_since_s = now_s
        self.busy_until_s = max(self.busy_until_s, until_s)

    def caught_up_s(self, held_until_s: float) -> float:
        """When it had worked off what came while it stood still: its first rest after that.

        Requests of seconds may have gathered, and each waits for those before it.
        """
        if self.busy_since_s <= held_until_s:
            return max(held_until_s, self.busy_until_s)
        return held_until_s

    def __repr__(self) -> str:
        state = "dead" if self.is_dead else "paused" if self.paused_until is not None else "alive"
        return f"<{self.node}#{self.number} {state}>"


CURRENT: ContextVar[Incarnation | None] = ContextVar("barnabas_incarnation", default=None)
"""The incarnation whose code is running; None for the simulator's."""
