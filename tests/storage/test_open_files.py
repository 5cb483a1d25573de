"""Descriptors: files that give theirs back and work on, and limits that are made the best of."""

from __future__ import annotations

import errno
import os
import resource
import threading
from pathlib import Path

import pytest

from barnabas.broker.storage.descriptors import (
    FILES_MIN,
    connections_of,
    log_files_max,
    raise_limit,
)
from barnabas.broker.storage.files import RealDisk, RealFile


@pytest.fixture
def disk() -> RealDisk:
    return RealDisk()


@pytest.fixture
def file(tmp_path: Path, disk: RealDisk) -> RealFile:
    file = disk.open(str(tmp_path / "f"), create=True)
    file.append([b"abcdef"])
    return file


def test_a_file_that_rested_works_on(disk: RealDisk, file: RealFile) -> None:
    """Goal: each call opens it again, and nobody else sees a difference."""
    for call in (
        lambda: file.append([b"gh"]),
        lambda: file.pwrite(b"X", 1),
        lambda: file.truncate(7),
        lambda: file.pread(3, 0),
    ):
        file.rest()
        assert disk.files.count == 0
        call()
        assert disk.files.count == 1
    file.rest()
    assert file.try_pread(10, 0) in (b"aXcdefg", None)
    assert (file.size(), disk.files.count) == (7, 1)


def test_flushes_of_a_file_that_rests(
    disk: RealDisk, file: RealFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: made durable by a descriptor of the thread's own: the loop may open it meanwhile."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    inode = Path(file.path).stat().st_ino
    file.rest()
    file.fsync()
    assert (synced, disk.files.count) == ([inode], 0)
    file.rest()
    Path(file.path).unlink()
    file.fsync()  # removed meanwhile: nothing is left to keep
    assert synced == [inode]


def test_a_closed_file_stays_closed(disk: RealDisk, file: RealFile) -> None:
    """Goal: only what rests is opened again."""
    file.close()
    file.close()
    assert disk.files.count == 0
    with pytest.raises(OSError, match="closed"):
        file.append([b"x"])
    with pytest.raises(OSError, match="closed"):
        file.fsync()


def test_room_is_made_before_the_limit_is_passed(tmp_path: Path, disk: RealDisk) -> None:
    """Goal: with three files allowed there are never more, and all can be used."""
    files: list[RealFile] = []
    disk.files.files_max = 3

    def rest_one() -> None:
        files[0].rest()

    disk.files.on_full = rest_one
    files += [disk.open(str(tmp_path / str(number)), create=True) for number in range(3)]
    disk.open(str(tmp_path / "more"), create=True).close()
    assert files[0]._fd < 0
    assert disk.files.count == 2


def test_room_is_made_when_the_system_has_no_more(
    tmp_path: Path, disk: RealDisk, file: RealFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: EMFILE is met with a second try, once; a second refusal is an error."""
    refusals = [errno.EMFILE]
    really = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if refusals:
            raise OSError(refusals.pop(), "planted")
        return really(path, flags, mode)

    disk.files.on_full = file.rest
    monkeypatch.setattr(os, "open", refuse)
    other = disk.open(str(tmp_path / "g"), create=True)
    assert (file._fd, other.size()) == (-1, 0)
    refusals += [errno.EMFILE, errno.EMFILE]
    with pytest.raises(OSError, match="planted"):
        disk.open(str(tmp_path / "h"), create=True)
    refusals.append(errno.EACCES)
    with pytest.raises(OSError, match="planted"):
        disk.open(str(tmp_path / "h"), create=True)
    assert disk.files.count == 1


def test_the_count_is_right_with_threads(tmp_path: Path, disk: RealDisk) -> None:
    """Goal: recovery opens files on threads."""

    def open_and_close(name: str) -> None:
        for _ in range(200):
            disk.open(str(tmp_path / name), create=True).close()

    threads = [threading.Thread(target=open_and_close, args=(str(n),)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert disk.files.count == 0


class Limits:
    """A system's limits, and what it refuses."""

    def __init__(self, soft: int, hard: int, most: int = 1 << 62) -> None:
        self.now = (soft, hard)
        self.most = most

    def get(self, kind: int) -> tuple[int, int]:
        return self.now

    def set(self, kind: int, limits: tuple[int, int]) -> None:
        if limits[0] > self.most:
            raise ValueError("not so many")
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "most", "found"),
    [
        (1024, 4096, 1 << 62, 4096),
        (1024, 1024, 1 << 62, 1024),
        (256, resource.RLIM_INFINITY, 10_240, 10_240),
        (256, resource.RLIM_INFINITY, 1 << 62, 1 << 20),
        (256, resource.RLIM_INFINITY, 300, 256),
        (2_000_000, 2_000_000, 1 << 62, 2_000_000),
    ],
)
def test_the_limit_is_raised(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, most: int, found: int
) -> None:
    """Goal: to the hard one, or to what macOS allows where there is none."""
    limits = Limits(soft, hard, most)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    assert raise_limit() == (soft, found)
    assert limits.now[0] == found


def test_what_is_left_for_logs() -> None:
    """Goal: connections have their share, at most half; logs have something in any case."""
    assert log_files_max(1_048_576, 10_000) == 1_048_576 - 128 - 10_000
    assert log_files_max(1024, 10_000) == 1024 - 128 - 512
    assert log_files_max(1024, 100) == 1024 - 128 - 100
    assert log_files_max(100, 10_000) == FILES_MIN
    assert connections_of(1024) == 1024 - 128 - FILES_MIN
    assert connections_of(100) == 25


def test_the_metadata_log_is_its_owners_alone(tmp_path: Path, disk: RealDisk) -> None:
    """SEC-02: credentials are in it."""
    for name, mode in (("__cluster_metadata-0", 0o600), ("t-0", 0o644)):
        directory = tmp_path / name
        directory.mkdir()
        log = disk.open(str(directory / "0.log"), create=True)
        disk.write_file_atomically(str(directory / "quorum-state"), b"x")
        for path in directory.iterdir():
            assert path.stat().st_mode & 0o777 & ~mode == 0
        log.close()
