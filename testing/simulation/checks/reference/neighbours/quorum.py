"""The quorum, its snapshots, and what the controller decides."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from barnabas.broker.core.raft.states import Leader
from barnabas.protocol.errors import ErrorCode

from .. import quorum
from .altered import NEAR, QUESTIONS, Altered, Questions, subset

# --- the quorum ----------------------------------------------------------------------------------


def epoch(random: Random, replica: Any, epoch: int) -> Questions:
    del random, epoch
    for near in (-1, replica.epoch - 1, replica.epoch, replica.epoch + 1):
        yield replica, near


def majority(random: Random, replica: Any, role: Any) -> Questions:
    end = replica.log.end_offset
    for _ in range(QUESTIONS):
        voters = {
            key: Altered(one, end_offset=end - random.randint(0, 3))
            for key, one in role.voters.items()
        }
        flushed = end - random.randint(0, 3)
        yield Altered(replica, flushed_offset=flushed), Altered(role, voters=voters)


def heard(random: Random, replica: Any, role: Any, now_ms: float) -> Questions:
    timeout_ms = replica.config.fetch_timeout_ms
    for _ in range(QUESTIONS):
        ago_ms = [timeout_ms * random.choice((0.5, 1.4, 1.6, 3.0)) for _ in role.voters]
        voters = {
            key: Altered(one, last_fetch_ms=now_ms - ago)
            for (key, one), ago in zip(role.voters.items(), ago_ms, strict=True)
        }
        since_ms = now_ms - timeout_ms * random.choice((0.5, 1.6, 4.0))
        yield replica, Altered(role, voters=voters, since_ms=since_ms), now_ms


def wanted(random: Random, replica: Any, request: Any) -> Questions:
    known = replica.log.snapshots()
    if not known:
        return
    start, oldest = replica.log.start_offset, known[0]
    for _ in range(QUESTIONS):
        offset = random.choice((0, max(start + random.choice(NEAR), 0)))
        epoch = oldest.epoch + random.choice(NEAR)
        yield replica, Altered(request, offset=offset, last_epoch=epoch)


def _alone(role: Any) -> Any:
    """The role of a leader, as a copy with copies of what it knows of others."""
    near = copy.copy(role)
    near.voters = {key: copy.copy(one) for key, one in role.voters.items()}
    near.observers = {key: copy.copy(one) for key, one in role.observers.items()}
    return near


def gate(random: Random, replica: Any, snapshot: Any, now_ms: float) -> Questions:
    if type(replica.role) is not Leader:
        return
    config = replica.config
    for _ in range(QUESTIONS):
        role = _alone(replica.role)
        for one in (*role.voters.values(), *role.observers.values()):
            one.end_offset = snapshot.end_offset + random.choice((-1, 0, 0, 1))
            one.last_fetch_ms = now_ms - config.replica_session_ms * random.choice((0.5, 0.9, 1.5))
        role.since_ms = now_ms - config.replica_session_ms * random.choice((0.5, 1.5, 3.0))
        waited_ms = config.max_replication_lag_ms * random.choice((0.5, 0.9, 1.1))
        seen_ms = {**replica.snapshot_seen_ms, snapshot: now_ms - waited_ms}
        yield Altered(replica, role=role, snapshot_seen_ms=seen_ms), snapshot, now_ms


def piece(random: Random, replica: Any, request: Any, error: ErrorCode, now_ms: float) -> Questions:
    if type(replica.role) is not Leader:
        return
    size = replica.log.snapshot_size(request.snapshot)
    for _ in range(QUESTIONS):
        position = random.choice((-1, 0, size - 1, size, size + 1))
        epoch = replica.epoch + random.choice((-1, 0, 0, 1))
        asked = copy.copy(request)
        asked.position, asked.epoch = position, epoch
        yield Altered(replica, role=_alone(replica.role)), asked, error, now_ms


# --- the controller ------------------------------------------------------------------------------


def epochs_fit(random: Random, broker_id: int, proposal: Any, before: Any) -> Questions:
    for _ in range(2 * QUESTIONS):
        near = proposal._replace(
            leader_epoch=before.leader_epoch + random.choice((-1, 0, 0, 1)),
            partition_epoch=before.partition_epoch + random.choice((-1, 0, 0, 1)),
        )
        yield random.choice((broker_id, before.leader, before.leader + 1)), near, before


def isr_fits(random: Random, proposal: Any, before: Any) -> Questions:
    for _ in range(QUESTIONS):
        members = list(subset(random, before.replicas))
        if random.random() < 0.5 and before.leader >= 0:
            members.append(before.leader)  # twice, where it was among them
        if random.random() < 0.2:
            members.append(max(before.replicas) + 1)
        state = random.choice((quorum.RECOVERED, quorum.RECOVERED, quorum.RECOVERING, 2))
        isr = tuple((member, -1) for member in members)
        yield proposal._replace(isr=isr, recovery_state=state), before


def eligible(random: Random, member: int, epoch: int, before: Any, brokers: Any) -> Questions:
    del epoch
    broker = brokers.get(member)
    if broker is None:
        return
    for near in (-1, broker.epoch - 1, broker.epoch, broker.epoch + 1):
        yield random.choice((member, *before.replicas)), near, before, brokers


def elected(
    random: Random, before: Any, target: Any, brokers: Any, rules: Any, **options: Any
) -> Questions:
    for _ in range(QUESTIONS):
        isr = subset(random, target.replicas)
        elr = tuple(one for one in subset(random, target.replicas) if one not in isr)
        near = before._replace(
            leader=random.choice((-1, *target.replicas)),
            isr=isr,
            elr=elr,
            last_known_elr=subset(random, target.replicas)[:1],
        )
        flags = rules._replace(unclean=random.random() < 0.2)
        yield near, target._replace(isr=isr), brokers, flags


def alive(random: Random, sessions: Any, broker_id: int, now_ms: float) -> Questions:
    del now_ms, random
    session = sessions._sessions.get(broker_id)
    if session is not None:
        end_ms = quorum.expiry_ms(sessions, session)
        for near in (-1.0, 0.0, 1.0, 0.6 * sessions._timeout_ms):
            yield sessions, broker_id, end_ms + near


def let_in(random: Random, command: Any, broker: Any, situation: Any) -> Questions:
    for _ in range(QUESTIONS):
        asked = Altered(
            command,
            metadata_offset=broker.epoch + random.choice(NEAR),
            wants_fence=random.random() < 0.2,
            wants_shutdown=False,
            offline_log_dirs=random.choice(((), broker.log_dirs)),
        )
        yield asked, broker._replace(fenced=True), situation
