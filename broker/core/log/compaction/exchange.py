"""Putting a cleaned segment into its log, in steps, so that no crash leaves half of it (CMP-13).

    thread  the files of the cleaned segment get names that end with `.swap`; folder synced
    loop    the log has the new segment instead of the old ones; readers find it
    thread  the old files get names that end with `.deleted`; folder synced
    loop    the new files get their last names
    thread  folder synced

From the first step on a crash is followed by the rest of them at the next opening
(`leftovers.py`): names become durable in no certain order, so the folder is synced before each step
that needs the one before. Meanwhile the log is neither cut in these segments nor loses any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from ...ports import Disk
from ..file_names import DELETED, PRODUCER_SNAPSHOT, SEGMENT_SUFFIXES, SWAP, segment_file
from ..segment import Segment
from .cleaned_segment import rename_files

Work = Callable[[], int]
"""To be run on a thread; bytes that it read and wrote."""


class Exchange:
    """One cleaned segment, and those that it comes instead of."""

    def __init__(
        self,
        disk: Disk,
        directory: str,
        old: list[Segment],
        cleaned: Segment,
        is_moved: Callable[[], bool],
    ) -> None:
        """`is_moved`, on any thread: the folder has another name, and this one may be another's."""
        self._disk = disk
        self._is_moved = is_moved
        self._directory = directory
        self.old = old
        self.cleaned = cleaned
        self.snapshots: list[int] = []
        """Offsets of producer snapshots that go with the old segments."""
        self.renamed: list[str] = []
        """Old files as they are called in the end."""

    def prepare(self) -> int:
        """On a thread: from here on the exchange is finished, come what may. Raises OSError."""
        self.cleaned.close()  # a file is opened again by the name that it was opened by
        rename_files(self._disk, self.cleaned, SWAP)
        self._disk.fsync_directory(self._directory)
        self.cleaned.mark = SWAP
        return 0

    def put_old_away(self) -> int:
        """On a thread: the old files have other names, for good. Raises OSError."""
        for path in self._old_paths():
            with suppress(FileNotFoundError):
                if self._is_moved():
                    return 0
                self._disk.rename(path, path + DELETED)
                self.renamed.append(path + DELETED)
        self._disk.fsync_directory(self._directory)
        return 0

    def _old_paths(self) -> Iterator[str]:
        for segment in self.old:
            for suffix in SEGMENT_SUFFIXES:
                yield segment.path(suffix)
        for offset in self.snapshots:
            yield segment_file(self._directory, offset, PRODUCER_SNAPSHOT)

    def give_last_names(self) -> None:
        """On the event loop: four names at most. Raises OSError."""
        rename_files(self._disk, self.cleaned, "")
        self.cleaned.mark = ""

    def settle(self) -> int:
        """On a thread: they have them for good. Raises OSError."""
        self._disk.fsync_directory(self._directory)
        return 0
