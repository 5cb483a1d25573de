"""How long to wait before the next attempt: exponential, with jitter."""

from __future__ import annotations

import random

JITTER = 0.2
"""The share by which a wait is lengthened or shortened, so that clients do not all come back at
once."""


class Backoff:
    """The waits of one series of attempts: they double from `first_ms` up to `largest_ms`, ± 20 %.

    The first `steady` waits are all `first_ms`: an election is over within a few of them, and a
    cluster that is really gone is asked less and less often after that.
    """

    __slots__ = ("_first_s", "_largest_s", "_random", "_steady", "attempts")

    def __init__(
        self,
        first_ms: int,
        largest_ms: int,
        randomness: random.Random,
        *,
        steady: int = 1,
    ) -> None:
        self._steady = steady
        self._first_s = first_ms / 1000
        self._largest_s = max(largest_ms, first_ms) / 1000
        self._random = randomness
        self.attempts = 0

    def next_s(self) -> float:
        """Seconds to wait before the next attempt; each call makes the next wait longer."""
        # The exponent is bounded so that a long outage cannot overflow the float.
        doublings = max(0, self.attempts - self._steady + 1)
        wait = min(self._largest_s, self._first_s * 2 ** min(doublings, 30))
        self.attempts += 1
        return float(wait * self._random.uniform(1 - JITTER, 1 + JITTER))

    def reset(self) -> None:
        """An attempt succeeded: the next failure waits `first_ms` again."""
        self.attempts = 0
