"""The leader's side of a partition: in-sync set, high watermark, who is caught up."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from kit.replicas import LAG_MS, Replica

from barnabas.broker.core.cluster.topic_image import DIRECTORY_LOST
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.protocol.errors import ErrorCode, KafkaError


def test_the_watermark_waits_for_all_in_sync(tmp_path: Path) -> None:
    """497-03, I-3: HW is the least end over the in-sync set; the others do not count."""
    one = Replica(tmp_path)
    one.lead(1, 2, 3)
    one.append(5)
    assert one.high_watermark == 0
    one.fetched(2, 5)
    assert one.high_watermark == 0
    one.fetched(3, 3)
    assert one.high_watermark == 3
    one.fetched(3, 5)
    assert one.high_watermark == 5


def test_the_watermark_never_goes_back_while_one_leads(tmp_path: Path) -> None:
    """I-3: a follower that lost its log does not take back what was committed."""
    one = Replica(tmp_path)
    one.lead(1, 2)
    one.append(4)
    one.fetched(2, 4)
    one.fetched(2, 0)
    assert one.high_watermark == 4


def test_who_is_about_to_join_counts_already(tmp_path: Path) -> None:
    """497-03: a proposed addition holds the watermark before the controller has answered."""
    one = Replica(tmp_path)
    one.lead(1)
    one.append(2)
    one.fetched(2, 2)
    assert one.controller.change.isr == ((1, 101), (2, 102))
    one.append(1)
    assert one.high_watermark == 2
    in_sync = one.partition.as_leader().in_sync
    assert (in_sync.committed, in_sync.maximal) == ((1,), (1, 2))


def test_who_is_about_to_leave_counts_still(tmp_path: Path) -> None:
    """497-03: a proposed removal frees the watermark with the controller's answer, not before."""
    one = Replica(tmp_path, replica_count=2)
    one.lead(1, 2)
    one.append(1)
    one.clock.now_ms = LAG_MS + 1
    assert one.partition.as_leader().expire(one.clock.now_ms) == (2,)
    assert one.high_watermark == 0
    one.controller.grant()
    assert one.high_watermark == 1
    assert one.partition.as_leader().in_sync.count == 1


def test_too_few_in_sync_stop_the_watermark(tmp_path: Path) -> None:
    """966-01: no advance while |ISR| < min.insync.replicas; 19 before an append, 20 after it."""
    one = Replica(tmp_path, min_insync_replicas=2)
    one.lead(1, 2)
    one.partition.as_leader().in_sync.check_enough()
    one.append(1)
    one.wait_for_ack(1)
    one.lead(1, partition_epoch=1)
    assert one.high_watermark == 0
    assert one.acks == [(1, "NOT_ENOUGH_REPLICAS_AFTER_APPEND")]
    with pytest.raises(KafkaError) as refused:
        one.partition.as_leader().in_sync.check_enough()
    assert refused.value.code is ErrorCode.NOT_ENOUGH_REPLICAS
    assert not one.partition.as_leader().is_plain
    one.fetched(2, 1)
    one.controller.grant()
    assert one.high_watermark == 1
    assert one.partition.as_leader().is_plain


def test_min_insync_is_no_more_than_there_are_replicas(tmp_path: Path) -> None:
    """966-01: the effective minimum is min(setting, replication factor)."""
    one = Replica(tmp_path, replica_count=1, min_insync_replicas=3)
    one.lead(1)
    one.append(2)
    assert one.high_watermark == 2
    one.partition.as_leader().in_sync.check_enough()


def test_waiting_producers_are_answered_by_the_watermark(tmp_path: Path) -> None:
    """I-6: acks=all is answered when the watermark passes the batch; acks=1 at once."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    one.append(3)
    assert partition.is_acknowledged(3, 1)
    assert not partition.is_acknowledged(3, -1)
    one.wait_for_ack(3)
    one.fetched(2, 2)
    assert one.acks == []
    one.fetched(2, 3)
    assert one.acks == [(3, "NONE")]


def test_producers_that_begin_to_wait_late_are_not_held_up(tmp_path: Path) -> None:
    """I-6: a long request waits when all of it is appended, behind batches that came meanwhile."""
    one = Replica(tmp_path)
    one.lead(1, 2)
    one.append(3)
    one.wait_for_ack(3)
    one.wait_for_ack(1)
    one.fetched(2, 2)
    assert one.acks == [(1, "NONE")]
    one.fetched(2, 3)
    assert one.acks == [(1, "NONE"), (3, "NONE")]


def test_leader_acks_wait_for_the_own_flush_only(tmp_path: Path) -> None:
    """decision: with flush.messages=1, acks=1 waits for the own fsync and for no follower."""
    one = Replica(tmp_path, flush_messages=1)
    one.lead(1, 2)
    one.append(1)
    one.wait_for_ack(1, acks=1)
    one.wait_for_ack(1, acks=-1)
    assert one.acks == []
    one.flushes.run()
    assert one.acks == [(1, "NONE")]
    assert one.high_watermark == 0
    one.fetched(2, 1)
    assert one.acks == [(1, "NONE"), (1, "NONE")]


def test_loss_of_leadership_is_told(tmp_path: Path) -> None:
    """Goal: who waits for an acknowledgement is told that another broker leads."""
    one = Replica(tmp_path)
    one.lead(1, 2)
    one.append(1)
    one.wait_for_ack(1)
    one.partition.follow(2, 1)
    assert one.acks == [(1, "NOT_LEADER_OR_FOLLOWER")]
    assert one.fetchers.calls[-1] == ("follow", 2, 1)


# --- caught up, out of sync ---


def test_caught_up_is_by_arrival(tmp_path: Path) -> None:
    """501-02: now if the fetch asks for the end; else the fetch before, if it reaches its end."""
    one = Replica(tmp_path)
    partition = one.lead()
    state = partition.as_leader().followers[2]
    one.clock.now_ms = 100
    one.fetched(2, 0)
    assert state.last_caught_up_ms == 100
    one.append(5)
    one.clock.now_ms = 200
    one.fetched(2, 0)  # reaches the end of the fetch before, which was 0
    assert state.last_caught_up_ms == 100
    one.append(5)
    one.clock.now_ms = 300
    one.fetched(2, 5)  # the end at 200
    assert state.last_caught_up_ms == 200
    one.clock.now_ms = 400
    one.fetched(2, 6)  # neither 10, the end now, nor 10, the end at 300
    assert state.last_caught_up_ms == 200


def test_out_of_sync_needs_both(tmp_path: Path) -> None:
    """501-01: behind the leader's end, and not caught up for more than the lag."""
    one = Replica(tmp_path)
    partition = one.lead()
    one.append(1)
    one.fetched(2, 1)
    one.fetched(3, 0)
    one.clock.now_ms = LAG_MS
    assert partition.as_leader().expire(one.clock.now_ms) == ()
    one.clock.now_ms = LAG_MS + 1
    assert partition.as_leader().expire(one.clock.now_ms) == (3,)
    assert one.controller.change.isr == ((1, 101), (2, 102))


def test_a_new_leader_gives_members_the_whole_lag(tmp_path: Path) -> None:
    """501-03: ISR members start as caught up now, others as never."""
    one = Replica(tmp_path)
    one.append(1)
    one.clock.now_ms = 50_000
    partition = one.lead(1, 2)
    assert partition.as_leader().followers[2].last_caught_up_ms == 50_000
    assert partition.as_leader().followers[3].last_caught_up_ms < 0
    one.clock.now_ms += LAG_MS
    assert partition.as_leader().expire(one.clock.now_ms) == ()
    one.clock.now_ms += 1
    assert partition.as_leader().expire(one.clock.now_ms) == (2,)


def test_nearly_in_sync_is_waited_for(tmp_path: Path) -> None:
    """501-08: who was caught up and may join holds the watermark; a fenced one does not."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    one.append(1)
    one.fetched(2, 1)
    one.fetched(3, 1)
    assert one.high_watermark == 1
    one.controller.refuse(ErrorCode.INELIGIBLE_REPLICA)
    one.append(1)
    one.fetched(2, 2)
    assert one.high_watermark == 1, "3 was caught up a moment ago"
    one.cluster.inactive.add(3)
    one.append(1)
    one.fetched(2, 3)
    assert one.high_watermark == 3
    assert partition.as_leader().in_sync.committed == (1, 2)


def test_a_replica_that_its_disk_lost_is_not_waited_for(tmp_path: Path) -> None:
    """497-04, KIP-858: it was caught up a moment ago, and will not be again: nobody waits."""
    one = Replica(tmp_path)
    partition = one.lead(partition_epoch=1)
    for replica_id in (2, 3):
        one.fetched(replica_id, 0)
    one.append(1)
    one.fetched(2, 1)
    assert one.high_watermark == 0
    kept = bytes(15) + b"!"
    image = one.image((1, 2), 0, 2)
    partition.lead(image._replace(directories=(kept, kept, kept)))
    assert one.high_watermark == 0, "out of the set, but nearly in it"
    partition.lead(image._replace(directories=(kept, kept, DIRECTORY_LOST), partition_epoch=3))
    assert one.high_watermark == 1
    one.fetched(3, 1)
    assert partition.as_leader().in_sync.change is None, "it may not join either"
    partition.lead(image._replace(directories=(kept, kept, kept), partition_epoch=4))
    one.fetched(3, 1)
    assert partition.as_leader().in_sync.maximal == (1, 2, 3)


def test_who_is_gone_is_waited_for_no_longer(tmp_path: Path) -> None:
    """497-04, 501-08: fenced, or behind for the whole lag: the watermark goes on without it."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    for replica_id in (2, 3):
        one.fetched(replica_id, 0)
    one.controller.refuse(ErrorCode.INELIGIBLE_REPLICA)
    one.append(1)
    one.fetched(2, 1)
    assert one.high_watermark == 0
    one.cluster.inactive.add(3)
    partition.as_leader().on_brokers_changed()
    assert one.high_watermark == 1
    one.cluster.inactive.clear()
    one.append(1)
    one.fetched(2, 2)
    assert one.high_watermark == 1
    one.clock.now_ms = LAG_MS + 1
    assert partition.as_leader().expire(one.clock.now_ms) == ()
    assert one.high_watermark == 2


def test_changes_are_counted(tmp_path: Path) -> None:
    """metrics: IsrExpands and IsrShrinks count what was committed while this broker led."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.controller.grant()
    one.fetched(3, 0)
    one.lead(1, 2, 3, partition_epoch=5)
    one.lead(1, 3, partition_epoch=6)
    assert (one.around.isr_expands, one.around.isr_shrinks) == (2, 1)
    one.partition.follow(3, 1)
    one.lead(1, leader_epoch=2, partition_epoch=8)
    assert (one.around.isr_expands, one.around.isr_shrinks) == (2, 1)


# --- after an election (KIP-207) ---


def test_the_window_after_an_election(tmp_path: Path) -> None:
    """207-03: open while HW < the start of the epoch, over the moment that they are equal."""
    one = Replica(tmp_path)
    one.partition.follow(2, 0)
    one.append(5)
    one.partition.as_follower(one.partition.leader_epoch).observe(3, 0)
    partition = one.lead(1, 3, leader_epoch=1)
    assert (one.high_watermark, partition.as_leader().epoch_start_offset) == (3, 5)
    one.fetched(3, 4)
    assert one.high_watermark < partition.as_leader().epoch_start_offset
    one.fetched(3, 5)
    assert one.high_watermark == partition.as_leader().epoch_start_offset


def test_the_only_one_in_sync_has_no_window(tmp_path: Path) -> None:
    """207-03: with an in-sync set of one the watermark moves as the leader begins."""
    one = Replica(tmp_path)
    one.append(5)
    partition = one.lead(1, leader_epoch=1)
    assert one.high_watermark == partition.as_leader().epoch_start_offset == 5


def test_a_start_that_the_disk_half_refused_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """227-01, I-24: the log begins later, its epochs could not be written: sessions must look."""
    one = Replica(tmp_path, internal_segment_bytes=100, retention_ms=1)
    partition = one.lead(1)
    for _ in range(3):
        one.append()
    resting = Mock()
    partition.waiters.watch(resting)

    def refuse(*_: object) -> None:
        raise OSError(28, "planted")

    monkeypatch.setattr(LeaderEpochs, "truncate_from_start", refuse)
    one.clock.now_ms = 86_400_000
    with pytest.raises(LogDirectoryFailure, match="planted"):
        partition.apply_retention(one.clock.wall_ms())
    assert partition.log.log_start_offset > 0
    assert resting.end_rest.call_count == 1
    assert [failure.args for failure in one.failures], "who waits is told"
