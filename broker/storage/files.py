"""The disk and the clocks for real: the `Disk`, `File` and `Clock` ports over the operating system.

Writes go by `pwritev` at a position that the file keeps itself, so that an append is one system
call over the caller's own buffers, and what a failed append left behind can be cut off again.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from random import SystemRandom

from ..core.ports import Buffer, Env

_BUFFERS_PER_CALL = 1024  # IOV_MAX of Linux; the kernel refuses more in one call


class RealFile:
    """One open file; its length is kept here, since nothing else writes to our files."""

    __slots__ = ("_fd", "_size", "path")

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self._fd = fd
        self._size = os.fstat(fd).st_size

    def size(self) -> int:
        return self._size

    def append(self, buffers: Sequence[Buffer]) -> int:
        """One `pwritev`; a short write is continued, a failed one cut back to the old length."""
        start = self._size
        wanted = 0
        for buffer in buffers:
            wanted += len(buffer)
        try:
            written = os.pwritev(self._fd, buffers[:_BUFFERS_PER_CALL], start)
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

    def pread(self, size: int, offset: int) -> bytes:
        data = os.pread(self._fd, size, offset)
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
        view = memoryview(data)
        done = 0
        while done < len(view):
            done += os.pwrite(self._fd, view[done:], offset + done)
        self._size = max(self._size, offset + done)

    def truncate(self, size: int) -> None:
        os.ftruncate(self._fd, size)
        self._size = size

    def fsync(self) -> None:
        os.fsync(self._fd)

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


class RealDisk:
    """The file system."""

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
        flags = os.O_RDWR | os.O_CLOEXEC
        if create:
            flags |= os.O_CREAT
        if truncate:
            flags |= os.O_TRUNC
        return RealFile(path, os.open(path, flags, 0o644))

    def read_file(self, path: str) -> bytes:
        with open(path, "rb", buffering=0) as file:
            return file.read()

    def write_file_atomically(self, path: str, data: bytes, *, durable: bool = True) -> None:
        temporary = path + ".tmp"
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if durable:
                os.fsync(fd)
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
        import shutil  # brings compressors along: too slow to import for a start that needs none

        shutil.rmtree(path)

    def fsync_directory(self, path: str) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
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
