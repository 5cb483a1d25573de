"""The leader's log: what is appended to it, how far it is committed, and who is told of both.

Appending answers the fetches that are parked; what a majority holds is committed (595-03), and may
be a change of the voters by which this leader is none of them any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.primitives import ZERO_UUID

from . import roles, snapshots
from .messages import EpochEnd, Fetch, FetchAnswer, ReplicaKey, VoterChangeAnswer
from .ports import Control, ControlEntry, LeaderChange
from .ready import Flush
from .states import Leader, Progress, Replica

# Appending ----------------------------------------------------------------------------------


def append(replica: Replica, records: Sequence[Message], now_ms: float) -> int:
    """Append one batch; returns the offset of its last record."""
    role = replica.role
    assert type(role) is Leader
    replica.freshness.appended(replica.log.end_offset, now_ms)
    end = replica.log.append_messages(records, replica.epoch)
    wake_parked(replica, role)
    return end - 1


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


# The high watermark -------------------------------------------------------------------------


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
    replica.raise_high_watermark(offset)
    on_committed(replica, role, now_ms)
    if replica.role is role:
        wake_parked(replica, role)


def majority_offset(replica: Replica, role: Leader) -> int:
    """The largest offset below which a majority of voters has everything durably."""
    offsets = [one.end_offset for one in role.voters.values()]
    if replica.is_voter:
        offsets.append(own_durable_offset(replica))
    offsets.sort(reverse=True)
    return offsets[len(offsets) // 2] if offsets else -1


def on_committed(replica: Replica, role: Leader, now_ms: float) -> None:
    """The high watermark rose: answer; a leader that removed itself stands down."""
    change = role.change
    if change is not None and replica.high_watermark > change.offset:
        role.change = None
        if change.token >= 0:
            leader_id, address = replica.known_leader(), replica.leader_address()
            done = VoterChangeAnswer(ErrorCode.NONE, leader_id, replica.epoch, None, address)
            replica.reply(change.token, done)
    if not replica.is_voter and replica.uncommitted_offset < 0:
        roles.resign(replica, now_ms)


# Who fetches --------------------------------------------------------------------------------


def wake_parked(replica: Replica, role: Leader) -> None:
    """Answer every parked Fetch for which there is news."""
    if not role.parked:
        return
    waiting, role.parked = role.parked, {}
    for token, parked in waiting.items():
        request = parked.request
        if not has_news(replica, request):
            role.parked[token] = parked
            continue
        where = validate_position(replica, request)
        replica.reply(token, where or records_for(replica, request))


def has_news(replica: Replica, request: Fetch) -> bool:
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


def records_for(replica: Replica, request: Fetch) -> FetchAnswer:
    """What follows in the log, if anything does, and how far it is committed."""
    answer = _answer(replica)
    if request.offset < replica.log.end_offset:
        answer.records = replica.log.read(request.offset, request.max_bytes)
    return answer
