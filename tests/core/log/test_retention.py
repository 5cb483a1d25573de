"""Retention: which segments go, how, and when their files do."""

from __future__ import annotations

from pathlib import Path

from kit.log_batches import BASE_TIME, batch
from kit.logs import (
    ManualClock,
    append,
    apply_retention,
    config_of,
    env_of,
    files_in,
    open_log,
    read_all,
)

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.ports import Env

HOUR = 3_600_000


def settings(**more: object) -> TopicConfig:
    base: dict[str, object] = {"internal_segment_bytes": 500, "segment_ms": 1 << 60}
    return config_of(**(base | more))


def filled(directory: Path, config: TopicConfig, env: Env | None = None) -> PartitionLog:
    log = open_log(directory, config, env)
    for number in range(30):
        append(log, batch(b"x" * 60, timestamp=BASE_TIME + number * 1000))
    return log


def test_by_time(tmp_path: Path) -> None:
    """Goal: a segment goes once its largest timestamp is older than retention.ms."""
    log = filled(tmp_path, settings(retention_ms=HOUR))
    last = log.segments[1].max_timestamp
    assert not apply_retention(log, log.segments[0].max_timestamp + HOUR)
    gone = apply_retention(log, last + HOUR + 1)
    assert len(gone) == 2
    assert log.log_start_offset == log.segments[0].base_offset
    assert read_all(log)


def test_everything_may_go(tmp_path: Path) -> None:
    """Goal: the active segment too: a new, empty one takes its place and is never deleted."""
    log = filled(tmp_path, settings(retention_ms=HOUR))
    end = log.log_end_offset
    assert apply_retention(log, BASE_TIME + 10 * HOUR)
    assert (log.log_start_offset, log.log_end_offset, log.size_bytes) == (end, end, 0)
    assert not apply_retention(log, BASE_TIME + 99 * HOUR)
    assert append(log, batch()).base_offset == end
    log.close()
    again = open_log(tmp_path, clean=True)
    assert (again.log_start_offset, again.log_end_offset) == (end, end + 1)


def test_by_size(tmp_path: Path) -> None:
    """Goal: segments go as long as what is left is still at least retention.bytes."""
    log = filled(tmp_path, settings(retention_bytes=1200, retention_ms=-1))
    size = log.size_bytes
    gone = apply_retention(log, BASE_TIME)
    assert gone
    assert log.size_bytes == size - sum(segment.size for segment in gone) >= 1200
    assert log.size_bytes - log.segments[0].size < 1200


def test_nothing_above_the_high_watermark_goes(tmp_path: Path) -> None:
    """Goal: unreplicated records stay whatever their age."""
    log = filled(tmp_path, settings(retention_ms=HOUR))
    log.high_watermark = log.segments[1].base_offset - 1
    # The setter goes where it is told; retention must look at it.
    assert not apply_retention(log, BASE_TIME + 10 * HOUR)


def test_compacted_topics_keep_everything(tmp_path: Path) -> None:
    """Goal: with cleanup.policy=compact neither time nor size deletes."""
    config = settings(cleanup_policy=("compact",), retention_ms=1, retention_bytes=1)
    log = filled(tmp_path, config)
    assert not apply_retention(log, BASE_TIME + 10 * HOUR)
    both = settings(cleanup_policy=("compact", "delete"), retention_ms=1)
    log.update_config(both)
    assert apply_retention(log, BASE_TIME + 10 * HOUR)


def test_forever(tmp_path: Path) -> None:
    """Goal: -1 keeps everything."""
    log = filled(tmp_path, settings(retention_ms=-1, retention_bytes=-1))
    assert not apply_retention(log, BASE_TIME + 1000 * HOUR)


def test_files_are_renamed_first_and_removed_later(tmp_path: Path) -> None:
    """Goal: file.delete.delay.ms on the monotonic clock; a restart removes what was renamed."""
    clock = ManualClock()
    log = filled(tmp_path, settings(retention_ms=HOUR), env_of(clock=clock))
    gone = apply_retention(log, BASE_TIME + 3 * HOUR)
    deleted = files_in(tmp_path, ".deleted")
    assert len(deleted) >= 3 * len(gone)
    assert log.deletions.run_due(clock.monotonic_ms() + 59_999) == []
    assert len(log.deletions.run_due(clock.monotonic_ms() + 60_000)) == len(deleted)
    assert not files_in(tmp_path, ".deleted")
    assert log.deletions.next_due_ms() is None


def test_a_reader_of_a_retired_segment(tmp_path: Path) -> None:
    """Goal: reading goes on at the new start; hints to the old segment are dropped."""
    log = filled(tmp_path, settings(retention_bytes=600, retention_ms=-1))
    for offset in range(log.log_end_offset):
        log.read(offset, 1, log.log_end_offset)
    apply_retention(log, BASE_TIME)
    assert read_all(log)
    log.truncate_to(log.log_start_offset + 1)
    assert len(read_all(log)) == 1
