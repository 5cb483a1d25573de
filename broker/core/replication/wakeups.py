"""Parked fetches that have something to do, gathered until the current event is dealt with.

A produce request that writes to eight partitions wakes a fetch of all eight once, not eight times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Sleeper(Protocol):
    """A fetch that waits at partitions; `place` is the number that it gave a partition itself."""

    def on_bytes(self, place: int, size: int) -> None:
        """`size` more bytes became readable in the partition with this number."""
        ...

    def on_change(self, place: int) -> None:
        """This partition changed its leader, went offline or is gone: waiting is no use."""
        ...

    def on_high_watermark(self, place: int) -> None:
        """The watermark moved; only fetches of followers are called (392-12)."""
        ...

    def wake_up(self) -> None:
        """Look at the partitions again; called once for everything that happened in one event."""
        ...


class Wakeups:
    """The fetches that must look again when the current event is over.

    `defer` runs a function after the current event.
    """

    __slots__ = ("_defer", "_sleepers")

    def __init__(self, defer: Callable[[Callable[[], None]], object]) -> None:
        self._defer = defer
        self._sleepers: dict[Sleeper, None] = {}

    def add(self, sleeper: Sleeper) -> None:
        """Wake this fetch when the current event is over; adding it twice wakes it once."""
        if not self._sleepers:
            self._defer(self._run)
        self._sleepers[sleeper] = None

    def _run(self) -> None:
        sleepers, self._sleepers = self._sleepers, {}
        turn = iter(sleepers)
        try:
            for sleeper in turn:
                sleeper.wake_up()
        finally:
            # One has failed, which is a bug: the others must not sleep on for that.
            for sleeper in turn:
                self.add(sleeper)
