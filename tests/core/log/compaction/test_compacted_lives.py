"""Power failures at any step of a round, and a round that is stopped at each of them in turn."""

from __future__ import annotations

from random import Random

import pytest
from kit.compacting import COMPACTED, keyed, steps, table_of
from kit.logs import ManualClock, append, env_of, open_log

from barnabas.broker.core.log.compaction.cleaner_offsets import vouched_end
from barnabas.broker.core.log.compaction.log_compaction import CHECKPOINT
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.errors import KafkaError
from barnabas.testing.simulation.disk import SimulatedDisk

from .compacted_lives import CompactedLife


@pytest.mark.parametrize("seed", range(24))
def test_a_power_failure_leaves_the_last_values(seed: int) -> None:
    """CMP-13, CMP-14, CMP-15: whatever was done before, and in the middle of an exchange."""
    CompactedLife(seed).live(300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("forgets", [False, True], ids=["names kept", "names lost"])
def test_power_fails_after_each_step(seed: int, forgets: bool) -> None:
    """CMP-14: after step 1, 2, 3, ... of a round over several groups the table is the same."""
    step = 0
    while fails_after(step, seed, names_are_durable=not forgets):
        step += 1
    assert step > 10, "several groups, each with its exchange"


def fails_after(step: int, seed: int, *, names_are_durable: bool) -> bool:
    """False when the round has no such step."""
    random = Random(seed)
    disk = SimulatedDisk(Random(seed), names_are_durable=names_are_durable)
    env = env_of(disk, ManualClock())
    log = open_log("/d/t-0", COMPACTED, env)
    for number in range(60):
        key = b"k%d" % random.randrange(9)
        append(log, keyed((key, b"%d" % number * 9), (b"x", None if number % 3 else b"x")))
    log.roll()
    log.flush()
    table = table_of(log)
    left = step
    for _ in steps(log):
        left -= 1
        if left < 0:
            break
    disk.lose_power()
    opened = open_log("/d/t-0", COMPACTED, env, recovery_point=log.recovery_point)
    assert table_of(opened) == table
    assert opened.log_end_offset == log.log_end_offset
    assert not opened.report.cuts
    return left < 0


def restarted(disk: SimulatedDisk) -> tuple[LogDirectory, PartitionLog]:
    """The log as it is after the power failed."""
    disk.lose_power()
    directory = LogDirectory("/d", env_of(disk, ManualClock()))
    directory.open()
    (found,) = directory.partitions()
    log = directory.load(found, COMPACTED)
    log.high_watermark = log.log_end_offset
    return directory, log


def cleaned_beyond_its_recovery_point() -> tuple[SimulatedDisk, LogDirectory, PartitionLog]:
    """A log after a crash: the cleaner's checkpoint is durable, the recovery point was not."""
    disk = SimulatedDisk(Random(1))
    directory = LogDirectory("/d", env_of(disk, ManualClock()))
    directory.open()
    log = directory.create("t", 0, bytes(range(16)), COMPACTED)
    log.flush()
    directory.write_checkpoints()
    for number in range(20):
        append(log, keyed((b"k%d" % (number % 3), b"1"), (b"x%d" % number, b"2")))
    log.roll()
    log.flush()
    for step in steps(log):
        if step == CHECKPOINT:
            directory.cleaner_write().run()
    assert log.compaction.clean_end == 40
    directory, log = restarted(disk)
    assert (log.sure_recovery_point, log.compaction.clean_end) == (0, 40)
    return disk, directory, log


def test_a_cut_below_the_clean_part_is_told_first() -> None:
    """CMP-15: also where the recovery point says nothing of it; what comes instead is dirty."""
    disk, directory, log = cleaned_beyond_its_recovery_point()
    assert vouched_end(log) == 40
    directory.lower(("t", 0), 30, "a cut")
    directory.recovery_point_write().run()
    end = log.truncate_to(30)
    directory.release(("t", 0), "a cut")
    for _ in range(10):
        append(log, keyed((b"new", None), (b"new", b"2")), leader_epoch=1)
    log.flush()
    _, log = restarted(disk)
    assert log.log_end_offset == end + 20
    assert log.compaction.clean_end == end == 30


def test_what_recovery_cut_off_is_not_clean() -> None:
    """CMP-01, CMP-15: a log that is shorter than the checkpoint says is dirty from its start, and
    so it is after the next crash, when it is longer again."""
    disk, _, log = cleaned_beyond_its_recovery_point()
    disk.flip_bit(log.segments[-2].path(), 8 * (log.segments[-2].size - 1))
    _, log = restarted(disk)
    assert log.report.cuts
    assert log.log_end_offset < 40
    assert log.compaction.clean_end == 0
    for number in range(30):
        append(log, keyed((b"new", b"%d" % number)), leader_epoch=1)
    log.flush()
    _, log = restarted(disk)
    assert log.log_end_offset > 40
    assert log.compaction.clean_end == 0


def test_a_cut_right_behind_an_exchange_waits() -> None:
    """CMP-16: else the last segment of the exchange would become the one that is written to."""
    log = open_log("/d/t-0", COMPACTED, env_of(SimulatedDisk(Random(1)), ManualClock()))
    for number in range(20):
        append(log, keyed((b"k", b"%d" % number), (b"k", b"x" * 40)))
    log.flush()
    going_on = steps(log)
    while not log.compaction.is_exchanging:
        next(going_on)
    end = log.compaction.exchanged_upto
    for offset in (end - 1, end):
        with pytest.raises(KafkaError, match="are exchanged now"):
            log.truncate_to(offset)
    assert log.truncate_to(end + 1) == end
