"""An answer's place in the line of its connection: answers leave in order (ENV-08)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Line(Protocol):
    """The connection, as a place in its line knows it."""

    def advance_line(self) -> None:
        """Send the answers at the head of the line that are there."""
        ...


class Place:
    """An answer's place in the line of its connection."""

    __slots__ = ("_abandon", "_connection", "pieces")

    def __init__(self, connection: Line, abandon: Callable[[], object] | None) -> None:
        self._connection = connection
        self._abandon = abandon
        self.pieces: Sequence[bytes] | None = None

    def fill(self, pieces: Sequence[bytes]) -> None:
        """The answer is there; no pieces means that this request gets none."""
        self.pieces = pieces
        self._abandon = None
        self._connection.advance_line()

    def on_abandon(self, abandon: Callable[[], object]) -> None:
        """Who to tell if the client goes away; known later than the place itself."""
        self._abandon = abandon

    def abandon(self) -> None:
        """The connection is gone: whoever works on the answer may stop."""
        if self._abandon is not None:
            self._abandon()
            self._abandon = None
