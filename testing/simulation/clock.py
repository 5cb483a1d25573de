"""A node's two clocks over virtual time: one drifts, the other may also jump."""

from __future__ import annotations

from .loop import SimulatedLoop

EPOCH_MS = 1_795_000_000_000
"""The wall time at the start of every run, so that traces are alike."""


class SimulatedClock:
    """Implements the Clock port; with a `rate` of 1.01 it runs one per cent fast."""

    def __init__(self, loop: SimulatedLoop, *, rate: float = 1.0, wall_offset_ms: int = 0) -> None:
        self._loop = loop
        self.rate = rate
        self.wall_offset_ms = wall_offset_ms

    def monotonic_ms(self) -> float:
        return self._loop.now * 1000.0 * self.rate

    def wall_ms(self) -> int:
        return EPOCH_MS + self.wall_offset_ms + int(self.monotonic_ms())
