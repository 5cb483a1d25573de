"""Descriptors of the files that a disk has open: counted, and fewer when there are too many."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from threading import Lock
from typing import Final

_HOLDS_SECRETS: Final = f"{os.sep}__cluster_metadata-"
"""In the paths of what has credentials and settings in clear text (SEC-02)."""


def mode_of(path: str) -> int:
    """Who may read a file that is made here: its owner alone, where secrets are in it."""
    return 0o600 if _HOLDS_SECRETS in path else 0o644


class OpenFiles:
    """How many files of a disk are open, and what to do when there are too many."""

    __slots__ = ("_lock", "count", "files_max", "on_full")

    def __init__(self) -> None:
        self.count = 0
        self.files_max = 0
        """0: no limit."""
        self.on_full: Callable[[], object] | None = None
        """To have some of them rest; called by any thread that opens one."""
        self._lock = Lock()

    @property
    def is_full(self) -> bool:
        """Whether there are more than there should be."""
        return 0 < self.files_max < self.count

    def open(self, path: str, flags: int) -> int:
        """A descriptor. Raises OSError."""
        with self._lock:
            self.count += 1
        try:
            if self.on_full is not None and self.is_full:
                self.on_full()
            return self._open(path, flags)
        except BaseException:
            with self._lock:
                self.count -= 1
            raise

    def _open(self, path: str, flags: int) -> int:
        try:
            return os.open(path, flags, mode_of(path))
        except OSError as error:
            if self.on_full is None or error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
        # Something else has taken more than its share.
        self.on_full()
        return os.open(path, flags, mode_of(path))

    def close(self, fd: int) -> None:
        """Give it back."""
        with self._lock:
            self.count -= 1
        os.close(fd)
