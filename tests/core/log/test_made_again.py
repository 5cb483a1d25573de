"""A log that takes the place of a deleted one: what checkpoints said of that one is not believed.

A topic that is deleted and made again, or a replica that leaves a broker and comes back.
"""

from __future__ import annotations

from random import Random

import pytest
from kit.log_batches import batch
from kit.logs import SMALL, ManualClock, append, env_of, read_all

from barnabas.broker.core.log.checkpoints import CheckpointFile, CheckpointWrite
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.disk import SimulatedDisk

FORMER_ID, TOPIC_ID = bytes(range(16)), bytes(range(1, 17))


def opened(disk: SimulatedDisk) -> LogDirectory:
    directory = LogDirectory("/d", env_of(disk, ManualClock()))
    directory.open()
    for found in directory.partitions():
        directory.load(found, SMALL)
    return directory


def filled(
    directory: LogDirectory, topic_id: bytes, count: int, partition: int = 0
) -> PartitionLog:
    """A log of so many records, flushed and committed."""
    log = directory.create("t", partition, topic_id, SMALL)
    for _ in range(count):
        append(log, batch(b"x" * 40))
    log.flush()
    log.high_watermark = log.log_end_offset
    return log


def told_of_a_former_one(disk: SimulatedDisk) -> LogDirectory:
    """A directory whose checkpoints tell of a log that begins at 8, and ends at 40."""
    directory = opened(disk)
    former = filled(directory, FORMER_ID, 40)
    former.advance_log_start(8)
    former.compaction.clean_end = 20
    directory.write_checkpoints()
    directory.cleaner_write().run()
    directory.delete("t", 0)
    return directory


@pytest.mark.parametrize("has_restarted", [False, True])
def test_a_log_start_of_another_log(*, has_restarted: bool) -> None:
    """I-5: what is shorter than a deleted log's start was thrown away after a crash."""
    disk = SimulatedDisk(Random(1))
    directory = told_of_a_former_one(disk)
    if has_restarted:
        directory = opened(disk)
    filled(directory, TOPIC_ID, 3)
    log = opened(disk).logs["t", 0]
    assert (log.log_start_offset, log.log_end_offset, len(read_all(log))) == (0, 3, 3)


def test_a_watermark_of_another_log() -> None:
    """I-3: nothing that was not committed counts as committed after a crash."""
    disk = SimulatedDisk(Random(1))
    filled(told_of_a_former_one(disk), TOPIC_ID, 30)
    assert opened(disk).logs["t", 0].high_watermark == 0


def test_a_recovery_point_of_another_log() -> None:
    """I-5: segments that were never flushed are read through after a crash (seed 486718)."""
    disk = SimulatedDisk(Random(1))
    log = told_of_a_former_one(disk).create("t", 0, TOPIC_ID, SMALL)
    for _ in range(39):
        append(log, batch(b"x" * 40))
    assert len(log.segments) > 2
    log = opened(disk).logs["t", 0]
    assert len(log.report.recovered) == len(log.segments)
    assert log.recovery_point == 0


def test_cleaning_of_another_log() -> None:
    """CMP-15: nothing of the new one was cleaned."""
    disk = SimulatedDisk(Random(1))
    filled(told_of_a_former_one(disk), TOPIC_ID, 30)
    assert opened(disk).logs["t", 0].compaction.clean_end is None


@pytest.mark.parametrize("is_future", [False, True])
def test_a_write_that_was_taken_down_before_ends_later(*, is_future: bool) -> None:
    """I-5: it was on its way on a thread when the log was deleted."""
    disk = SimulatedDisk(Random(1))
    directory = opened(disk)
    former = filled(directory, FORMER_ID, 40)
    former.advance_log_start(8)
    late = directory.checkpoint_write()
    directory.delete("t", 0)
    directory.create("t", 0, TOPIC_ID, SMALL, is_future=is_future)
    late.run()
    assert "t 0" not in disk.read_file("/d/log-start-offset-checkpoint").decode()
    directory.write_checkpoints()
    assert "t 0 0" in disk.read_file("/d/recovery-point-offset-checkpoint").decode()


def test_many_partitions_cost_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a topic that is made again with all its partitions; new ones cost none."""
    disk = SimulatedDisk(Random(1))
    directory = opened(disk)
    for number in range(20):
        filled(directory, FORMER_ID, 1, number)
    directory.write_checkpoints()
    for number in range(20):
        directory.delete("t", number)
    written: list[CheckpointWrite] = []
    run = CheckpointWrite.run

    def run_and_note(write: CheckpointWrite) -> None:
        written.append(write)
        run(write)

    monkeypatch.setattr(CheckpointWrite, "run", run_and_note)
    for number in range(25):
        directory.create("t", number, TOPIC_ID, SMALL)
    assert len(written) == 1


def test_a_file_says_what_was_taken_down_last() -> None:
    """Goal: also when a write fails; then it may name what it had, and what it was to have."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d")
    file = CheckpointFile(disk, "/d/f")
    first, second = file.take_down({("a", 0): 1}), file.take_down({("b", 0): 2})
    CheckpointWrite([second], durable=False).run()
    CheckpointWrite([first], durable=False).run()
    assert file.read() == {("b", 0): 2}
    disk.faults.write_error = 1.0
    for topic in "cd":
        write = CheckpointWrite([file.take_down({(topic, 0): 3})], durable=False)
        with pytest.raises(OSError, match="simulated"):
            write.run()
    assert [file.may_name((topic, 0)) for topic in "abcd"] == [False, True, True, True]
    disk.faults.write_error = 0.0
    CheckpointWrite([file.take_down({})], durable=False).run()
    assert not any(file.may_name((topic, 0)) for topic in "abcd")


def test_what_a_file_is_to_say_is_taken_down_while_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """I-5: the end of a write on a thread forgets none of the logs that the next one names."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d")
    file = CheckpointFile(disk, "/d/f")
    first = CheckpointWrite([file.take_down({("a", 0): 1})], durable=False)
    write = disk.write_file_atomically

    def write_and_take_down(path: str, data: bytes, *, durable: bool = True) -> None:
        write(path, data, durable=durable)
        file.take_down({("b", 0): 2})

    monkeypatch.setattr(disk, "write_file_atomically", write_and_take_down)
    first.run()
    assert [file.may_name((topic, 0)) for topic in "ab"] == [True, True]


def test_a_log_that_could_not_be_made() -> None:
    """I-5: its folder is there, and a clean stop would vouch for what is in it."""
    disk = SimulatedDisk(Random(1))
    directory = opened(disk)
    filled(directory, TOPIC_ID, 3)
    disk.faults.write_error = 1.0
    with pytest.raises(OSError, match="simulated"):
        directory.create("t", 1, TOPIC_ID, SMALL)
    disk.faults.write_error = 0.0
    directory.close()
    assert not disk.exists("/d/.kafka_cleanshutdown")
    assert "making /d/t-1" in str(directory.failures[0])
