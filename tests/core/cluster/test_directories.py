"""AssignReplicasToDirs at the controller (KIP-858)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kit.controllers import Cluster, register

from barnabas.broker.core.cluster.commands import BrokerHeartbeat
from barnabas.broker.core.cluster.partition_commands import (
    AssignReplicasToDirs,
    DirectoryAssignment,
)
from barnabas.broker.core.cluster.topic_image import DIRECTORY_LOST, DIRECTORY_UNASSIGNED
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

FIRST, SECOND = bytes([21]) * 16, bytes([22]) * 16


def two() -> tuple[Cluster, bytes]:
    """Broker 2 has two directories and leads a partition whose other replica is on 1."""
    cluster = Cluster(1)
    cluster.do(replace(register(2), log_dirs=(FIRST, SECOND)))
    cluster.unfence(2)
    return cluster, cluster.create("t", assignments=((0, (2, 1)), (1, (1, 2))))


def assign(cluster: Cluster, directory: bytes, topic_id: bytes, number: int = 0) -> ErrorCode:
    one = DirectoryAssignment(directory, topic_id, number)
    (code,) = cluster.do(AssignReplicasToDirs(2, cluster.epoch(2), (one,)))
    assert isinstance(code, ErrorCode)
    return code


def test_a_broker_tells_where_its_replica_is() -> None:
    """The leadership stays; nothing is written for what is known."""
    cluster, topic_id = two()
    assert cluster.partition().directory_of(2) == DIRECTORY_UNASSIGNED
    assert assign(cluster, SECOND, topic_id) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.directory_of(2), now.directory_of(1)) == (SECOND, bytes([1]) * 16)
    assert (now.leader, now.leader_epoch, now.partition_epoch) == (2, 0, 1)
    assert assign(cluster, SECOND, topic_id) == ErrorCode.NONE
    assert cluster.partition() == now
    assert cluster.replayed() == cluster.image


@pytest.mark.parametrize("directory", [b"?" * 16, DIRECTORY_LOST])
def test_a_replica_in_a_lost_directory_leads_no_more(directory: bytes) -> None:
    """A directory that is not online there: out of the ISR, leadership moved, one record."""
    cluster, topic_id = two()
    assert assign(cluster, directory, topic_id) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.leader, now.isr, now.partition_epoch) == (1, (1,), 1)
    cluster.fence(1)
    assert cluster.partition().leader == -1, "2 is active, but its replica is not online"


@pytest.mark.parametrize("is_clean", [True, False])
def test_a_replica_that_is_back_from_a_lost_directory_leads_again(*, is_clean: bool) -> None:
    """966-01, 966-04: its broker was started again and let in before it could say where it is now;
    nothing else would ever give the partition a leader."""
    cluster, _ = two()
    alone = cluster.create("alone", assignments=((0, (2,)),))
    assert assign(cluster, DIRECTORY_LOST, alone) == ErrorCode.NONE
    assert cluster.partition("alone").leader == -1
    cluster.fence(2)
    epoch = cluster.epoch(2) if is_clean else -1
    again = replace(register(2), log_dirs=(FIRST, SECOND), previous_epoch=epoch)
    cluster.do(replace(again, incarnation_id=b"again" + bytes(11)))
    cluster.unfence(2)
    assert cluster.partition("alone").leader == -1, "it is not known to be anywhere"
    assert assign(cluster, FIRST, alone) == ErrorCode.NONE
    now = cluster.partition("alone")
    assert (now.leader, now.isr, now.directory_of(2)) == (2, (2,), FIRST)
    assert cluster.replayed() == cluster.image


def test_a_replica_whose_directory_failed_leads_nothing() -> None:
    cluster, topic_id = two()
    assign(cluster, FIRST, topic_id)
    assign(cluster, SECOND, topic_id, 1)
    offset = cluster.image.last_offset
    cluster.do(BrokerHeartbeat(2, cluster.epoch(2), offset, offline_log_dirs=(FIRST,)))
    assert cluster.partition().leader == 1
    cluster.fence(1)
    assert cluster.partition().leader == -1
    assert cluster.partition("t", 1).leader == 2, "what is in the other directory goes on"


def test_a_broker_that_registers_again_without_a_directory_leads_nothing_in_it() -> None:
    """631-01: the same life keeps its epoch, and its partitions become what they become when a
    heartbeat tells of the failed directory."""
    cluster, topic_id = two()
    other, _ = two()
    for one in (cluster, other):
        assign(one, FIRST, topic_id)
        assign(one, SECOND, topic_id, 1)
    epoch = cluster.epoch(2)
    answer = cluster.do(replace(register(2), log_dirs=(SECOND,)))
    other.do(BrokerHeartbeat(2, epoch, other.image.last_offset, offline_log_dirs=(FIRST,)))
    assert answer.broker_epoch == cluster.epoch(2) == epoch
    broker = cluster.image.brokers[2]
    assert (broker.fenced, broker.log_dirs) == (False, (SECOND,))
    assert (cluster.partition().leader, cluster.partition().isr) == (1, (1,))
    assert cluster.partition("t", 1).isr == (1, 2), "what is in the other directory goes on"
    assert cluster.image.topics_by_id == other.image.topics_by_id
    assert cluster.replayed() == cluster.image


def test_a_broker_that_registers_again_with_its_directories_changes_no_partition() -> None:
    """631-01: the answer to its first registration got lost; it leads on."""
    cluster, topic_id = two()
    assign(cluster, FIRST, topic_id)
    assign(cluster, SECOND, topic_id, 1)
    before = cluster.image.copy()
    records, _ = cluster.decide(replace(register(2), log_dirs=(SECOND, FIRST)))
    assert [record.NAME for record in records] == ["RegisterBrokerRecord"]
    cluster.do(replace(register(2), log_dirs=(SECOND, FIRST)))
    assert cluster.image.topics_by_id == before.topics_by_id
    assert cluster.partition().leader == 2


def test_the_refusals_have_kafkas_codes() -> None:
    cluster, topic_id = two()
    cluster.create("u", assignments=((0, (1,)),))
    other = cluster.image.topics_by_name["u"].topic_id
    assert assign(cluster, FIRST, b"?" * 16) == ErrorCode.UNKNOWN_TOPIC_ID
    assert assign(cluster, FIRST, topic_id, 9) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert assign(cluster, FIRST, other) == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert assign(cluster, DIRECTORY_UNASSIGNED, topic_id) == ErrorCode.INVALID_REQUEST
    stale = AssignReplicasToDirs(2, cluster.epoch(2) - 1, ())
    assert cluster.refusal(stale) == ErrorCode.STALE_BROKER_EPOCH


def test_a_replica_comes_back_and_a_reassignment_ends_with_it() -> None:
    """Goal: one directory for each replica that is left."""
    cluster, topic_id = two()
    assign(cluster, FIRST, topic_id)
    half_done = PartitionChangeRecord(
        partition_id=0, topic_id=topic_id, leader=-1, isr=[2], removing_replicas=[1]
    )
    cluster.controller.apply(half_done, cluster.image.last_offset + 1)
    assert assign(cluster, SECOND, topic_id) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.leader, now.removing_replicas) == ((2,), 2, ())
    assert now.directories == (SECOND,)
