"""A leader's side: Fetch, the high watermark, check quorum, standing down (KIP-595, KIP-1166)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.primitives import ZERO_UUID

from . import (
    elections,
    following,
    kraft_version,
    lost_writes,
    membership,
    observers,
    serving,
    snapshots,
)
from .messages import (
    BeginEpoch,
    EndEpoch,
    EpochEnd,
    Fetch,
    FetchAnswer,
    LeaderAndEpoch,
    QuorumDescription,
    ReplicaDescription,
    ReplicaKey,
    VoterChangeAnswer,
)
from .ports import Control, ControlEntry, KRaftVersion, LeaderChange
from .ready import Flush
from .states import Leader, ParkedFetch, Progress, Replica

CHECK_QUORUM_FACTOR: Final = 1.5
"""595-07: fetch time-outs in which a majority must have fetched."""


# Beginning and end --------------------------------------------------------------------------


def begin_reign(replica: Replica, granting: tuple[int, ...], now_ms: float) -> None:
    """595-03: the first record of the epoch says who leads; the others are told."""
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
    if replica.kraft_version > 0 and replica.voter_sets[-1][0] < 0 and not log.snapshots():
        # Known from the bootstrap file alone, which is nowhere replicated.
        controls += [KRaftVersion(replica.kraft_version), replica.voters]
    append_controls(replica, role, controls)
    _tell_epoch(replica, role, now_ms, since_ms=inf)


def append_controls(replica: Replica, role: Leader, controls: Sequence[Control]) -> int:
    """Append one control batch; voters in it count at once. Returns its first offset."""
    base = replica.log.end_offset
    before = replica.others
    replica.log.append_control(controls, replica.epoch)
    replica.note_controls(
        ControlEntry(base + index, control)
        for index, control in enumerate(controls)
        if not isinstance(control, LeaderChange)
    )
    _seat_voters(replica, role, before)
    wake_parked(replica, role)
    return base


def _seat_voters(replica: Replica, role: Leader, before: Sequence[ReplicaKey]) -> None:
    """Progress by the voter set as it is now; what is known of a replica is kept (630-07)."""
    known = role.observers
    known.update((key, role.voters[key.node_id]) for key in before if key.node_id in role.voters)
    role.voters = {key.node_id: _known_of(known, key) for key in replica.others}


def _known_of(known: dict[ReplicaKey, Progress], key: ReplicaKey) -> Progress:
    """A configured voter has no directory until kraft.version is raised; it is the same one."""
    configured = known.pop(ReplicaKey(key.node_id, ZERO_UUID), None)
    return known.pop(key, configured or Progress())


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


def resign(replica: Replica, now_ms: float) -> None:
    """595-08: name successors, the one with the longest log first, and stand down."""
    role = replica.role
    assert type(role) is Leader
    ranked = sorted(replica.others, key=lambda key: -role.voters[key.node_id].end_offset)
    request = EndEpoch(
        replica.config.cluster_id,
        replica.me.node_id,
        replica.epoch,
        tuple(ranked),
        replica.config.addresses,
    )
    elections.stand_down(replica, now_ms)
    for key in ranked:
        replica.send(key.node_id, request, now_ms)


def end_reign(replica: Replica, reign: Leader) -> None:
    """Whoever waits for this leader is told that it leads no more."""
    leader_id, address = replica.known_leader(), replica.leader_address()
    for parked in reign.parked.values():
        answer = FetchAnswer(
            ErrorCode.NOT_LEADER_OR_FOLLOWER, leader_id, replica.epoch, leader_address=address
        )
        replica.reply(parked.token, answer)
    if reign.change is not None and reign.change.token >= 0:
        lost = VoterChangeAnswer(
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            leader_id,
            replica.epoch,
            "this node stopped leading before the change was committed",
            address,
        )
        replica.reply(reign.change.token, lost)


# Appending and the high watermark -----------------------------------------------------------


def append(replica: Replica, records: Sequence[Message], now_ms: float) -> int:
    """Append one batch; returns the offset of its last record."""
    role = replica.role
    assert type(role) is Leader
    replica.freshness.appended(replica.log.end_offset, now_ms)
    end = replica.log.append_messages(records, replica.epoch)
    wake_parked(replica, role)
    return end - 1


def on_flushed(replica: Replica, flush: Flush, now_ms: float) -> None:
    """What is durable counts: for a leader's high watermark, for a follower's next Fetch."""
    if flush.generation != replica.flush_generation:
        return
    offset = min(flush.offset, replica.log.end_offset)
    if offset > replica.flushed_offset:
        replica.flushed_offset, replica.flushed_epoch = offset, flush.last_epoch
        replica.peek_after_ms = inf  # the disk answers: its time begins anew
        role = replica.role
        if type(role) is Leader:
            advance_high_watermark(replica, role, now_ms)


def own_durable_offset(replica: Replica) -> int:
    """C33d: the leader's own log counts as far as it is durable."""
    return replica.flushed_offset


def advance_high_watermark(replica: Replica, role: Leader, now_ms: float) -> None:
    """595-03: what a majority holds, once that includes a record of this epoch."""
    offset = majority_offset(replica, role)
    if offset <= role.epoch_start or offset <= replica.high_watermark:
        return
    following.raise_high_watermark(replica, offset)
    membership.on_committed(replica, role, now_ms)
    if replica.role is role:
        wake_parked(replica, role)


def majority_offset(replica: Replica, role: Leader) -> int:
    """The largest offset below which a majority of voters has everything durably."""
    offsets = [one.end_offset for one in role.voters.values()]
    if replica.is_voter:
        offsets.append(own_durable_offset(replica))
    offsets.sort(reverse=True)
    return offsets[len(offsets) // 2] if offsets else -1


# Fetch --------------------------------------------------------------------------------------


def serve_fetch(
    replica: Replica, token: int, request: Fetch, error: ErrorCode, now_ms: float
) -> None:
    """Checks in Kafka's order (595-05), then records, or where the log parts, or a snapshot."""
    error = error or _check_fetch(replica, request)
    if error:
        leader_id, address = replica.known_leader(), replica.leader_address()
        replica.reply(token, FetchAnswer(error, leader_id, replica.epoch, leader_address=address))
        return
    role = replica.role
    assert type(role) is Leader
    progress = note_alive(replica, role, request.replica, now_ms)
    if progress is not None:
        lost_writes.watch(replica, role, progress, request)
    where = validate_position(replica, request)
    if where is not None:
        replica.reply(token, where)
        return
    if progress is not None:
        _note_fetch(replica, role, progress, request, now_ms)
    if replica.role is not role:  # that Fetch committed the change that removed this leader
        serve_fetch(replica, token, request, ErrorCode.NONE, now_ms)
    elif request.max_wait_ms == 0 or _has_news(replica, request):
        replica.reply(token, _records(replica, request))
    else:
        deadline_ms = now_ms + request.max_wait_ms
        role.parked[token] = ParkedFetch(token, request, deadline_ms)
        role.wake_ms = min(role.wake_ms, deadline_ms)


def _check_fetch(replica: Replica, request: Fetch) -> ErrorCode:
    if request.max_wait_ms < 0 or request.offset < 0 or request.last_epoch < 0:
        return ErrorCode.INVALID_REQUEST
    if 0 <= request.epoch < request.last_epoch:
        return ErrorCode.INVALID_REQUEST
    return serving.check_leadership(replica, request.epoch)


def _has_news(replica: Replica, request: Fetch) -> bool:
    """Records, or a high watermark that the replica has not told yet (KIP-1166)."""
    return (
        request.offset < replica.log.end_offset or request.high_watermark < replica.high_watermark
    )


def validate_position(replica: Replica, request: Fetch) -> FetchAnswer | None:
    """None if the replica's log is ours up to `offset`; else what to do about it (630-10)."""
    snapshot = snapshots.wanted_by(replica, request)
    diverging: EpochEnd | None = None
    log = replica.log
    if snapshot is None:
        if request.offset == 0 and log.start_offset == 0:
            return None
        end = log.end_of_epoch(request.last_epoch)
        if end.epoch == request.last_epoch and request.offset <= end.end_offset:
            return None
        # No epoch of ours is so early: -1 cannot be told on the wire, so it is told in the
        # follower's own epoch that nothing of it is here.
        diverging = end if end.epoch >= 0 else EpochEnd(request.last_epoch, end.end_offset)
    answer = _answer(replica)
    answer.snapshot = snapshot
    answer.diverging = diverging
    return answer


def _answer(replica: Replica) -> FetchAnswer:
    return FetchAnswer(
        ErrorCode.NONE,
        replica.me.node_id,
        replica.epoch,
        replica.high_watermark,
        replica.log.start_offset,
    )


def _records(replica: Replica, request: Fetch) -> FetchAnswer:
    answer = _answer(replica)
    if request.offset < replica.log.end_offset:
        answer.records = replica.log.read(request.offset, request.max_bytes)
    return answer


def note_alive(replica: Replica, role: Leader, key: ReplicaKey, now_ms: float) -> Progress | None:
    """A replica asked for something: check quorum counts that. None for what is no replica."""
    if key.node_id < 0 or key.node_id == replica.me.node_id:
        return None
    progress = role.voters.get(key.node_id)
    if progress is None or not replica.has_voter(key):
        progress = observers.known_or_new(role.observers, key)
    progress.last_fetch_ms = now_ms
    if role.told:
        kraft_version.note_directory(role, key)
    return progress


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
            advance_high_watermark(replica, role, now_ms)


def wake_parked(replica: Replica, role: Leader) -> None:
    """Answer every parked Fetch for which there is news."""
    if not role.parked:
        return
    waiting, role.parked = role.parked, {}
    for token, parked in waiting.items():
        request = parked.request
        if not _has_news(replica, request):
            role.parked[token] = parked
            continue
        where = validate_position(replica, request)
        replica.reply(token, where or _records(replica, request))


# Time ---------------------------------------------------------------------------------------


def tick(replica: Replica, role: Leader, now_ms: float) -> None:
    """Check quorum, BeginQuorumEpoch again, parked requests whose time is over."""
    if now_ms >= role.deadline_ms and not check_quorum(replica, role, now_ms):
        resign(replica, now_ms)
        return
    if now_ms >= role.begin_ms:
        half_ms = replica.config.fetch_timeout_ms / 2
        role.begin_ms = now_ms + half_ms
        _tell_epoch(replica, role, now_ms, since_ms=now_ms - half_ms)
    if now_ms >= role.wake_ms:
        for token in [one for one, it in role.parked.items() if now_ms >= it.deadline_ms]:
            parked = role.parked.pop(token)
            where = validate_position(replica, parked.request)
            replica.reply(token, where or _records(replica, parked.request))
        membership.expire(replica, role, now_ms)
        role.wake_ms = min((it.deadline_ms for it in role.parked.values()), default=inf)
        if role.change is not None:
            role.wake_ms = min(role.wake_ms, role.change.deadline_ms)


def check_quorum(replica: Replica, role: Leader, now_ms: float) -> bool:
    """595-07: whether a majority fetched within 1.5 fetch time-outs; sets the next look."""
    patience_ms = CHECK_QUORUM_FACTOR * replica.config.fetch_timeout_ms
    heard_ms = max(role.since_ms, majority_heard_ms(replica, role, now_ms))
    role.deadline_ms = heard_ms + patience_ms
    return now_ms < role.deadline_ms


def majority_heard_ms(replica: Replica, role: Leader, now_ms: float) -> float:
    """The latest time since which a majority, this node with it, has fetched."""
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
