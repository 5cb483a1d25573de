"""The lock of a log directory: two nodes must never write to the same one."""

from __future__ import annotations

import fcntl
import os


class DirectoryLockedError(Exception):
    """Another process holds the directory."""


class DirectoryLock:
    """`flock` on `.lock`, the file that Kafka locks too; the kernel frees it when we die."""

    __slots__ = ("_fd", "path")

    def __init__(self, directory: str) -> None:
        """Take the lock. Raises DirectoryLockedError, OSError."""
        self.path = f"{directory}/.lock"
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Java's FileChannel.tryLock, which Kafka uses, is a POSIX record lock: take that too.
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._fd)
            self._fd = -1
            raise DirectoryLockedError(
                f"{directory} is in use by another process ({self.path} is locked)"
            ) from None

    def release(self) -> None:
        """Let go of the directory; the file stays, as Kafka leaves it."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
