"""Who leads when brokers come, go and stop: 631-02, 631-03, 966-02 to 966-05."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kit.controllers import CLUSTER_ID, Cluster, register

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import (
    BrokerHeartbeat,
    FenceBroker,
    StopBroker,
    UnfenceBroker,
    UnregisterBroker,
)
from barnabas.broker.core.cluster.topic_image import NO_LEADER, RECOVERED, RECOVERING
from barnabas.protocol.errors import ErrorCode, KafkaError


def epoch(cluster: Cluster, broker: int) -> int:
    return cluster.image.brokers[broker].epoch


def fence(cluster: Cluster, broker: int) -> None:
    cluster.do(FenceBroker(broker, epoch(cluster, broker)))


def unfence(cluster: Cluster, broker: int) -> None:
    cluster.do(UnfenceBroker(broker, epoch(cluster, broker)))


def three(**settings: object) -> Cluster:
    """A partition on brokers 1, 2, 3."""
    cluster = Cluster(3, **settings)  # type: ignore[arg-type]
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    return cluster


def test_a_fenced_leader_is_replaced_from_the_isr() -> None:
    """631-02: out of the ISR, the leadership moved, one new leader epoch, one partition epoch."""
    cluster = three()
    fence(cluster, 1)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (2, (2, 3), ())
    assert (partition.leader_epoch, partition.partition_epoch) == (1, 1)


def test_a_fenced_follower_only_leaves_the_isr() -> None:
    cluster = three()
    fence(cluster, 3)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.leader_epoch) == (1, (1, 2), 0)


def test_the_elr_keeps_who_left_below_min_isr() -> None:
    """966-02: ISR -> ELR in the order of leaving, the ELR leads again, then it is cleared."""
    cluster = three(min_insync_replicas=2)
    fence(cluster, 1)
    fence(cluster, 2)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (3, (3,), (2,))
    fence(cluster, 3)
    partition = cluster.partition()
    assert (partition.leader, partition.isr) == (NO_LEADER, ())
    assert (partition.elr, partition.last_known_elr) == ((2, 3), (3,))
    unfence(cluster, 1)
    assert cluster.partition().leader == NO_LEADER, "1 is in no set: it may lack records"
    unfence(cluster, 3)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (3, (3,), (2,))
    assert partition.leader_recovery_state == RECOVERED


def test_without_elr_the_last_member_stays() -> None:
    """966-04: leader -1, ISR kept; it leads again when it comes back."""
    cluster = three(elr=False)
    for broker in (1, 2, 3):
        fence(cluster, broker)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (NO_LEADER, (3,), ())
    unfence(cluster, 1)
    assert cluster.partition().leader == NO_LEADER
    unfence(cluster, 3)
    assert (cluster.partition().leader, cluster.partition().isr) == (3, (3,))


def test_unclean_election_if_the_topic_allows_it() -> None:
    """966-05: ISR := [new leader], RECOVERING."""
    cluster = Cluster(2, elr=False)
    cluster.create(
        "t", assignments=((0, (1, 2)),), configs=(("unclean.leader.election.enable", "true"),)
    )
    fence(cluster, 2)
    fence(cluster, 1)
    unfence(cluster, 2)
    partition = cluster.partition()
    assert (partition.leader, partition.isr) == (2, (2,))
    assert partition.leader_recovery_state == RECOVERING


def test_controlled_shutdown_gives_leaderships_away() -> None:
    """631-03: the stopping broker is still registered, leads nothing, and gets no new partition."""
    cluster = three()
    cluster.do(StopBroker(1, epoch(cluster, 1)))
    assert cluster.image.brokers[1].in_controlled_shutdown
    assert cluster.partition().leader == 2
    records, _ = cluster.decide(StopBroker(1, epoch(cluster, 1)))
    assert records == []
    cluster.create("u", assignments=((0, (1, 2)),))
    assert cluster.partition("u").isr == (2,)


def test_the_records_of_a_stop_and_start_are_kafkas() -> None:
    """As in Kafka's own log: a stop empties the ISR into the ELR, a start takes it back."""
    cluster = Cluster(1)
    cluster.create("t")
    records, _ = cluster.decide(StopBroker(1, epoch(cluster, 1)))
    assert [record.NAME for record in records] == [
        "BrokerRegistrationChangeRecord",
        "PartitionChangeRecord",
    ]
    cluster.do(StopBroker(1, epoch(cluster, 1)))
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.leader_epoch) == (NO_LEADER, (), 1)
    assert (partition.elr, partition.last_known_elr) == ((1,), (1,))
    fence(cluster, 1)
    again = cluster.do(register(1, incarnation=1, previous_epoch=epoch(cluster, 1)))
    assert cluster.partition().elr == (1,), "a clean stop loses nothing"
    cluster.do(UnfenceBroker(1, again.broker_epoch))
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.leader_epoch) == (1, (1,), 2)
    assert (partition.elr, partition.last_known_elr) == ((), ())


def test_an_unclean_stop_leaves_isr_and_elr() -> None:
    """966-03: a broker that comes back without a clean stop may have lost what it had."""
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.create("alone", assignments=((0, (1,)),))
    fence(cluster, 1)
    assert cluster.partition("alone").elr == (1,)
    again = cluster.do(register(1, incarnation=1, previous_epoch=-1))
    assert cluster.image.brokers[1].fenced
    assert (cluster.partition("alone").elr, cluster.partition("alone").last_known_elr) == ((), (1,))
    cluster.do(UnfenceBroker(1, again.broker_epoch))
    partition = cluster.partition("alone")
    assert (partition.leader, partition.isr) == (1, (1,)), "the last known leader, alive (C33a)"
    assert partition.leader_recovery_state == RECOVERING
    assert cluster.partition("t").isr == (2,)


def test_the_last_known_leader_does_not_wait_for_who_lost_records() -> None:
    """966-03, C33a: the last eligible replica is back after an unclean stop, and may never be let
    in; the last known leader, alive, leads at once, as in Kafka."""
    cluster = Cluster(2, min_insync_replicas=2)
    cluster.create("t", assignments=((0, (1, 2)),))
    fence(cluster, 1)
    fence(cluster, 2)
    again = cluster.do(register(2, incarnation=1))
    cluster.do(UnfenceBroker(2, again.broker_epoch))
    partition = cluster.partition()
    assert (partition.leader, partition.elr, partition.last_known_elr) == (NO_LEADER, (1,), (2,))
    cluster.do(register(1, incarnation=1))
    assert cluster.image.brokers[1].fenced
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (2, (2,), ())
    assert partition.leader_recovery_state == RECOVERING


def test_with_a_leader_there_is_no_last_known_one() -> None:
    """966-02: an eligible replica leads, though too few are in sync yet."""
    cluster = Cluster(2, min_insync_replicas=2)
    cluster.create("t", assignments=((0, (1, 2)),))
    fence(cluster, 1)
    fence(cluster, 2)
    assert cluster.partition().last_known_elr == (2,)
    unfence(cluster, 1)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.elr) == (1, (1,), (2,))
    assert partition.last_known_elr == ()


def test_registration_is_refused_with_kafkas_codes() -> None:
    """631-01: another cluster, another live incarnation, directories and addresses that cannot
    be."""
    cluster = Cluster(1)
    cluster.do(BrokerHeartbeat(1, epoch(cluster, 1), cluster.image.last_offset))
    strange = Endpoint("STRANGE", "h", 1, 9)
    wrong = replace(register(2), cluster_id="other")
    for command, code in (
        (wrong, ErrorCode.INCONSISTENT_CLUSTER_ID),
        (register(1, incarnation=1), ErrorCode.DUPLICATE_BROKER_REGISTRATION),
        (replace(register(2), log_dirs=()), ErrorCode.INVALID_REGISTRATION),
        (replace(register(2), log_dirs=(bytes(16),)), ErrorCode.INVALID_REGISTRATION),
        (replace(register(2), log_dirs=(b"x" * 16,) * 2), ErrorCode.INVALID_REGISTRATION),
        (replace(register(2), endpoints=(strange,)), ErrorCode.INVALID_REGISTRATION),
    ):
        with pytest.raises(KafkaError) as caught:
            cluster.decide(command)
        assert caught.value.code == code


def test_a_log_directory_belongs_to_one_broker() -> None:
    """631-01: whoever brings the directory of another broker, gone or not, is refused (119) until
    that one is unregistered; the broker itself comes back with it."""
    cluster = Cluster(2)
    fence(cluster, 2)
    theirs = cluster.image.brokers[2].log_dirs
    copy = replace(register(3), log_dirs=(b"x" * 16, *theirs))
    with pytest.raises(KafkaError, match="Broker 2 is already registered with directory") as caught:
        cluster.decide(copy)
    assert caught.value.code == ErrorCode.INVALID_REGISTRATION
    assert cluster.do(register(2, incarnation=1)).broker_epoch >= 0
    cluster.do(UnregisterBroker(2))
    cluster.do(copy)
    assert cluster.image.brokers[3].log_dirs == tuple(sorted(copy.log_dirs))


def test_the_broker_epoch_is_the_offset_of_its_registration() -> None:
    """631-01, also after records that clean up; the same incarnation keeps its epoch."""
    cluster = Cluster(1)
    cluster.create("t", num_partitions=5)
    fence(cluster, 1)
    registered = cluster.do(register(1, incarnation=1))
    assert registered.broker_epoch == len(cluster.log) - 1 == epoch(cluster, 1)
    assert cluster.do(register(1, incarnation=1)).broker_epoch == registered.broker_epoch
    assert cluster.image.cluster_id == CLUSTER_ID


@pytest.mark.parametrize("command", [FenceBroker, UnfenceBroker, StopBroker])
def test_an_old_epoch_or_an_unknown_broker(command: type) -> None:
    """631-02: a stale epoch is refused, whatever is asked."""
    cluster = Cluster(1)
    for broker, code in (
        (1, ErrorCode.STALE_BROKER_EPOCH),
        (9, ErrorCode.BROKER_ID_NOT_REGISTERED),
    ):
        with pytest.raises(KafkaError) as caught:
            cluster.decide(command(broker, 0))
        assert caught.value.code == code


def test_fencing_twice_changes_nothing_and_unregistering_forgets() -> None:
    cluster = three()
    fence(cluster, 1)
    assert cluster.decide(FenceBroker(1, epoch(cluster, 1)))[0] == []
    assert cluster.decide(UnfenceBroker(2, epoch(cluster, 2)))[0] == []
    cluster.do(UnregisterBroker(2))
    assert 2 not in cluster.image.brokers
    assert cluster.partition().leader == 3
    with pytest.raises(KafkaError) as caught:
        cluster.decide(UnregisterBroker(2))
    assert caught.value.code == ErrorCode.BROKER_ID_NOT_REGISTERED
