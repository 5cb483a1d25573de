"""The time for which a connection begins no request, because of a quota (QTA-11)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Mute:
    """When it ends, for one connection; of several times the latest end counts."""

    __slots__ = ("_on_end", "_timer")

    def __init__(self, on_end: Callable[[], object]) -> None:
        self._on_end = on_end
        self._timer: asyncio.TimerHandle | None = None

    def last(self, delay_ms: float) -> bool:
        """Last for this long from now on; False if it lasts longer already."""
        loop = asyncio.get_running_loop()
        end = loop.time() + delay_ms / 1000.0
        if self._timer is not None and self._timer.when() >= end:
            return False
        self.forget()
        self._timer = loop.call_at(end, self._end)
        return True

    def forget(self) -> None:
        """Nobody waits for the end any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._timer = None
        self._on_end()
