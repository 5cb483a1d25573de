"""How far the recovery of one log is, and the way to end it early: it may take minutes."""

from __future__ import annotations


class RecoveryStoppedError(Exception):
    """The node stops: this log was not read to its end, and is not open."""


class RecoveryWatch:
    """Shared by the thread that opens a log and by whoever waits for it."""

    __slots__ = ("_is_stopped", "bytes_read")

    def __init__(self) -> None:
        self.bytes_read = 0
        """Bytes of records that were read through so far."""
        self._is_stopped = False

    def stop(self) -> None:
        """Have the recovery end soon; what it changed so far is what a crash would leave."""
        self._is_stopped = True

    def note_read(self, size: int) -> None:
        """Called at each read of the recovery. Raises RecoveryStoppedError."""
        if self._is_stopped:
            raise RecoveryStoppedError
        self.bytes_read += size
