"""Where a log begins for its readers: what is below may still be in the oldest segment."""

from __future__ import annotations

from collections.abc import Callable

from .failures import LogHealth
from .opening import Opening


class LogStart:
    """The start offset of one log."""

    __slots__ = ("_epochs", "_health", "_on_moved", "offset")

    def __init__(
        self,
        opening: Opening,
        health: LogHealth,
        on_moved: Callable[[int], None],
    ) -> None:
        """`on_moved` is told the new offset when records at the beginning went."""
        self.offset = opening.log_start_offset
        self._epochs = opening.epochs
        self._health = health
        self._on_moved = on_moved

    def move_to(self, offset: int) -> None:
        """Move the start up to `offset`, and forget leader epochs that ended below it.

        Raises LogDirectoryFailure if the epochs cannot be written; the start has moved even then.
        """
        self.offset = offset
        try:
            self._epochs.truncate_from_start(offset)
        except OSError as error:
            raise self._health.fail("writing to", error) from error
        self._on_moved(offset)

    def cut_at(self, end_offset: int) -> None:
        """The log was cut: it does not begin above its end."""
        self.offset = min(self.offset, end_offset)

    def restart_at(self, offset: int) -> None:
        """The log is empty, and begins anew."""
        self.offset = offset
