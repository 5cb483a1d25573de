"""Elections that are asked for, and those of the controller itself: 966-05, C4."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from kit.controllers import Cluster

from barnabas.broker.core.cluster.commands import SET, AlterConfigs, ConfigChange, ResourceChange
from barnabas.broker.core.cluster.partition_commands import (
    PREFERRED,
    UNCLEAN,
    AlterPartition,
    BalanceLeaders,
    Elected,
    ElectLeaders,
    ElectUncleanLeaders,
    PartitionAlteration,
)
from barnabas.broker.core.cluster.topic_image import NO_LEADER, RECOVERING
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.config_record import ConfigRecord


def elect(cluster: Cluster, election: int, *numbers: int) -> list[ErrorCode]:
    wanted = tuple(("t", number) for number in numbers)
    answers: list[Elected] = cluster.do(ElectLeaders(election, wanted))
    assert [(one.topic, one.partition) for one in answers] == list(wanted)
    return [one.code for one in answers]


def propose(
    cluster: Cluster, topic_id: bytes, number: int, isr: tuple[int, ...], **fields: Any
) -> None:
    """The leader's AlterPartition."""
    now = cluster.image.topics_by_id[topic_id].partitions[number]
    proposal = PartitionAlteration(
        topic_id,
        number,
        now.leader_epoch,
        now.partition_epoch,
        tuple((member, -1) for member in isr),
        **fields,
    )
    cluster.do(AlterPartition(now.leader, cluster.epoch(now.leader), (proposal,)))


def come_back(cluster: Cluster, broker: int) -> None:
    """The broker was away, is back, and in sync again everywhere."""
    cluster.fence(broker)
    cluster.unfence(broker)
    for topic in cluster.image.topics_by_id.values():
        for number, now in list(topic.partitions.items()):
            if broker in now.replicas and broker not in now.isr:
                propose(cluster, topic.topic_id, number, (*now.isr, broker))


def test_the_preferred_leader_comes_back_when_it_is_asked_for() -> None:
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1, 2)), (1, (2, 1))))
    come_back(cluster, 1)
    assert cluster.partition().leader == 2
    assert elect(cluster, PREFERRED, 0, 1, 9) == [
        ErrorCode.NONE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ]
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.leader_epoch) == (1, (2, 1), 2)


def test_a_preferred_leader_that_is_not_in_sync_does_not_lead() -> None:
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(1)
    assert elect(cluster, PREFERRED, 0) == [ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE]
    cluster.unfence(1)
    assert elect(cluster, PREFERRED, 0) == [ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE]
    assert cluster.partition().leader == 2


def test_all_partitions_at_once_tell_only_of_those_that_needed_it() -> None:
    cluster = Cluster(3)
    cluster.create("t", assignments=((0, (1, 2)), (1, (2, 1)), (2, (3, 2))))
    come_back(cluster, 1)
    cluster.fence(3)
    answers: list[Elected] = cluster.do(ElectLeaders(PREFERRED, None))
    assert [(one.partition, one.code) for one in answers] == [
        (0, ErrorCode.NONE),
        (2, ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE),
    ]
    assert cluster.refusal(ElectLeaders(7, None)) == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize("elr", [False, True])
def test_an_unclean_election_that_an_operator_wants(elr: bool) -> None:
    """966-05: ISR := [the new leader], RECOVERING, whatever the topic says; no ELR is left."""
    cluster = Cluster(3, elr=elr, min_insync_replicas=2)
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    cluster.fence(3, 2, 1)
    assert elect(cluster, UNCLEAN, 0) == [ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE]
    cluster.unfence(3)
    assert cluster.partition().leader == NO_LEADER
    assert elect(cluster, UNCLEAN, 0) == [ErrorCode.NONE]
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (3, (3,), RECOVERING)
    assert (now.elr, now.last_known_elr) == ((), ())
    assert elect(cluster, UNCLEAN, 0) == [ErrorCode.ELECTION_NOT_NEEDED]


def test_partitions_left_without_a_leader_get_one_where_topics_allow_it() -> None:
    """966-05: per topic, by the setting as it is when the controller looks."""
    cluster = Cluster(2)
    cluster.create("never", assignments=((0, (1, 2)),))
    cluster.create("allowed", assignments=((0, (1, 2)),))
    cluster.fence(2, 1)
    cluster.unfence(2)
    assert cluster.partition("allowed").leader == NO_LEADER
    assert cluster.do(ElectUncleanLeaders()) == 0
    change = ConfigRecord(
        resource_type=2,
        resource_name="allowed",
        name="unclean.leader.election.enable",
        value="true",
    )
    cluster.image.apply(change, cluster.image.last_offset + 1)
    assert cluster.do(ElectUncleanLeaders()) == 1
    now = cluster.partition("allowed")
    assert (now.leader, now.isr, now.leader_recovery_state) == (2, (2,), RECOVERING)
    assert cluster.partition("never").leader == NO_LEADER
    assert cluster.do(ElectUncleanLeaders()) == 0


@pytest.mark.parametrize("resource", [(2, "t"), (4, "")])
def test_allowing_unclean_elections_holds_them_at_once(resource: tuple[int, str]) -> None:
    """966-05: with the same batch as the setting, of a topic or of the whole cluster."""
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(2, 1)
    cluster.unfence(2)
    change = ConfigChange("unclean.leader.election.enable", SET, "true")
    command = AlterConfigs((ResourceChange(*resource, (change,)),))
    assert cluster.decide(replace(command, validate_only=True))[0] == []
    cluster.do(command)
    assert (cluster.partition().leader, cluster.partition().isr) == (2, (2,))
    assert cluster.partition().leader_recovery_state == RECOVERING
    assert cluster.replayed() == cluster.image


def test_leaders_are_balanced_beyond_the_allowed_share() -> None:
    """leader.imbalance.per.broker.percentage is of the partitions that a broker should lead."""
    cluster = Cluster(2, leader_imbalance_per_broker_percentage=50)
    topic_id = cluster.create("t", assignments=tuple((number, (1, 2)) for number in range(4)))
    come_back(cluster, 1)
    assert [cluster.partition("t", number).leader for number in range(4)] == [2] * 4
    assert elect(cluster, PREFERRED, 0, 1) == [ErrorCode.NONE] * 2
    assert cluster.do(BalanceLeaders()) == 0, "half is allowed"
    propose(cluster, topic_id, 1, (2, 1), relinquish=True)
    assert cluster.do(BalanceLeaders()) == 2
    assert [cluster.partition("t", number).leader for number in range(4)] == [1, 2, 1, 1]


def test_a_leadership_that_was_given_away_is_not_given_back_at_once() -> None:
    """C4, 501-13: the balancing passes it over in its cooldown, and takes it up after that."""
    cluster = Cluster(2, follower_fetch_relinquish_cooldown_ms=1000)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),))
    propose(cluster, topic_id, 0, (2, 1), relinquish=True)
    assert cluster.partition().leader == 2
    cluster.now_ms = 999.0
    assert cluster.do(BalanceLeaders()) == 0
    cluster.now_ms = 1000.0
    assert cluster.do(BalanceLeaders()) == 1
    assert cluster.partition().leader == 1


def test_a_broker_that_cannot_lead_gets_nothing_back() -> None:
    cluster = Cluster(3)
    cluster.create("t", assignments=((0, (1, 2)), (1, (3, 2))))
    cluster.fence(1, 3)
    cluster.unfence(3)
    assert cluster.do(BalanceLeaders()) == 0, "1 is fenced, 3 not in sync"
