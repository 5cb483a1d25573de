"""Parked fetches that have something to do, gathered until the current event is dealt with.

A produce request that writes to eight partitions wakes a fetch of all eight once, not eight times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Sleeper(Protocol):
    """Something parked on partitions, which it knows by the places that it named in parking."""

    def on_bytes(self, place: int, size: int) -> None:
        """`size` bytes more became readable in one of its partitions."""
        ...

    def on_change(self, place: int) -> None:
        """This partition changed leader, went offline, or is gone: no use in waiting."""
        ...

    def on_high_watermark(self, place: int) -> None:
        """The watermark moved; told to those that parked as followers (392-12)."""
        ...

    def wake_up(self) -> None:
        """Look again; called once for all that happened in one event."""
        ...


class Wakeups:
    """Who must look again at the end of this event; `defer` runs a function after it."""

    __slots__ = ("_defer", "_sleepers")

    def __init__(self, defer: Callable[[Callable[[], None]], object]) -> None:
        self._defer = defer
        self._sleepers: dict[Sleeper, None] = {}

    def add(self, sleeper: Sleeper) -> None:
        """Wake this one when the current event is over; twice is once."""
        if not self._sleepers:
            self._defer(self._run)
        self._sleepers[sleeper] = None

    def _run(self) -> None:
        sleepers, self._sleepers = self._sleepers, {}
        for sleeper in sleepers:
            sleeper.wake_up()
