"""Requests of other nodes, checked in Kafka's order and answered; answers handed to who asked."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode

from . import (
    claims,
    elections,
    following,
    kraft_version,
    leading,
    lost_writes,
    membership,
    roles,
    snapshots,
)
from .messages import (
    NOBODY,
    AddVoter,
    Answer,
    BeginEpoch,
    EndEpoch,
    EpochAnswer,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    RemoveVoter,
    ReplicaKey,
    Request,
    UpdateVoter,
    Vote,
    VoteAnswer,
)
from .quorum_state import EPOCH_LAST
from .states import InFlight, Leader, Prospective, Replica, Unattached


def serve(replica: Replica, token: int, request: Request, now_ms: float) -> None:
    """Answer at once, or park it."""
    is_for_us = claims.is_for_us(replica, request)
    error = ErrorCode.NONE if is_for_us else ErrorCode.INCONSISTENT_CLUSTER_ID
    if isinstance(request, Fetch):
        leading.serve_fetch(replica, token, request, error, now_ms)
    elif isinstance(request, Vote):
        error = error or check_vote(replica, request, now_ms)
        is_granted = not error and grant(replica, request, now_ms)
        replica.reply(token, VoteAnswer(error, *_leader(replica), is_granted, _address(replica)))
    elif isinstance(request, BeginEpoch):
        error = error or begin_epoch(replica, request, now_ms)
        replica.reply(token, EpochAnswer(error, *_leader(replica), _address(replica)))
    elif isinstance(request, EndEpoch):
        error = error or end_epoch(replica, request, now_ms)
        replica.reply(token, EpochAnswer(error, *_leader(replica), _address(replica)))
    elif isinstance(request, FetchSnapshot):
        replica.reply(token, snapshots.serve(replica, request, error, now_ms))
    elif isinstance(request, AddVoter | RemoveVoter | UpdateVoter):
        membership.serve(replica, token, request, error, now_ms)


def _leader(replica: Replica) -> tuple[int, int]:
    return replica.known_leader(), replica.epoch


def _address(replica: Replica) -> tuple[str, int] | None:
    return replica.leader_address()


def forget(replica: Replica, token: int) -> None:
    """Drop what is parked under this token."""
    role = replica.role
    if type(role) is Leader:
        role.parked.pop(token, None)
        if role.change is not None and role.change.token == token:
            role.change.token = -1


def _is_me(replica: Replica, voter: ReplicaKey) -> bool:
    """853-01: whether a request meant for `voter` came to the right replica."""
    if voter.node_id < 0:
        return True  # an old wire version, which does not say
    if voter.node_id != replica.me.node_id:
        return False
    return not any(voter.directory_id) or voter.directory_id == replica.me.directory_id


# Votes --------------------------------------------------------------------------------------


def check_vote(replica: Replica, request: Vote, now_ms: float) -> ErrorCode:
    """595-02: what is wrong with the request itself."""
    if request.epoch < replica.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    # A prospective has not raised its epoch: its last record may be from the epoch that it names.
    last_epoch_max = request.epoch if request.pre_vote else request.epoch - 1
    if request.candidate.node_id < 0 or request.last_offset < 0:
        return ErrorCode.INVALID_REQUEST
    if not 0 <= request.last_epoch <= last_epoch_max:
        return ErrorCode.INVALID_REQUEST
    if not _is_me(replica, request.voter):
        return ErrorCode.INVALID_VOTER_KEY
    if request.pre_vote:
        return ErrorCode.NONE  # it changes nothing here
    return claims.doubt_candidate(replica, request.candidate.node_id, request.epoch, now_ms)


def grant(replica: Replica, request: Vote, now_ms: float) -> bool:
    """Whether the candidate gets our vote (595-02), or would get it (996-01).

    A voter whose log has lost records that it acknowledged takes the epoch but grants no vote.
    """
    if request.pre_vote:
        return _grant_pre_vote(replica, request, now_ms)
    if request.epoch > replica.epoch:
        roles.become_unattached(replica, request.epoch, now_ms)
    if lost_writes.abstains(replica):
        return False
    if type(replica.role) not in (Unattached, Prospective) or replica.leader_id != NOBODY:
        return False
    if replica.voted not in (None, request.candidate) or not _is_up_to_date(replica, request):
        return False
    replica.set_state(replica.epoch, NOBODY, request.candidate)
    roles.become_unattached(replica, replica.epoch, now_ms)
    return True


def _is_up_to_date(replica: Replica, request: Vote) -> bool:
    mine = (replica.log.last_epoch, replica.log.end_offset)
    return (request.last_epoch, request.last_offset) >= mine


def _grant_pre_vote(replica: Replica, request: Vote, now_ms: float) -> bool:
    """A pre-vote changes no state; it is refused while this node leads or hears from a leader."""
    if claims.hears_leader(replica, now_ms) or lost_writes.abstains(replica):
        return False
    return _is_up_to_date(replica, request)


# The beginning and the end of an epoch ------------------------------------------------------


def begin_epoch(replica: Replica, request: BeginEpoch, now_ms: float) -> ErrorCode:
    """Follow the new leader."""
    if request.leader_id < 0 or request.epoch < 0:
        return ErrorCode.INVALID_REQUEST
    if request.epoch < replica.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if not _is_me(replica, request.voter):
        return ErrorCode.INVALID_VOTER_KEY
    if request.leader_id == replica.me.node_id:
        return ErrorCode.INVALID_REQUEST
    if error := claims.doubt(replica, request.leader_id, request.epoch, now_ms):
        return error
    if request.leader_id not in replica.addresses:  # else the voter set knows it better
        replica.learn_address(request.leader_id, request.addresses)
    elections.take_leader(replica, request.epoch, request.leader_id, None, now_ms)
    if type(replica.role) is Prospective:  # the leader that it had given up is there
        roles.become_follower(replica, request.epoch, request.leader_id, now_ms)
    return ErrorCode.NONE


def end_epoch(replica: Replica, request: EndEpoch, now_ms: float) -> ErrorCode:
    """595-08: the leader stands down; wait for one's turn to be elected."""
    if request.leader_id < 0 or request.epoch < 0:
        return ErrorCode.INVALID_REQUEST
    if request.epoch < replica.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if request.leader_id == replica.me.node_id:
        return ErrorCode.INVALID_REQUEST
    if error := claims.doubt(replica, request.leader_id, request.epoch, now_ms):
        return error
    elections.take_leader(replica, request.epoch, request.leader_id, None, now_ms)
    elections.leader_resigned(replica, request.candidates, now_ms)
    return ErrorCode.NONE


# Answers ------------------------------------------------------------------------------------


def take_answer(replica: Replica, number: int, answer: Answer, now_ms: float) -> None:
    """Learn of leader and epoch, then hand the answer to the role that waits for it."""
    flight = replica.in_flight.pop(number, None)
    if flight is None:
        return
    is_fetch = number == replica.fetch_number
    if is_fetch:
        replica.fetch_number = 0
        replica.fetch_after_ms = now_ms + replica.config.retry_backoff_ms  # success takes it back
    if answer.epoch > EPOCH_LAST:
        claims.warn(replica, "no epoch", f"node {flight.to} tells epoch {answer.epoch}", now_ms)
        return
    is_current = elections.take_leader(
        replica, answer.epoch, answer.leader_id, answer.leader_address, now_ms, source=flight.to
    )
    if not is_current:
        elections.on_older_answer(replica, flight, answer, now_ms)
        return
    replica.proven_epoch = max(replica.proven_epoch, answer.epoch)
    _hand_over(replica, flight, answer, now_ms, is_fetch=is_fetch)


def _hand_over(
    replica: Replica, flight: InFlight, answer: Answer, now_ms: float, *, is_fetch: bool
) -> None:
    """An answer of the present epoch, to whom it concerns."""
    if isinstance(answer, FetchAnswer):
        if is_fetch:
            following.on_fetch_answer(replica, flight, answer, now_ms)
    elif isinstance(answer, FetchSnapshotAnswer):
        if is_fetch:
            snapshots.on_answer(replica, flight, answer, now_ms)
    elif isinstance(answer, VoteAnswer):
        elections.on_vote_answer(replica, flight, answer, now_ms)
    elif not isinstance(answer, EpochAnswer):
        # Any other refusal is asked again in time (membership.look_after_membership).
        kraft_version.on_told(replica, flight, answer.error)


def take_failure(replica: Replica, number: int, now_ms: float, *, is_refused: bool) -> None:
    """No answer; a Fetch goes out again after a pause, a vote is asked for again."""
    flight = replica.in_flight.pop(number, None)
    if flight is None:
        return
    if number == replica.fetch_number:
        replica.fetch_number = 0
        replica.fetch_after_ms = now_ms + replica.config.retry_backoff_ms
        elections.on_fetch_failure(replica, flight, now_ms, is_refused=is_refused)
    elif isinstance(flight.request, Vote):
        elections.on_vote_failure(replica, flight, now_ms)
