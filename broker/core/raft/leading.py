"""A leader's side: Fetch, the high watermark, check quorum, standing down (KIP-595, KIP-1166)."""

from __future__ import annotations

from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode

from . import (
    claims,
    kraft_version,
    leader_log,
    lost_writes,
    membership,
    observers,
    roles,
)
from .messages import (
    BeginEpoch,
    Fetch,
    FetchAnswer,
    LeaderAndEpoch,
    QuorumDescription,
    ReplicaDescription,
    ReplicaKey,
)
from .ports import Control, KRaftVersion, LeaderChange
from .states import Leader, ParkedFetch, Progress, Replica

CHECK_QUORUM_FACTOR: Final = 1.5
"""A majority must have fetched within this many fetch timeouts (595-07)."""


# Beginning and end --------------------------------------------------------------------------


def begin_reign(replica: Replica, granting: tuple[int, ...], now_ms: float) -> None:
    """Lead: append LeaderChange as the epoch's first record (595-03), and tell the others."""
    log = replica.log
    config = replica.config
    role = Leader(
        epoch_start=log.end_offset,
        since_ms=now_ms,
        deadline_ms=now_ms + CHECK_QUORUM_FACTOR * config.fetch_timeout_ms,
        begin_ms=now_ms + config.fetch_timeout_ms / 2,
    )
    replica.role = role
    keys = tuple(ReplicaKey(one.voter_id, one.directory_id) for one in replica.voters.members)
    voted = tuple(key for key in keys if key.node_id in granting)
    controls: list[Control] = [LeaderChange(replica.me.node_id, keys, voted)]
    if replica.kraft_version > 0:
        controls += _news_of_voters(replica)
    leader_log.append_controls(replica, role, controls)
    _tell_epoch(replica, role, now_ms, since_ms=inf)


def _news_of_voters(replica: Replica) -> list[Control]:
    """The voters, if the log does not have them as they are (853-01).

    Either they are known only from this node's bootstrap file, which is not replicated; or this
    node is reached elsewhere than before, and nobody leads who could be told so by UpdateRaftVoter.
    """
    voters, mine = replica.voters, kraft_version.own_entry(replica)
    before = voters.entry_of(mine.voter_id, mine.directory_id)
    has_moved = before is not None and bool(mine.addresses) and not before.says_the_same(mine)
    is_new = replica.voter_sets[-1][0] < 0 and not replica.log.snapshots()
    if not is_new and not has_moved:
        return []
    return [KRaftVersion(replica.kraft_version), voters.with_entry(mine) if has_moved else voters]


def _tell_epoch(replica: Replica, role: Leader, now_ms: float, *, since_ms: float) -> None:
    """BeginQuorumEpoch to every voter that has not fetched since then."""
    for key in replica.others:
        if role.voters[key.node_id].last_fetch_ms < since_ms:
            request = BeginEpoch(
                replica.config.cluster_id,
                replica.me.node_id,
                replica.epoch,
                key,
                replica.config.addresses,
            )
            replica.send(key.node_id, request, now_ms)


# Fetch --------------------------------------------------------------------------------------


def serve_fetch(
    replica: Replica, token: int, request: Fetch, error: ErrorCode, now_ms: float
) -> None:
    """Check a Fetch in Kafka's order (595-05); answer with records, a diverging epoch or a
    snapshot's id."""
    error = error or _check_fetch(replica, request)
    if error:
        leader_id, address = replica.known_leader(), replica.leader_address()
        replica.reply(token, FetchAnswer(error, leader_id, replica.epoch, leader_address=address))
        return
    role = replica.role
    assert type(role) is Leader
    progress = observers.note_alive(replica, role, request.replica, now_ms)
    if progress is not None:
        lost_writes.watch(replica, role, progress, request)
    where = leader_log.validate_position(replica, request)
    if where is not None:
        replica.reply(token, where)
        return
    if progress is not None:
        _note_fetch(replica, role, progress, request, now_ms)
    if replica.role is not role:  # this Fetch committed the change that removes this leader
        serve_fetch(replica, token, request, ErrorCode.NONE, now_ms)
    elif request.max_wait_ms == 0 or leader_log.has_news(replica, request):
        replica.reply(token, leader_log.records_for(replica, request))
    else:
        deadline_ms = now_ms + request.max_wait_ms
        role.parked[token] = ParkedFetch(token, request, deadline_ms)
        role.wake_ms = min(role.wake_ms, deadline_ms)


def _check_fetch(replica: Replica, request: Fetch) -> ErrorCode:
    if request.max_wait_ms < 0 or request.offset < 0 or request.last_epoch < 0:
        return ErrorCode.INVALID_REQUEST
    if 0 <= request.epoch < request.last_epoch:
        return ErrorCode.INVALID_REQUEST
    return claims.check_leadership(replica, request.epoch)


def _note_fetch(
    replica: Replica, role: Leader, progress: Progress, request: Fetch, now_ms: float
) -> None:
    if request.high_watermark < 1 << 62:
        progress.high_watermark = request.high_watermark
    if request.offset >= replica.log.end_offset:
        progress.caught_up_ms = now_ms
    if progress.end_offset != request.offset:
        progress.end_offset = request.offset
        if role.voters.get(request.replica.node_id) is progress:
            leader_log.advance_high_watermark(replica, role, now_ms)


# Time ---------------------------------------------------------------------------------------


def tick(replica: Replica, role: Leader, now_ms: float) -> None:
    """Check quorum, repeat BeginQuorumEpoch, and answer parked requests whose time is up."""
    if now_ms >= role.deadline_ms and not check_quorum(replica, role, now_ms):
        roles.resign(replica, now_ms)
        return
    if now_ms >= role.begin_ms:
        half_ms = replica.config.fetch_timeout_ms / 2
        role.begin_ms = now_ms + half_ms
        _tell_epoch(replica, role, now_ms, since_ms=now_ms - half_ms)
    if now_ms >= role.wake_ms:
        for token in [one for one, it in role.parked.items() if now_ms >= it.deadline_ms]:
            parked = role.parked.pop(token)
            where = leader_log.validate_position(replica, parked.request)
            replica.reply(token, where or leader_log.records_for(replica, parked.request))
        membership.expire(replica, role, now_ms)
        role.wake_ms = min((it.deadline_ms for it in role.parked.values()), default=inf)
        if role.change is not None:
            role.wake_ms = min(role.wake_ms, role.change.deadline_ms)


def check_quorum(replica: Replica, role: Leader, now_ms: float) -> bool:
    """Whether a majority fetched within 1.5 fetch timeouts (595-07); sets the next deadline."""
    patience_ms = CHECK_QUORUM_FACTOR * replica.config.fetch_timeout_ms
    heard_ms = max(role.since_ms, majority_heard_ms(replica, role, now_ms))
    role.deadline_ms = heard_ms + patience_ms
    return now_ms < role.deadline_ms


def majority_heard_ms(replica: Replica, role: Leader, now_ms: float) -> float:
    """The latest time such that a majority, this node included, has fetched since then."""
    times = [one.last_fetch_ms for one in role.voters.values()]
    if replica.is_voter:
        times.append(now_ms)
    times.sort(reverse=True)
    return times[len(times) // 2] if times else now_ms


# What the leader tells ----------------------------------------------------------------------


def told_high_watermarks(role: Leader) -> dict[int, int]:
    """Replica id -> the high watermark it told; -1 if its Fetch has no such field."""
    told = {key.node_id: one.high_watermark for key, one in role.observers.items()}
    told.update((node_id, one.high_watermark) for node_id, one in role.voters.items())
    return told


def describe(replica: Replica, role: Leader, now_ms: float) -> QuorumDescription:
    """Voters in the order of their set; observers heard of within the session time."""
    voters = [
        ReplicaDescription(
            ReplicaKey(one.voter_id, one.directory_id), *_facts(replica, role, one.voter_id, now_ms)
        )
        for one in replica.voters.members
    ]
    session_ms = replica.config.replica_session_ms
    observers = [
        ReplicaDescription(key, one.end_offset, one.last_fetch_ms, one.caught_up_ms)
        for key, one in role.observers.items()
        if now_ms - one.last_fetch_ms <= session_ms
    ]
    return QuorumDescription(
        LeaderAndEpoch(replica.me.node_id, replica.epoch),
        replica.high_watermark if replica.high_watermark > role.epoch_start else -1,
        tuple(voters),
        tuple(observers),
    )


def _facts(
    replica: Replica, role: Leader, voter_id: int, now_ms: float
) -> tuple[int, float, float]:
    if voter_id == replica.me.node_id:
        return replica.log.end_offset, now_ms, now_ms
    one = role.voters[voter_id]
    return one.end_offset, one.last_fetch_ms, one.caught_up_ms
