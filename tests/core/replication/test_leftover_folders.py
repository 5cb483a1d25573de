"""Folders that still have the name of a new replica: they are kept aside, and never served."""

from __future__ import annotations

import errno
from pathlib import Path

from kit.log_batches import batch
from kit.logs import SMALL, append, env_of, open_log, read_all
from kit.replica_stores import FIRST_ID, Local, topic
from kit.replicas import from_leader

from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.storage.files import RealDisk, RealFile
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord

SECOND_ID = b"\x02" * 16


class Unwilling(RealDisk):
    """A disk that may refuse new names for deleted folders, or to open the files of records."""

    def __init__(self) -> None:
        super().__init__()
        self.renames = self.opens = True

    def rename(self, source: str, target: str) -> None:
        if not self.renames and target.endswith("-delete"):
            raise OSError(errno.ENOSPC, "No space left on device", target)
        super().rename(source, target)

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
        if not self.opens and path.endswith(".log"):
            raise OSError(errno.EIO, "Input/output error", path)
        return super().open(path, create=create, truncate=truncate)


def filled(directory: Path, disk: RealDisk) -> Local:
    """A store whose only partition follows, and has two records of epoch 1."""
    local = Local(directory, env=env_of(disk))
    local.apply(*topic(leader=2, leader_epoch=1))
    for offset in range(2):
        local.partition().as_follower(1).append(from_leader(offset, leader_epoch=1), 1, 0)
    return local


def reopened(directory: Path, topic_id: bytes, disk: RealDisk | None = None) -> Local:
    """The store after another start, with the topic of this id."""
    local = Local(directory, env=env_of(disk))
    for record in topic(topic_id, leader=2, leader_epoch=1):
        local.image.apply(record, local.image.last_offset + 1)
    local.image.take_changes()
    LogLoader(local.store).load(local.image)
    return local


def check_begins_empty(local: Local, directory: Path) -> None:
    """The topic's replica has nothing of the former one, whose records are kept aside."""
    partition = local.partition()
    log = partition.log
    assert partition.topic_id == log.topic_id == SECOND_ID
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (0, 0, 0)
    assert log.leader_epochs.entries() == []
    (aside,) = directory.glob("t-0.*-stray")
    assert open_log(aside).log_end_offset == 2
    partition.as_follower(partition.leader_epoch).append(from_leader(0), 1, 0)
    local.directories[0].close()
    again = reopened(directory, SECOND_ID).partition().log
    assert (again.log_end_offset, again.topic_id) == (1, SECOND_ID)


def test_a_deleted_topic_whose_folder_could_not_be_renamed(tmp_path: Path) -> None:
    """516-01, I-27: a topic that is made by its name has none of its records."""
    disk = Unwilling()
    local = filled(tmp_path, disk)
    disk.renames = False
    local.apply(RemoveTopicRecord(topic_id=FIRST_ID))
    disk.renames = True
    assert (tmp_path / "t-0").exists()
    local.apply(*topic(SECOND_ID, leader=2))
    check_begins_empty(local, tmp_path)


def test_a_replica_that_could_not_be_opened(tmp_path: Path) -> None:
    """516-01, I-27: its topic is deleted and made anew: nothing of it is in the new one."""
    filled(tmp_path, RealDisk()).directories[0].close()
    disk = Unwilling()
    disk.opens = False
    local = reopened(tmp_path, FIRST_ID, disk)
    assert list(local.store.unavailable) == [("t", 0)]
    disk.opens = True
    local.apply(RemoveTopicRecord(topic_id=FIRST_ID))
    local.apply(*topic(SECOND_ID, leader=2))
    check_begins_empty(local, tmp_path)


def test_a_copy_that_takes_the_place_of_a_leftover(tmp_path: Path) -> None:
    """KIP-113: a replica comes into a directory where a folder already has its name."""
    before = LogDirectory(str(tmp_path), env_of())
    before.open()
    append(before.create("t", 0, FIRST_ID, SMALL), batch(b"former"))
    before.close()
    directory = LogDirectory(str(tmp_path), env_of())
    directory.open()
    copy = directory.create("t", 0, SECOND_ID, SMALL, is_future=True)
    data = [batch(b"a"), batch(b"b")]
    for one in data:
        append(copy, one)
    log = directory.promote(("t", 0))
    assert log is copy
    assert log.directory == str(tmp_path / "t-0")
    assert len(read_all(log)) == len(data)
    (aside,) = tmp_path.glob("t-0.*-stray")
    assert len(read_all(open_log(aside))) == 1
    directory.close()
    after = LogDirectory(str(tmp_path), env_of())
    after.open()
    (found,) = (one for one in after.partitions() if one.key == ("t", 0))
    assert after.load(found, SMALL).log_end_offset == len(data)
