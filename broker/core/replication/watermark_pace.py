"""How often a follower is answered when all there is to tell is a watermark (392-12).

Time is cut into windows of `replica.fetch.hw.propagation.min.ms`, and there is one such answer in
each, so the rate is bounded. It is not the time since the last answer that counts: records that
come as often as windows do would then wait for the one among them that was latest, each of them.
The first answer after a quiet window stands in the middle of its own, so that those that follow at
an even pace have room to come half a window early or late.
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
        """One leaves. Before its window a fetch's deadline has sent it: that does not count."""
        following_ms = self._begun_ms + window_ms
        if now_ms >= following_ms + window_ms:
            self._begun_ms = now_ms - window_ms / 2
        elif now_ms >= following_ms - EARLY_MS:
            self._begun_ms = following_ms
