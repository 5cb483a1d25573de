"""Checkpoints are written on a thread, and one write serves all logs that are about to be cut."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from kit.log_batches import batch
from kit.logs import SMALL, append, env_of

from barnabas.broker.core.log.checkpoints import CheckpointWrite, read_offsets
from barnabas.broker.core.log.file_names import HIGH_WATERMARKS, RECOVERY_POINTS
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.server.checkpoints import Checkpoints

TOPIC_ID = bytes(range(16))
LOGS = 20
LONGEST_S = 30


def flushed_directory(path: Path) -> LogDirectory:
    """Each log ends at 2, and all of it is on the disk."""
    directory = LogDirectory(str(path), env_of())
    directory.open()
    for number in range(LOGS):
        log = directory.create("t", number, TOPIC_ID, SMALL)
        append(log, batch(b"a", b"b"))
        log.flush()
    return directory


def points(directory: LogDirectory) -> list[int]:
    found = read_offsets(directory.env.disk, f"{directory.path}/{RECOVERY_POINTS}")
    return [found["t", number] for number in range(LOGS)]


class Written:
    """Notes what is written, and that it is not on the loop; the first write can be held up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, held: Iterable[int] = ()) -> None:
        self.durable: list[bool] = []
        self.files: list[int] = []
        self.go = threading.Event()
        self.begun: asyncio.Queue[int] = asyncio.Queue()
        self._held = set(held)
        loop = asyncio.get_running_loop()
        run = CheckpointWrite.run

        def run_and_note(write: CheckpointWrite) -> None:
            with pytest.raises(RuntimeError):
                asyncio.get_running_loop()
            number = len(self.files)
            files: Sequence[object] = write._files
            self.files.append(len(files))
            self.durable.append(write._is_durable)
            loop.call_soon_threadsafe(self.begun.put_nowait, number)
            assert number not in self._held or self.go.wait(LONGEST_S)
            run(write)

        monkeypatch.setattr(CheckpointWrite, "run", run_and_note)


async def test_one_write_for_many_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: twenty logs to be cut at once cost one durable file, off the loop (they were sixty)."""
    directory = flushed_directory(tmp_path)
    directory.write_checkpoints()
    written = Written(monkeypatch)
    checkpoints = Checkpoints()
    keys = [("t", number) for number in range(LOGS)]
    await asyncio.gather(*(checkpoints.lower(directory, key, 1, "a cut") for key in keys))
    assert (written.files, written.durable) == ([1], [True])
    assert points(directory) == [1] * LOGS
    await checkpoints.drain()


async def test_who_comes_during_a_write_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a write that had begun does not know of who comes then; those share the next one."""
    directory = flushed_directory(tmp_path)
    written = Written(monkeypatch, held=[0])
    checkpoints = Checkpoints()
    first = asyncio.create_task(checkpoints.lower(directory, ("t", 0), 1, "a cut"))
    await asyncio.wait_for(written.begun.get(), LONGEST_S)
    others = [
        asyncio.create_task(checkpoints.lower(directory, ("t", number), 0, "a cut"))
        for number in range(1, LOGS)
    ]
    written.go.set()
    await first
    await asyncio.gather(*others)
    assert written.files == [1, 1]
    assert points(directory) == [1] + [0] * (LOGS - 1)


async def test_lowered_until_released(tmp_path: Path) -> None:
    """Goal: no checkpoint in between says more, whatever is flushed; each wish counts."""
    directory = flushed_directory(tmp_path)
    checkpoints = Checkpoints()
    await checkpoints.lower(directory, ("t", 0), 1, "a cut")
    await checkpoints.lower(directory, ("t", 0), 0, "another cut")
    append(directory.logs["t", 0], batch(b"c"))
    directory.logs["t", 0].flush()
    await checkpoints.write(directory)
    assert points(directory)[0] == 0
    assert directory.logs["t", 0].recovery_point == 3
    directory.release(("t", 0), "another cut")
    await checkpoints.write(directory)
    assert points(directory)[0] == 1
    directory.release(("t", 0), "a cut")
    await checkpoints.write(directory)
    assert points(directory) == [3] + [2] * (LOGS - 1)


async def test_the_usual_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: all three files, on a thread and not durably, and never two writes at a time."""
    directory = flushed_directory(tmp_path)
    written = Written(monkeypatch, held=[0])
    checkpoints = Checkpoints()
    first = asyncio.create_task(checkpoints.write(directory))
    await asyncio.wait_for(written.begun.get(), LONGEST_S)
    second = asyncio.create_task(checkpoints.write(directory))
    for _ in range(10):
        await asyncio.sleep(0)
    assert written.files == [3]
    first.cancel()
    draining = asyncio.create_task(checkpoints.drain())
    await asyncio.sleep(0)
    assert not draining.done()
    written.go.set()
    await draining
    await second
    assert (written.files, written.durable) == ([3, 3], [False, False])
    assert set(read_offsets(directory.env.disk, f"{tmp_path}/{HIGH_WATERMARKS}").values()) == {2}


async def test_a_refusal_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: who waits for a write hears that the disk refused it; the next one is tried."""
    directory = flushed_directory(tmp_path)
    checkpoints = Checkpoints()
    with monkeypatch.context() as context:

        def refuse(write: CheckpointWrite) -> None:
            raise OSError(28, "planted")

        context.setattr(CheckpointWrite, "run", refuse)
        with pytest.raises(OSError, match="planted"):
            await checkpoints.lower(directory, ("t", 0), 1, "a cut")
    await checkpoints.lower(directory, ("t", 0), 1, "a cut")
    assert points(directory)[0] == 1
