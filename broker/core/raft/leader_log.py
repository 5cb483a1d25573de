"""The leader's log: appends, the high watermark, and the answers that follow from both.

An append answers the fetches that are parked. What a majority of voters has is committed (595-03);
that may be a change of the voters which removes this leader, and then it stands down.
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
    """Arrange the replicas' progress by the present voter set, and keep what is known (630-07)."""
    known = role.observers
    known.update((key, role.voters[key.node_id]) for key in before if key.node_id in role.voters)
    role.voters = {key.node_id: _known_of(known, key) for key in replica.others}


def _known_of(known: dict[ReplicaKey, Progress], key: ReplicaKey) -> Progress:
    """A configured voter has no directory until kraft.version is raised; it is the same one."""
    configured = known.pop(ReplicaKey(key.node_id, ZERO_UUID), None)
    return known.pop(key, configured or Progress())


# The high watermark -------------------------------------------------------------------------


def on_flushed(replica: Replica, flush: Flush, now_ms: float) -> None:
    """A flush has ended: count it for a leader's high watermark or a follower's next Fetch."""
    if flush.generation != replica.flush_generation:
        return
    offset = min(flush.offset, replica.log.end_offset)
    if offset > replica.flushed_offset:
        replica.flushed_offset, replica.flushed_epoch = offset, flush.last_epoch
        replica.peek_after_ms = inf  # the disk is not stalled: its time limit begins again
        role = replica.role
        if type(role) is Leader:
            advance_high_watermark(replica, role, now_ms)


def own_durable_offset(replica: Replica) -> int:
    """The end of what is durable in this log; no more counts for the leader itself (C33)."""
    return replica.flushed_offset


def advance_high_watermark(replica: Replica, role: Leader, now_ms: float) -> None:
    """Raise the high watermark to what a majority has, once that includes this epoch (595-03)."""
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
    """None if the replica's log agrees with ours; else an answer with the remedy (630-10)."""
    snapshot = snapshots.wanted_by(replica, request)
    diverging: EpochEnd | None = None
    log = replica.log
    if snapshot is None:
        if request.offset == 0 and log.start_offset == 0:
            return None
        end = log.end_of_epoch(request.last_epoch)
        if end.epoch == request.last_epoch and request.offset <= end.end_offset:
            return None
        # No epoch of this log is so early, and -1 would mean "no divergence" on the wire. So the
        # answer names the follower's own epoch, and says that nothing of it is here.
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
    """An answer with the records that follow, if there are any, and the high watermark."""
    answer = _answer(replica)
    if request.offset < replica.log.end_offset:
        answer.records = replica.log.read(request.offset, request.max_bytes)
    return answer
