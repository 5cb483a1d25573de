"""Cutting a log while its disk stands still: what is in memory is enough, or nothing changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.log_batches import BASE_TIME, batch, marker
from kit.logs import append, config_of, max_timestamp, open_log, read_all

from barnabas.broker.core.log.cutting import Cut, Cutting
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.storage.files import RealDisk, RealFile

PID = 7


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is in memory of what was written."""
    monkeypatch.setattr(RealFile, "try_pread", lambda *_: None)


def written(directory: Path, ends: tuple[int, ...], count: int = 40) -> PartitionLog:
    """A log that was read to its end when it had so many batches; times go up and down."""
    log = open_log(directory, config_of(index_interval_bytes=100))
    for number in range(count):
        raw = batch(
            b"x" * 40,
            timestamp=BASE_TIME + number * 7 % 30,
            producer_id=PID + number % 2,
            epoch=0,
            sequence=number // 2,
        )
        append(log, raw, leader_epoch=number // 15)
        if number + 1 in ends:
            log.read(number, 1 << 20, 1 << 62)
    log.high_watermark = 10
    return log


def state_of(log: PartitionLog) -> dict[str, Any]:
    segment = log.segments[-1]
    return {
        "batches": read_all(log),
        "end": log.log_end_offset,
        "epochs": log.leader_epochs.entries(),
        "largest": max_timestamp(log),
        "index": (list(segment.index.offsets), list(segment.index.positions)),
        "times": (list(segment.times.timestamps), list(segment.times.offsets)),
        "unindexed": segment.unindexed_bytes,
        "producers": [
            (one.producer_id, one.epoch, one.next_sequence, one.last_offset, one.timestamp)
            for one in log.producers.in_order()
        ],
    }


@pytest.mark.parametrize("offset", [33, 34, 36, 38, 39])
def test_a_cut_from_memory_is_the_cut_that_reads(tmp_path: Path, offset: int) -> None:
    """279-01, 501-15: where the log ended at a read a moment ago, both roads lead to the same."""
    known = written(tmp_path / "known", (offset,))
    unknown = written(tmp_path / "unknown", ())
    assert known.try_truncate(offset) is None, "nothing has to be read"
    assert known.log_end_offset == offset
    assert unknown.truncate_to(offset) == offset
    assert state_of(known) == state_of(unknown)
    for log in (known, unknown):
        append(log, batch(b"more", timestamp=BASE_TIME), leader_epoch=9)
    assert state_of(known) == state_of(unknown)


def test_what_is_not_remembered_of_a_producer_is_read(tmp_path: Path, cold: None) -> None:
    """98-02, 279-01: more than its last five batches go: what was before them is on the disk."""
    del cold
    log = written(tmp_path, (20,))
    before = state_in_memory(log)
    cut = foreseen(log, 20)
    assert state_in_memory(log) == before, "nothing has changed"
    assert log.try_truncate(20, cut) is None
    assert log.log_end_offset == 20
    assert [one.next_sequence for one in log.producers.in_order()] == [10, 10]


def test_a_cut_waits_for_the_disk_and_changes_nothing_before(tmp_path: Path, cold: None) -> None:
    """501-10, 279-01: the log is whole until all is known, then it is cut without reading."""
    del cold
    log = written(tmp_path, ())
    other = written(tmp_path / "other", ())
    before = state_in_memory(log)
    cut = foreseen(log, 12)
    assert state_in_memory(log) == before
    assert log.try_truncate(12, cut) is None
    assert log.log_end_offset == 12
    other.truncate_to(12)
    assert state_of(log) == state_of(other)


def test_what_was_foreseen_of_another_log_is_not_done(tmp_path: Path) -> None:
    """279-01: the log was cut and written anew meanwhile: all is found out again."""
    log = written(tmp_path, ())
    cut = foreseen(log, 12)
    log.truncate_to(30)
    before = state_in_memory(log)
    assert isinstance(log.try_truncate(12, cut), Cutting)
    assert state_in_memory(log) == before
    assert log.truncate_to(12) == 12


def test_a_disk_that_fails_takes_the_log_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """279-01: nothing is cut whose end could not be read; from then on the log takes nothing."""
    log = written(tmp_path, ())

    def refuse(*_: object) -> bytes:
        raise OSError(5, "planted")

    monkeypatch.setattr(RealFile, "pread", refuse)
    with pytest.raises(LogDirectoryFailure):
        log.truncate_to(12)
    assert log.failure is not None
    assert log.log_end_offset == 40


def foreseen(log: PartitionLog, offset: int) -> Cut:
    """What a cut leaves, as a thread finds out."""
    cutting = log.try_truncate(offset)
    assert cutting is not None
    return cutting()


def state_in_memory(log: PartitionLog) -> tuple[Any, ...]:
    return (
        log.log_end_offset,
        log.leader_epochs.entries(),
        log.segments[-1].size,
        len(log.segments[-1].index),
        [(one.next_sequence, list(one.batches)) for one in log.producers.in_order()],
    )


def test_the_cut_itself_reads_no_transaction_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """501-10: what a cut leaves was found out on a thread; the loop then only writes it."""
    log = open_log(tmp_path)
    for number in range(2):
        append(log, batch(producer_id=PID, epoch=0, sequence=number, attributes=0x10))
        append(log, marker(PID, 0, commit=False), origin=Origin.COORDINATOR)
    assert len(log.aborted_transactions(0, 4)) == 2

    def refuse(_: RealDisk, path: str) -> bytes:
        raise AssertionError(f"{path} is read")

    monkeypatch.setattr(RealDisk, "read_file", refuse)
    assert log.truncate_to(3) == 3
    assert log.aborted_transactions(0, 3) == [(PID, 0)]
