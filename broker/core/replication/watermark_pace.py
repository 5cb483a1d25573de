"""How often a follower is answered when there is nothing to tell but a watermark (392-12).

Time is divided into windows of `replica.fetch.hw.propagation.min.ms`, with one such answer in each,
which bounds the rate. The time since the last answer would be no good measure: with records that
come about as often as windows, one late answer would delay all after it. The first answer after a
quiet window is in the middle of its own window, so that answers at an even pace may come half a
window early or late.
"""

from __future__ import annotations

from typing import Final

EARLY_MS: Final = 1.0
"""A timer may be that much before its time."""

_LONG_AGO: Final = -float(1 << 60)


class WatermarkPace:
    """The answers to one follower's session that carried nothing but a watermark; times in ms."""

    __slots__ = ("_begun_ms",)

    def __init__(self) -> None:
        self._begun_ms = _LONG_AGO
        """Begin of the last window that had its answer."""

    def due_ms(self, now_ms: float, window_ms: float) -> float:
        """Time until such an answer may leave; 0 or less means now."""
        return self._begun_ms + window_ms - now_ms

    def note(self, now_ms: float, window_ms: float) -> None:
        """Note such an answer; one that a deadline sent before its window does not count."""
        following_ms = self._begun_ms + window_ms
        if now_ms >= following_ms + window_ms:
            self._begun_ms = now_ms - window_ms / 2
        elif now_ms >= following_ms - EARLY_MS:
            self._begun_ms = following_ms
