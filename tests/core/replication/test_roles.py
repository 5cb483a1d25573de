"""The roles of a replica: what each one is by itself, and what a change of role carries over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kit.replicas import Replica, from_leader

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.core.replication.follower import FollowerState
from barnabas.broker.core.replication.leader import LeaderState
from barnabas.broker.core.replication.roles import (
    Offline,
    Reason,
    next_follower,
    next_leader,
    retired,
)
from barnabas.protocol.errors import ErrorCode, KafkaError

# --- each role by itself ---


def test_a_replica_begins_without_a_role(tmp_path: Path) -> None:
    """Goal: until the metadata tells, it neither leads nor copies, and believes in no epoch."""
    partition = Replica(tmp_path).partition
    assert partition.role == Offline(Reason.UNASSIGNED)
    assert (partition.leader_id, partition.leader_epoch, partition.leader) == (-1, -1, None)
    assert partition.leader_high_watermark == -1
    with pytest.raises(KafkaError) as refused:
        partition.as_leader()
    assert refused.value.code is ErrorCode.NOT_LEADER_OR_FOLLOWER
    with pytest.raises(KafkaError) as refused:
        partition.as_follower(-1)
    assert refused.value.code is ErrorCode.FENCED_LEADER_EPOCH


def test_a_leader_that_is_not_assigned_yet_waits_for_nobody(tmp_path: Path) -> None:
    """497-03: its state knows the end at which its epoch begins, and no follower."""
    one = Replica(tmp_path)
    one.append(4)
    state = LeaderState(one.partition, one.around, 3)
    assert (state.leader_id, state.leader_epoch, state.epoch_start_offset) == (1, 3, 4)
    assert (state.followers, state.in_sync.committed, state.in_sync.count) == ({}, (), 0)
    assert (state.pending_count, state.is_plain, state.awaits_flush) == (0, False, False)
    state.begin(one.image((1, 3), 3, 7))
    assert list(state.followers) == [2, 3]
    assert (state.in_sync.committed, state.in_sync.partition_epoch) == ((1, 3), 7)


def test_older_metadata_of_the_epoch_changes_nothing(tmp_path: Path) -> None:
    """497-02: the answer to the own change was faster than the metadata before it."""
    one = Replica(tmp_path)
    leader = one.lead(1, 2, partition_epoch=5).as_leader()
    leader.update(one.image((1, 2, 3), 0, 4))
    assert list(leader.in_sync.committed) == [1, 2]
    leader.update(one.image((1, 2, 3), 0, 6))
    assert list(leader.in_sync.committed) == [1, 2, 3]


def test_a_follower_knows_its_leader_and_what_it_told(tmp_path: Path) -> None:
    """392-06: the watermark is kept as it was told, and cut to the own end for the log."""
    one = Replica(tmp_path)
    state = FollowerState(one.partition, 2, 3)
    assert (state.leader_id, state.leader_epoch) == (2, 3)
    assert state.leader_high_watermark == -1
    assert state.append(from_leader(0, 5, 3), 9, 0) == 5
    told: int = state.leader_high_watermark
    assert (told, one.high_watermark) == (9, 5)
    assert state.position() == (5, 3, 0)
    cutting = state.truncate(0)
    assert cutting is not None
    assert state.truncate(0, cutting()) is None
    assert one.partition.log.log_end_offset == 0
    assert one.flushes.wanted == [one.partition], "the cut must be durable before much is written"


# --- changes of role ---


def state_after(one: Replica, *steps: Callable[[Replica], object]) -> object:
    for step in steps:
        step(one)
    return one.partition.role


def led(epoch: int) -> Callable[[Replica], object]:
    return lambda one: one.lead(leader_epoch=epoch, partition_epoch=epoch)


def followed(leader_id: int, epoch: int) -> Callable[[Replica], object]:
    return lambda one: one.partition.follow(leader_id, epoch)


def test_every_change_makes_a_new_object(tmp_path: Path) -> None:
    """Goal: nothing of a role outlives it by accident; the same news twice is no change."""
    one = Replica(tmp_path)
    seen = [one.partition.role]
    steps = (led(0), led(1), followed(2, 2), followed(3, 3), led(4), followed(-1, 5), led(6))
    kinds = [LeaderState, LeaderState, FollowerState, FollowerState, LeaderState, Offline]
    for step, kind in zip(steps, [*kinds, LeaderState], strict=True):
        role = state_after(one, step)
        assert type(role) is kind
        assert all(role is not before for before in seen)
        assert state_after(one, step) is role
        assert one.partition.leader is (role if kind is LeaderState else None)
        seen.append(one.partition.role)


def test_from_leader_to_leader_positions_and_members_stay(tmp_path: Path) -> None:
    """501-03: where followers end is known still; when they were caught up begins anew."""
    one = Replica(tmp_path, keeps_pending=True)
    before = one.lead(1, 2, leader_epoch=1).as_leader()
    one.append(3)
    for replica_id, offset in ((2, 0), (2, 3), (3, 1)):
        one.fetched(replica_id, offset)
    assert before.begin_fetch(2, 3) is not None
    one.clock.now_ms = 500
    after = next_leader(one.partition, one.around, before, 2)
    assert {key: one.log_end_offset for key, one in after.followers.items()} == {2: 3, 3: 1}
    assert (after.in_sync.committed, after.in_sync.count) == ((1, 2), 2)
    assert after.in_sync.partition_epoch == -1, "the cluster has not told of this epoch yet"
    assert (after.epoch_start_offset, after.pending_count) == (3, 0)
    after.begin(one.image((1, 2), 2, 9))
    assert after.followers[2].last_caught_up_ms == 500
    assert after.followers[3].last_caught_up_ms < 0


def test_an_answer_to_a_leader_that_is_over_changes_nothing(tmp_path: Path) -> None:
    """497-02, I-3: neither the in-sync set of the next epoch nor the watermark."""
    one = Replica(tmp_path)
    before = one.lead(1, leader_epoch=1).as_leader()
    one.append(1)
    one.fetched(2, 1)
    assert one.controller.open, "2 should join"
    after = one.lead(1, leader_epoch=2, partition_epoch=3).as_leader()
    one.append(1)
    end = one.high_watermark
    one.controller.grant()
    assert (before.in_sync.committed, after.in_sync.committed) == ((), (1,))
    assert (one.high_watermark, after.in_sync.change) == (end, None)


@pytest.mark.parametrize("leader_epoch", [3, 4])
def test_who_has_followed_knows_nothing_of_followers(tmp_path: Path, leader_epoch: int) -> None:
    """Goal: positions that were told to a leader in an earlier epoch do not count in a later."""
    one = Replica(tmp_path)
    one.lead(leader_epoch=1)
    one.append(2)
    one.fetched(2, 2)
    one.partition.follow(2, 2)
    leader = one.lead(leader_epoch=leader_epoch).as_leader()
    assert [progress.log_end_offset for progress in leader.followers.values()] == [-1, -1]


def test_a_new_leader_has_told_nothing(tmp_path: Path) -> None:
    """392-06: the watermark of the leader before is not the one of this."""
    one = Replica(tmp_path)
    one.partition.follow(2, 1)
    before = one.partition.as_follower(1)
    before.observe(7, 0)
    after = next_follower(one.partition, before, 3, 2)
    assert isinstance(after, FollowerState)
    assert (after.leader_id, after.leader_high_watermark) == (3, -1)


def test_without_a_leader_it_is_offline_and_readable(tmp_path: Path) -> None:
    """392-03: nobody leads: epochs fence as ever, nothing is copied, what is there is read."""
    one = Replica(tmp_path)
    one.partition.follow(2, 1)
    one.partition.as_follower(1).append(from_leader(0, 2, 1), 2, 0)
    one.partition.follow(-1, 2)
    assert one.partition.role == Offline(Reason.NO_LEADER, -1, 2)
    assert one.partition.readable_end(read_committed=False) == 2
    with pytest.raises(KafkaError) as refused:
        one.partition.check_leader_epoch(1)
    assert refused.value.code is ErrorCode.FENCED_LEADER_EPOCH
    with pytest.raises(KafkaError) as refused:
        one.partition.check_leader_epoch(3)
    assert refused.value.code is ErrorCode.UNKNOWN_LEADER_EPOCH
    one.partition.check_leader_epoch(2)
    one.partition.check_leader_epoch(-1)


def test_a_replica_whose_disk_failed_copies_nobody(tmp_path: Path) -> None:
    """Goal: it knows who leads, and is not fetched for."""
    one = Replica(tmp_path)
    one.partition.follow(2, 1)
    one.partition.log.fail("planted", OSError(5, "planted"))
    assert one.partition.as_follower(1), "its role is the cluster's to change"
    one.partition.follow(3, 2)
    assert one.partition.role == Offline(Reason.DISK_FAILED, 3, 2)
    assert one.fetchers.calls[-1] == ("unfollow",)


def test_a_disk_that_fails_in_the_change_of_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """279-02: the empty epoch cannot be taken back: who waits is told, and nobody is copied."""
    one = Replica(tmp_path)
    one.lead(leader_epoch=1)
    one.append(1)
    one.partition.log.flush()
    one.lead(leader_epoch=2)
    one.wait_for_ack(1)
    failure = one.partition.log.fail("planted", OSError(28, "planted"))
    one.partition.log._health.failure = None

    def refuse(_: object) -> None:
        raise failure

    monkeypatch.setattr(type(one.partition.log), "forget_empty_epochs", refuse)
    one.partition.follow(2, 3)
    assert one.partition.role == Offline(Reason.DISK_FAILED, 2, 3)
    assert one.acks == [(1, "KAFKA_STORAGE_ERROR")]
    assert one.failures == [failure]
    assert one.fetchers.calls[-1] == ("unfollow",)


def test_an_epoch_that_cannot_be_written_down_is_not_led(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: the role stays as it was; the store reports the failure."""
    one = Replica(tmp_path)
    one.partition.follow(2, 1)
    before = one.partition.role

    def full(_: LeaderEpochs, epoch: int, offset: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LeaderEpochs, "assign", full)
    with pytest.raises((LogDirectoryFailure, OSError)):
        one.lead(leader_epoch=2)
    assert one.partition.role is before


def test_a_retired_leader_is_offline(tmp_path: Path) -> None:
    """Goal: who waits is told that the partition is gone; its last epoch fences on."""
    one = Replica(tmp_path)
    before = one.lead(1, 2, leader_epoch=4).as_leader()
    one.append(1)
    one.wait_for_ack(1)
    one.partition.retire()
    assert one.partition.role == Offline(Reason.DELETED, 1, 4)
    assert one.acks == [(1, "UNKNOWN_TOPIC_OR_PARTITION")]
    assert before.in_sync.committed == ()
    assert retired(one.partition.role) == one.partition.role


def test_former_leaders_are_the_replicas_own(tmp_path: Path) -> None:
    """207-09: who led before is remembered through all roles."""
    one = Replica(tmp_path)
    one.around.former_lease_ms = 1000
    state_after(one, followed(2, 0), followed(-1, 1), led(2))
    assert not one.partition.may_tell_end(2)
    one.clock.now_ms += 1000
    assert one.partition.may_tell_end(2)
