"""Opening, filling and reading logs in tests."""

from __future__ import annotations

import dataclasses
import struct
from pathlib import Path
from random import Random

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.core.log import open_log as opening
from barnabas.broker.core.log.append_result import AppendResult
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.record_times import TimestampOffset
from barnabas.broker.core.log.segment import Segment
from barnabas.broker.core.log.time_search import NewestSearch, TimeSearch
from barnabas.broker.core.ports import Disk, Env
from barnabas.broker.core.reads import finish
from barnabas.broker.storage.files import RealDisk

from .log_batches import BASE_TIME


class ManualClock:
    """A clock that only moves when told."""

    def __init__(self, wall_ms: int = BASE_TIME) -> None:
        self.now_ms = 0.0
        self.start_wall_ms = wall_ms

    def monotonic_ms(self) -> float:
        return self.now_ms

    def wall_ms(self) -> int:
        return self.start_wall_ms + int(self.now_ms)


def env_of(disk: Disk | None = None, clock: ManualClock | None = None) -> Env:
    """An environment with a manual clock, on the real disk if none is given."""
    return Env(clock=clock or ManualClock(), disk=disk or RealDisk(), random=Random(7))


def config_of(**settings: object) -> TopicConfig:
    """A topic's settings; `internal_segment_bytes` allows segments of a few hundred bytes."""
    return dataclasses.replace(TopicConfig(), **settings)  # type: ignore[arg-type]


SMALL = config_of(internal_segment_bytes=2000, index_interval_bytes=200)
"""Rolls every few batches, indexes every second or third."""


def open_log(
    directory: Path | str,
    config: TopicConfig = SMALL,
    env: Env | None = None,
    *,
    clean: bool = False,
    recovery_point: int = 0,
    log_start_offset: int = 0,
) -> PartitionLog:
    """Open topic `t`, partition 0."""
    log = opening.open_log(
        str(directory),
        env or env_of(),
        config,
        topic="t",
        partition=0,
        clean=clean,
        recovery_point=recovery_point,
        log_start_offset=log_start_offset,
    )
    log.high_watermark = log.log_end_offset
    return log


def append(
    log: PartitionLog,
    data: bytearray,
    *,
    leader_epoch: int = 0,
    now_ms: int = BASE_TIME,
    origin: Origin = Origin.CLIENT,
) -> AppendResult:
    """Append one batch as a leader; the high watermark follows at once."""
    view = memoryview(data)
    result = log.append_batch(view, 0, len(view), leader_epoch, now_ms, origin)
    log.high_watermark = log.log_end_offset
    return result


def apply_retention(log: PartitionLog, now_ms: int) -> list[Segment]:
    """Retire segments and rename their files, as a broker does in two steps."""
    retired = log.retire_segments(now_ms)
    renaming = log.retirement.begin()
    renaming.run()
    log.retirement_ended(renaming, None)
    return retired


def offset_for_timestamp(log: PartitionLog, timestamp: int) -> TimestampOffset | None:
    """The first record of `timestamp` (ms) or later; None if all records are earlier."""
    return finish(TimeSearch(log, timestamp).searching())


def max_timestamp(log: PartitionLog) -> TimestampOffset | None:
    """The record with the largest timestamp, the first of them; None if there is none."""
    return finish(NewestSearch(log).searching())


def split(data: bytes | bytearray | memoryview) -> list[bytes]:
    """The batches in `data`; fails if the last one is not whole."""
    raw = bytes(data)
    batches = []
    at = 0
    while at < len(raw):
        size = struct.unpack_from(">i", raw, at + 8)[0] + 12
        assert at + size <= len(raw), "a batch is cut short"
        batches.append(raw[at : at + size])
        at += size
    return batches


def offsets_of(raw: bytes) -> tuple[int, int]:
    """First and last offset of a batch of magic 2."""
    base = struct.unpack_from(">q", raw)[0]
    return base, base + struct.unpack_from(">i", raw, 23)[0]


def read_all(log: PartitionLog, *, max_bytes: int = 700, upper: int | None = None) -> list[bytes]:
    """All batches of the log, read as a consumer does."""
    batches: list[bytes] = []
    offset = log.log_start_offset
    end = log.log_end_offset if upper is None else upper
    while offset < end:
        data = log.read(offset, max_bytes, end)
        if not data:
            break
        batches += split(data)
        offset = offsets_of(batches[-1])[1] + 1
    return batches


def files_in(directory: Path, suffix: str) -> list[Path]:
    """Files with a suffix, in order."""
    return sorted(path for path in directory.iterdir() if path.name.endswith(suffix))
