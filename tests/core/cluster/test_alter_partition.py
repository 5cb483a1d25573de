"""AlterPartition at the controller: 497-01 check by check, 841-01, 903-01, and C3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from kit.controllers import Cluster

from barnabas.broker.core.cluster.commands import FenceBroker, StopBroker
from barnabas.broker.core.cluster.partition_commands import (
    AlterPartition,
    AlterPartitionReassignments,
    BalanceLeaders,
    PartitionAlteration,
    PartitionAltered,
    Reassignment,
)
from barnabas.broker.core.cluster.relinquishing import Relinquished
from barnabas.broker.core.cluster.topic_image import RECOVERED, RECOVERING
from barnabas.protocol.errors import ErrorCode

AHEAD = 1_000_000  # an epoch that this controller has not reached


class Leader:
    """Broker 1 of three leads a partition on all of them, and proposes."""

    def __init__(self, **settings: Any) -> None:
        self.cluster = Cluster(3, **settings)
        self.topic_id = self.cluster.create("t", assignments=((0, (1, 2, 3)),))

    def command(self, *isr: int, broker: int = 1, **fields: Any) -> AlterPartition:
        now = self.cluster.partition()
        proposal = PartitionAlteration(
            topic_id=self.topic_id,
            partition=0,
            leader_epoch=now.leader_epoch,
            partition_epoch=now.partition_epoch,
            isr=tuple((member, -1) for member in isr),
        )._replace(**fields)
        return AlterPartition(broker, self.cluster.epoch(broker), (proposal,))

    def propose(self, *isr: int, broker: int = 1, **fields: Any) -> PartitionAltered:
        (answer,) = self.cluster.do(self.command(*isr, broker=broker, **fields))
        assert isinstance(answer, PartitionAltered)
        return answer


def test_an_isr_shrinks_and_grows() -> None:
    """497-01: what is taken begins a partition epoch and no leader epoch, and is answered."""
    leader = Leader()
    before = leader.cluster.partition()
    answer = leader.propose(1, 3)
    assert answer == PartitionAltered(
        leader.topic_id, 0, leader=1, leader_epoch=0, isr=(1, 3), partition_epoch=1
    )
    assert leader.cluster.partition() == before._replace(isr=(1, 3), partition_epoch=1)
    assert leader.propose(1, 3, 2).isr == (1, 3, 2)
    assert leader.cluster.partition().partition_epoch == 2


def test_the_same_again_writes_nothing() -> None:
    leader = Leader()
    records, (answer,) = leader.cluster.decide(leader.command(1, 2, 3))
    assert records == []
    assert (answer.code, answer.partition_epoch) == (ErrorCode.NONE, 0)


def test_the_sender_must_be_the_broker_that_is_registered() -> None:
    """497-01: a stale broker epoch, or no registration, refuses the whole request (77)."""
    leader = Leader()
    stale = replace(leader.command(1, 2), broker_epoch=leader.cluster.epoch(1) - 1)
    unknown = replace(stale, broker_id=9)
    assert leader.cluster.refusal(stale) == ErrorCode.STALE_BROKER_EPOCH
    assert leader.cluster.refusal(unknown) == ErrorCode.STALE_BROKER_EPOCH


@pytest.mark.parametrize(
    ("fields", "broker", "code"),
    [
        ({"topic_id": b"?" * 16}, 1, ErrorCode.UNKNOWN_TOPIC_ID),
        ({"partition": 7}, 1, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ({"leader_epoch": AHEAD}, 1, ErrorCode.NOT_CONTROLLER),
        ({"partition_epoch": AHEAD, "leader_epoch": 0}, 1, ErrorCode.NOT_CONTROLLER),
        ({"leader_epoch": 0, "partition_epoch": 0}, 2, ErrorCode.FENCED_LEADER_EPOCH),
        ({"partition_epoch": 0}, 2, ErrorCode.INVALID_REQUEST),
        ({"partition_epoch": 0, "isr": ()}, 1, ErrorCode.INVALID_UPDATE_VERSION),
        ({"isr": ((1, -1), (1, -1))}, 1, ErrorCode.INVALID_REQUEST),
        ({"isr": ((1, -1), (9, -1))}, 1, ErrorCode.INVALID_REQUEST),
        ({"isr": ((2, -1), (3, -1))}, 1, ErrorCode.INVALID_REQUEST),
        ({"isr": ()}, 1, ErrorCode.INVALID_REQUEST),
        ({"recovery_state": RECOVERING}, 1, ErrorCode.INVALID_REQUEST),
        ({"isr": ((1, -1),), "recovery_state": RECOVERING}, 1, ErrorCode.INVALID_REQUEST),
        ({"recovery_state": 5}, 1, ErrorCode.INVALID_REQUEST),
    ],
)
def test_the_checks_in_their_order(fields: dict[str, Any], broker: int, code: ErrorCode) -> None:
    """497-01: every check's code; where a proposal fails several, that of the first."""
    leader = Leader()
    leader.cluster.fence(2)
    leader.cluster.unfence(2)
    leader.propose(1, 3, 2)
    leader.cluster.fence(1)  # leadership to 2 and back: leader epoch 1, partition epoch over 0
    leader.cluster.unfence(1)
    leader.propose(2, 3, 1, broker=2)
    leader.cluster.fence(2)
    leader.cluster.unfence(2)
    now = leader.cluster.partition()
    assert now.leader == 1
    assert now.partition_epoch > 2
    assert leader.propose(1, 3, broker=broker, **fields).code == code
    assert leader.cluster.partition() == now


def test_a_broker_that_cannot_be_in_sync_stays_out() -> None:
    """841-01: fenced, stopping, or another process than the one that fetched (903-01)."""
    leader = Leader()
    cluster = leader.cluster
    cluster.fence(2)
    assert leader.propose(1, 3, 2).code == ErrorCode.INELIGIBLE_REPLICA
    cluster.unfence(2)
    old = ((1, cluster.epoch(1)), (3, cluster.epoch(3)), (2, cluster.epoch(2) - 1))
    assert leader.propose(isr=old).code == ErrorCode.INELIGIBLE_REPLICA
    now = tuple((member, cluster.epoch(member)) for member in (1, 3, 2))
    assert leader.propose(isr=now).code == ErrorCode.NONE
    cluster.do(StopBroker(2, cluster.epoch(2)))
    assert cluster.partition().isr == (1, 3)
    assert leader.propose(1, 3, 2).code == ErrorCode.INELIGIBLE_REPLICA


def test_a_leader_recovers_alone_first() -> None:
    """497-01, 966-05: after an unclean election the ISR grows once the leader has recovered."""
    cluster = Cluster(2, elr=False)
    config = (("unclean.leader.election.enable", "true"),)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),), configs=config)
    cluster.fence(2, 1)
    cluster.unfence(2, 1)
    now = cluster.partition()
    assert (now.leader, now.leader_recovery_state) == (2, RECOVERING)

    def propose(isr: tuple[int, ...], state: int) -> ErrorCode:
        partition = cluster.partition()
        proposal = PartitionAlteration(
            topic_id,
            0,
            partition.leader_epoch,
            partition.partition_epoch,
            tuple((member, -1) for member in isr),
            state,
        )
        (answer,) = cluster.do(AlterPartition(2, cluster.epoch(2), (proposal,)))
        code: ErrorCode = answer.code
        return code

    assert propose((2, 1), RECOVERING) == ErrorCode.INVALID_REQUEST
    assert propose((2,), RECOVERED) == ErrorCode.NONE
    assert cluster.partition().leader_recovery_state == RECOVERED
    assert propose((2, 1), RECOVERED) == ErrorCode.NONE
    assert propose((2,), RECOVERING) == ErrorCode.INVALID_REQUEST


def test_a_proposal_that_ends_a_reassignment_may_end_the_leadership() -> None:
    """497-01: NEW_LEADER_ELECTED (108), and the records are written."""
    leader = Leader()
    cluster = leader.cluster
    cluster.add(4)
    cluster.do(AlterPartitionReassignments((Reassignment("t", 0, (2, 4)),)))
    assert cluster.partition().replicas == (2, 4, 1, 3)
    assert leader.propose(1, 2, 3, 4).code == ErrorCode.NEW_LEADER_ELECTED
    now = cluster.partition()
    assert (now.replicas, now.isr, now.leader) == ((2, 4), (2, 4), 2)
    assert (now.adding_replicas, now.removing_replicas, now.leader_epoch) == ((), (), 1)


def test_a_shrink_below_min_isr_fills_the_elr() -> None:
    """966-02: who leaves while the ISR is smaller than min.insync.replicas is eligible."""
    leader = Leader(min_insync_replicas=2)
    leader.propose(1)
    assert leader.cluster.partition().elr == (2, 3)
    leader.propose(1, 2)
    assert leader.cluster.partition().elr == ()


def test_two_proposals_for_one_partition_meet_each_other() -> None:
    """497-01: the second of one request has an old partition epoch (95)."""
    leader = Leader()
    one = leader.command(1, 2)
    first, second = leader.cluster.do(replace(one, partitions=one.partitions * 2))
    assert (first.code, second.code) == (ErrorCode.NONE, ErrorCode.INVALID_UPDATE_VERSION)


def test_a_leader_gives_its_leadership_away() -> None:
    """C3, 501-12: the first other active member leads; same ISR, old leader last, epochs + 1."""
    leader = Leader()
    before = leader.cluster.partition()
    answer = leader.propose(2, 3, 1, relinquish=True)
    assert answer.code == ErrorCode.NEW_LEADER_ELECTED
    assert leader.cluster.partition() == before._replace(
        leader=2, isr=(2, 3, 1), leader_epoch=1, partition_epoch=1
    )
    assert leader.cluster.replayed() == leader.cluster.image


def test_a_leader_without_another_member_keeps_it() -> None:
    """501-11: nobody else in the ISR, or nobody active: 55, nothing written."""
    leader = Leader()
    leader.propose(1)
    records, (answer,) = leader.cluster.decide(leader.command(1, relinquish=True))
    assert (records, answer.code) == ([], ErrorCode.OPERATION_NOT_ATTEMPTED)
    (other,) = leader.cluster.decide(leader.command(2, 3, 1, relinquish=True))[1]
    assert other.code == ErrorCode.INVALID_REQUEST, "another ISR is no hand-over"


def test_hand_overs_rest_for_the_cooldown() -> None:
    """501-13: once a cooldown, enforced by the controller, and a new reign goes on with it."""
    leader = Leader(follower_fetch_relinquish_cooldown_ms=1000)
    cluster = leader.cluster
    leader.propose(2, 3, 1, relinquish=True)
    cluster.now_ms = 999.0
    again = leader.propose(1, 3, 2, broker=2, relinquish=True)
    assert again.code == ErrorCode.OPERATION_NOT_ATTEMPTED
    assert cluster.partition().leader == 2
    cluster.now_ms = 1000.0
    leader.propose(1, 3, 2, broker=2, relinquish=True)
    assert cluster.partition().leader == 3
    cluster.controller.begin_reign(1001.0)
    again = leader.propose(1, 2, 3, broker=3, relinquish=True)
    assert again.code == ErrorCode.OPERATION_NOT_ATTEMPTED
    cluster.now_ms = 2000.0
    leader.propose(1, 2, 3, broker=3, relinquish=True)
    assert cluster.partition().leader == 1


def test_a_hand_over_is_known_by_its_record() -> None:
    """501-13: whoever follows the log sees it; no other change of leader or ISR looks like it."""
    leader = Leader()
    cluster = leader.cluster
    key = (leader.cluster.image.topics_by_name["t"].topic_id, 0)
    cluster.image.take_changes()
    leader.propose(2, 3, 1, relinquish=True)
    assert list(cluster.image.take_changes().handed_over) == [key]
    leader.propose(2, 1, broker=2)
    leader.propose(2, 1, 3, broker=2)
    cluster.do(FenceBroker(2, cluster.epoch(2)))
    assert cluster.partition().leader != 2
    cluster.do(BalanceLeaders())
    assert not cluster.image.take_changes().handed_over


def test_what_rests_no_more_is_forgotten() -> None:
    """501-13: an old hand-over counts for nothing, and the list does not grow for ever."""
    resting = Relinquished(1000)
    resting.note(b"t", 0, 5000.0, age_ms=400.0)
    assert resting.is_cooling(b"t", 0, 5599.0)
    assert not resting.is_cooling(b"t", 0, 5600.0)
    resting.note(b"t", 1, 5000.0, age_ms=1000.0)
    assert not resting.is_cooling(b"t", 1, 5000.0)
    for number in range(10_000):
        resting.note(b"u", number, 10_000.0 + 100 * number)
    assert len(resting) < 200
