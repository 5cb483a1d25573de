"""How many connections one listener has at most (TLS-24, KIP-402).

Who comes to a full listener waits: it is connected, but nothing is read from it before another one
leaves, in the order in which they came. No more wait than would wait to be accepted.
"""

from __future__ import annotations

from typing import Protocol


class Guest(Protocol):
    """A connection, as the room needs it."""

    @property
    def closing_reason(self) -> str | None:
        """Why it is being closed; None while it is not."""
        ...

    def wait_from_start(self) -> None:
        """Read nothing before `let_begin`."""
        ...

    def let_begin(self) -> None:
        """Read now."""
        ...

    def close(self, reason: str) -> None:
        """Close at once."""
        ...


class ListenerRoom:
    """Counts the connections of one listener, and keeps the others in a line."""

    __slots__ = ("_inside", "_most", "_waiting", "_waiting_max")

    def __init__(self, most: int | None, waiting_max: int) -> None:
        """`most` is None for any number."""
        self._most = most
        self._waiting_max = waiting_max
        self._inside: set[Guest] = set()
        self._waiting: dict[Guest, None] = {}

    def take_in(self, guest: Guest) -> None:
        """A connection was made: it may begin, waits, or is closed."""
        if guest.closing_reason is not None:
            return
        if self._has_place:
            self._inside.add(guest)
        elif len(self._waiting) < self._waiting_max:
            self._waiting[guest] = None
            guest.wait_from_start()
        else:
            waiting = len(self._waiting)
            guest.close(f"max.connections of its listener is {self._most}, and {waiting} wait")

    def leave(self, guest: Guest) -> None:
        """A connection is gone: the first of the line has its place."""
        self._waiting.pop(guest, None)
        self._inside.discard(guest)
        self._fill()

    def allow(self, most: int | None) -> None:
        """Another number from now on. Who is inside stays, even if they are too many."""
        self._most = most
        self._fill()

    @property
    def _has_place(self) -> bool:
        return self._most is None or len(self._inside) < self._most

    def _fill(self) -> None:
        while self._waiting and self._has_place:
            first = next(iter(self._waiting))
            del self._waiting[first]
            self._inside.add(first)
            first.let_begin()
