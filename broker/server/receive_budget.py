"""How much memory half-read large frames may take in all connections together.

A connection that outgrows the budget stops reading until another has finished its frame. The one
that has waited longest may always go on, so that the connections cannot block each other; what
never comes to an end is closed by the half-frame timeout.
"""

from __future__ import annotations

from typing import Protocol

from .link import STOP_BUDGET

SMALL_BUFFER = 65_536
"""Buffers up to this size are not counted: `max.connections` bounds them."""


class Holder(Protocol):
    """The link of a connection with a large receive buffer."""

    def go_on(self, reason: int) -> None: ...


class ReceiveBudget:
    """The bytes of large receive buffers, and the connections that wait for room."""

    __slots__ = ("_holders", "_limit", "_waiting", "used")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._holders: dict[Holder, int] = {}  # the oldest first
        self._waiting: dict[Holder, None] = {}
        self.used = 0

    def resize(self, holder: Holder, size: int) -> bool:
        """The buffer of `holder` has `size` bytes from now on; returns whether it must stop
        reading."""
        before = self._holders.get(holder, 0)
        if size > SMALL_BUFFER:
            self._holders[holder] = size
            self.used += size - before
        elif before:
            del self._holders[holder]
            self.used -= before
        if size < before or size <= SMALL_BUFFER:
            self._waiting.pop(holder, None)
            self._wake()
            return False
        if self.used <= self._limit or holder is next(iter(self._holders)):
            return False
        self._waiting[holder] = None
        return True

    def _wake(self) -> None:
        if not self._waiting:
            return
        if self.used <= self._limit:
            chosen = list(self._waiting)
        else:
            oldest = next(iter(self._holders))
            chosen = [oldest] if oldest in self._waiting else []
        for holder in chosen:
            del self._waiting[holder]
            holder.go_on(STOP_BUDGET)
