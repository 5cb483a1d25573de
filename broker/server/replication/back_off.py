"""Growing pauses after failures, so that a short trouble costs little, and a lasting one too."""

from __future__ import annotations

from typing import Final

FIRST_PAUSE_MS: Final = 20.0


class BackOff:
    """Pauses that double from a first up to a longest one."""

    __slots__ = ("_first_ms", "_longest_ms", "_next_ms")

    def __init__(self, longest_ms: float, first_ms: float = FIRST_PAUSE_MS) -> None:
        self._longest_ms = longest_ms
        self._first_ms = min(first_ms, longest_ms)
        self.reset()

    def reset(self) -> None:
        """Begin anew: all is well, and the next trouble is a new one."""
        self._next_ms = self._first_ms

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has failed since the last `reset`."""
        return self._next_ms == self._first_ms

    @property
    def is_long(self) -> bool:
        """Whether the pauses have reached their maximum."""
        return self._next_ms >= self._longest_ms

    def next_ms(self) -> float:
        """The next pause in milliseconds."""
        pause = self._next_ms
        self._next_ms = min(pause * 2, self._longest_ms)
        return pause
