"""A new leader tells no end while one that led before may still do so (207-09)."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.replicas import OWN_ID, Replica

from barnabas.broker.core.replication.former_leaders import CLOCKS_APART, UNKNOWN, FormerLeaders

LEASE_MS = 1000.0
WAIT_MS = LEASE_MS * CLOCKS_APART


@pytest.fixture
def replica(tmp_path: Path) -> Replica:
    """Broker 1 with a replica that it has never followed or led so far."""
    found = Replica(tmp_path)
    found.around.former_lease_ms = WAIT_MS
    return found


def tells(replica: Replica) -> bool:
    """Whether it tells where the log ends."""
    partition = replica.partition
    return partition.may_tell_end(partition.leader_epoch)


def test_the_first_leader_of_a_partition_waits_for_nobody(replica: Replica) -> None:
    """207-09: before epoch 0 nobody led."""
    replica.lead(leader_epoch=0, partition_epoch=0)
    assert tells(replica)
    assert not replica.partition.may_tell_end(1), "a row of another epoch"


def test_a_new_leader_waits_for_the_one_that_it_followed(replica: Replica) -> None:
    """207-09: a lease, and a little more, from the moment that it knows of the change."""
    replica.partition.follow(2, 0)
    replica.clock.now_ms += 5000
    replica.lead(leader_epoch=1, partition_epoch=1)
    assert not tells(replica)
    replica.clock.now_ms += WAIT_MS - 1
    assert not tells(replica)
    replica.clock.now_ms += 1
    assert tells(replica)


def test_the_time_without_a_leader_counts(replica: Replica) -> None:
    """207-09: what is waited for is the end of the lease, not the election."""
    replica.partition.follow(2, 0)
    replica.partition.follow(-1, 1)
    replica.clock.now_ms += WAIT_MS
    replica.lead(leader_epoch=2, partition_epoch=2)
    assert tells(replica)


def test_all_that_led_a_short_time_ago_are_waited_for(replica: Replica) -> None:
    """207-09: the one that was cut off first may be the one that does not know."""
    replica.partition.follow(2, 0)
    replica.partition.follow(3, 1)
    replica.clock.now_ms += WAIT_MS / 2
    replica.lead(leader_epoch=2, partition_epoch=2)
    replica.partition.former_leaders.forget(3)
    assert not tells(replica)
    replica.clock.now_ms += WAIT_MS / 2
    assert tells(replica)


def test_a_former_leader_that_fetches_knows(replica: Replica) -> None:
    """207-09: a change in good order costs no lease."""
    replica.partition.follow(2, 0)
    replica.lead(leader_epoch=1, partition_epoch=1)
    replica.partition.former_leaders.forget(3)
    assert not tells(replica)
    replica.partition.former_leaders.forget(2)
    assert tells(replica)


@pytest.mark.parametrize("known", [None, 0])
def test_leaders_of_epochs_that_it_has_not_seen_are_waited_for(
    replica: Replica, known: int | None
) -> None:
    """207-09: after a start, and after a snapshot, nobody says who led before."""
    if known is not None:
        replica.lead(leader_epoch=known, partition_epoch=known)
    replica.lead(leader_epoch=2, partition_epoch=2)
    for one in (UNKNOWN, 1, 2, 3):
        replica.partition.former_leaders.forget(one)
    assert not tells(replica)
    replica.clock.now_ms += WAIT_MS
    assert tells(replica)


def test_a_leader_that_goes_on_in_the_next_epoch_waits_for_nobody_more(replica: Replica) -> None:
    """207-09: but for whom it waited already."""
    replica.partition.follow(2, 0)
    replica.lead(leader_epoch=1, partition_epoch=1)
    replica.clock.now_ms += WAIT_MS / 2
    replica.lead(leader_epoch=2, partition_epoch=2)
    assert not tells(replica)
    replica.clock.now_ms += WAIT_MS / 2
    assert tells(replica)


def test_a_broker_alone_waits_for_nobody(replica: Replica) -> None:
    """207-09: a cluster of one tells its ends as soon as it has started."""
    replica.cluster.epochs = {OWN_ID: 101}
    replica.lead(leader_epoch=7, partition_epoch=7)
    assert tells(replica)


def test_a_follower_tells_no_end_as_a_leader(replica: Replica) -> None:
    """207-09: a row that was found while it led is told no more."""
    replica.lead(leader_epoch=0, partition_epoch=0)
    replica.partition.follow(2, 1)
    assert not replica.partition.may_tell_end(0)
    assert not replica.partition.may_tell_end(1)


def test_who_is_silent_is_forgotten() -> None:
    """207-09: nothing is kept of those whose time is over."""
    former = FormerLeaders()
    former.note(2, 10.0)
    former.note(3, 20.0)
    former.forget(2)
    former.forget(9)
    assert not former.are_silent(19.0)
    assert former.are_silent(20.0)
    assert not former._until_ms


def test_where_elections_may_be_unclean_nobody_is_waited_for(tmp_path: Path) -> None:
    """207-02, 207-09: ends may go back there anyway."""
    replica = Replica(tmp_path, unclean_leader_election_enable=True)
    replica.around.former_lease_ms = WAIT_MS
    replica.partition.follow(2, 0)
    replica.lead(leader_epoch=1, partition_epoch=1)
    assert tells(replica)
