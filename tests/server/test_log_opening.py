"""Logs are opened on threads: the event loop goes on, and a stop need not wait for a recovery."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from kit.list_logger import ListLogger
from kit.replica_stores import FIRST_ID, Local

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import without_effect
from barnabas.broker.core.log.file_names import CLEAN_SHUTDOWN
from barnabas.broker.core.log.recovery_watch import RecoveryStoppedError, RecoveryWatch
from barnabas.broker.core.replication.log_loading import LogOpening
from barnabas.broker.server import log_opening
from barnabas.broker.server.log_opening import LogOpener
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord

from .crashed_stores import RECORDS, again, crashed

LONGEST_S = 30
"""Only a test that fails waits so long."""


def stray(directory: Path) -> int:
    """Folders that were set aside."""
    return len(list(directory.glob("t-*-stray")))


def opener_of(local: Local, threads: int = 2) -> tuple[LogOpener, ListLogger]:
    log = ListLogger()
    return LogOpener(local.store, lambda: local.image, threads, log), log


class Held:
    """Holds each recovery at its first read until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.running = 0
        self.arrived: asyncio.Queue[str] = asyncio.Queue()
        self.go = threading.Event()
        loop = asyncio.get_running_loop()
        note_read = RecoveryWatch.note_read

        def hold(watch: RecoveryWatch, size: int) -> None:
            loop.call_soon_threadsafe(self.arrived.put_nowait, threading.current_thread().name)
            assert self.go.wait(LONGEST_S)
            note_read(watch, size)

        monkeypatch.setattr(RecoveryWatch, "note_read", hold)


async def test_the_loop_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: as many recoveries at a time as the setting says, in each directory, on threads."""
    local = crashed(tmp_path / "a", tmp_path / "b")
    held = Held(monkeypatch)
    opener, log = opener_of(local, threads=2)
    monkeypatch.setattr(log_opening, "TELL_INTERVAL_S", 0.001)
    running = asyncio.create_task(opener.run())
    names = {await asyncio.wait_for(held.arrived.get(), LONGEST_S) for _ in range(4)}
    assert len(names) == 4
    assert all(name.startswith("log-recovery") for name in names)
    assert len(local.store) == 0
    while not any(one["logs"] == 4 for one in log.events("opening logs")):  # noqa: ASYNC110
        await asyncio.sleep(0)  # a timer of the opener tells it: there is no event to wait for
    held.go.set()
    await running
    assert sorted(partition.log.log_end_offset for partition in local.store) == [RECORDS] * 4
    assert [fields["logs"] for _, fields in local.reports] == [4]


async def test_a_thread_opens_one_log_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: with one thread a directory never more than one recovery runs."""
    local = crashed(tmp_path)
    at_work: list[int] = []
    run = LogOpening.run
    gate = threading.Lock()

    def run_alone(self: LogOpening) -> None:
        assert gate.acquire(blocking=False), "two at a time"
        run(self)
        at_work.append(self.found.partition)
        gate.release()

    monkeypatch.setattr(LogOpening, "run", run_alone)
    await opener_of(local, threads=1)[0].run()
    assert at_work == [0, 1, 2, 3]


async def test_a_stop_during_a_recovery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: it ends at the next read; nothing is served, and no stop in good order is noted."""
    local = crashed(tmp_path)
    held = Held(monkeypatch)
    opener, _ = opener_of(local)
    running = asyncio.create_task(opener.run())
    for _ in range(2):
        await asyncio.wait_for(held.arrived.get(), LONGEST_S)
    running.cancel()
    await asyncio.sleep(0)
    held.go.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(local.store) == 0
    directory = local.directories[0]
    assert not directory.logs
    directory.close()
    assert not (tmp_path / CLEAN_SHUTDOWN).exists()
    monkeypatch.undo()
    after = again(tmp_path)
    await opener_of(after)[0].run()
    assert [partition.log.log_end_offset for partition in after.store] == [RECORDS] * 4


async def test_what_the_cluster_decides_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """516-01: a replica that went elsewhere while its log was opened is set aside, not served."""
    local = crashed(tmp_path)
    held = Held(monkeypatch)
    opener, _ = opener_of(local)
    running = asyncio.create_task(opener.run())
    await asyncio.wait_for(held.arrived.get(), LONGEST_S)
    moved = PartitionChangeRecord(partition_id=0, topic_id=FIRST_ID, replicas=[2, 3], isr=[2, 3])
    local.image.apply(moved, local.image.last_offset + 1)
    held.go.set()
    await running
    assert sorted(partition.index for partition in local.store) == [1, 2, 3]
    assert not (tmp_path / "t-0").exists()
    assert stray(tmp_path) == 1


async def test_a_topic_that_goes_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """516-01: likewise one that was deleted; what was opened is closed."""
    local = crashed(tmp_path)
    held = Held(monkeypatch)
    opener, _ = opener_of(local)
    running = asyncio.create_task(opener.run())
    await asyncio.wait_for(held.arrived.get(), LONGEST_S)
    local.image.apply(RemoveTopicRecord(topic_id=FIRST_ID), local.image.last_offset + 1)
    held.go.set()
    await running
    assert len(local.store) == 0
    assert stray(tmp_path) == 4


async def test_a_directory_that_cannot_be_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: the start fails with the reason, as if it had been met on the loop."""
    local = crashed(tmp_path)

    def refuse() -> None:
        raise OSError(5, "I/O error")

    monkeypatch.setattr(local.directories[0], "partitions", refuse)
    with pytest.raises(OSError, match="I/O error"):
        await opener_of(local)[0].run()


def test_recovery_ends_between_two_reads(tmp_path: Path) -> None:
    """Goal: nothing is cut off a log that was not read to its end."""
    local = crashed(tmp_path)
    directory = local.directories[0]
    found = directory.partitions()[0]
    path = next(Path(found.folder).glob("*.log"))
    size = path.stat().st_size
    watch = RecoveryWatch()
    watch.stop()
    with pytest.raises(RecoveryStoppedError):
        directory.open_log(found, local.store.config_of(local.image, "t"), watch=watch)
    assert path.stat().st_size == size


def test_the_setting_has_an_effect() -> None:
    """Goal: nobody is told that num.recovery.threads.per.data.dir does nothing."""
    assert without_effect(BrokerConfig(num_recovery_threads_per_data_dir=5)) == []
