"""What a client takes from the world besides the network: the time of day, and chance.

Time that passes is the event loop's (`loop.time()`). A program that is simulated gives its clients
an environment of the simulator's, so that the same seed makes the same run.
"""

from __future__ import annotations

import random
import time
from typing import Protocol


class ClientEnv(Protocol):
    """Clock and randomness of one client."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970: the time of records that bring none."""
        ...

    def new_random(self) -> random.Random:
        """A generator of its own for whoever asks: partitions, waits, the order of brokers."""
        ...


class RealEnv:
    """The machine's clock, and generators that the operating system seeds."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""
        return int(time.time() * 1000)

    def new_random(self) -> random.Random:
        """A generator that nobody can repeat."""
        return random.Random()


REAL_ENV: ClientEnv = RealEnv()
