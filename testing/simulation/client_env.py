"""The environment of simulated clients: virtual time, and randomness that the seed decides."""

from __future__ import annotations

from random import Random

from .clock import EPOCH_MS
from .loop import SimulatedLoop


class SimulatedClientEnv:
    """The `ClientEnv` of all clients of one run."""

    def __init__(self, loop: SimulatedLoop, seed: int) -> None:
        self._loop = loop
        self._seeds = Random(f"generators {seed}")

    def wall_ms(self) -> int:
        """Virtual milliseconds since 1970."""
        return int((EPOCH_MS / 1000.0 + self._loop.now) * 1000)

    def new_random(self) -> Random:
        """A generator with a drawn seed: the n-th one of a run is the same each time."""
        return Random(self._seeds.getrandbits(64))
