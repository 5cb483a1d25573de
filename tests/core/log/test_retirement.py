"""Files of retired segments leave the folder oldest first, whatever the power does meanwhile."""

from __future__ import annotations

import errno
from collections.abc import Callable
from random import Random

import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import append, apply_retention, config_of, env_of, offsets_of, open_log, read_all

from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.testing.simulation.disk import SimulatedDisk

FOLDER = "/d/t-0"
SEED = range(25)
CONFIG = config_of(internal_segment_bytes=250, retention_bytes=300, retention_ms=-1)


def filled(disk: SimulatedDisk, count: int = 24) -> PartitionLog:
    """A log of two batches a segment, all of it durable."""
    disk.make_directory("/d")
    log = open_log(FOLDER, CONFIG, env_of(disk), recovery_point=0)
    for _ in range(count):
        append(log, batch(b"x" * 40))
    log.flush()
    assert len(log.segments) > 6
    return log


def check_whole(log: PartitionLog, end: int) -> None:
    """No offset is missing between the log's first segment and its end."""
    offsets = [offsets_of(raw) for raw in read_all(log)]
    assert [first for first, _ in offsets] == list(range(offsets[0][0], end))
    assert offsets[0][0] == log.log_start_offset == log.first_segment_offset
    assert not log.report.cuts


@pytest.mark.parametrize("recovery_point", [0, 24])
@pytest.mark.parametrize("seed", SEED)
def test_a_power_failure_leaves_no_hole(seed: int, recovery_point: int) -> None:
    """I-2: retirement stops anywhere and the power fails: what is left is one piece."""
    disk = SimulatedDisk(Random(seed))
    log = filled(disk)
    assert len(log.retire_segments(BASE_TIME)) > 4
    fail_after(disk, Random(seed).randrange(20))
    with pytest.raises(OSError):
        log.retirement.begin().run()
    disk.lose_power()
    again = open_log(FOLDER, CONFIG, env_of(disk), recovery_point=recovery_point)
    check_whole(again, 24)


def fail_after(disk: SimulatedDisk, renames: int) -> None:
    """The disk refuses after so many renames."""
    rename = disk.rename
    left = renames

    def failing(source: str, target: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.EIO, "refused", source)
        rename(source, target)

    disk.rename = failing  # type: ignore[method-assign]


def test_two_retirements() -> None:
    """Goal: what waits is kept in order, and told once when it has its last name."""
    disk = SimulatedDisk(Random(1))
    log = filled(disk)
    first = log.retire_segments(BASE_TIME)
    for _ in range(8):
        append(log, batch(b"x" * 40))
    log.high_watermark = log.log_end_offset
    second = log.retire_segments(BASE_TIME)
    assert len(log.retirement) == len(first) + len(second)
    assert not len(log.deletions)
    renaming, late = log.retirement.begin(), log.retirement.begin()
    renaming.run()
    late.run()
    log.retirement_ended(renaming, None)
    log.retirement_ended(late, None)
    assert not len(log.retirement)
    assert len(log.deletions) == len([n for n in disk.list_directory(FOLDER) if "deleted" in n])
    assert min(segment.base_offset for segment in log.segments) == log.log_start_offset


@pytest.mark.parametrize("end", [PartitionLog.close, lambda log: log.flush()])
def test_what_was_not_renamed_goes_later(end: Callable[[PartitionLog], None]) -> None:
    """Goal: a stop renames what waits; after a crash the next retention finds it again."""
    disk = SimulatedDisk(Random(1))
    log = filled(disk)
    count = len(log.retire_segments(BASE_TIME))
    end(log)
    again = open_log(FOLDER, CONFIG, env_of(disk), recovery_point=24)
    again.high_watermark = 24
    left = 0 if end is PartitionLog.close else count
    assert len(again.retire_segments(BASE_TIME)) == left


def test_a_segment_of_the_same_name() -> None:
    """279-04: a log begins anew where a segment begins that is still to be renamed."""
    disk = SimulatedDisk(Random(1))
    log = filled(disk)
    base = log.retire_segments(BASE_TIME)[2].base_offset
    renaming = log.retirement.begin()
    with pytest.raises(KafkaError, match="try again") as refused:
        log.truncate_fully_and_start_at(base)
    assert refused.value.code == ErrorCode.REQUEST_TIMED_OUT
    renaming.run()
    log.retirement_ended(renaming, None)
    log.truncate_fully_and_start_at(base)
    append(log, batch(b"new"))
    apply_retention(log, BASE_TIME)
    assert [offsets_of(raw) for raw in read_all(log)] == [(base, base)]
    log.flush()
    disk.lose_power()
    again = open_log(FOLDER, CONFIG, env_of(disk), recovery_point=log.recovery_point)
    assert [offsets_of(raw) for raw in read_all(again)] == [(base, base)]


def test_a_deleted_partition() -> None:
    """Goal: the files of a folder that goes as a whole are left alone, also half-way."""
    disk = SimulatedDisk(Random(1))
    directory = LogDirectory("/d", env_of(disk))
    directory.open()
    log = directory.create("t", 0, bytes(16), CONFIG)
    for _ in range(24):
        append(log, batch(b"x" * 40))
    log.high_watermark = 24
    assert log.retire_segments(BASE_TIME)
    renaming = log.retirement.begin()
    directory.delete("t", 0)
    renaming.run()
    log.retirement_ended(renaming, None)
    assert not len(log.retirement)
    assert not [name for name in disk.list_directory(log.directory) if name.endswith(".deleted")]


@pytest.mark.parametrize("seed", SEED)
def test_a_log_that_began_anew(seed: int) -> None:
    """I-2: a power failure brings back segments from before a restart at a higher offset: they
    and the new one are not taken for one log, whatever the checkpoint had been."""
    disk = SimulatedDisk(Random(seed))
    directory = LogDirectory("/d", env_of(disk))
    directory.open()
    log = directory.create("t", 0, bytes(range(16)), CONFIG)
    for _ in range(24):
        append(log, batch(b"x" * 40))
    log.flush()
    log.truncate_fully_and_start_at(100)
    directory.write_checkpoints()
    if flushed := seed % 2:
        append(log, batch(b"new"))
        log.flush()
        directory.write_checkpoints()
    disk.lose_power()
    again = LogDirectory("/d", env_of(disk))
    again.open()
    offsets = [
        offsets_of(raw)[0]
        for found in again.partitions()
        for raw in read_all(again.load(found, CONFIG))
    ]
    assert offsets == list(range(offsets[0], offsets[-1] + 1)) if offsets else not flushed
    if flushed:
        assert offsets == [100]
