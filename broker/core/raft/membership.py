"""Changes of the voters: AddRaftVoter, RemoveRaftVoter, UpdateRaftVoter, joining (KIP-853).

There is one change at a time. The new set counts as soon as it is appended; if a new leader has it
truncated, the old one counts again.
"""

from __future__ import annotations

from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode, bounded
from barnabas.protocol.primitives import ZERO_UUID, uuid_to_text

from . import claims, kraft_version, leader_log
from .messages import (
    AddVoter,
    RemoveVoter,
    ReplicaKey,
    UpdateVoter,
    VoterChangeAnswer,
)
from .states import Follower, Leader, PendingChange, Replica
from .voters import Voter, Voters

NOBODY_WAITS: Final = -1


class _RefusedError(Exception):
    def __init__(self, error: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.error = error


def _answer(replica: Replica, error: ErrorCode, message: str | None) -> VoterChangeAnswer:
    return VoterChangeAnswer(
        error, replica.known_leader(), replica.epoch, bounded(message), replica.leader_address()
    )


def serve(
    replica: Replica,
    token: int,
    request: AddVoter | RemoveVoter | UpdateVoter,
    error: ErrorCode,
    now_ms: float,
) -> None:
    """Check (853-01), append the new set, answer when it is committed."""
    epoch = request.epoch if isinstance(request, UpdateVoter) else -1
    error = error or claims.check_leadership(replica, epoch)
    role = replica.role
    if error or type(role) is not Leader:
        replica.reply(token, _answer(replica, error, None))
        return
    try:
        voters = _changed(replica, role, request, now_ms)
    except _RefusedError as refusal:
        replica.reply(token, _answer(replica, refusal.error, str(refusal)))
        return
    if voters == replica.voters:
        replica.reply(token, _answer(replica, ErrorCode.NONE, None))
        return
    timeout_ms = float(replica.config.request_timeout_ms)
    if isinstance(request, AddVoter):
        timeout_ms = request.timeout_ms
    waits = not isinstance(request, AddVoter) or request.ack_when_committed
    _append(replica, role, voters, token if waits else NOBODY_WAITS, now_ms + timeout_ms)
    if not waits:
        replica.reply(token, _answer(replica, ErrorCode.NONE, None))
    leader_log.advance_high_watermark(replica, role, now_ms)


def _append(replica: Replica, role: Leader, voters: Voters, token: int, deadline_ms: float) -> None:
    offset = leader_log.append_controls(replica, role, [voters])
    role.change = PendingChange(offset, token, deadline_ms if token >= 0 else inf)
    role.wake_ms = min(role.wake_ms, role.change.deadline_ms)


def _changed(
    replica: Replica, role: Leader, request: AddVoter | RemoveVoter | UpdateVoter, now_ms: float
) -> Voters:
    """The new voter set; raises what is in its way, faults of the request's form first."""
    _check_form(replica, request)
    if replica.high_watermark <= role.epoch_start:
        raise _RefusedError(
            ErrorCode.REQUEST_TIMED_OUT, "the leader has not committed a record of its epoch yet"
        )
    if replica.kraft_version < 1 and not isinstance(request, UpdateVoter):
        raise _RefusedError(
            ErrorCode.UNSUPPORTED_VERSION, "kraft.version is 0: its voters are configured"
        )
    if replica.uncommitted_offset >= 0:
        raise _RefusedError(
            ErrorCode.REQUEST_TIMED_OUT, "another change of the voters is not committed yet"
        )
    if isinstance(request, AddVoter):
        return _with(replica, role, request.voter, now_ms)
    if isinstance(request, RemoveVoter):
        return _without(replica, request.voter)
    return _updated(replica, role, request.voter)


def _check_form(replica: Replica, request: AddVoter | RemoveVoter | UpdateVoter) -> None:
    """What is wrong whoever the voters are. Raises _RefusedError INVALID_REQUEST (42)."""
    asked = request.voter
    voter_id = asked.node_id if isinstance(asked, ReplicaKey) else asked.voter_id
    if voter_id < 0 or asked.directory_id == ZERO_UUID:
        raise _RefusedError(
            ErrorCode.INVALID_REQUEST, "a voter has an id of at least 0 and a log directory's id"
        )
    if isinstance(asked, Voter):
        _check_addresses(replica, asked)
    if isinstance(request, UpdateVoter):
        _check_versions(replica, request.voter)


def _check_addresses(replica: Replica, voter: Voter) -> None:
    if not voter.addresses:
        raise _RefusedError(
            ErrorCode.INVALID_REQUEST, "a voter has an address on a controller listener"
        )
    listener = replica.listener_name
    names = [one.name for one in voter.addresses]
    if listener is not None and listener not in names:
        raise _RefusedError(
            ErrorCode.INVALID_REQUEST,
            f"voters meet on the listener {listener}; this one is on {', '.join(names)} only",
        )


def _check_versions(replica: Replica, voter: Voter) -> None:
    low, high, level = voter.kraft_version_min, voter.kraft_version_max, replica.kraft_version
    if low < 0 or not low <= level <= high:
        raise _RefusedError(
            ErrorCode.INVALID_REQUEST,
            f"it knows kraft.version {low} to {high}, the quorum has {level}",
        )


def _with(replica: Replica, role: Leader, voter: Voter, now_ms: float) -> Voters:
    if voter.voter_id in replica.voters.ids:
        raise _RefusedError(
            ErrorCode.DUPLICATE_VOTER,
            f"{voter.voter_id} is a voter already; the voters are {_named(replica.voters)}",
        )
    _check_versions(replica, voter)
    progress = role.observers.get(ReplicaKey(voter.voter_id, voter.directory_id))
    patience_ms = replica.config.fetch_timeout_ms
    if progress is None or now_ms - progress.caught_up_ms > patience_ms:
        raise _RefusedError(
            ErrorCode.REQUEST_TIMED_OUT, "it has not caught up with the metadata log"
        )
    return Voters((*replica.voters.members, voter))


def _without(replica: Replica, key: ReplicaKey) -> Voters:
    rest = tuple(
        one
        for one in replica.voters.members
        if (one.voter_id, one.directory_id) != (key.node_id, key.directory_id)
    )
    if len(rest) == len(replica.voters.members):
        asked = _name(key.node_id, key.directory_id)
        raise _RefusedError(
            ErrorCode.VOTER_NOT_FOUND,
            f"{asked} is no voter; the voters are {_named(replica.voters)}",
        )
    if not rest:
        raise _RefusedError(ErrorCode.INVALID_REQUEST, "the last voter cannot be removed")
    return Voters(rest)


def _name(voter_id: int, directory_id: bytes) -> str:
    return f"{voter_id} (directory {uuid_to_text(directory_id)})"


def _named(voters: Voters) -> str:
    """The voters with ids and directories, for error messages: a wrong directory is then seen."""
    return ", ".join(_name(one.voter_id, one.directory_id) for one in voters.members)


def _updated(replica: Replica, role: Leader, voter: Voter) -> Voters:
    level = replica.kraft_version
    if level > 0 and not replica.voters.has(voter.voter_id, voter.directory_id):
        raise _RefusedError(ErrorCode.VOTER_NOT_FOUND, f"{voter.voter_id} is no voter")
    if level < 1:
        if not kraft_version.take_told(replica, role, voter):
            raise _RefusedError(ErrorCode.VOTER_NOT_FOUND, f"{voter.voter_id} is no voter")
        return replica.voters
    return replica.voters.with_entry(voter)


# Until it is committed ----------------------------------------------------------------------


def expire(replica: Replica, role: Leader, now_ms: float) -> None:
    """Answer a request for a change that has waited too long; the change itself goes on."""
    change = role.change
    if change is not None and now_ms >= change.deadline_ms:
        if change.token >= 0:
            message = "the change is appended, but not committed in time"
            replica.reply(change.token, _answer(replica, ErrorCode.REQUEST_TIMED_OUT, message))
        change.token, change.deadline_ms = NOBODY_WAITS, inf


# A node's own membership --------------------------------------------------------------------


def look_after_membership(replica: Replica, now_ms: float) -> None:
    """A voter reports changes of its own; a controller that may join asks to become a voter."""
    config = replica.config
    role = replica.role
    if not config.can_vote or type(role) is not Follower or replica.me.directory_id == ZERO_UUID:
        return
    if replica.kraft_version < 1:
        kraft_version.tell_leader(replica, role, now_ms)
        return
    if now_ms < replica.join_after_ms:
        return
    replica.join_after_ms = now_ms + config.fetch_timeout_ms
    mine = kraft_version.own_entry(replica)
    present = [one for one in replica.voters.members if one.voter_id == mine.voter_id]
    if present and present[0].says_the_same(mine):
        return
    if present and present[0].directory_id == mine.directory_id:
        if mine.addresses:
            update = UpdateVoter(config.cluster_id, replica.epoch, mine)
            replica.send(role.leader_id, update, now_ms)
    elif config.is_auto_joining and present:
        old = ReplicaKey(mine.voter_id, present[0].directory_id)
        replica.send(role.leader_id, RemoveVoter(config.cluster_id, old), now_ms)
    elif config.is_auto_joining and replica.log.end_offset == replica.high_watermark:
        join = AddVoter(config.cluster_id, config.request_timeout_ms, mine, False)
        replica.send(role.leader_id, join, now_ms)
