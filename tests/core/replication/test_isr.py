"""Who joins the in-sync set, and what the answers of the controller do to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.replicas import Replica

from barnabas.protocol.errors import ErrorCode, KafkaError


@pytest.mark.parametrize("offset", [0, 3, 4])
def test_joining_needs_the_start_of_the_epoch(tmp_path: Path, offset: int) -> None:
    """497-04: a follower joins with an end >= HW and >= the start of the leader's epoch."""
    one = Replica(tmp_path)
    one.append(4)
    one.lead(1, 3)
    assert one.partition.as_leader().epoch_start_offset == 4
    one.fetched(2, offset)
    assert bool(one.controller.open) == (offset == 4)


def test_joining_needs_a_live_broker_of_the_known_epoch(tmp_path: Path) -> None:
    """497-04, 903-01: unfenced, not shutting down, and the broker epoch that the metadata has."""
    one = Replica(tmp_path)
    one.lead(1)
    one.cluster.inactive.add(2)
    one.fetched(2, 0)
    assert not one.controller.open
    one.cluster.inactive.clear()
    one.fetched(2, 0, broker_epoch=200)  # newer than the metadata that we have applied
    assert not one.controller.open
    one.cluster.epochs[2] = 200
    one.fetched(2, 0, broker_epoch=200)
    assert one.controller.change.isr == ((1, 101), (2, 200))
    one.controller.refuse(ErrorCode.INELIGIBLE_REPLICA)
    one.fetched(3, 0, broker_epoch=-1)
    assert not one.controller.open


def test_an_older_incarnation_is_refused(tmp_path: Path) -> None:
    """903-01: a fetch with an older broker epoch changes nothing and is answered with 6."""
    one = Replica(tmp_path)
    partition = one.lead()
    one.append(1)
    one.fetched(2, 0)
    for epoch in (101, 0):
        with pytest.raises(KafkaError) as refused:
            one.fetched(2, 1, broker_epoch=epoch)
        assert refused.value.code is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert partition.as_leader().followers[2].log_end_offset == 0
    with pytest.raises(KafkaError) as refused:
        one.fetched(9, 1, broker_epoch=1)
    assert refused.value.code is ErrorCode.NOT_LEADER_OR_FOLLOWER


# --- answers of the controller ---


@pytest.mark.parametrize("code", [55, 107])
def test_the_controller_will_have_none_of_it(tmp_path: Path, code: int) -> None:
    """497-02: 55 and 107 take the change back; the next fetch may ask again."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.controller.refuse(code)
    assert one.partition.as_leader().in_sync.maximal == (1,)
    assert not one.controller.open
    one.fetched(2, 0)
    assert one.controller.open


@pytest.mark.parametrize("code", [3, 100, 74, 95, 42, 108])
def test_metadata_must_come_first(tmp_path: Path, code: int) -> None:
    """497-02: these leave the change open until newer metadata settles it."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.controller.refuse(code)
    in_sync = one.partition.as_leader().in_sync
    assert in_sync.maximal == (1, 2)
    one.fetched(2, 0)
    assert not one.controller.open
    one.lead(1, partition_epoch=1)
    assert list(in_sync.maximal) == [1]
    one.fetched(2, 0)
    assert one.controller.change.partition_epoch == 1


def test_other_errors_are_asked_again(tmp_path: Path) -> None:
    """497-02: anything else is tried again, with what is known then."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.controller.refuse(ErrorCode.UNKNOWN_SERVER_ERROR)
    assert one.controller.change.isr == ((1, 101), (2, 102))
    assert one.partition.as_leader().in_sync.maximal == (1, 2)


def test_answers_and_metadata_may_come_in_any_order(tmp_path: Path) -> None:
    """497-02: an answer after its metadata, or metadata after its answer, changes nothing more."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.lead(1, 2, partition_epoch=1)
    one.controller.grant()
    in_sync = one.partition.as_leader().in_sync
    assert (in_sync.committed, in_sync.partition_epoch) == ((1, 2), 1)
    one.fetched(3, 0)
    one.controller.grant()
    assert one.partition.as_leader().in_sync.committed == (1, 2, 3)
    one.lead(1, 2, partition_epoch=1)
    assert in_sync.committed == (1, 2, 3), "older than the answer that we had"


def test_an_answer_from_before_a_new_epoch_is_left(tmp_path: Path) -> None:
    """497-02: what was asked for in an older leader epoch has no effect on the present one."""
    one = Replica(tmp_path)
    one.lead(1)
    one.fetched(2, 0)
    one.partition.follow(3, 1)
    one.lead(1, 3, leader_epoch=2, partition_epoch=2)
    one.controller.grant()
    assert one.partition.as_leader().in_sync.committed == (1, 3)
