"""Reads of a simulated file that come later than they were found."""

from __future__ import annotations

from typing import Protocol

from .inode import Inode


class Device(Protocol):
    """The disk of a file, which decides how a read of it ends; `SimulatedDisk` is one."""

    def is_cold(self) -> bool:
        """Whether a read that is tried now finds nothing in memory."""
        ...

    def check_read(self, path: str) -> None:
        """Raise OSError if this read is to fail."""
        ...


class SimulatedLent:
    """Bytes of a file that are read later: of the inode, whatever becomes of its name."""

    def __init__(self, disk: Device, path: str, inode: Inode, size: int, offset: int) -> None:
        self._disk = disk
        self._path = path
        self._inode = inode
        self._size = size
        self._offset = offset
        self._cuts_before = len(inode.cuts)

    def __len__(self) -> int:
        return self._size

    @property
    def is_cut(self) -> bool:
        end = self._offset + self._size
        return any(size < end for size in self._inode.cuts[self._cuts_before :])

    def read_now(self, size: int, at: int) -> bytes | None:
        return None if self._disk.is_cold() else self.read(size, at)

    def read(self, size: int, at: int) -> bytes:
        self._disk.check_read(self._path)
        start = self._offset + at
        return bytes(self._inode.content[start : start + min(size, self._size - at)])
