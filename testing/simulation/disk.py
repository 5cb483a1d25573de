"""A disk in memory that knows what is durable: power loss takes what was never synced."""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from random import Random

from barnabas.broker.core.ports import Buffer

from .directories import Directories, is_in, moved
from .file_names import names_after_power_loss
from .incarnation import CURRENT, Incarnation
from .inode import Inode
from .lending import SimulatedLent

_WAITING = ("read_file", "pread", "fsync", "fsync_directory")
"""Calls that wait for the device; what is only written goes to memory first."""


class DeadNodeTouchedDiskError(AssertionError):
    """A crashed incarnation called its disk: the crash model is leaky."""


@dataclass(slots=True)
class DiskFaults:
    """Probabilities per call, and a budget of free bytes; all off by default."""

    read_error: float = 0.0
    write_error: float = 0.0
    fsync_error: float = 0.0
    free_bytes: int = 1 << 40
    cold_reads: float = 0.0
    """The share of tried reads whose bytes are not in the page cache."""


class SimulatedDisk:
    """One node's file system; survives its incarnations, not a `wipe`.

    Names are durable once their directory is synced (or at once, with `names_are_durable`, which
    is what ext4 in its default mode comes close to); those of directories only if
    `forgets_directories`. Renaming is one change: a file keeps its old name or has its new one.
    """

    def __init__(
        self, random: Random, *, names_are_durable: bool = False, forgets_directories: bool = False
    ) -> None:
        self.random = random
        self.faults = DiskFaults()
        self.names_are_durable = names_are_durable
        self.owner: Incarnation | None = None
        self.is_stalled: Callable[[], bool] = lambda: False
        """Whether the device does not respond now: then no read is served from a page cache
        either."""
        self.on_wait: Callable[[str], object] = lambda what: None
        """Called for each operation that must wait for the device."""
        self.on_call: Callable[[str, int], object] = lambda what, size: None
        """Called for each operation, with the bytes that it concerns."""
        self.blocks_writes = False
        """Whether a stall also delays writes: the memory for them is full."""
        self._names: dict[str, Inode] = {}
        self._durable_names: dict[str, Inode] = {}
        self._directories = Directories(forgets=forgets_directories)
        self.replaced = 0
        """How often the disk was replaced by another one."""
        self._mount_points: list[str] = []

    # -- faults -------------------------------------------------------------------------------

    def lose_power(self) -> None:
        """Lose power: what was not synced is lost, or half there."""
        names = self._names
        if not self.names_are_durable:
            names = names_after_power_loss(self._durable_names, self._names, self.random)
        for source, target in self._directories.renames_lost(self.random):
            kept = {path: inode for path, inode in names.items() if not is_in(path, target)}
            names = {moved(path, source, target): inode for path, inode in kept.items()}
        lost = self._directories.lose_power(self.random)
        self._names = {path: inode for path, inode in names.items() if not lost(path)}
        self._durable_names = dict(self._names)
        inodes: dict[int, Inode] = {}
        for path in sorted(self._names):
            inodes.setdefault(id(self._names[path]), self._names[path])
        for inode in inodes.values():
            inode.lose_power(self.random)

    def set_up_directory(self, path: str) -> None:
        """Create a directory that lasts, on a new disk too."""
        self._mount_points.append(path)
        self._directories.make(path)
        self._directories.settle()

    def wipe(self) -> None:
        """Replace the disk by a new, empty one."""
        self.replaced += 1
        self._names.clear()
        self._durable_names.clear()
        self._directories.clear()
        for path in self._mount_points:
            self._directories.make(path)
        self._directories.settle()

    def copy(self) -> dict[str, bytes]:
        """All files as they are: a backup."""
        return {path: bytes(inode.content) for path, inode in sorted(self._names.items())}

    def put_back(self, files: dict[str, bytes]) -> None:
        """Restore these files and nothing else, all of them durable."""
        self.wipe()
        for path, content in files.items():
            self.make_directory(posixpath.dirname(path))
            self._names[path] = Inode(bytearray(content), content)
        self._durable_names = dict(self._names)
        self._directories.settle()

    def is_durable(self, path: str, size: int, *, former: str | None = None) -> bool:
        """Whether the first `size` bytes of this file would survive a loss of power, under its
        name or, if the caller says that it would do as well, the one that it had before."""
        inode = self._names.get(path)
        names = (path,) if former is None else (path, former)
        return (
            inode is not None
            and (
                self.names_are_durable
                or any(self._durable_names.get(name) is inode for name in names)
            )
            and self._directories.is_durable(posixpath.dirname(path))
            and inode.is_durable(size)
        )

    def content_of(self, path: str) -> bytearray:
        """The present content of a file; empty if there is none."""
        inode = self._names.get(path)
        return bytearray() if inode is None else inode.content

    def flip_bit(self, path: str, bit: int) -> None:
        """Flip a bit in a cold file."""
        inode = self._inode(path)
        inode.content[bit // 8] ^= 1 << (bit % 8)
        inode.durable = bytes(inode.content)

    def check(self, probability: float, what: str, path: str) -> None:
        """Every call passes through here: its caller must be alive, and it may fail."""
        caller = CURRENT.get()
        if caller is not None and caller.is_dead:
            raise DeadNodeTouchedDiskError(f"{caller} called {what} on {path}")
        self.on_call(what, 0)
        if (what in _WAITING or self.blocks_writes) and self.is_stalled():
            self.on_wait(f"{what} {path}")
        if probability and self.random.random() < probability:
            raise OSError(errno.EIO, f"simulated I/O error in {what}", path)

    def take_space(self, path: str, size: int) -> None:
        if size > self.faults.free_bytes:
            raise OSError(errno.ENOSPC, "simulated full disk", path)
        self.faults.free_bytes -= size

    def check_read(self, path: str) -> None:
        """A read of an open file: no dead caller, and maybe an error."""
        self.check(self.faults.read_error, "pread", path)

    # -- the Disk port ------------------------------------------------------------------------

    def is_cold(self) -> bool:
        """Whether a read that is tried now finds nothing in memory."""
        cold = self.faults.cold_reads
        return self.is_stalled() or (cold > 0 and self.random.random() < cold)

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> SimulatedFile:
        self.check(0.0, "open", path)
        inode = self._names.get(path)
        if inode is None:
            if not create:
                raise FileNotFoundError(errno.ENOENT, "no such file", path)
            self._require_directory(path)
            inode = self._names[path] = Inode()
            if self.names_are_durable:
                self._durable_names[path] = inode
        elif truncate:
            inode.truncate(0)
        return SimulatedFile(self, path, inode)

    def read_file(self, path: str) -> bytes:
        self.check(self.faults.read_error, "read_file", path)
        return bytes(self._inode(path).content)

    def write_file_atomically(self, path: str, data: bytes, *, durable: bool = True) -> None:
        self.check(self.faults.write_error, "write_file_atomically", path)
        self._require_directory(path)
        self.take_space(path, len(data))
        inode = Inode()
        inode.write(0, data)
        self.on_call("bytes", len(data))
        if durable:
            self.on_call("fsync", 0)
            inode.sync()
        self._names[path] = inode
        if durable:
            self.fsync_directory(posixpath.dirname(path))

    def new_lock(self) -> AbstractContextManager[object]:
        return nullcontext()  # all runs in one thread

    def exists(self, path: str) -> bool:
        return path in self._names or self.is_directory(path)

    def is_directory(self, path: str) -> bool:
        return path.rstrip("/") in self._directories

    def list_directory(self, path: str) -> list[str]:
        self.check(0.0, "list_directory", path)
        if not self.is_directory(path):
            raise FileNotFoundError(errno.ENOENT, "no such directory", path)
        prefix = path.rstrip("/") + "/"
        everything = [*self._names, *self._directories.paths()]
        return sorted({p[len(prefix) :].split("/")[0] for p in everything if p.startswith(prefix)})

    def make_directory(self, path: str) -> None:
        self.check(0.0, "make_directory", path)
        self._directories.make(path)

    def rename(self, source: str, target: str) -> None:
        self.check(0.0, "rename", source)
        if source in self._names:
            self._names[target] = self._names.pop(source)
            if self.names_are_durable:
                self._durable_names = dict(self._names)
            return
        if source not in self._directories:
            raise FileNotFoundError(errno.ENOENT, "no such file", source)
        self._directories.rename(source, target)
        self._names = {moved(p, source, target): i for p, i in self._names.items()}
        self._durable_names = {moved(p, source, target): i for p, i in self._durable_names.items()}

    def remove(self, path: str) -> None:
        self.check(0.0, "remove", path)
        if self._names.pop(path, None) is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        if self.names_are_durable:
            self._durable_names.pop(path, None)

    def remove_tree(self, path: str) -> None:
        self.check(0.0, "remove_tree", path)
        prefix = path.rstrip("/") + "/"
        for name in [p for p in self._names if p.startswith(prefix)]:
            del self._names[name]
        for name in [p for p in self._durable_names if p.startswith(prefix)]:
            del self._durable_names[name]
        self._directories.remove(path)

    def fsync_directory(self, path: str) -> None:
        self.check(self.faults.fsync_error, "fsync_directory", path)
        folder = path.rstrip("/")
        self._directories.sync(folder)
        for name in list(self._durable_names):
            if name.rpartition("/")[0] == folder and name not in self._names:
                del self._durable_names[name]
        for name, inode in self._names.items():
            if name.rpartition("/")[0] == folder:
                self._durable_names[name] = inode

    def free_bytes(self, path: str) -> int:
        del path
        return self.faults.free_bytes

    def total_bytes(self, path: str) -> int:
        del path
        return self.faults.free_bytes + sum(len(inode.content) for inode in self._names.values())

    def _inode(self, path: str) -> Inode:
        inode = self._names.get(path)
        if inode is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        return inode

    def _require_directory(self, path: str) -> None:
        if not self.is_directory(posixpath.dirname(path) or "/"):
            raise FileNotFoundError(errno.ENOENT, "no such directory", posixpath.dirname(path))


class SimulatedFile:
    """One open file of a `SimulatedDisk`."""

    def __init__(self, disk: SimulatedDisk, path: str, inode: Inode) -> None:
        self._disk = disk
        self._path = path
        self._inode = inode

    @property
    def path(self) -> str:
        return self._path

    @property
    def content(self) -> bytearray:
        """All of it, whatever is wrong with the disk: for checks."""
        return self._inode.content

    def size(self) -> int:
        return len(self._inode.content)

    def append(self, buffers: Sequence[Buffer]) -> int:
        disk, inode = self._disk, self._inode
        disk.check(disk.faults.write_error, "append", self._path)
        data = b"".join(buffers)
        size = len(data)
        disk.take_space(self._path, size)
        disk.on_call("bytes", size)
        inode.write(len(inode.content), data)
        return size

    def pread(self, size: int, offset: int) -> bytearray:
        disk = self._disk
        disk.check_read(self._path)
        disk.on_call("bytes", size)
        return self._inode.content[offset : offset + size]  # no `bytes`, as what is tried on Linux

    def try_pread(self, size: int, offset: int) -> bytearray | None:
        return None if self._disk.is_cold() else self.pread(size, offset)

    def pread_later(self, size: int, offset: int) -> Callable[[], bytearray]:
        return partial(self.pread, size, offset)

    def lend(self, size: int, offset: int) -> SimulatedLent | None:
        return SimulatedLent(self._disk, self._path, self._inode, size, offset)

    def pwrite(self, data: Buffer, offset: int) -> None:
        self._disk.check(self._disk.faults.write_error, "pwrite", self._path)
        self._inode.write(offset, bytes(data))

    def truncate(self, size: int) -> None:
        self._disk.check(0.0, "truncate", self._path)
        self._inode.truncate(size)

    def fsync(self) -> None:
        disk = self._disk
        if disk.faults.fsync_error and disk.random.random() < disk.faults.fsync_error:
            # Linux: the error is told once and the dirty pages are dropped.
            self._inode.content = bytearray(self._inode.durable)
            self._inode.changes.clear()
            raise OSError(errno.EIO, "simulated fsync error", self._path)
        disk.check(0.0, "fsync", self._path)
        self._inode.sync()

    def close(self) -> None:
        """Nothing to release; closing never syncs."""

    rest = close
