"""The files of segments that have left a log, which must leave the folder in the same order.

Changes of names in a folder become durable in no certain order. If a later segment's names went
before those of an earlier one, a power failure would leave the earlier one with a hole behind it.
So each segment's files are renamed, and the folder synced, before the next segment's are touched,
the oldest first. That blocks, so `begin` returns a `Renaming`, a worker thread runs it, and back on
the event loop `ended` has the files removed after `file.delete.delay.ms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..ports import Disk, Env
from .deletion import DeletionSchedule
from .failures import LogHealth
from .file_names import DELETED
from .flushing import ClosedFile, Syncable


class RetiredSegment:
    """The files of one segment that nobody reads any more."""

    __slots__ = ("base_offset", "folder", "paths")

    def __init__(self, base_offset: int, folder: str, paths: list[str]) -> None:
        self.base_offset = base_offset
        self.folder = folder
        self.paths = paths
        """The file of the records comes first."""


class Renaming:
    """Gives the files of some segments their last names."""

    __slots__ = ("_disk", "_is_void", "_turn", "renamed", "segments")

    def __init__(self, disk: Disk, segments: Sequence[RetiredSegment]) -> None:
        self._disk = disk
        self._turn = disk.new_lock()
        self._is_void = False
        self.segments = segments
        self.renamed: list[str] = []
        """Files as they are called now."""

    def run(self) -> None:
        """One segment after the other; blocks. What is gone needs nothing. Raises OSError."""
        for segment in self.segments:
            for path in segment.paths:
                with self._turn, suppress(FileNotFoundError):
                    if self._is_void:
                        return
                    self._disk.rename(path, path + DELETED)
                    self.renamed.append(path + DELETED)
            with suppress(FileNotFoundError):
                self._disk.fsync_directory(segment.folder)

    def void(self) -> None:
        """The folder has another name: what has its former one is of another log, if anything."""
        with self._turn:
            self._is_void = True


class Retirement:
    """A log's retired segments whose files still have their names, oldest first."""

    __slots__ = ("_deletions", "_env", "_health", "_left", "_running")

    def __init__(self, env: Env, deletions: DeletionSchedule, health: LogHealth) -> None:
        """`deletions` removes the files in the end."""
        self._env = env
        self._deletions = deletions
        self._health = health
        self._left: list[RetiredSegment] = []
        self._running: list[Renaming] = []

    def __len__(self) -> int:
        return len(self._left)

    @property
    def is_running(self) -> bool:
        """Another thread may be renaming now."""
        return bool(self._running)

    def add(self, segment: RetiredSegment) -> None:
        """One more, younger than all before."""
        self._left.append(segment)

    def has(self, base_offset: int) -> bool:
        """Whether there is still a file of a retired segment that began here."""
        return any(segment.base_offset == base_offset for segment in self._left)

    def begin(self) -> Renaming:
        """What is to be run now, on any thread; tell `ended`."""
        renaming = Renaming(self._env.disk, tuple(self._left))
        self._running.append(renaming)
        return renaming

    def flush_files(self) -> list[Syncable]:
        """Records that a power failure could still bring back: without their tail there would be
        a hole before what is flushed now."""
        files: list[Syncable] = []
        disk = self._env.disk
        for segment in self._left:
            for path in segment.paths[:1]:
                files += [ClosedFile(disk, path), ClosedFile(disk, path + DELETED)]
        return files

    def ended(self, renaming: Renaming, delay_ms: int, error: OSError | None) -> None:
        """`renaming` was run: the files that it renamed are removed after `delay_ms`.

        `error`: what stopped it. Raises LogDirectoryFailure then.
        """
        self._running.remove(renaming)
        if self._left:
            self._left = [one for one in self._left if one not in renaming.segments]
        due_ms = self._env.clock.monotonic_ms() + delay_ms
        for path in renaming.renamed:
            self._deletions.add(path, due_ms)
        if error is not None:
            raise self._health.fail("deleting from", error) from error

    def rename_now(self, delay_ms: int) -> None:
        """Rename all files now, on this thread; blocks. Raises LogDirectoryFailure."""
        stopped_by: OSError | None = None
        renaming = self.begin()
        try:
            renaming.run()
        except OSError as error:
            stopped_by = error
        self.ended(renaming, delay_ms, stopped_by)

    def forget(self) -> None:
        """The whole folder is deleted: leave the files in it alone."""
        self._left = []
        for renaming in self._running:
            renaming.void()
