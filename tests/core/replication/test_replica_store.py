"""What the cluster decides becomes local: roles, deletions, topics that are made anew, failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.replica_stores import FIRST_ID, Local, topic
from kit.replicas import from_leader

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.replication.directory_choice import choose_directory
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord

SECOND_ID = b"\x02" * 16


def change(**fields: Any) -> PartitionChangeRecord:
    return PartitionChangeRecord(partition_id=0, topic_id=FIRST_ID, **fields)


def test_roles_follow_the_image(tmp_path: Path) -> None:
    """Goal: leader, follower of another, of nobody, and leader again, as the records say."""
    local = Local(tmp_path)
    local.apply(*topic())
    partition = local.partition()
    assert partition.is_leader
    assert partition.as_leader().in_sync.committed == (1, 2, 3)
    local.apply(change(leader=2))
    assert not partition.is_leader
    local.apply(change(isr=[2, 3]))  # no new epoch: nothing begins anew
    local.apply(change(leader=-1))
    local.apply(change(leader=1, isr=[1]))
    assert local.fetchers.calls == [("unfollow",), ("follow", 2, 1), ("unfollow",), ("unfollow",)]
    assert (partition.leader_epoch, partition.as_leader().in_sync.committed) == (3, (1,))


def test_a_replica_that_moved_away_is_deleted(tmp_path: Path) -> None:
    """516-01: who is no longer assigned lets go: nobody is fetched from, the folder is renamed."""
    local = Local(tmp_path)
    local.apply(*topic(leader=2))
    partition = local.partition()
    local.apply(change(replicas=[2, 3], isr=[2, 3]))
    assert local.store.get("t", 0) is None
    assert local.fetchers.calls == [("follow", 2, 0), ("unfollow",)]
    assert partition.log.directory.endswith("-delete")
    assert not (tmp_path / "t-0").exists()


def test_a_topic_that_is_made_anew(tmp_path: Path) -> None:
    """516-01, I-27: deleted and created under one name between two looks: nothing is kept."""
    local = Local(tmp_path)
    local.apply(*topic(leader=2))
    local.partition().as_follower(0).append(from_leader(0), 1, 0)
    local.apply(RemoveTopicRecord(topic_id=FIRST_ID), *topic(SECOND_ID))
    assert local.partition().topic_id == SECOND_ID
    assert local.partition().log.log_end_offset == 0
    assert local.store.get_by_id(FIRST_ID, 0) is None
    assert local.store.get_by_id(SECOND_ID, 0) is local.partition()
    assert local.store.by_wire_name[b"t"][0] is local.partition()


def test_a_topic_that_was_replaced_in_a_snapshot(tmp_path: Path) -> None:
    """516-01, I-27: the removal itself is not told of: the new id is enough."""
    local = Local(tmp_path)
    local.apply(*topic(leader=2))
    local.partition().as_follower(0).append(from_leader(0), 1, 0)
    local.image = ClusterImage("a-cluster")
    local.apply(*topic(SECOND_ID))
    assert local.partition().topic_id == SECOND_ID
    assert local.partition().log.log_end_offset == 0
    assert local.store.get_by_id(FIRST_ID, 0) is None


def test_folders_of_another_topic_are_set_aside(tmp_path: Path) -> None:
    """516-01, I-27: found at the start with the id of a topic that is gone: kept, not served."""
    before = Local(tmp_path)
    before.apply(*topic(leader=2))
    before.partition().as_follower(0).append(from_leader(0), 1, 0)
    before.directories[0].close()
    after = Local(tmp_path)
    for record in topic(SECOND_ID):
        after.image.apply(record, after.image.last_offset + 1)
    LogLoader(after.store).load(after.image)
    assert after.partition().topic_id == SECOND_ID
    assert after.partition().log.log_end_offset == 0
    assert after.reports[0][0] == "folder of an unknown partition set aside"
    assert list(tmp_path.glob("t-0.*-stray"))


def test_roles_at_the_start(tmp_path: Path) -> None:
    """Goal: what is on the disk is opened in the role that the metadata has for it."""
    before = Local(tmp_path)
    before.apply(*topic(leader=2))
    before.partition().as_follower(0).append(from_leader(0, 3), 2, 0)
    before.directories[0].close(broker_epoch=7)
    after = Local(tmp_path)
    for record in topic(leader=3, leader_epoch=4):
        after.image.apply(record, after.image.last_offset + 1)
    LogLoader(after.store).load(after.image)
    assert after.fetchers.calls == [("follow", 3, 4)]
    assert after.partition().as_follower(after.partition().leader_epoch).position() == (3, 0, 0)
    assert after.partition().high_watermark == 2


def test_new_partitions_go_where_there_is_room(tmp_path: Path) -> None:
    """decision: the emptiest directory, and never one whose disk failed."""
    local = Local(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    failure = LogDirectoryFailure("b", "writing to", OSError(5, "I/O error"))
    local.directories[1].failures.append(failure)
    local.apply(*topic(partitions=4))
    assert [len(directory.logs) for directory in local.directories] == [2, 0, 2]


def wish(local: Local, path: Path) -> None:
    """A client wants the replica, which is not here yet, in this directory."""
    with pytest.raises(KafkaError) as caught:
        choose_directory(local.store, local.image, "t", 0, str(path))
    assert caught.value.code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_a_new_replica_goes_where_it_was_asked_to_be(tmp_path: Path) -> None:
    """KIP-113: fuller or emptier than others does not matter."""
    local = Local(tmp_path / "a", tmp_path / "b")
    wish(local, tmp_path / "b")
    local.apply(*topic())
    assert local.store.directory_of(local.partition()) is local.directories[1]


def test_a_wish_for_a_directory_that_has_failed_since_is_not_followed(tmp_path: Path) -> None:
    """KIP-113: another disk takes the replica, as if there had been no wish; it is not offline."""
    local = Local(tmp_path / "a", tmp_path / "b")
    wish(local, tmp_path / "a")
    failure = LogDirectoryFailure(str(tmp_path / "a"), "writing to", OSError(5, "I/O error"))
    local.directories[0].failures.append(failure)
    local.apply(*topic())
    assert local.store.directory_of(local.partition()) is local.directories[1]
    assert not local.store.unavailable
    assert local.told_offline == []


def test_a_failing_disk_is_told_of(tmp_path: Path) -> None:
    """392-02: the replica stays here, offline; whoever must know is told once."""
    local = Local(tmp_path)
    local.apply(*topic(leader=2))
    partition = local.partition()
    partition.log.fail("writing to", OSError(5, "I/O error"))
    failure = partition.log.failure
    assert failure is not None
    partition.on_disk_failure(failure)
    assert local.told_offline == ["t"]
    assert partition.is_offline
    local.apply(change(leader=3))
    assert local.fetchers.calls[-1] == ("unfollow",), "nothing can be appended to it"


def test_a_replica_that_could_not_be_opened_may_leave_and_come_back(tmp_path: Path) -> None:
    """Goal: what is remembered of a failed disk ends with the assignment."""
    local = Local(tmp_path)
    local.store.make_unavailable("t", 0, OSError(5, "planted"))
    local.apply(*topic(leader=2))
    assert local.store.get("t", 0) is None
    local.apply(change(replicas=[2, 3], isr=[2, 3]))
    local.apply(change(replicas=[1, 2, 3]))
    assert not local.partition().is_leader
