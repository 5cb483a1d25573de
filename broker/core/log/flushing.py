"""Group commit: many appends, many logs, one round of fsync at a time, off the event loop.

The loop asks for logs to be flushed and gets a `FlushRound`; a worker thread runs it (it only
calls fsync); back on the loop `finish` moves the recovery points. What was appended while a round
ran waits for the next, so that a slow disk makes rounds larger instead of queues longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from ..ports import Disk, File


class Syncable(Protocol):
    """Something to make durable; blocking, safe to call on another thread."""

    def fsync(self) -> None: ...


class ClosedFile:
    """A file that is not open any more (an index of a rolled segment), to be made durable."""

    __slots__ = ("_disk", "_path")

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk = disk
        self._path = path

    def fsync(self) -> None:
        """Open, fsync, close; a file that was removed meanwhile needs nothing."""
        try:
            file: File = self._disk.open(self._path)
        except FileNotFoundError:
            return
        try:
            file.fsync()
        finally:
            file.close()


class FolderNames:
    """The names in a folder, to be made durable after files were added."""

    __slots__ = ("_disk", "_path")

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk = disk
        self._path = path

    def fsync(self) -> None:
        """Raises OSError; a folder that was renamed meanwhile (deletion) needs nothing."""
        with suppress(FileNotFoundError):
            self._disk.fsync_directory(self._path)


class Refused:
    """What could not even be written: it fails like an fsync of it."""

    __slots__ = ("_error",)

    def __init__(self, error: OSError) -> None:
        self._error = error

    def fsync(self) -> None:
        """Raises OSError."""
        raise self._error


class Unsettled:
    """Changes of one kind that a power failure could undo until a flush that began later ends."""

    __slots__ = ("_durable", "_flushing", "_made")

    def __init__(self) -> None:
        self._made = self._flushing = self._durable = 0

    def __bool__(self) -> bool:
        """Whether one could be undone now."""
        return self._made != self._durable

    def note(self) -> None:
        """Count one more change that is not durable yet."""
        self._made += 1

    def flush_begins(self) -> None:
        """A flush begins: when it ends, all changes until now are durable."""
        self._flushing = self._made

    def flush_ended(self) -> None:
        """The flush has ended: the changes that were made before it began are durable."""
        self._durable = max(self._durable, self._flushing)

    def settle(self) -> None:
        """All changes until now are durable."""
        self._durable = self._made


class Flushable(Protocol):
    """What a group commit needs of a log."""

    @property
    def log_end_offset(self) -> int: ...

    def flush_files(self) -> list[Syncable]: ...

    def mark_flushed(self, offset: int) -> None: ...

    def flush_failed(self, error: OSError) -> None: ...


class FlushRound:
    """One round: the logs, how far each goes, and what to sync for it."""

    __slots__ = ("_owner", "_work", "failures")

    def __init__(self, owner: GroupCommit, logs: Iterable[Flushable]) -> None:
        self._owner = owner
        self._work = [(log, log.log_end_offset, log.flush_files()) for log in logs]
        self.failures: dict[int, OSError] = {}

    def run(self) -> None:
        """Sync everything; called on a worker thread. A log that fails does not stop the others."""
        for number, (_, _, files) in enumerate(self._work):
            try:
                for file in files:
                    file.fsync()
            except OSError as error:
                self.failures[number] = error

    def finish(self) -> list[tuple[Flushable, int]]:
        """Back on the loop: (log, offset) of all that is durable now; failed logs go offline."""
        flushed = []
        for number, (log, offset, _) in enumerate(self._work):
            error = self.failures.get(number)
            if error is None:
                log.mark_flushed(offset)
                flushed.append((log, offset))
            else:
                log.flush_failed(error)
        self._owner.round_ended()
        return flushed


class GroupCommit:
    """Collects logs to flush; at most one round is under way."""

    __slots__ = ("_running", "_wanted")

    def __init__(self) -> None:
        self._wanted: dict[Flushable, None] = {}
        self._running = False

    def want(self, log: Flushable) -> None:
        """Flush this log in the next round; asking twice is asking once."""
        self._wanted[log] = None

    def forget(self, log: Flushable) -> None:
        """Do not flush this log any more: it is being deleted."""
        self._wanted.pop(log, None)

    def take(self) -> FlushRound | None:
        """The next round; None if one is under way or nobody waits for one."""
        if self._running or not self._wanted:
            return None
        wanted, self._wanted = self._wanted, {}
        flush_round = FlushRound(self, wanted)
        self._running = True
        return flush_round

    def round_ended(self) -> None:
        """Called by the round itself: the next may begin."""
        self._running = False
