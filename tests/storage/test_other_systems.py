"""Where the system is not Linux: what it lacks is done without, what it has besides is used."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from barnabas.broker.storage import files
from barnabas.broker.storage.files import RealDisk

SOMETHING = 51
"""F_FULLFSYNC, as macOS numbers it."""


def test_tried_reads_without_nowait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """501-10: nobody can tell what is in memory (macOS), so a thread reads, and nothing raises."""
    monkeypatch.setattr(files, "_NOWAIT", None)
    monkeypatch.delattr(os, "preadv", raising=False)
    disk = RealDisk()
    file = disk.open(str(tmp_path / "f"), create=True)
    file.append([b"abcdef"])
    assert file.try_pread(3, 2) is None
    assert file.pread_later(3, 2)() == b"cde"


def test_nowait_is_looked_up_only_where_it_is() -> None:
    """Goal: the module can be imported and used where `os` has no RWF_NOWAIT."""
    assert getattr(os, "RWF_NOWAIT", None) == files._NOWAIT


@pytest.mark.parametrize("refusal", [None, errno.ENOTSUP])
def test_full_fsync_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int | None
) -> None:
    """Goal: durable means on the device (macOS), or fsync where the file system has no more."""
    calls: list[str] = []

    def full_sync(fd: int, command: int) -> int:
        assert command == SOMETHING
        calls.append("full")
        if refusal is not None:
            raise OSError(refusal, "planted")
        return 0

    monkeypatch.setattr(files, "_FULL_SYNC", SOMETHING)
    monkeypatch.setattr(fcntl, "fcntl", full_sync)
    monkeypatch.setattr(os, "fsync", lambda fd: calls.append("fsync"))
    disk = RealDisk()
    file = disk.open(str(tmp_path / "f"), create=True)
    file.fsync()
    disk.fsync_directory(str(tmp_path))
    once = ["full"] if refusal is None else ["full", "fsync"]
    assert calls == once * 2


def test_a_full_fsync_that_fails_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a device that refuses is not asked for less."""

    def refuse(fd: int, command: int) -> int:
        raise OSError(errno.EIO, "planted")

    monkeypatch.setattr(files, "_FULL_SYNC", SOMETHING)
    monkeypatch.setattr(fcntl, "fcntl", refuse)
    file = RealDisk().open(str(tmp_path / "f"), create=True)
    with pytest.raises(OSError, match="planted"):
        file.fsync()
