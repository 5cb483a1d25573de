"""Sessions of brokers, and what heartbeats bring about: 631-01 to 631-03."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kit.controllers import Cluster, register

from barnabas.broker.core.cluster.commands import (
    BrokerHeartbeat,
    FenceExpired,
    HeartbeatAnswer,
    WriteNoOp,
)
from barnabas.broker.core.cluster.partition_commands import (
    AssignReplicasToDirs,
    DirectoryAssignment,
)
from barnabas.broker.core.cluster.topic_image import NO_LEADER
from barnabas.protocol.errors import ErrorCode

SESSION_MS = 2500
SUSPECT_MS = 700
GRACE_MS = 200


def beat(
    cluster: Cluster, broker: int, offset: int | None = None, **fields: Any
) -> HeartbeatAnswer:
    """A heartbeat of a broker that has applied all, or up to `offset`."""
    if offset is None:
        offset = cluster.image.last_offset
    answer = cluster.do(BrokerHeartbeat(broker, cluster.epoch(broker), offset, **fields))
    assert isinstance(answer, HeartbeatAnswer)
    return answer


def three(**settings: Any) -> Cluster:
    """Three brokers that were heard at 0, and a partition on all of them."""
    cluster = Cluster(3, **settings)
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    return cluster


def test_a_new_broker_is_unfenced_once_it_has_its_own_registration() -> None:
    """631-02: fenced at first; CurrentMetadataOffset must reach the registration's offset."""
    cluster = Cluster(0)
    epoch = cluster.add(1, fenced=True)
    assert beat(cluster, 1, epoch - 1) == HeartbeatAnswer(
        is_caught_up=False, is_fenced=True, should_shut_down=False
    )
    assert beat(cluster, 1, epoch, wants_fence=True).is_fenced
    assert beat(cluster, 1, epoch) == HeartbeatAnswer(
        is_caught_up=True, is_fenced=False, should_shut_down=False
    )
    assert cluster.image.brokers[1].is_active
    records, _ = cluster.decide(BrokerHeartbeat(1, epoch, epoch))
    assert records == [], "a heartbeat that changes nothing writes nothing"


def test_a_stale_epoch_is_refused() -> None:
    """631-02: STALE_BROKER_EPOCH (77), also for a broker that nobody knows."""
    cluster = Cluster(1)
    epoch = cluster.epoch(1)
    assert cluster.refusal(BrokerHeartbeat(1, epoch - 1, 0)) == ErrorCode.STALE_BROKER_EPOCH
    assert cluster.refusal(BrokerHeartbeat(9, 0, 0)) == ErrorCode.STALE_BROKER_EPOCH


def test_brokers_that_fall_silent_are_fenced_together() -> None:
    """631-02: after the session they are out of every ISR and lead nothing."""
    cluster = three()
    cluster.now_ms = 1.0
    beat(cluster, 3)
    cluster.now_ms = SESSION_MS - 1.0
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms = SESSION_MS
    assert cluster.controller.sessions.next_expiry_ms(cluster.image) == SESSION_MS
    assert cluster.do(FenceExpired()) == (1, 2)
    partition = cluster.partition()
    assert (partition.leader, partition.isr, partition.leader_epoch) == (3, (3,), 1)
    assert [cluster.image.brokers[one].fenced for one in (1, 2, 3)] == [True, True, False]
    assert cluster.controller.sessions.next_expiry_ms(cluster.image) == SESSION_MS + 1
    assert cluster.do(FenceExpired()) == ()
    beat(cluster, 1)
    assert not cluster.image.brokers[1].fenced, "heard again, and caught up"


def test_all_at_once_without_elr_stay_in_the_isr() -> None:
    """966-04: who was in sync when all were lost is complete, whoever comes back first.

    841-01: those who have not come back are then not in the ISR.
    """
    cluster = three(elr=False)
    cluster.now_ms = SESSION_MS
    cluster.do(FenceExpired())
    assert (cluster.partition().leader, cluster.partition().isr) == (NO_LEADER, (1, 2, 3))
    beat(cluster, 2)
    assert (cluster.partition().leader, cluster.partition().isr) == (2, (2,))


def test_a_lost_connection_shortens_a_session_to_its_grace() -> None:
    """broker.connection.loss.grace.ms: fenced at once, unless a heartbeat comes in that time."""
    cluster = three()
    sessions = cluster.controller.sessions
    cluster.now_ms = 1000.0
    for broker in (1, 2):
        sessions.lose_connection(broker, cluster.epoch(broker), cluster.now_ms)
    sessions.lose_connection(3, cluster.epoch(3) - 1, cluster.now_ms)  # of a process before
    cluster.now_ms = 1100.0
    beat(cluster, 2)
    sessions.lose_connection(1, cluster.epoch(1), cluster.now_ms)  # still lost, not anew
    cluster.now_ms = 1000.0 + GRACE_MS - 1
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms = 1000.0 + GRACE_MS
    assert cluster.do(FenceExpired()) == (1,)
    assert cluster.partition().leader == 2


def test_without_a_grace_connections_mean_nothing() -> None:
    cluster = three(broker_connection_loss_grace_ms=0)
    cluster.controller.sessions.lose_connection(1, cluster.epoch(1), 0.0)
    cluster.now_ms = SESSION_MS - 1.0
    assert cluster.do(FenceExpired()) == ()


def test_a_new_reign_gives_everybody_a_whole_session() -> None:
    """631-02: nobody is fenced for what another controller heard, or did not hear."""
    cluster = three()
    cluster.now_ms = 50_000.0
    cluster.controller.begin_reign(cluster.now_ms)
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += SESSION_MS - 1
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += 1
    assert cluster.do(FenceExpired()) == (1, 2, 3)


def test_the_controller_that_reigned_before_is_silent_already() -> None:
    """631-02: of its session as a broker little is left, unless it is heard."""
    cluster = three()
    cluster.now_ms = 50_000.0
    cluster.controller.begin_reign(cluster.now_ms, 2)
    cluster.now_ms += SUSPECT_MS - 1
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += 1
    assert cluster.do(FenceExpired()) == (2,)
    cluster.controller.begin_reign(cluster.now_ms, 3)
    beat(cluster, 3)
    cluster.now_ms += SESSION_MS - 1
    assert cluster.do(FenceExpired()) == ()


def test_a_short_session_is_not_made_longer_for_it() -> None:
    """631-02: broker.session.timeout.ms is the longest silence of all."""
    cluster = three(broker_session_timeout_ms=600)
    cluster.now_ms = 50_000.0
    cluster.controller.begin_reign(cluster.now_ms, 2)
    cluster.now_ms += 599
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += 1
    assert cluster.do(FenceExpired()) == (1, 2, 3)


def test_time_in_which_the_controller_stood_still_is_nobodys_silence() -> None:
    """631-02: of sessions and of graces; what was sent meanwhile has not been read."""
    cluster = three()
    sessions = cluster.controller.sessions
    sessions.lose_connection(1, cluster.epoch(1), 0.0)
    sessions.forgive(4000)
    cluster.now_ms = 4000.0 + GRACE_MS - 1
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += 1
    assert cluster.do(FenceExpired()) == (1,)
    cluster.now_ms = 4000.0 + SESSION_MS - 1
    assert cluster.do(FenceExpired()) == ()
    cluster.now_ms += 1
    assert cluster.do(FenceExpired()) == (2, 3)


def test_another_incarnation_waits_for_the_end_of_the_session() -> None:
    """631-01: DUPLICATE_BROKER_REGISTRATION (101) while the old one lives, and no longer."""
    cluster = three()
    again = register(1, incarnation=1)
    for broker_id in (1, 2, 3):
        beat(cluster, broker_id)
    cluster.now_ms = SESSION_MS - 1.0
    assert cluster.refusal(again) == ErrorCode.DUPLICATE_BROKER_REGISTRATION
    cluster.now_ms = SESSION_MS
    cluster.do(again)
    assert cluster.image.brokers[1].fenced
    assert cluster.partition().isr == (2, 3)

    cluster.controller.sessions.lose_connection(2, cluster.epoch(2), 100.0)
    cluster.now_ms = 100.0 + GRACE_MS
    cluster.do(register(2, incarnation=1))

    cluster.controller.begin_reign(cluster.now_ms)
    cluster.do(register(3, incarnation=1))  # not heard in this reign: it may be the dead one


def test_a_broker_that_only_registered_keeps_nobody_out() -> None:
    """631-01: its process may have died at once; once it sent a heartbeat, 101 for others."""
    cluster = three()
    first = cluster.do(register(7))
    second = cluster.do(register(7, incarnation=1))
    assert second.broker_epoch > first.broker_epoch
    beat(cluster, 7)
    assert cluster.do(register(7, incarnation=1)) == second, "the same one goes on, heard as before"
    assert cluster.refusal(register(7)) == ErrorCode.DUPLICATE_BROKER_REGISTRATION


def test_a_controlled_shutdown_has_two_steps() -> None:
    """631-03: leaderships move; it may go once every active broker has applied the move."""
    cluster = three()
    answer = beat(cluster, 1, wants_shutdown=True)
    assert answer == HeartbeatAnswer(
        is_caught_up=True, is_fenced=False, should_shut_down=False, in_controlled_shutdown=True
    )
    moved = cluster.image.last_offset
    assert (cluster.partition().leader, cluster.partition().isr) == (2, (2, 3))
    assert not beat(cluster, 1, wants_shutdown=True).should_shut_down, "nobody told an offset yet"
    beat(cluster, 2, moved)
    beat(cluster, 3, moved - 1)
    assert not beat(cluster, 1, wants_shutdown=True).should_shut_down
    beat(cluster, 3, moved)
    answer = beat(cluster, 1, wants_shutdown=True)
    assert answer.should_shut_down
    assert answer.is_fenced
    assert cluster.image.brokers[1].fenced
    cluster.do(register(1, incarnation=1, previous_epoch=cluster.epoch(1)))  # at once


def test_a_broker_that_leads_nothing_may_go_at_once() -> None:
    """631-03: as does one that is fenced already."""
    cluster = three()
    assert beat(cluster, 3, wants_shutdown=True).should_shut_down
    assert cluster.partition().isr == (1, 2)
    cluster.add(4, fenced=True)
    assert beat(cluster, 4, wants_shutdown=True).should_shut_down


def test_a_shutdown_goes_on_under_a_new_controller() -> None:
    """631-03: the new one waits for all that it knew when it began."""
    cluster = three()
    beat(cluster, 1, wants_shutdown=True)
    moved = cluster.image.last_offset
    cluster.controller.begin_reign(0.0)
    beat(cluster, 2, moved)
    assert not beat(cluster, 1, wants_shutdown=True).should_shut_down
    beat(cluster, 3, moved)
    assert beat(cluster, 1, wants_shutdown=True).should_shut_down


def test_the_last_broker_of_all_may_go() -> None:
    """631-03: there is nobody to wait for, and nobody to lead."""
    cluster = Cluster(1)
    cluster.create("t")
    assert not beat(cluster, 1, wants_shutdown=True).should_shut_down
    assert beat(cluster, 1, wants_shutdown=True).should_shut_down
    assert cluster.partition().leader == NO_LEADER


def test_a_failed_directory_takes_its_replicas_along() -> None:
    """Leaderships on it move, and it is in no registration any more; the rest goes on."""
    cluster = Cluster(1)
    first, second = bytes([21]) * 16, bytes([22]) * 16
    epoch = cluster.do(replace(register(2), log_dirs=(first, second))).broker_epoch
    beat(cluster, 2)
    cluster.create("t", assignments=((0, (2, 1)), (1, (2, 1))))
    assert cluster.partition().directories[0] == bytes(15) + b"\x01", "2 has not told it yet"
    topic_id = cluster.image.topics_by_name["t"].topic_id
    assign(cluster, 2, (first, topic_id, 0), (second, topic_id, 1))
    beat(cluster, 2, offline_log_dirs=(first,))
    assert cluster.image.brokers[2].log_dirs == (second,)
    assert (cluster.partition().leader, cluster.partition().isr) == (1, (1,))
    assert cluster.partition("t", 1).leader == 2
    records, _ = cluster.decide(
        BrokerHeartbeat(2, epoch, cluster.image.last_offset, offline_log_dirs=(first,))
    )
    assert records == []
    assert beat(cluster, 2, offline_log_dirs=(first, second)).is_fenced, "nothing to serve from"
    assert beat(cluster, 2, offline_log_dirs=(first, second)).is_fenced
    assert cluster.partition("t", 1).leader == 1


def assign(cluster: Cluster, broker: int, *assignments: tuple[bytes, bytes, int]) -> None:
    made = tuple(DirectoryAssignment(*one) for one in assignments)
    answers = cluster.do(AssignReplicasToDirs(broker, cluster.epoch(broker), made))
    assert answers == [ErrorCode.NONE] * len(made)


def test_cordoned_directories_are_remembered() -> None:
    cluster = Cluster(1)
    directory = cluster.image.brokers[1].log_dirs[0]
    beat(cluster, 1, cordoned_log_dirs=(directory,))
    assert list(cluster.image.brokers[1].cordoned_log_dirs or ()) == [directory]
    beat(cluster, 1)
    assert list(cluster.image.brokers[1].cordoned_log_dirs or ()) == [directory]
    beat(cluster, 1, cordoned_log_dirs=())
    assert not cluster.image.brokers[1].cordoned_log_dirs


def test_cordoned_directories_at_an_older_level() -> None:
    """KIP-1066: the record has a place for them from metadata.version 30 on; before, other nodes
    could not read it."""
    cluster = Cluster(1)
    directory = cluster.image.brokers[1].log_dirs[0]
    cluster.image.features["metadata.version"] = 29
    length = len(cluster.log)
    beat(cluster, 1, cordoned_log_dirs=(directory,))
    assert len(cluster.log) == length
    assert not cluster.image.brokers[1].cordoned_log_dirs


def test_a_no_op_record_changes_nothing_but_the_offset() -> None:
    """KIP-835: it has its offset like any other record."""
    cluster = three()
    before = cluster.image.copy()
    cluster.do(WriteNoOp())
    assert cluster.image == before
    assert cluster.image.last_offset == before.last_offset + 1
