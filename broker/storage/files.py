"""The disk and the clocks for real: the `Disk`, `File` and `Clock` ports over the operating system.

Writes go by `pwritev` at a position that the file keeps itself, so that an append is one system
call over the caller's own buffers, and what a failed append left behind can be cut off again.

`try_pread` gives what lies in the page cache, by `RWF_NOWAIT`. What does not, and everything on a
system (macOS) or file system (tmpfs) that cannot tell, is to be read on another thread.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from random import SystemRandom
from threading import Lock
from weakref import ReferenceType, ref

from ..core.ports import Buffer, Env
from .lending import Loan, RealLent
from .open_files import OpenFiles, mode_of

_BUFFERS_PER_CALL = 1024  # IOV_MAX of Linux; the kernel refuses more in one call
_NOWAIT: int | None = getattr(os, "RWF_NOWAIT", None)
"""Linux alone can read what is in memory and nothing else."""
_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
"""macOS: its fsync leaves the bytes in the cache of the device."""
_SMALL_BYTES = 4096
"""Up to here a copy costs less than what a mutable buffer may cost later."""


def _sync(fd: int) -> None:
    """Have the device keep what was written. Raises OSError."""
    if _FULL_SYNC is not None:
        try:
            fcntl.fcntl(fd, _FULL_SYNC)
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                raise  # not a file system that has no more than fsync
        else:
            return
    os.fsync(fd)


class RealFile:
    """One file; its length is kept here, since nothing else writes to our files.

    Its descriptor is given back by `rest`, and opened again by the next call.
    """

    __slots__ = ("_fd", "_files", "_is_closed", "_loan", "_size", "path")

    def __init__(self, path: str, fd: int, files: OpenFiles | None = None) -> None:
        self.path = path
        self._fd = fd
        self._loan: ReferenceType[Loan] | None = None
        self._files = files
        self._is_closed = False
        self._size = os.fstat(fd).st_size

    def __del__(self) -> None:
        """One that was opened for a request which ended before it could use it."""
        self.close()

    def size(self) -> int:
        return self._size

    def _open(self) -> int:
        """The descriptor, opened again if need be. Raises OSError."""
        fd = self._fd
        if fd < 0:
            if self._is_closed or self._files is None:
                raise OSError(errno.EBADF, "the file is closed", self.path)
            fd = self._fd = self._files.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        return fd

    def append(self, buffers: Sequence[Buffer]) -> int:
        """One `pwritev`; a short write is continued, a failed one cut back to the old length."""
        fd = self._fd
        if fd < 0:
            fd = self._open()
        start = self._size
        wanted = 0
        for buffer in buffers:
            wanted += len(buffer)
        try:
            written = os.pwritev(fd, buffers[:_BUFFERS_PER_CALL], start)
            if written != wanted:
                self._append_rest(buffers, start, written, wanted)
        except OSError as error:
            self._cut_back(start, error)
            raise
        self._size = start + wanted
        return wanted

    def _append_rest(self, buffers: Sequence[Buffer], start: int, done: int, wanted: int) -> None:
        # A short write (signal, nearly full disk): go on from where the kernel stopped. The next
        # call says why it stopped, if there is a reason.
        rest = [memoryview(buffer) for buffer in buffers]
        skip = done
        while done < wanted:
            while skip >= len(rest[0]):
                skip -= len(rest.pop(0))
            rest[0] = rest[0][skip:]
            skip = os.pwritev(self._fd, rest[:_BUFFERS_PER_CALL], start + done)
            if skip == 0:
                raise OSError(5, "write stopped without an error", self.path)
            done += skip

    def _cut_back(self, size: int, error: OSError) -> None:
        try:
            os.ftruncate(self._fd, size)
        except OSError as second:
            error.add_note(f"{self.path} could not be cut back to {size} bytes: {second}")

    def try_pread(self, size: int, offset: int) -> bytes | bytearray | None:
        """`pread`, of what is in memory; None if any of it is not, or nobody knows.

        What is more than a few pages comes in the array that the kernel wrote it into.
        """
        wanted = min(size, self._size - offset)
        if wanted <= 0:
            return b""
        if _NOWAIT is None:
            return None
        data = bytearray(wanted)
        try:
            if os.preadv(self._open(), (data,), offset, _NOWAIT) != wanted:
                return None
        except OSError:
            return None  # not there, not supported, or broken: the thread will tell
        return bytes(data) if wanted <= _SMALL_BYTES else data

    def pread_later(self, size: int, offset: int) -> HeldRead:
        """`pread` for another thread. Raises OSError if there are too many open files."""
        return HeldRead(self.path, self._open(), size, offset)

    def pread(self, size: int, offset: int) -> bytes:
        """Read, and wait for the device if need be."""
        data = os.pread(self._open(), size, offset)
        if len(data) < size and offset + len(data) < self._size:
            return self._read_rest(data, size, offset)
        return data

    def _read_rest(self, data: bytes, size: int, offset: int) -> bytes:
        # More than 2 GiB or an interrupted call: the kernel may give less than there is.
        parts = [data]
        done = len(data)
        while done < size:
            part = os.pread(self._fd, size - done, offset + done)
            if not part:
                break
            parts.append(part)
            done += len(part)
        return b"".join(parts)

    def pwrite(self, data: Buffer, offset: int) -> None:
        fd = self._open()
        view = memoryview(data)
        done = 0
        while done < len(view):
            done += os.pwrite(fd, view[done:], offset + done)
        self._size = max(self._size, offset + done)

    def lend(self, size: int, offset: int) -> RealLent | None:
        loan = None if self._loan is None else self._loan()
        if offset + size > self._size:
            return None
        if loan is None:
            try:
                loan = Loan(self._open())
            except OSError:  # too many files are open: then it is read at once
                return None
            self._loan = ref(loan)
        return RealLent(loan, size, offset)

    def truncate(self, size: int) -> None:
        if self._loan is not None and (loan := self._loan()) is not None:
            loan.intact = size  # before the cut: who reads meanwhile looks here afterwards
            self._loan = None
        os.ftruncate(self._open(), size)
        self._size = size

    def fsync(self) -> None:
        fd = self._fd
        if fd >= 0 or self._is_closed or self._files is None:
            _sync(self._open())
            return
        # It rests, and stays so: the thread that uses it may open it at this moment.
        try:
            fd = self._files.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # removed meanwhile: there is nothing to keep
        try:
            _sync(fd)
        finally:
            self._files.close(fd)

    def rest(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            self._give_back(fd)

    def close(self) -> None:
        self._is_closed = True
        self.rest()

    def _give_back(self, fd: int) -> None:
        if self._files is None:
            os.close(fd)
        else:
            self._files.close(fd)


class HeldRead:
    """A read for another thread, by a file handle of its own: ours may be closed by then."""

    __slots__ = ("_file", "_offset", "_size")

    def __init__(self, path: str, fd: int, size: int, offset: int) -> None:
        self._file = RealFile(path, os.dup(fd))
        self._size = size
        self._offset = offset

    def __call__(self) -> bytes:
        """What is there. Raises OSError."""
        try:
            return self._file.pread(self._size, self._offset)
        finally:
            self._file.close()


class RealDisk:
    """The file system."""

    def __init__(self) -> None:
        self.files = OpenFiles()

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
        flags = os.O_RDWR | os.O_CLOEXEC
        if create:
            flags |= os.O_CREAT
        if truncate:
            flags |= os.O_TRUNC
        return RealFile(path, self.files.open(path, flags), self.files)

    def read_file(self, path: str) -> bytes:
        with open(path, "rb", buffering=0) as file:
            return file.read()

    def new_lock(self) -> AbstractContextManager[object]:
        return Lock()

    def write_file_atomically(self, path: str, data: bytes, *, durable: bool = True) -> None:
        temporary = path + ".tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        fd = os.open(temporary, flags, mode_of(path))
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if durable:
                _sync(fd)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        finally:
            os.close(fd)
        os.replace(temporary, path)
        if durable:
            self.fsync_directory(os.path.dirname(path) or ".")

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def is_directory(self, path: str) -> bool:
        return os.path.isdir(path)

    def list_directory(self, path: str) -> list[str]:
        return sorted(os.listdir(path))

    def make_directory(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)

    def rename(self, source: str, target: str) -> None:
        os.replace(source, target)

    def remove(self, path: str) -> None:
        os.unlink(path)

    def remove_tree(self, path: str) -> None:
        shutil.rmtree(path)

    def fsync_directory(self, path: str) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _sync(fd)
        finally:
            os.close(fd)

    def free_bytes(self, path: str) -> int:
        numbers = os.statvfs(path)
        return numbers.f_bavail * numbers.f_frsize

    def total_bytes(self, path: str) -> int:
        numbers = os.statvfs(path)
        return numbers.f_blocks * numbers.f_frsize


class RealClock:
    """The machine's clocks."""

    def monotonic_ms(self) -> float:
        return time.monotonic() * 1000.0

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000


def real_env() -> Env:
    """Clock, disk and randomness of this machine, for `serve` and for tests on real files."""
    return Env(clock=RealClock(), disk=RealDisk(), random=SystemRandom())
