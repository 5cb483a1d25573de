"""How long to wait before the next attempt: exponential, with jitter."""

from __future__ import annotations

import random

JITTER = 0.2
"""Share by which a wait is made longer or shorter, so that clients do not come back together."""


class Backoff:
    """Waits of one series of attempts: doubling from `first_ms` to `largest_ms`, ± 20 %."""

    __slots__ = ("_first_s", "_largest_s", "_random", "attempts")

    def __init__(
        self, first_ms: int, largest_ms: int, randomness: random.Random | None = None
    ) -> None:
        self._first_s = first_ms / 1000
        self._largest_s = max(largest_ms, first_ms) / 1000
        self._random = randomness or random.Random()
        self.attempts = 0

    def next_s(self) -> float:
        """Seconds to wait before the next attempt; each call makes the next wait longer."""
        # The exponent is bounded so that a long outage cannot overflow the float.
        wait = min(self._largest_s, self._first_s * 2 ** min(self.attempts, 30))
        self.attempts += 1
        return float(wait * self._random.uniform(1 - JITTER, 1 + JITTER))

    def reset(self) -> None:
        """An attempt succeeded: the next failure waits `first_ms` again."""
        self.attempts = 0
