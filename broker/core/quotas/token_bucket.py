"""A bucket of tokens, for what comes in bursts: changes of the metadata (QTA-14, KIP-599).

Unlike a rate it forgives a burst as soon as it was paid for, and not only after a whole window.
"""

from __future__ import annotations

import math

from .rate import THROTTLE_MS_MAX, Window


class TokenBucket:
    """Full at first; what is taken may leave less than nothing. Times are monotonic, in ms."""

    __slots__ = ("_last_ms", "_tokens")

    def __init__(self) -> None:
        self._tokens = math.inf  # as many as there can be
        self._last_ms = 0.0

    def _refill(self, limit: float, now_ms: float, window: Window) -> None:
        """`limit` is in tokens a second."""
        passed_ms = max(now_ms - self._last_ms, 0.0)
        self._last_ms = now_ms
        burst = limit * window.whole_ms / 1000.0
        self._tokens = min(burst, self._tokens + passed_ms / 1000.0 * limit)

    def may_take(self, limit: float, now_ms: float, window: Window) -> bool:
        """Whether something passes now: there are no less than zero tokens, whatever it costs."""
        self._refill(limit, now_ms, window)
        return self._tokens >= 0.0

    def take(self, tokens: float, limit: float, now_ms: float, window: Window) -> None:
        """Take them, also if there are not as many."""
        self._refill(limit, now_ms, window)
        self._tokens -= tokens

    def throttle_ms(self, limit: float, now_ms: float, window: Window) -> int:
        """Time in ms until there are no less than zero tokens."""
        self._refill(limit, now_ms, window)
        if self._tokens >= 0.0:
            return 0
        return round(min(-self._tokens / limit * 1000.0, THROTTLE_MS_MAX))
