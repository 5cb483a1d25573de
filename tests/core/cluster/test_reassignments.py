"""Partitions that move: KIP-455, as the controller decides it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.controllers import Cluster, register
from kit.examples import examples

from barnabas.broker.core.cluster.commands import (
    SET,
    AlterConfigs,
    ConfigChange,
    Outcome,
    ResourceChange,
)
from barnabas.broker.core.cluster.partition_commands import (
    AlterPartition,
    AlterPartitionReassignments,
    ListPartitionReassignments,
    OngoingReassignment,
    PartitionAlteration,
    Reassignment,
)
from barnabas.broker.core.cluster.topic_image import NO_LEADER, RECOVERED
from barnabas.protocol.errors import ErrorCode


def move(
    cluster: Cluster, replicas: tuple[int, ...] | None, *, may_resize: bool = True
) -> ErrorCode:
    wanted = Reassignment("t", 0, replicas)
    (outcome,) = cluster.do(AlterPartitionReassignments((wanted,), may_resize))
    assert isinstance(outcome, Outcome)
    return outcome.code


def sync(cluster: Cluster, *isr: int) -> None:
    """The leader proposes this ISR."""
    now = cluster.partition()
    topic_id = cluster.image.topics_by_name["t"].topic_id
    proposal = PartitionAlteration(
        topic_id, 0, now.leader_epoch, now.partition_epoch, tuple((one, -1) for one in isr)
    )
    cluster.do(AlterPartition(now.leader, cluster.epoch(now.leader), (proposal,)))


def five(**fields: Any) -> Cluster:
    """A partition on 1, 2, 3 of five brokers."""
    cluster = Cluster(5, **fields)
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    return cluster


def ongoing(cluster: Cluster) -> list[OngoingReassignment]:
    records, answer = cluster.decide(ListPartitionReassignments(None))
    assert records == []
    found: list[OngoingReassignment] = answer
    return found


def test_a_partition_moves_when_its_new_replicas_are_in_sync() -> None:
    """KIP-455: new replicas first, old ones until all new ones are in the ISR; then they go."""
    cluster = five()
    assert move(cluster, (4, 5, 1)) == ErrorCode.NONE
    now = cluster.partition()
    assert now.replicas == (4, 5, 1, 2, 3)
    assert (now.adding_replicas, now.removing_replicas) == ((4, 5), (2, 3))
    assert (now.leader, now.isr, now.leader_epoch) == (1, (1, 2, 3), 0)
    assert now.directories == tuple(bytes([one]) * 16 for one in now.replicas)
    assert ongoing(cluster) == [OngoingReassignment("t", 0, (4, 5, 1, 2, 3), (4, 5), (2, 3))]
    sync(cluster, 1, 2, 3, 4)
    assert cluster.partition().adding_replicas == (4, 5)
    sync(cluster, 1, 2, 3, 4, 5)
    now = cluster.partition()
    assert (now.replicas, now.isr, now.leader) == ((4, 5, 1), (1, 4, 5), 1)
    assert (now.adding_replicas, now.removing_replicas) == ((), ())
    assert now.leader_epoch == 1, "replicas went away: whoever follows them must hear of it"
    assert now.directories == tuple(bytes([one]) * 16 for one in now.replicas)
    assert ongoing(cluster) == []
    assert cluster.replayed() == cluster.image


def test_fewer_replicas_and_another_order_need_no_waiting() -> None:
    """KIP-455: nothing is added, so it is over with the record that begins it."""
    cluster = five()
    assert move(cluster, (2, 3)) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.isr, now.leader) == ((2, 3), (2, 3), 2)
    assert (now.adding_replicas, now.removing_replicas) == ((), ())
    assert move(cluster, (3, 2)) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.leader) == ((3, 2), 2)
    assert move(cluster, (3, 2)) == ErrorCode.NONE
    assert cluster.partition() == now, "as it is: nothing to write"


def test_what_is_under_way_can_be_ended() -> None:
    """KIP-455: null replicas bring back the replicas from before."""
    cluster = five()
    move(cluster, (4, 5))
    sync(cluster, 1, 2, 3, 4)
    assert move(cluster, None) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.isr, now.leader) == ((1, 2, 3), (1, 2, 3), 1)
    assert (now.adding_replicas, now.removing_replicas) == ((), ())
    assert move(cluster, None) == ErrorCode.NO_REASSIGNMENT_IN_PROGRESS


def test_an_end_that_would_lose_data_is_refused() -> None:
    """KIP-455, 966-05: if only new replicas are in sync, going back is an unclean election."""
    cluster = five(elr=False)
    move(cluster, (4, 5))
    sync(cluster, 1, 2, 3, 4)
    cluster.fence(1, 2, 3)
    before = cluster.partition()
    assert before.isr == (4,)
    assert move(cluster, None) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert cluster.partition() == before


def test_an_end_may_rest_on_the_eligible() -> None:
    """966-02: who is in the ELR is complete, so that nothing is lost by going back to it."""
    cluster = five(min_insync_replicas=2)
    move(cluster, (4, 5))
    sync(cluster, 1, 2, 3, 4)
    cluster.fence(1, 2, 3)
    assert (cluster.partition().isr, cluster.partition().elr) == ((4,), (3,))
    assert move(cluster, None) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.leader, now.isr, now.elr) == (-1, (), (3,))
    cluster.unfence(3)
    assert cluster.partition().leader == 3


UNCLEAN = "unclean.leader.election.enable"


def moving(*, elr: bool = True, unclean: bool = False, min_insync: int = 1) -> Cluster:
    """A partition on its way from 1 and 2 to 3 and 4; 3 is in sync already, 4 is dead."""
    cluster = Cluster(4, elr=elr, min_insync_replicas=min_insync)
    cluster.create("t", assignments=((0, (1, 2)),), configs=((UNCLEAN, str(unclean).lower()),))
    move(cluster, (3, 4))
    sync(cluster, 1, 2, 3)
    cluster.fence(4)
    return cluster


def come_back(cluster: Cluster, broker: int, *, is_clean: bool = True) -> None:
    """A new life of the broker, which is let in."""
    epoch = cluster.epoch(broker) if is_clean else -1
    cluster.do(register(broker, incarnation=9, previous_epoch=epoch))
    cluster.unfence(broker)


def test_an_end_that_would_lose_the_last_eligible_is_refused() -> None:
    """966-02, KIP-455: a new replica led alone until it died; what it took is nowhere else.

    The replicas from before do not lead without it, and it leads again when it is back.
    """
    cluster = moving()
    cluster.fence(1, 2, 3)
    before = cluster.partition()
    assert (before.leader, before.isr, before.elr) == (NO_LEADER, (), (3,))
    assert move(cluster, None) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert cluster.partition() == before
    come_back(cluster, 1)
    come_back(cluster, 2)
    assert move(cluster, None) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert cluster.partition().leader == NO_LEADER
    come_back(cluster, 3)
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (3, (3,), RECOVERED)


def test_an_end_that_would_lose_the_last_known_leader_is_refused() -> None:
    """966-02: where nobody is complete for certain, who led last is the only candidate."""
    cluster = moving()
    cluster.fence(1, 2, 3)
    cluster.do(register(3, incarnation=9))
    before = cluster.partition()
    assert (before.isr, before.elr, before.last_known_elr) == ((), (), (3,))
    assert move(cluster, None) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert cluster.partition() == before
    cluster.unfence(3)
    assert cluster.partition().leader == 3


def test_an_end_may_lose_the_last_complete_replica_where_the_topic_allows_it() -> None:
    """966-05: as in Kafka, an unclean election is what the operator then asks for."""
    cluster = moving(unclean=True)
    cluster.fence(1, 2, 3)
    assert cluster.partition().elr == (3,)
    assert move(cluster, None) == ErrorCode.NONE
    assert cluster.partition().replicas == (1, 2)
    come_back(cluster, 2)
    assert cluster.partition().leader == 2


@pytest.mark.parametrize("order", [(3, 1, 2), (1, 3, 2), (1, 2, 3)])
def test_an_offline_move_may_end_where_an_eligible_replica_remains(order: tuple[int, ...]) -> None:
    """966-02: one of those from before that was eligible is enough."""
    cluster = moving(min_insync=2)
    for broker in order:
        cluster.fence(broker)
    eligible = [one for one in cluster.partition().elr if one != 3]
    assert eligible, "the last two that left"
    assert move(cluster, None) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.leader, list(now.elr)) == ((1, 2), NO_LEADER, eligible)
    come_back(cluster, eligible[0])
    assert cluster.partition().leader == eligible[0]


def test_an_offline_move_may_end_where_the_last_known_leader_remains() -> None:
    """966-02: also when its stop was unclean, since it is among those from before."""
    cluster = moving()
    cluster.fence(3, 2, 1)
    cluster.do(register(1, incarnation=9))
    assert (cluster.partition().elr, cluster.partition().last_known_elr) == ((), (1,))
    assert move(cluster, None) == ErrorCode.NONE
    assert cluster.partition().replicas == (1, 2)
    cluster.unfence(1)
    assert cluster.partition().leader == 1


def test_an_end_without_elr_leaves_the_first_replica_in_the_isr() -> None:
    """966-04, 966-05: the unclean election was allowed with the end of the move, so that the
    replica leads when it is back, whatever the topic says then; others do not."""
    cluster = moving(elr=False, unclean=True)
    cluster.fence(1, 2, 3)
    assert cluster.partition().isr == (3,)
    assert move(cluster, None) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.replicas, now.leader, now.isr) == ((1, 2), NO_LEADER, (1,))
    forbid = ResourceChange(2, "t", (ConfigChange(UNCLEAN, SET, "false"),))
    cluster.do(AlterConfigs((forbid,)))
    come_back(cluster, 2)
    assert cluster.partition().leader == NO_LEADER
    come_back(cluster, 1)
    assert (cluster.partition().leader, cluster.partition().isr) == (1, (1,))
    assert cluster.replayed() == cluster.image


def test_another_target_drops_what_was_being_added() -> None:
    """KIP-455: what comes before counts from the replicas that were there before any of it."""
    cluster = five()
    move(cluster, (1, 2, 4))
    assert move(cluster, (1, 2, 5)) == ErrorCode.NONE
    now = cluster.partition()
    assert now.replicas == (1, 2, 5, 3)
    assert (now.adding_replicas, now.removing_replicas) == ((5,), (3,))
    move(cluster, None)
    assert cluster.partition().replicas == (1, 2, 3)


def test_new_replicas_that_alone_are_in_sync_stay_until_others_are() -> None:
    cluster = five(elr=False)
    move(cluster, (4, 5))
    sync(cluster, 1, 2, 3, 4)
    cluster.fence(1, 2, 3)
    assert move(cluster, (2, 3)) == ErrorCode.NONE
    now = cluster.partition()
    assert (now.leader, now.isr) == (4, (4,))
    assert 4 in now.replicas
    assert 4 in now.removing_replicas
    assert 5 not in now.replicas


def test_the_refusals_have_kafkas_codes() -> None:
    cluster = five()
    assert move(cluster, ()) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert move(cluster, (1, 1)) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert move(cluster, (1, 9)) == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert move(cluster, (1, 2), may_resize=False) == ErrorCode.INVALID_REPLICATION_FACTOR
    assert move(cluster, (1, 2, 4), may_resize=False) == ErrorCode.NONE
    assert move(cluster, (1, 4, 5), may_resize=False) == ErrorCode.NONE
    unknown = (Reassignment("none", 0, (1,)), Reassignment("t", 7, (1,)))
    outcomes = cluster.do(AlterPartitionReassignments(unknown))
    assert [one.code for one in outcomes] == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] * 2
    twice = (Reassignment("t", 0, (1, 2, 4)),) * 2
    outcomes = cluster.do(AlterPartitionReassignments(twice))
    assert [one.code for one in outcomes] == [ErrorCode.NONE, ErrorCode.INVALID_REQUEST]


def test_listing_tells_of_those_that_were_asked_for() -> None:
    cluster = five()
    cluster.create("u", assignments=((0, (1,)),))
    move(cluster, (4, 5))
    _, found = cluster.decide(ListPartitionReassignments((("u", 0), ("t", 9), ("x", 0))))
    assert found == []
    _, found = cluster.decide(ListPartitionReassignments((("t", 0),)))
    assert [one.topic for one in found] == ["t"]


STEPS: st.SearchStrategy[tuple[str, list[int]]] = st.one_of(
    st.tuples(st.just("move"), st.lists(st.integers(1, 5), min_size=1, max_size=4, unique=True)),
    st.tuples(st.just("cancel"), st.just([])),
    st.tuples(st.just("sync"), st.lists(st.integers(1, 5), max_size=5, unique=True)),
    st.tuples(st.just("fence"), st.lists(st.integers(1, 5), min_size=1, max_size=1)),
    st.tuples(st.just("unfence"), st.lists(st.integers(1, 5), min_size=1, max_size=1)),
)


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(STEPS, max_size=20), st.booleans())
def test_no_move_loses_the_last_complete_replica(
    steps: list[tuple[str, list[int]]], elr: bool
) -> None:
    """966-04: whatever moves, comes and goes, some replica that was in sync is still known.

    And the sets are sound: a leader is an active member of the ISR; the ISR, what is added and what
    is removed are among the replicas; every replica has a directory.
    """
    cluster = five(elr=elr, min_insync_replicas=2)
    for kind, ids in steps:
        if kind == "move":
            move(cluster, tuple(ids))
        elif kind == "cancel":
            move(cluster, None)
        elif kind == "fence":
            cluster.fence(*ids)
        elif kind == "unfence":
            cluster.unfence(*ids)
        elif cluster.partition().leader >= 0:
            sync(cluster, *dict.fromkeys((cluster.partition().leader, *ids)))
        now = cluster.partition()
        replicas = set(now.replicas)
        assert len(replicas) == len(now.replicas) == len(now.directories) > 0
        assert set(now.isr) | set(now.elr) <= replicas
        assert now.isr or now.elr, "nobody is complete any more"
        assert set(now.adding_replicas) | set(now.removing_replicas) <= replicas
        if now.leader >= 0:
            assert now.leader in now.isr
            assert cluster.image.brokers[now.leader].is_active
    assert cluster.replayed() == cluster.image


def test_an_election_may_be_all_that_a_reassignment_waits_for() -> None:
    """KIP-455, 966-02: the only one in sync is to go, and dies; the eligible one who follows it
    is all that is left."""
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1, 2)),), configs=(("min.insync.replicas", "2"),))
    cluster.fence(1)
    assert (cluster.partition().isr, cluster.partition().elr) == ((2,), (1,))
    cluster.unfence(1)
    assert move(cluster, (1,)) == ErrorCode.NONE
    assert cluster.partition().removing_replicas == (2,)
    cluster.fence(2)
    now = cluster.partition()
    assert (now.replicas, now.isr, now.leader) == ((1,), (1,), 1)
    assert now.directories == (bytes([1]) * 16,)
    assert ongoing(cluster) == []
