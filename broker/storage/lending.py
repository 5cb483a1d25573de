"""Bytes of a file that are read later than they were found: whatever becomes of the file meanwhile.

All who read one file later share one descriptor beside the log's own. It is closed with the last
of them, so that the log may close and remove the file when it likes. A cut is told to them: what
lay behind it may be other bytes by now.
"""

from __future__ import annotations

import os

_NOW: int = getattr(os, "RWF_NOWAIT", 0)
"""0 where a system cannot tell what is in memory: then everything is read on a thread."""


NEVER_CUT = 1 << 62


class Loan:
    """The descriptor, and how far the file is still what it was when it was lent."""

    __slots__ = ("__weakref__", "fd", "intact")

    def __init__(self, fd: int) -> None:
        """`fd` is duplicated. Raises OSError."""
        self.fd = os.dup(fd)
        self.intact = NEVER_CUT

    def __del__(self) -> None:
        if hasattr(self, "fd"):  # there was one to be had
            os.close(self.fd)


class RealLent:
    """One stretch of a file on loan; see `core.ports.Lent`."""

    __slots__ = ("_loan", "_offset", "_size")

    def __init__(self, loan: Loan, size: int, offset: int) -> None:
        self._loan = loan
        self._size = size
        self._offset = offset

    def __len__(self) -> int:
        return self._size

    @property
    def is_cut(self) -> bool:
        return self._offset + self._size > self._loan.intact

    def read_now(self, size: int, at: int) -> bytearray | None:
        if not _NOW:
            return None
        data = bytearray(min(size, self._size - at))
        try:
            done = os.preadv(self._loan.fd, (data,), self._offset + at, _NOW)
        except OSError:
            return None  # not there, not supported, or broken: the thread will tell
        return data if done == len(data) else None

    def read(self, size: int, at: int) -> bytes:
        size = min(size, self._size - at)
        data = os.pread(self._loan.fd, size, self._offset + at)
        while len(data) < size:
            part = os.pread(self._loan.fd, size - len(data), self._offset + at + len(data))
            if not part:
                break  # cut: whoever reads looks at `is_cut` now
            data += part
        return data
