"""Reads of the real disk by who must not wait for it: from memory, or told what to load."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from barnabas.broker.core.at_hand import AtHand, NotAtHandError
from barnabas.broker.core.ports import Buffer
from barnabas.broker.storage.files import RealDisk, RealFile


@pytest.fixture
def disk() -> RealDisk:
    return RealDisk()


@pytest.fixture
def file(tmp_path: Path, disk: RealDisk) -> RealFile:
    file = disk.open(str(tmp_path / "f"), create=True)
    file.append([b"abcdefgh" * 2000])
    return file


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel says so, as it does where a file system cannot tell."""

    def preadv(fd: int, buffers: Sequence[bytearray], offset: int, flags: int) -> int:
        raise BlockingIOError(11, "planted")

    monkeypatch.setattr(os, "preadv", preadv)


@pytest.mark.usefixtures("nothing_cached")
def test_what_is_not_in_memory_is_loaded_and_then_found(disk: RealDisk, file: RealFile) -> None:
    """501-10: the load has a handle of its own, and both short and long answers are the bytes."""
    at_hand = AtHand(disk)
    for size, offset in ((3, 2), (16_000, 0), (50, 15_990), (5, 16_000)):
        expected = file.pread(size, offset)
        if expected:
            with pytest.raises(NotAtHandError) as missing, at_hand:
                file.pread(size, offset)
            missing.value.keep(missing.value.load())
        with at_hand:
            assert file.pread(size, offset) == expected
    at_hand.forget()
    with pytest.raises(NotAtHandError) as missing, at_hand:
        file.pread(3, 2)
    file.close()
    assert missing.value.load() == b"cde"


@pytest.mark.usefixtures("nothing_cached")
def test_what_was_cut_off_meanwhile_is_not_found(disk: RealDisk, file: RealFile) -> None:
    """501-10: bytes of before a truncation are never answered after it."""
    at_hand = AtHand(disk)
    with pytest.raises(NotAtHandError) as missing, at_hand:
        file.pread(8, 0)
    missing.value.keep(missing.value.load())
    file.truncate(0)
    file.append([b"ABCDEFGH"])
    with pytest.raises(NotAtHandError) as again, at_hand:
        file.pread(8, 0)
    again.value.keep(again.value.load())
    with at_hand:
        assert file.pread(8, 0) == b"ABCDEFGH"


@pytest.mark.usefixtures("nothing_cached")
def test_other_threads_wait_as_always(disk: RealDisk, file: RealFile) -> None:
    """501-10: a hurry is one thread's; recovery and flushes know nothing of it."""
    read: list[Buffer] = []
    with AtHand(disk):
        thread = threading.Thread(target=lambda: read.append(file.pread(3, 0)))
        thread.start()
        thread.join()
    assert read == [b"abc"]


@pytest.mark.usefixtures("nothing_cached")
def test_an_error_of_the_load_is_the_asker_s(disk: RealDisk, file: RealFile) -> None:
    """501-10: EIO on a thread is EIO for who asked; a question of its own is answered once."""
    at_hand = AtHand(disk)
    with pytest.raises(NotAtHandError) as missing, at_hand:
        file.pread(8, 0)
    missing.value.keep(OSError(5, "planted"))
    with pytest.raises(OSError, match="planted"), at_hand:
        file.pread(8, 0)
    with pytest.raises(NotAtHandError) as asked, at_hand:
        disk.ask("key", lambda: 7)
    asked.value.keep(asked.value.load())
    with at_hand:
        assert disk.ask("key", lambda: 8) == 7
    with pytest.raises(NotAtHandError), at_hand:
        disk.ask("key", lambda: 8)
    assert disk.ask("key", lambda: 8) == 8


def test_what_is_in_memory_is_read_at_once(disk: RealDisk, file: RealFile) -> None:
    """501-10: without a second look, where the file system can tell (ext4, xfs)."""
    try:
        os.preadv(file._fd, [bytearray(1)], 0, os.RWF_NOWAIT)
    except OSError:
        pytest.skip("this file system cannot tell what is in memory")
    with AtHand(disk):
        assert file.pread(8, 8) == b"abcdefgh"
        assert len(file.pread(16_000, 0)) == 16_000
        assert file.pread(9, 15_999) == b"h"
