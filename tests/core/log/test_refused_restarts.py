"""A log that was to begin anew and could not, as the disk was full: flushes of others go on."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from kit.logs import SMALL, env_of, open_log
from kit.replicas import from_leader

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.flushing import GroupCommit
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.storage.files import RealDisk, RealFile

COUNT = 5


class Full(RealDisk):
    """Has no room for new files of records, if it is told so."""

    is_full = False

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
        if self.is_full and create and path.endswith(".log"):
            raise OSError(errno.ENOSPC, "No space left on device", path)
        return super().open(path, create=create, truncate=truncate)


def opened(directory: Path, disk: Full) -> PartitionLog:
    """A log of five batches, not stopped in good order."""
    before = open_log(directory, SMALL, env_of(disk))
    for offset in range(COUNT):
        before.append_as_follower(from_leader(offset))
    before.close(clean=False)
    return open_log(directory, SMALL, env_of(disk))


def flush(commit: GroupCommit) -> None:
    """One round."""
    flush_round = commit.take()
    assert flush_round is not None
    flush_round.run()
    flush_round.finish()


@pytest.mark.parametrize("when", ["before", "after"])
def test_others_are_flushed(tmp_path: Path, when: str) -> None:
    """I-2, 392-02: whether its flush was asked for before the disk refused, or is asked again."""
    disk, commit = Full(), GroupCommit()
    bad, good = opened(tmp_path / "bad", disk), opened(tmp_path / "good", disk)
    if when == "before":
        commit.want(bad)
    disk.is_full = True
    with pytest.raises(LogDirectoryFailure):
        bad.truncate_fully_and_start_at(100)  # its leader begins later
    disk.is_full = False
    if when == "after":
        commit.want(bad)
    commit.want(good)
    flush(commit)
    assert good.recovery_point == COUNT
    good.append_as_follower(from_leader(COUNT))
    commit.want(good)
    flush(commit)
    assert good.recovery_point == COUNT + 1
    assert bad.failure is not None
    for log in (bad, good):
        log.close(clean=False)
