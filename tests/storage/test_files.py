"""The real disk: appends that are whole or not there, reads, atomic files, the directory lock."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from barnabas.broker.core.ports import Buffer, Disk, File
from barnabas.broker.storage.files import RealDisk, real_env
from barnabas.broker.storage.lock import DirectoryLock, DirectoryLockedError


@pytest.fixture
def disk() -> Disk:
    return RealDisk()


@pytest.fixture
def file(tmp_path: Path, disk: Disk) -> File:
    return disk.open(str(tmp_path / "f"), create=True)


def test_append_and_read(tmp_path: Path, disk: Disk, file: File) -> None:
    """Goal: buffers of any kind go one behind the other, at the end."""
    assert file.append([b"abc", bytearray(b"de"), memoryview(b"xfgx")[1:3]]) == 7
    assert file.append([b""]) == 0
    assert file.append([b"h"]) == 1
    assert (file.size(), file.pread(100, 0), file.pread(2, 3)) == (8, b"abcdefgh", b"de")
    assert file.pread(5, 8) == b""
    file.pwrite(b"XY", 1)
    assert disk.read_file(str(tmp_path / "f")) == b"aXYdefgh"
    file.truncate(3)
    file.append([b"!"])
    assert file.pread(9, 0) == b"aXY!"
    file.fsync()
    file.close()
    file.close()


def test_more_buffers_than_one_call_takes(file: File) -> None:
    """Goal: IOV_MAX is not the caller's worry."""
    parts = [b"%d," % number for number in range(5000)]
    file.append(parts)
    assert file.pread(1 << 20, 0) == b"".join(parts)


def test_short_writes_are_continued(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a write that the kernel cuts short goes on where it stopped."""
    real = os.pwritev

    def short(fd: int, buffers: Sequence[Buffer], offset: int) -> int:
        return real(fd, [memoryview(b"".join(buffers))[:3]], offset)

    monkeypatch.setattr(os, "pwritev", short)
    file.append([b"abcd", b"", b"efghij", b"k"])
    assert file.pread(100, 0) == b"abcdefghijk"


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_failed_append_leaves_no_trace(
    tmp_path: Path, file: File, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Goal: P-13; ENOSPC half way: the file is as long as before, and can be appended to."""
    file.append([b"before"])
    real = os.pwritev
    calls = 0

    def failing(fd: int, buffers: Sequence[Buffer], offset: int) -> int:
        nonlocal calls
        calls += 1
        if calls > after:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, [memoryview(b"".join(buffers))[:2]], offset)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwritev", failing)
        with pytest.raises(OSError, match="No space left"):
            file.append([b"0123456789"])
    assert (tmp_path / "f").read_bytes() == b"before"
    file.append([b"!"])
    assert (tmp_path / "f").read_bytes() == b"before!"


def test_atomic_files(tmp_path: Path, disk: Disk) -> None:
    """Goal: the old content or the new one, no third; no temporary file stays."""
    path = str(tmp_path / "c")
    for durable in (True, False):
        disk.write_file_atomically(path, b"new" * durable, durable=durable)
        assert disk.read_file(path) == b"new" * durable
    assert disk.list_directory(str(tmp_path)) == ["c"]


def test_names(tmp_path: Path, disk: Disk) -> None:
    """Goal: the rest of the port does what it says."""
    folder = str(tmp_path / "a" / "b")
    disk.make_directory(folder)
    disk.make_directory(folder)
    assert disk.is_directory(folder)
    with pytest.raises(FileNotFoundError):
        disk.open(folder + "/f")
    disk.open(folder + "/f", create=True).close()
    disk.rename(folder + "/f", folder + "/g")
    assert (disk.exists(folder + "/f"), disk.exists(folder + "/g")) == (False, True)
    disk.fsync_directory(folder)
    disk.remove(folder + "/g")
    with pytest.raises(FileNotFoundError):
        disk.remove(folder + "/g")
    disk.remove_tree(str(tmp_path / "a"))
    assert not disk.exists(folder)
    assert disk.free_bytes(str(tmp_path)) > 0


def test_one_node_a_directory(tmp_path: Path) -> None:
    """Goal: a second process is refused with a reason, a later one is not."""
    lock = DirectoryLock(str(tmp_path))
    program = (
        "import sys; from barnabas.broker.storage.lock import *\n"
        "try: DirectoryLock(sys.argv[1])\n"
        "except DirectoryLockedError as error: print(error)\n"
        "else: print('taken')"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    assert "is in use by another process" in subprocess.check_output(command, text=True)
    with pytest.raises(DirectoryLockedError):
        DirectoryLock(str(tmp_path))
    lock.release()
    assert subprocess.check_output(command, text=True) == "taken\n"


def test_clocks() -> None:
    """Goal: milliseconds since 1970, and a clock that does not go back."""
    clock = real_env().clock
    assert clock.wall_ms() > 1_700_000_000_000
    assert clock.monotonic_ms() <= clock.monotonic_ms()
