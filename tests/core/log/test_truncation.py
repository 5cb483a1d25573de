"""Truncation and a log's start: what followers, snapshots and DeleteRecords do to a log."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import (
    append,
    apply_retention,
    files_in,
    max_timestamp,
    offset_for_timestamp,
    offsets_of,
    open_log,
    read_all,
)

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.errors import ErrorCode, KafkaError


def filled(directory: Path) -> PartitionLog:
    log = open_log(directory)
    for number in range(60):
        values = [b"x" * 50] * (number % 3 + 1)
        append(log, batch(*values, timestamp=BASE_TIME + number), leader_epoch=number // 10)
    return log


def test_truncate_to_any_offset(tmp_path: Path) -> None:
    """Goal: whole batches below stay, epochs and watermark follow, appends go on there."""
    for offset in range(0, 121, 7):
        log = filled(tmp_path / str(offset))
        whole = read_all(log)
        kept = [raw for raw in whole if offsets_of(raw)[1] < offset]
        end = offsets_of(kept[-1])[1] + 1 if kept else 0
        assert log.truncate_to(offset) == end
        assert read_all(log) == kept
        assert log.high_watermark == log.log_end_offset == end
        assert all(start < offset for _, start in log.leader_epochs.entries())
        append(log, batch(b"new"), leader_epoch=99)
        assert offsets_of(read_all(log)[-1]) == (end, end)
        assert log.end_offset_for_epoch(99) == (99, end + 1)
        stored = read_all(log)
        log.close()
        assert read_all(open_log(tmp_path / str(offset), clean=True)) == stored


def test_truncate_beyond_the_end_does_nothing(tmp_path: Path) -> None:
    """Goal: a follower that is behind keeps what it has."""
    log = filled(tmp_path)
    end = log.log_end_offset
    assert log.truncate_to(end + 5) == end
    assert log.log_end_offset == end


def test_timestamps_after_truncation(tmp_path: Path) -> None:
    """Goal: the largest timestamp is that of what is left."""
    log = filled(tmp_path)
    log.truncate_to(30)
    last = read_all(log)[-1]
    found = max_timestamp(log)
    assert found is not None
    assert found[1] == offsets_of(last)[1]
    assert offset_for_timestamp(log, found[0] + 1) is None


def test_start_anew(tmp_path: Path) -> None:
    """Goal: 630-14; nothing stays but the offset at which the log begins."""
    log = filled(tmp_path)
    log.truncate_fully_and_start_at(500)
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (500, 500, 500)
    assert [path.name for path in files_in(tmp_path, ".log")] == [f"{500:020d}.log"]
    assert log.leader_epochs.entries() == []
    append(log, batch())
    log.close()
    assert open_log(tmp_path, clean=True).log_end_offset == 501


def test_advance_log_start(tmp_path: Path) -> None:
    """Goal: DeleteRecords: readers begin there, epochs move, whole segments go with retention."""
    log = filled(tmp_path)
    start = log.segments[2].base_offset + 1
    assert log.advance_log_start(start)
    assert not log.advance_log_start(start - 1)
    with pytest.raises(KafkaError) as raised:
        log.read(start - 1, 100, log.log_end_offset)
    assert raised.value.code == ErrorCode.OFFSET_OUT_OF_RANGE
    assert log.leader_epochs.entries()[0][1] == start
    with pytest.raises(KafkaError) as raised:
        log.advance_log_start(log.log_end_offset + 1)
    assert raised.value.code == ErrorCode.OFFSET_OUT_OF_RANGE
    gone = apply_retention(log, BASE_TIME)
    assert len(gone) == 2
    assert log.log_start_offset == start
    found = offset_for_timestamp(log, 0)
    assert found is not None
    assert found[1] == start
    log.close()
    again = open_log(tmp_path, clean=True, log_start_offset=start)
    assert again.log_start_offset == start


def test_advance_stays_below_the_high_watermark(tmp_path: Path) -> None:
    """Goal: nothing that is not replicated is deleted."""
    log = filled(tmp_path)
    log.high_watermark = 20
    with pytest.raises(KafkaError):
        log.advance_log_start(21)
    assert log.advance_log_start(20)
