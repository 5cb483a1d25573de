"""Segments that left a log, and their files, which must leave the folder in the same order.

The names in a folder become durable in no certain order. If those of a later segment did before
those of an earlier one, a power failure would leave the earlier one with a hole behind it. So
each segment's files are renamed and the folder synced before the next segment's are touched: the
oldest first. That blocks: the loop gets a `Renaming`, a worker thread runs it, and back on the
loop `ended` says what may be removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..ports import Disk
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

    __slots__ = ("_disk", "renamed", "segments")

    def __init__(self, disk: Disk, segments: Sequence[RetiredSegment]) -> None:
        self._disk = disk
        self.segments = segments
        self.renamed: list[str] = []
        """Files as they are called now."""

    def run(self) -> None:
        """One segment after the other; blocks. What is gone needs nothing. Raises OSError."""
        for segment in self.segments:
            for path in segment.paths:
                with suppress(FileNotFoundError):
                    self._disk.rename(path, path + DELETED)
                    self.renamed.append(path + DELETED)
            with suppress(FileNotFoundError):
                self._disk.fsync_directory(segment.folder)


class Retirement:
    """A log's retired segments whose files still have their names, oldest first."""

    __slots__ = ("_disk", "_left", "_running")

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._left: list[RetiredSegment] = []
        self._running = 0

    def __len__(self) -> int:
        return len(self._left)

    @property
    def is_running(self) -> bool:
        """Another thread may be renaming now."""
        return self._running > 0

    def add(self, segment: RetiredSegment) -> None:
        """One more, younger than all before."""
        self._left.append(segment)

    def has(self, base_offset: int) -> bool:
        """Whether there is still a file of a retired segment that began here."""
        return any(segment.base_offset == base_offset for segment in self._left)

    def begin(self) -> Renaming:
        """What is to be run now, on any thread; tell `ended`."""
        self._running += 1
        return Renaming(self._disk, tuple(self._left))

    def flush_files(self) -> list[Syncable]:
        """Records that a power failure could still bring back: without their tail there would be
        a hole before what is flushed now."""
        files: list[Syncable] = []
        for segment in self._left:
            for path in segment.paths[:1]:
                files += [ClosedFile(self._disk, path), ClosedFile(self._disk, path + DELETED)]
        return files

    def ended(self, renaming: Renaming) -> list[str]:
        """It ran, to its end or not: the files that have their last names."""
        self._running -= 1
        if self._left:
            self._left = [one for one in self._left if one not in renaming.segments]
        return renaming.renamed

    def forget(self) -> None:
        """The whole folder goes: leave the files in it alone."""
        self._left = []
