"""Elections, and the changes of role around them: pre-votes, votes, timeouts (KIP-595, KIP-996).

A voter that hears no leader becomes a prospective and asks for pre-votes, which change nothing
durable. With a majority of them it becomes a candidate: it raises its epoch, votes for itself and
asks for votes. Nothing of that leaves this node, and its own vote does not count, before epoch and
vote are on disk (595-01).
"""

from __future__ import annotations

from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode

from . import claims, following, leading, lost_writes, roles
from .messages import NOBODY, Answer, LeaderAndEpoch, ReplicaKey, Vote, VoteAnswer
from .quorum_state import EPOCH_LAST
from .states import (
    Candidate,
    Follower,
    InFlight,
    Leader,
    Prospective,
    QuorumBrokenError,
    Replica,
    Resigned,
    Unattached,
)

_BACKOFF_BASE_MS: Final = 20
_BACKOFF_DOUBLINGS_MAX: Final = 10


def boot(replica: Replica, now_ms: float) -> None:
    """The role to begin with, from what `quorum-state` says."""
    if replica.log.last_epoch > replica.epoch:
        # The file was lost, so whom we voted for in that epoch is unknown. A vote for ourselves
        # rules out a second vote for somebody else.
        replica.set_state(replica.log.last_epoch, NOBODY, replica.me)
    if replica.is_voter and not replica.others:
        become_candidate(replica, now_ms)
    elif replica.leader_id == replica.me.node_id:
        # This node led the epoch before it was restarted, and may have lost records that it
        # appended then. If it led on in the same epoch, it could write others at their offsets.
        replica.role = Resigned(_first_deadline_ms(replica, now_ms))
    elif replica.leader_id >= 0:
        replica.role = Follower(replica.leader_id, now_ms + replica.config.fetch_timeout_ms)
    else:
        replica.role = Unattached(_first_deadline_ms(replica, now_ms))
    roles.tell_leader(replica)


def _first_deadline_ms(replica: Replica, now_ms: float) -> float:
    """A short random delay: at start no leader is known that would be worth waiting for.

    If there is a leader after all, pre-votes do not disturb it (996-01), and the voters that
    refuse them say who leads.
    """
    return now_ms + replica.config.first_election_delay_max_ms * replica.random.random()


def _backoff_ms(replica: Replica) -> float:
    """A random time up to 20, 40, 80, … ms: the bound doubles with each lost election (595-08)."""
    doublings = min(replica.failed_elections, _BACKOFF_DOUBLINGS_MAX)
    longest_ms = _BACKOFF_BASE_MS << doublings
    return min(longest_ms * replica.random.random(), float(replica.config.election_backoff_max_ms))


# Changes of role ----------------------------------------------------------------------------


def become_prospective(replica: Replica, now_ms: float, *, is_lost: bool = False) -> None:
    """Ask the other voters whether they would vote for us; changes nothing durable."""
    if not lost_writes.may_stand(replica) or replica.is_stopping:
        roles.become_unattached(replica, replica.epoch, now_ms, deadline_ms=inf)
        return
    roles.leave(replica)
    role = Prospective(roles.election_deadline_ms(replica, now_ms), is_lost)
    role.granted[replica.me.node_id] = None
    replica.role = role
    if not _has_majority(replica, role):
        for voter in replica.others:
            _ask(replica, voter, now_ms, is_pre_vote=True)
    else:
        become_candidate(replica, now_ms)


def become_candidate(replica: Replica, now_ms: float) -> None:
    """Raise the epoch and vote for ourselves; both count only when they are durable (595-01)."""
    if replica.epoch >= EPOCH_LAST:
        claims.warn(replica, "no epoch", f"nobody can stand after epoch {EPOCH_LAST}", now_ms)
        roles.become_unattached(replica, replica.epoch, now_ms)
        return
    roles.leave(replica)
    replica.set_state(replica.epoch + 1, NOBODY, replica.me)
    replica.proven_epoch = replica.epoch
    replica.role = Candidate(roles.election_deadline_ms(replica, now_ms))
    for voter in replica.others:
        _ask(replica, voter, now_ms, is_pre_vote=False)
    roles.tell_leader(replica)


def on_durable(replica: Replica, now_ms: float) -> None:
    """`quorum-state` is written: a candidate's own vote counts now (595-01)."""
    role = replica.role
    if type(role) is Candidate and not replica.is_dirty:
        role.granted[replica.me.node_id] = None
        if _has_majority(replica, role):
            _become_leader(replica, role, now_ms)


def _become_leader(replica: Replica, candidate: Candidate, now_ms: float) -> None:
    replica.failed_elections = 0
    replica.set_state(replica.epoch, replica.me.node_id, replica.voted)
    replica.proven = LeaderAndEpoch(replica.me.node_id, replica.epoch)
    leading.begin_reign(replica, tuple(candidate.granted), now_ms)
    roles.tell_leader(replica)


# Asking for votes ---------------------------------------------------------------------------


def _ask(replica: Replica, voter: ReplicaKey, now_ms: float, *, is_pre_vote: bool) -> None:
    log = replica.log
    request = Vote(
        replica.config.cluster_id,
        replica.epoch,
        replica.me,
        voter,
        log.last_epoch,
        log.end_offset,
        is_pre_vote,
    )
    replica.send(voter.node_id, request, now_ms)


def _has_majority(replica: Replica, role: Prospective | Candidate) -> bool:
    members = replica.voters.members
    votes = sum(1 for one in members if one.voter_id in role.granted)
    return votes > len(members) // 2


def _cannot_win(replica: Replica, role: Prospective | Candidate) -> bool:
    members = replica.voters.members
    refusals = sum(1 for one in members if one.voter_id in role.refused)
    return len(members) - refusals <= len(members) // 2


def _asks_for(replica: Replica, request: Vote) -> Prospective | Candidate | None:
    """The role that sent this request and still wants the answer."""
    role = replica.role
    if request.epoch != replica.epoch:
        return None
    if type(role) is Prospective:
        return role if request.pre_vote else None
    if type(role) is Candidate:
        return None if request.pre_vote else role
    return None


def on_vote_answer(replica: Replica, flight: InFlight, answer: VoteAnswer, now_ms: float) -> None:
    """Count a voter's answer; with a majority the next role begins, without hope the round ends.

    A voter too old for pre-votes answers UNSUPPORTED_VERSION; that counts as a granted pre-vote,
    since it will still judge the vote itself.
    """
    request = flight.request
    assert type(request) is Vote
    role = _asks_for(replica, request)
    if role is None:
        return
    is_granted = answer.granted and answer.error is ErrorCode.NONE
    if is_granted or (request.pre_vote and answer.error is ErrorCode.UNSUPPORTED_VERSION):
        role.granted[flight.to] = None
        if _has_majority(replica, role):
            if type(role) is Prospective:
                become_candidate(replica, now_ms)
            elif not replica.is_dirty:
                assert type(role) is Candidate
                _become_leader(replica, role, now_ms)
        return
    if answer.error is ErrorCode.NONE:
        role.refused[flight.to] = None
        if _cannot_win(replica, role):
            _retreat(replica, role, now_ms)
    else:
        _ask_again_later(replica, role, flight.to, now_ms)


def on_vote_failure(replica: Replica, flight: InFlight, now_ms: float) -> None:
    """Ask that voter again, while the round lasts."""
    request = flight.request
    assert type(request) is Vote
    role = _asks_for(replica, request)
    if role is not None:
        _ask_again_later(replica, role, flight.to, now_ms)


def _ask_again_later(
    replica: Replica, role: Prospective | Candidate, voter_id: int, now_ms: float
) -> None:
    role.retry[voter_id] = None
    role.retry_ms = min(role.retry_ms, now_ms + replica.config.retry_backoff_ms)


def _retry_votes(replica: Replica, role: Prospective | Candidate, now_ms: float) -> None:
    again, role.retry, role.retry_ms = role.retry, {}, inf
    for voter in replica.others:
        if voter.node_id in again:
            _ask(replica, voter, now_ms, is_pre_vote=type(role) is Prospective)


def _retreat(replica: Replica, role: Prospective | Candidate, now_ms: float) -> None:
    """The round is lost: back to the leader that was known, or wait and try again."""
    replica.failed_elections += 1
    if type(role) is Candidate or replica.leader_id in (NOBODY, replica.me.node_id):
        deadline_ms = now_ms + _backoff_ms(replica)
        roles.become_unattached(replica, replica.epoch, now_ms, deadline_ms=deadline_ms)
        return
    is_lost = type(role) is Prospective and role.is_lost
    roles.become_follower(replica, replica.epoch, replica.leader_id, now_ms)
    follower = replica.role
    assert type(follower) is Follower
    follower.is_lost = is_lost
    follower.deadline_ms = (
        now_ms + _backoff_ms(replica) if is_lost else roles.election_deadline_ms(replica, now_ms)
    )


# What others tell ---------------------------------------------------------------------------


def take_leader(
    replica: Replica,
    epoch: int,
    leader_id: int,
    address: tuple[str, int] | None,
    now_ms: float,
    *,
    source: int = NOBODY,
) -> bool:
    """Learn of an epoch and its leader; False if the epoch is a past one (595-10).

    `source`: the node whose answer says so, which we asked over a connection of our own; NOBODY
    for a request, which must have passed `claims` before.
    """
    if epoch < replica.epoch:
        return False
    mine = replica.me.node_id
    if leader_id >= 0 and leader_id != mine and address is not None:
        replica.addresses[leader_id] = address
    if epoch > replica.epoch:
        if leader_id >= 0 and leader_id != mine:
            roles.become_follower(replica, epoch, leader_id, now_ms)
        else:
            roles.become_unattached(replica, epoch, now_ms)
            if leader_id == mine:  # our own state was lost; do not vote in an epoch that we led
                replica.set_state(epoch, NOBODY, replica.me)
    elif leader_id >= 0 and leader_id != mine:
        _learn_leader(replica, leader_id, source, now_ms)
    return True


def _learn_leader(replica: Replica, leader_id: int, source: int, now_ms: float) -> None:
    if replica.leader_id not in (NOBODY, leader_id):
        _take_other_leader(replica, leader_id, source, now_ms)
    elif replica.leader_id == NOBODY or type(replica.role) is Unattached:
        roles.become_follower(replica, replica.epoch, leader_id, now_ms)


def _take_other_leader(replica: Replica, leader_id: int, source: int, now_ms: float) -> None:
    """A second leader is named for this epoch (595-09).

    Raises QuorumBrokenError, which ends this node, if both leaders have said themselves that they
    lead. What a third node says proves nothing, as it may have been deceived: then the named
    leader is asked. A known leader that we never heard ourselves gives way to one that we did.
    """
    known_id = replica.leader_id
    if source != leader_id:
        text = f"node {source} names node {leader_id} for the leader of epoch {replica.epoch}"
        claims.alarm(replica, "two leaders", f"{text}, which node {known_id} leads", now_ms)
        claims.ask(replica, leader_id, now_ms)
        return
    if known_id == replica.me.node_id or replica.proven == (known_id, replica.epoch):
        raise QuorumBrokenError(
            f"epoch {replica.epoch} has two leaders: {known_id} and {leader_id}"
        )
    roles.become_follower(replica, replica.epoch, leader_id, now_ms)


def on_older_answer(replica: Replica, flight: InFlight, answer: Answer, now_ms: float) -> None:
    """The leader that somebody named for this epoch answers with an older one: it does not lead.

    A pre-vote raises nobody's epoch (996-01), so who answers one may be behind all the same. Who is
    too old for pre-votes tells no epoch at all.
    """
    request = flight.request
    if isinstance(answer, VoteAnswer) and isinstance(request, Vote) and request.pre_vote:
        if answer.error in (ErrorCode.NONE, ErrorCode.UNSUPPORTED_VERSION):
            on_vote_answer(replica, flight, answer, now_ms)
        return
    role = replica.role
    is_of_leader = type(role) is Follower and flight.to == role.leader_id and not role.has_heard
    if is_of_leader and flight.epoch == replica.epoch:
        leader_lost(replica, now_ms)


def on_fetch_failure(
    replica: Replica, flight: InFlight, now_ms: float, *, is_refused: bool
) -> None:
    """Where the leader's address refuses connections its process has died: do not wait for it."""
    role = replica.role
    if is_refused and type(role) is Follower and flight.to == role.leader_id:
        leader_lost(replica, now_ms)


def leader_lost(replica: Replica, now_ms: float) -> None:
    """The leader's process has died: ask for pre-votes after a short random delay."""
    role = replica.role
    if type(role) is Follower and not role.is_lost:
        role.is_lost = True
        delay_ms = replica.config.leader_lost_delay_max_ms * replica.random.random()
        role.deadline_ms = min(role.deadline_ms, now_ms + delay_ms)


def leader_resigned(replica: Replica, candidates: tuple[ReplicaKey, ...], now_ms: float) -> None:
    """The leader resigned and named `candidates`, best first (595-08).

    The first begins an election at once; each further one waits longer, so that they do not split
    the votes.
    """
    role = replica.role
    if type(role) is not Follower:
        return
    role.is_lost = True
    longest_ms = replica.config.election_backoff_max_ms
    ids = [one.node_id for one in candidates]
    mine = replica.me.node_id
    position = ids.index(mine) if mine in ids else len(ids)
    wait_ms = 0
    if position > 0:
        wait_ms = min(longest_ms, (longest_ms >> (len(ids) - 1)) << (position - 1))
    role.deadline_ms = min(role.deadline_ms, now_ms + wait_ms)


# Time ---------------------------------------------------------------------------------------


def tick(replica: Replica, now_ms: float) -> None:
    """Do what is due at `now_ms`: end an election, ask again, begin one, or a leader's own work."""
    role = replica.role
    if type(role) is Leader:
        leading.tick(replica, role, now_ms)
        return
    if type(role) in (Prospective, Candidate):
        assert isinstance(role, Prospective | Candidate)
        if now_ms >= role.deadline_ms:
            _retreat(replica, role, now_ms)
        elif now_ms >= role.retry_ms:
            _retry_votes(replica, role, now_ms)
        return
    if now_ms < role.deadline_ms:
        return
    if lost_writes.may_stand(replica):
        become_prospective(replica, now_ms, is_lost=type(role) is Follower and role.is_lost)
    else:
        lost_writes.tell_without_leader(replica, now_ms)
        roles.become_unattached(replica, replica.epoch, now_ms, deadline_ms=inf)


def next_deadline_ms(replica: Replica) -> float:
    """The time, in ms of the monotonic clock, when `tick` or `take_ready` has something to do."""
    role = replica.role
    if type(role) is Leader:
        return min(role.deadline_ms, role.begin_ms, role.wake_ms)
    if isinstance(role, Prospective | Candidate):
        return min(role.deadline_ms, role.retry_ms)
    return min(role.deadline_ms, following.next_fetch_ms(replica))
