"""Reads of the real disk by who must not wait for it: from memory, or left to another thread."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from kit.descriptors import descriptors_of

from barnabas.broker.storage.files import RealDisk, RealFile


@pytest.fixture
def file(tmp_path: Path) -> RealFile:
    file = RealDisk().open(str(tmp_path / "f"), create=True)
    file.append([b"abcdefgh" * 2000])
    return file


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel says so, as it does where a file system cannot tell."""

    def preadv(fd: int, buffers: Sequence[bytearray], offset: int, flags: int) -> int:
        raise BlockingIOError(11, "planted")

    monkeypatch.setattr(os, "preadv", preadv)


@pytest.mark.usefixtures("nothing_cached")
def test_what_is_not_in_memory_is_read_later(file: RealFile) -> None:
    """501-10: nothing waits but who said so, and both short and long answers are the bytes."""
    for size, offset in ((3, 2), (16_000, 0), (50, 15_990)):
        assert file.try_pread(size, offset) is None
        later = file.pread_later(size, offset)
        assert later() == file.pread(size, offset)
    assert file.try_pread(5, 16_000) == file.pread(5, 16_000) == b""


@pytest.mark.usefixtures("nothing_cached")
def test_a_read_outlives_its_file(file: RealFile) -> None:
    """501-10: the log may close and remove the file while a thread has not begun to read it."""
    later = file.pread_later(3, 2)
    file.close()
    Path(file.path).unlink()
    assert later() == b"cde"


@pytest.mark.usefixtures("nothing_cached")
def test_a_read_that_nobody_does_gives_its_descriptor_back(file: RealFile) -> None:
    """Goal: who is gone before a thread has read costs nothing."""
    assert descriptors_of(file.path) == 1
    later = file.pread_later(3, 2)
    assert descriptors_of(file.path) == 2
    del later
    assert descriptors_of(file.path) == 1


def test_what_is_in_memory_is_read_at_once(file: RealFile) -> None:
    """501-10: without a second look, where the file system can tell (ext4, xfs)."""
    try:
        os.preadv(file._fd, [bytearray(1)], 0, os.RWF_NOWAIT)
    except OSError:
        pytest.skip("this file system cannot tell what is in memory")
    assert file.try_pread(8, 8) == b"abcdefgh"
    assert len(file.try_pread(16_000, 0) or b"") == 16_000
    assert file.try_pread(9, 15_999) == b"h"
