"""Threads that come late to give files other names, when another log has the folder's name."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from kit.compacting import COMPACTED, keyed, steps
from kit.log_batches import BASE_TIME
from kit.logs import SMALL, append, config_of, env_of, offsets_of, read_all

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.core.log.compaction.log_compaction import CompactionAbandonedError
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.disk import SimulatedDisk

FORMER_ID, TOPIC_ID = b"\x01" * 16, b"\x02" * 16
RETAINED = config_of(internal_segment_bytes=2000, retention_bytes=0, retention_ms=-1)
COUNT = 30

refused_or_not = pytest.mark.parametrize(
    "is_refused", [False, True], ids=["renamed", "rename refused"]
)
"""Whether the former log's folder keeps its name until the new log needs that."""


class Disk(SimulatedDisk):
    """Refuses new names for deleted folders, if it is told to."""

    def __init__(self, *, is_refusing: bool) -> None:
        super().__init__(Random(1))
        self._is_refusing = is_refusing

    def rename(self, source: str, target: str) -> None:
        if self._is_refusing and target.endswith("-delete"):
            raise OSError(errno.ENOSPC, "No space left on device", target)
        super().rename(source, target)


def opened(disk: SimulatedDisk) -> LogDirectory:
    directory = LogDirectory("/d", env_of(disk))
    directory.open()
    return directory


def made(directory: LogDirectory, topic_id: bytes, config: TopicConfig) -> PartitionLog:
    """A log of thirty batches with keys, all of them durable."""
    log = directory.create("t", 0, topic_id, config)
    for number in range(COUNT):
        append(log, keyed((b"k%d" % (number % 3), b"%d" % number * 40), time=BASE_TIME + number))
    log.flush()
    return log


def made_again(directory: LogDirectory, config: TopicConfig) -> PartitionLog:
    """A new log of the name, the former one deleted."""
    with suppress(OSError):
        directory.delete("t", 0)
    return made(directory, TOPIC_ID, config)


def check_whole(disk: SimulatedDisk, directory: LogDirectory) -> None:
    """After a stop and a start, the new log has all that was appended to it."""
    directory.close()
    again = opened(disk)
    (found,) = (one for one in again.partitions() if one.topic_id == TOPIC_ID)
    log = again.load(found, SMALL)
    assert [offsets_of(raw)[0] for raw in read_all(log)] == list(range(COUNT))


@refused_or_not
def test_retired_segments_of_a_deleted_log(*, is_refused: bool) -> None:
    """516-01, I-5: the files of a log that was made by its name keep theirs."""
    disk = Disk(is_refusing=is_refused)
    directory = opened(disk)
    former = made(directory, FORMER_ID, RETAINED)
    assert former.retire_segments(BASE_TIME)
    renaming = former.retirement.begin()
    made_again(directory, RETAINED)
    before = disk.list_directory("/d/t-0")
    renaming.run()
    assert disk.list_directory("/d/t-0") == before
    assert not renaming.renamed
    former.retirement_ended(renaming, None)
    assert not former.retirement.is_running
    check_whole(disk, directory)


@refused_or_not
def test_an_exchange_of_a_deleted_log(*, is_refused: bool) -> None:
    """516-01, CMP-13: whichever step of a round is late, the new log's files keep their names."""
    total = sum(1 for _ in steps(made(opened(Disk(is_refusing=False)), FORMER_ID, COMPACTED)))
    assert total > 10
    for turns in range(1, total):
        disk = Disk(is_refusing=is_refused)
        directory = opened(disk)
        going_on = steps(made(directory, FORMER_ID, COMPACTED))
        for _ in range(turns):
            next(going_on)
        made_again(directory, COMPACTED)
        before = disk.list_directory("/d/t-0")
        finish(going_on)
        assert disk.list_directory("/d/t-0") == before, f"after {turns} steps"
        check_whole(disk, directory)


def finish(going_on: Iterator[str]) -> None:
    """To its end, or until the round is given up: its log is deleted."""
    with suppress(CompactionAbandonedError, LogDirectoryFailure):
        list(going_on)
