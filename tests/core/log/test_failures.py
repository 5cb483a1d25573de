"""Full disks and I/O errors: nothing acknowledged is lost, the log stops with a clear message."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any  # what a disk's files are opened with

import pytest
from kit.log_batches import batch, marker
from kit.logs import SMALL, append, config_of, env_of, open_log, read_all

from barnabas.broker.core.log import open_log as opening
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.flushing import GroupCommit
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.storage.files import RealFile
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.disk import SimulatedDisk


@pytest.fixture
def disk() -> SimulatedDisk:
    return SimulatedDisk(Random(1), names_are_durable=True)


def test_full_disk(disk: SimulatedDisk) -> None:
    """Goal: P-13; the refused batch leaves no trace, reads go on, other logs go on."""
    env = env_of(disk)
    log, other = open_log("/d/t-0", SMALL, env), open_log("/d/u-0", SMALL, env)
    append(log, batch(b"a"))
    append(other, batch(b"a"))
    disk.faults.free_bytes = 10
    with pytest.raises(LogDirectoryFailure) as raised:
        append(log, batch(b"b"))
    assert raised.value.code == ErrorCode.KAFKA_STORAGE_ERROR
    assert "/d/t-0" in str(raised.value)
    assert "full disk" in str(raised.value)
    assert (log.log_end_offset, len(read_all(log))) == (1, 1)
    disk.faults.free_bytes = 1 << 30
    with pytest.raises(LogDirectoryFailure):
        append(log, batch(b"b"))
    append(other, batch(b"b"))
    again = open_log("/d/t-0", SMALL, env)
    assert len(read_all(again)) == 1
    append(again, batch(b"b"))


def test_full_disk_at_every_byte(disk: SimulatedDisk) -> None:
    """Goal: whatever file the disk fills up at (segment, snapshot, index), acked records stay."""
    for free in range(0, 9000, 171):
        directory = f"/d/{free}"
        disk.faults.free_bytes = free
        acked = 0
        try:
            log = open_log(directory, SMALL, env_of(disk))
            for number in range(60):
                append(log, batch(b"x" * 60, producer_id=1, epoch=0, sequence=number))
                acked += 1
        except (LogDirectoryFailure, OSError):
            pass
        disk.faults.free_bytes = 1 << 30
        again = open_log(directory, SMALL, env_of(disk))
        assert len(read_all(again)) == again.log_end_offset == acked


def test_write_and_read_errors(disk: SimulatedDisk) -> None:
    """Goal: P-14; EIO on one log is that log's affair and says where it happened."""
    seen: list[LogDirectoryFailure] = []
    log = opening.open_log(
        "/d/t-0", env_of(disk), SMALL, topic="t", partition=0, on_failure=seen.append
    )
    append(log, batch())
    disk.faults.read_error = 1.0
    with pytest.raises(LogDirectoryFailure) as raised:
        log.read(0, 100, 1)
    assert "reading /d/t-0 failed" in str(raised.value)
    disk.faults.read_error = 0.0
    assert len(log.read(0, 100, 1)) > 0
    with pytest.raises(LogDirectoryFailure):
        append(log, batch())
    assert len(seen) == 1


def in_transaction(producer_id: int) -> bytearray:
    """The first batch of this producer, in a transaction."""
    return batch(b"x", producer_id=producer_id, epoch=0, sequence=0, attributes=0x10)


@pytest.mark.parametrize("spare_bytes", [0, 20])
def test_an_abort_counts_though_the_index_refuses_it(disk: SimulatedDisk, spare_bytes: int) -> None:
    """Goal: 98-06; the disk is full behind the marker: still nobody is given what was aborted.

    The marker is in the log, so that others copy it and the watermark passes it.
    """
    log = open_log("/d/t-0", SMALL, env_of(disk))
    append(log, in_transaction(3))
    abort = marker(3, 0, commit=False)
    disk.faults.free_bytes = len(abort) + spare_bytes
    with pytest.raises(LogDirectoryFailure):
        append(log, abort, origin=Origin.COORDINATOR)
    log.high_watermark = log.log_end_offset
    assert log.last_stable_offset == log.log_end_offset == 2
    assert log.aborted_transactions(0, 2) == [(3, 0)]
    disk.faults.free_bytes = 1 << 30
    again = open_log("/d/t-0", SMALL, env_of(disk))
    assert again.aborted_transactions(0, 2) == [(3, 0)]


def test_a_follower_notes_all_that_it_stored(disk: SimulatedDisk) -> None:
    """Goal: 98-06; two aborts and an open transaction come at once, and fill the disk."""
    source = open_log("/d/s-0", SMALL, env_of(disk))
    for pid in (3, 4):
        append(source, in_transaction(pid))
        append(source, marker(pid, 0, commit=False), origin=Origin.COORDINATOR)
    append(source, in_transaction(5))
    copied = b"".join(read_all(source))
    log = open_log("/d/t-0", SMALL, env_of(disk))
    disk.faults.free_bytes = len(copied)
    with pytest.raises(LogDirectoryFailure):
        log.append_as_follower(copied)
    log.high_watermark = log.log_end_offset
    assert log.log_end_offset == 5
    assert log.last_stable_offset == 4
    assert log.aborted_transactions(0, 5) == [(3, 0), (4, 2)]


def test_a_disk_that_fails_while_a_node_stops(disk: SimulatedDisk) -> None:
    """Goal: P-14; a log whose indexes cannot be written is named, the others are closed as always,
    and the next start has all of both. Before, the stop ended there with an error."""
    directory = LogDirectory("/d", env_of(disk))
    directory.open()
    logs = [directory.create(topic, 0, bytes(15) + topic.encode(), SMALL) for topic in "tu"]
    for log in logs:
        append(log, batch(b"a"))
    failing = iter([OSError(errno.EIO, "broken", "an index")])

    def on_call(what: str, _size: int) -> None:
        if what == "pwrite" and (error := next(failing, None)) is not None:
            raise error

    disk.on_call = on_call
    directory.close()
    assert next(failing, None) is None
    assert [str(each).partition(": ")[2] for each in directory.failures] == [
        "closing /d/t-0 failed: broken"
    ]
    assert logs[1].recovery_point == 1
    assert not disk.exists("/d/.kafka_cleanshutdown")
    again = LogDirectory("/d", env_of(disk))
    again.open()
    assert [again.load(each, SMALL).log_end_offset for each in again.partitions()] == [1, 1]


def test_fsync_error_is_never_retried(disk: SimulatedDisk) -> None:
    """Goal: P-14; after a failed fsync the pages may be gone, so nothing is called durable."""
    log = open_log("/d/t-0", SMALL, env_of(disk))
    append(log, batch())
    commit = GroupCommit()
    commit.want(log)
    disk.faults.fsync_error = 1.0
    flush = commit.take()
    assert flush is not None
    flush.run()
    assert flush.finish() == []
    disk.faults.fsync_error = 0.0
    assert log.recovery_point == 0
    assert log.failure is not None
    with pytest.raises(LogDirectoryFailure):
        append(log, batch())


def test_a_round_after_a_failed_one_vouches_for_nothing(disk: SimulatedDisk) -> None:
    """P-14, I-5: a log that was to be flushed again while its flush failed is not durable, though
    its next fsync succeeds: the system may have dropped what it could not write."""
    log = open_log("/d/t-0", SMALL, env_of(disk))
    append(log, batch())
    commit = GroupCommit()
    commit.want(log)
    disk.faults.fsync_error = 1.0
    flush = commit.take()
    assert flush is not None
    flush.run()
    commit.want(log)  # by whoever came while it ran
    assert flush.finish() == []
    disk.faults.fsync_error = 0.0
    again = commit.take()
    assert again is not None
    again.run()
    again.finish()
    assert log.recovery_point == 0
    with pytest.raises(LogDirectoryFailure):
        log.flush()


def test_group_commit_is_one_round_at_a_time(disk: SimulatedDisk) -> None:
    """Goal: appends during a round wait for the next; several logs share one round."""
    env = env_of(disk)
    logs = [open_log(f"/d/t-{number}", SMALL, env) for number in range(3)]
    for log in logs:
        append(log, batch())
    commit = GroupCommit()
    assert commit.take() is None
    for log in logs:
        commit.want(log)
        commit.want(log)
    flush = commit.take()
    assert flush is not None
    append(logs[0], batch())
    commit.want(logs[0])
    assert commit.take() is None
    flush.run()
    assert [(log, offset) for log, offset in flush.finish()] == [(log, 1) for log in logs]
    assert [log.recovery_point for log in logs] == [1, 1, 1]
    second = commit.take()
    assert second is not None
    second.run()
    second.finish()
    assert logs[0].recovery_point == 2


def test_a_file_that_cannot_be_opened_for_a_flush(
    disk: SimulatedDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: it costs its own log, as an fsync that fails does, and no other in the round."""
    failing, fine = (open_log(f"/{name}/t-0", SMALL, env_of(disk)) for name in "ab")
    for log in (failing, fine):
        for _ in range(40):
            append(log, batch(b"x" * 400))
        log.high_watermark = 40
        for offset in range(40):  # of those that a reader has passed all but the last are closed
            log.read(offset, 100, 40)
    commit = GroupCommit()
    real = disk.open

    def refuse(path: str, *args: Any, **options: Any) -> Any:
        if path.startswith("/a"):
            raise OSError(errno.EROFS, "read-only file system", path)
        return real(path, *args, **options)

    monkeypatch.setattr(disk, "open", refuse)
    for log in (failing, fine):
        commit.want(log)
    flush = commit.take()
    assert flush is not None
    flush.run()
    assert flush.finish() == [(fine, 40)]
    assert "read-only" in str(failing.failure)
    assert not failing.segments.is_held
    append(fine, batch(b"y"))
    commit.want(fine)
    assert commit.take() is not None


def test_flush_is_due(disk: SimulatedDisk) -> None:
    """Goal: flush.messages, flush.ms, and a rolled segment each ask for a flush."""
    log = open_log("/d/t-0", config_of(flush_messages=3, flush_ms=500), env_of(disk))
    assert not log.flush_due(1e9)
    append(log, batch(b"1", b"2"))
    assert not log.flush_due(499)
    assert log.flush_due(500)
    append(log, batch())
    assert log.flush_due(0)
    log.flush()
    assert not log.flush_due(1e9)
    log.update_config(config_of())
    append(log, batch())
    assert not log.flush_due(1e9)
    log.roll()
    assert log.flush_due(0)


def test_files_are_not_closed_under_an_fsync(tmp_path: Path) -> None:
    """Goal: a file that goes while a round runs on another thread stays open until it ends."""
    log = open_log(tmp_path)
    for _ in range(40):
        append(log, batch(b"x" * 90))
    files = log.flush_files()
    log.truncate_fully_and_start_at(0)
    for file in files:
        file.fsync()
    log.mark_flushed(40)
    assert log.recovery_point == 0
    log.close()


@pytest.fixture
def full_device() -> Iterator[str]:
    """A file that has no room: writes to it fail with ENOSPC."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    yield "/dev/full"


def test_real_full_device(full_device: str) -> None:
    """Goal: the kernel's own ENOSPC comes out of an append as it is."""
    import os

    file = RealFile(full_device, os.open(full_device, os.O_RDWR))
    with pytest.raises(OSError) as raised:
        file.append([b"abc"])
    assert raised.value.errno == errno.ENOSPC
    file.close()
