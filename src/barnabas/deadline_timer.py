"""One timer of the event loop for the earliest of many deadlines, for nodes and clients alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Deadlines(Protocol[T_co]):
    """Things that must be done by a time; times are seconds on the event loop's clock."""

    def next_deadline(self) -> float | None:
        """The earliest deadline; None if there is none."""
        ...

    def overdue(self, now: float) -> T_co | None:
        """What should have been done by `now` and is not; None if there is no such thing."""
        ...


class DeadlineTimer(Generic[T]):
    """Calls `on_overdue` with what is overdue; after that only when it is armed again.

    Most deadlines are met, so none of them cancels a timer: a timer whose deadline was met looks
    for the next deadline and waits for that.
    """

    __slots__ = ("_deadlines", "_loop", "_on_overdue", "_timer")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deadlines: Deadlines[T],
        on_overdue: Callable[[T], object],
    ) -> None:
        self._loop = loop
        self._deadlines = deadlines
        self._on_overdue = on_overdue
        self._timer: asyncio.TimerHandle | None = None

    def arm(self, deadline: float) -> None:
        """There is a new deadline: look at that time, or before."""
        if self._timer is not None:
            if self._timer.when() <= deadline:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline, self._look)

    def stop(self) -> None:
        """Look no more. A second call does nothing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        late = self._deadlines.overdue(self._loop.time())
        if late is not None:
            self._on_overdue(late)
            return
        deadline = self._deadlines.next_deadline()
        if deadline is not None:
            self.arm(deadline)
