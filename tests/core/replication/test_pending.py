"""Pending fetches of followers, and the hand-over of a leadership (KIP-501)."""

from __future__ import annotations

from pathlib import Path

from kit.replicas import LAG_MS, OWN_ID, Replica


def test_a_pending_fetch_keeps_its_follower_in_sync(tmp_path: Path) -> None:
    """501-04, 501-05, 501-07: in sync while it is worked on, caught up when it ends."""
    one = Replica(tmp_path, keeps_pending=True)
    partition = one.lead(1, 2)
    one.append(1002)
    one.fetched(2, 1002)
    one.clock.now_ms = 1000
    pending = partition.as_leader().begin_fetch(2, 1002)
    assert pending is not None
    one.append(1)
    one.clock.now_ms = 25_000
    assert partition.as_leader().expire(one.clock.now_ms) == ()
    one.clock.now_ms = 26_000
    partition.as_leader().end_fetch(pending, one.clock.now_ms)
    assert partition.as_leader().followers[2].last_caught_up_ms == 26_000
    assert partition.as_leader().pending_count == 0
    one.clock.now_ms = 26_000 + LAG_MS + 1
    assert partition.as_leader().expire(one.clock.now_ms) == (2,)


def test_what_does_not_count_as_pending(tmp_path: Path) -> None:
    """501-04, 501-08: not behind the end of the fetch before, not from outside the set."""
    one = Replica(tmp_path, keeps_pending=True)
    partition = one.lead(1, 2)
    assert partition.as_leader().begin_fetch(2, 0) is None, "there was no fetch before"
    one.append(5)
    one.fetched(2, 3)
    assert partition.as_leader().begin_fetch(2, 4) is None, "the end was 5"
    one.fetched(3, 5)
    assert partition.as_leader().begin_fetch(3, 5) is None, "3 is not in sync"
    assert partition.as_leader().pending_count == 0


def test_off_is_as_if_there_were_no_such_thing(tmp_path: Path) -> None:
    """501-14: with the feature off nothing is noted, and the follower leaves by the clock."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    one.fetched(2, 0)
    assert partition.as_leader().begin_fetch(2, 0) is None
    one.append(1)
    one.clock.now_ms = LAG_MS + 1
    assert partition.as_leader().expire(one.clock.now_ms) == (2,)


def test_a_new_epoch_forgets_what_was_pending(tmp_path: Path) -> None:
    """501-06: the end of a fetch from before says nothing about the new epoch."""
    one = Replica(tmp_path, keeps_pending=True)
    partition = one.lead(1, 2)
    one.fetched(2, 0)
    pending = partition.as_leader().begin_fetch(2, 0)
    assert pending is not None
    one.lead(1, 2, leader_epoch=1, partition_epoch=1)
    assert partition.as_leader().pending_count == 0
    partition.as_leader().end_fetch(pending, 77_000)
    assert partition.as_leader().followers[2].last_caught_up_ms == 0


def test_handing_over(tmp_path: Path) -> None:
    """501-10, 501-12, I-12: the same set with the old leader last, and the private flag."""
    one = Replica(tmp_path)
    partition = one.lead()
    assert partition.as_leader().in_sync.relinquish() is None
    change = one.controller.change
    assert change.relinquish
    assert change.isr == ((2, -1), (3, -1), (OWN_ID, 101))
    assert partition.as_leader().in_sync.maximal == (1, 2, 3)


def test_when_nobody_can_take_over(tmp_path: Path) -> None:
    """501-11: nobody else in sync and alive, or a change under way: it is not asked for."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    one.cluster.inactive.add(2)
    assert partition.as_leader().in_sync.relinquish() == "nobody else is in sync"
    one.cluster.inactive.clear()
    one.fetched(3, 0)
    assert partition.as_leader().in_sync.relinquish() == "a change of the in-sync set is under way"
    assert len(one.controller.open) == 1
    partition.follow(2, 5)
    assert partition.leader is None
