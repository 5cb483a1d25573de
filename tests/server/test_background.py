"""What a node does when nobody asks: one partition or directory that fails keeps up no other."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from kit.list_logger import ListLogger
from kit.log_batches import BASE_TIME, batch
from kit.logs import ManualClock, append, config_of, env_of, files_in
from kit.replica_stores import Local, topic
from kit.rotten import LENGTH, turn_bit

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.background import Background
from barnabas.broker.server.checkpoints import Checkpoints
from barnabas.broker.server.group_commit import GroupCommitter
from barnabas.broker.storage.files import RealDisk

PARTITIONS = 3
SHORT = config_of(internal_segment_bytes=2000, index_interval_bytes=200, retention_ms=1000)


def background_of(local: Local) -> tuple[Background, ListLogger]:
    log, metrics, env = ListLogger(), Metrics(), local.directories[0].env
    flushes = GroupCommitter(metrics)
    return (
        Background(BrokerConfig(), env, local.store, flushes, Checkpoints(), metrics, log),
        log,
    )


def with_a_rotten_segment(directory: Path, byte: int, bit: int) -> Local:
    """A store of three led replicas with old segments; a bit of the header of the last batch in the
    first one's first segment has turned over."""
    before = Local(directory)
    assert not before.directories[0].partitions()
    before.apply(*topic(partitions=PARTITIONS))
    for partition in before.store:
        partition.configure(SHORT)
        for number in range(30):
            data = batch(b"x" * 300, timestamp=BASE_TIME + number, leader_epoch=0)
            append(partition.log, data)
    before.directories[0].close()
    turn_bit(files_in(directory / "t-0", ".log")[0], -1, byte, bit)
    after = Local(directory, env=env_of(clock=ManualClock(BASE_TIME + 10_000_000)))
    for record in topic(partitions=PARTITIONS):
        after.image.apply(record, after.image.last_offset + 1)
    after.image.take_changes()
    assert after.directories[0].clean
    LogLoader(after.store).load(after.image)
    for partition in after.store:
        partition.configure(SHORT)
        partition.log.high_watermark = partition.log.log_end_offset
        assert len(partition.log.segments) > 2
    return after


@pytest.mark.parametrize(("byte", "bit"), [(0, 0x80), (LENGTH + 1, 1)], ids=["offset", "length"])
async def test_retention_beside_a_rotten_segment(tmp_path: Path, byte: int, bit: int) -> None:
    """392-02: the others lose what is too old, and the log names the one that fails."""
    local = with_a_rotten_segment(tmp_path, byte, bit)
    background, log = background_of(local)
    await background.apply_retention()
    assert [len(local.partition(index).log.segments) for index in (1, 2)] == [1, 1]
    assert [fields["log"] for fields in log.events("retention failed")] == ["t-0"]


class Stubborn(RealDisk):
    """Removes nothing below a folder that is called a."""

    def remove(self, path: str) -> None:
        if "/a/" in path:
            raise OSError(errno.EROFS, "Read-only file system", path)
        super().remove(path)


def due_in(directory: LogDirectory) -> list[Path]:
    """Fifty files that are to be removed now."""
    paths = [Path(directory.path) / f"{number}.deleted" for number in range(50)]
    for path in paths:
        path.touch()
        directory.deletions.add(str(path), 0)
    return paths


async def test_files_that_cannot_be_removed(tmp_path: Path) -> None:
    """Goal: one turn is done with all that are due, in this directory and in the next one."""
    disk = Stubborn()
    local = Local(tmp_path / "a", tmp_path / "b", env=env_of(disk))
    refused, removed = map(due_in, local.directories)
    background, log = background_of(local)
    await background.remove_files()
    assert [len(directory.deletions) for directory in local.directories] == [0, 0]
    assert not any(one.exists() for one in removed)
    failures = log.events("deletion failed")
    assert [fields["path"] for fields in failures] == [str(tmp_path / "a")] * len(refused)
