"""Planted bugs of the consensus core: each must be caught, by the invariant that it breaks (1.12).

A mutant replaces one function of the core while its context lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from barnabas.broker.core.raft import (
    elections,
    following,
    leader_log,
    leading,
    lost_writes,
    roles,
    serving,
    snapshots,
)
from barnabas.broker.core.raft import states as states_module
from barnabas.broker.core.raft.messages import NOBODY, EpochEnd, Fetch, FetchAnswer, Vote
from barnabas.broker.core.raft.ready import Ready
from barnabas.broker.core.raft.states import Follower, Leader, Replica
from barnabas.testing.simulation.raft.run import Verdict, run_seed


class Mutant(NamedTuple):
    """One planted bug; `caught_by` lists the beginnings of the verdicts that may catch it."""

    name: str
    caught_by: tuple[str, ...]
    module: Any
    attribute: str
    make: Callable[[Any], Any]

    @contextmanager
    def planted(self) -> Iterator[None]:
        """While this context is open, the core has the bug."""
        original = getattr(self.module, self.attribute)
        setattr(self.module, self.attribute, self.make(original))
        try:
            yield
        finally:
            setattr(self.module, self.attribute, original)


def _vote_not_synced(original: Callable[..., Ready | None]) -> Callable[..., Ready | None]:
    def take_ready(replica: Replica, now_ms: float) -> Ready | None:
        if not replica.is_dirty:
            return original(replica, now_ms)
        state = replica.state()
        replica.is_dirty = False
        ready = original(replica, now_ms)
        replica.is_dirty = True
        if state != replica.writing_state:
            replica.writing_state = state
            ready = ready or Ready()
            ready.state = state
        return ready

    return take_ready


def _ack_before_fsync(original: Callable[..., None]) -> Callable[..., None]:
    def fetch(replica: Replica, now_ms: float) -> None:
        kept = replica.flushed_offset
        replica.flushed_offset = replica.log.end_offset
        original(replica, now_ms)
        replica.flushed_offset = kept

    return fetch


def _peeks_in_its_name(original: Callable[..., Fetch]) -> Callable[..., Fetch]:
    def request(replica: Replica, now_ms: float) -> Fetch:
        fetch = original(replica, now_ms)
        fetch.replica = replica.me
        return fetch

    return request


def _uses_every_answer(_: object) -> Callable[..., bool]:
    return lambda _replica, _request: True


def _counts_unsynced(_: object) -> Callable[[Replica], int]:
    return lambda replica: replica.log.end_offset


def _counts_older_epochs(_: object) -> Callable[..., None]:
    def advance(replica: Replica, role: Leader, now_ms: float) -> None:
        offset = leader_log.majority_offset(replica, role)
        if offset > replica.high_watermark:
            replica.raise_high_watermark(offset)
            leader_log.on_committed(replica, role, now_ms)
            if replica.role is role:
                leader_log.wake_parked(replica, role)

    return advance


def _counts_the_fastest(_: object) -> Callable[..., int]:
    def majority(replica: Replica, role: Leader) -> int:
        offsets = [one.end_offset for one in role.voters.values()]
        return max([*offsets, leader_log.own_durable_offset(replica)])

    return majority


def _counts_observers(original: Callable[..., int]) -> Callable[..., int]:
    def majority(replica: Replica, role: Leader) -> int:
        offsets = [one.end_offset for one in role.voters.values()]
        offsets += [one.end_offset for one in role.observers.values()]
        offsets = sorted([*offsets, leader_log.own_durable_offset(replica)], reverse=True)
        return max(original(replica, role), offsets[len(replica.voters.members) // 2])

    return majority


def _votes_twice(original: Callable[..., bool]) -> Callable[..., bool]:
    def grant(replica: Replica, request: Vote, now_ms: float) -> bool:
        if not request.pre_vote and replica.leader_id == NOBODY:
            replica.voted = None
        return original(replica, request, now_ms)

    return grant


def _ignores_the_log(_: object) -> Callable[..., bool]:
    return lambda _replica, _request: True


def _pre_vote_bumps(original: Callable[..., None]) -> Callable[..., None]:
    def become(replica: Replica, now_ms: float, *, is_lost: bool = False) -> None:
        if replica.can_stand and not replica.is_stopping:
            replica.set_state(replica.epoch + 1, NOBODY, None)
        original(replica, now_ms, is_lost=is_lost)

    return become


def _pre_vote_moves_voter(original: Callable[..., bool]) -> Callable[..., bool]:
    def grant(replica: Replica, request: Vote, now_ms: float) -> bool:
        if request.epoch > replica.epoch:
            roles.become_unattached(replica, request.epoch, now_ms)
        return original(replica, request, now_ms)

    return grant


def _keeps_the_tail(_: object) -> Callable[..., None]:
    def cut(replica: Replica, diverging: EpochEnd) -> None:
        del replica, diverging

    return cut


def _cuts_to_the_watermark(_: object) -> Callable[..., None]:
    def cut(replica: Replica, diverging: EpochEnd) -> None:
        offset = min(diverging.end_offset, replica.log.end_offset) - 1
        offset = max(0, replica.log.start_offset, offset)
        while not replica.log.is_batch_boundary(offset):
            offset -= 1
        replica.log.truncate(offset)
        replica.flush_generation += 1
        replica.flushed_offset = replica.flushing_offset = min(replica.flushed_offset, offset)
        replica.forget_controls_from(offset)

    return cut


def _cuts_before_download(original: Callable[..., None]) -> Callable[..., None]:
    def begin(replica: Replica, snapshot: Any) -> None:
        log = replica.log
        log.truncate(log.start_offset)
        replica.flush_generation += 1
        replica.flushed_offset = replica.flushing_offset = log.start_offset
        original(replica, snapshot)

    return begin


def _never_checks_quorum(_: object) -> Callable[..., bool]:
    def check(replica: Replica, role: Leader, now_ms: float) -> bool:
        del replica
        role.deadline_ms = now_ms + 1000
        return True

    return check


def _serves_any_position(original: Callable[..., FetchAnswer | None]) -> Callable[..., Any]:
    def validate(replica: Replica, request: Fetch) -> FetchAnswer | None:
        if replica.log.start_offset <= request.offset <= replica.log.end_offset:
            return None
        return original(replica, request)

    return validate


def _gate_is_open(_: object) -> Callable[..., bool]:
    def may_raise(replica: Replica, snapshot: Any, now_ms: float) -> bool:
        del now_ms
        start = replica.log.start_offset
        return (
            type(replica.role) is Leader
            and replica.log.snapshot_size(snapshot) >= 0
            and start < snapshot.end_offset <= replica.high_watermark
        )

    return may_raise


def _never_stands(_: object) -> Callable[..., None]:
    def become(replica: Replica, now_ms: float, *, is_lost: bool = False) -> None:
        del is_lost
        replica.role = Follower(replica.leader_id, now_ms + 1000)

    return become


def _snapshot_keeps_watermark(original: Callable[..., None]) -> Callable[..., None]:
    def install(replica: Replica, snapshot: Any) -> None:
        kept = replica.high_watermark
        original(replica, snapshot)
        replica.high_watermark = kept
        replica.ready.high_watermark = -1

    return install


def _never_abstains(_: object) -> Callable[..., bool]:
    return lambda _replica: False


def _half_is_a_majority(_: object) -> Callable[..., bool]:
    def has_majority(replica: Replica, role: Any) -> bool:
        members = replica.voters.members
        return 2 * sum(1 for one in members if one.voter_id in role.granted) >= len(members)

    return has_majority


def _leads_after_restart(_: object) -> Callable[[Replica], int]:
    return lambda replica: replica.leader_id


MUTANTS = (
    Mutant("vote sent before it is synced", ("I-8",), following, "take_ready", _vote_not_synced),
    Mutant("acknowledges before fsync", ("I-7",), following, "_fetch", _ack_before_fsync),
    Mutant(
        "a stalled disk's Fetch names its node", ("I-7",), following, "_request", _peeks_in_its_name
    ),
    Mutant(
        "what acknowledges a part tells of the rest",
        ("I-2", "I-16", "QuorumBrokenError"),
        following,
        "_goes_on",
        _uses_every_answer,
    ),
    Mutant(
        "leader counts its unsynced end",
        ("I-7",),
        leader_log,
        "own_durable_offset",
        _counts_unsynced,
    ),
    Mutant(
        "commits older epochs by counting",
        ("I-7", "I-9", "I-4"),
        leader_log,
        "advance_high_watermark",
        _counts_older_epochs,
    ),
    Mutant("commits what one has", ("I-7",), leader_log, "majority_offset", _counts_the_fastest),
    Mutant("observers count", ("I-7",), leader_log, "majority_offset", _counts_observers),
    Mutant("votes twice in an epoch", ("I-8", "I-1"), serving, "grant", _votes_twice),
    Mutant("votes for a shorter log", ("I-9", "I-4"), serving, "_is_up_to_date", _ignores_the_log),
    Mutant(
        "votes after its log was lost",
        ("I-9", "I-4", "I-2", "I-16", "QuorumBrokenError"),
        lost_writes,
        "abstains",
        _never_abstains,
    ),
    Mutant("half is a majority", ("I-1", "I-9"), elections, "_has_majority", _half_is_a_majority),
    Mutant("pre-vote bumps the epoch", ("I-8",), elections, "become_prospective", _pre_vote_bumps),
    Mutant("pre-vote moves the voter", ("I-8",), serving, "_grant_pre_vote", _pre_vote_moves_voter),
    Mutant("does not cut", ("L-1", "I-2"), following, "cut", _keeps_the_tail),
    Mutant("cuts one batch too many", ("I-4", "I-16"), following, "cut", _cuts_to_the_watermark),
    Mutant(
        "cuts at the start of a download",
        ("I-4", "I-16"),
        snapshots,
        "begin_download",
        _cuts_before_download,
    ),
    Mutant("check quorum is off", ("595-07",), leading, "check_quorum", _never_checks_quorum),
    Mutant(
        "answers without the epoch check",
        ("I-2", "I-16"),
        leader_log,
        "validate_position",
        _serves_any_position,
    ),
    Mutant("log begin without its gate", ("I-15",), snapshots, "may_raise_start", _gate_is_open),
    Mutant("never stands for election", ("L-1",), elections, "become_prospective", _never_stands),
    Mutant(
        "snapshot leaves the high watermark",
        ("I-14", "I-16"),
        snapshots,
        "install",
        _snapshot_keeps_watermark,
    ),
    Mutant(
        "a restarted leader names itself",
        ("I-1", "I-9", "L-1", "QuorumBrokenError"),
        states_module.Replica,
        "known_leader",
        _leads_after_restart,
    ),
)


def hunt(mutant: Mutant, seeds: range, events: int) -> Verdict | None:
    """The first seed that catches the bug; None if none does."""
    with mutant.planted():
        for seed in seeds:
            verdict = run_seed(seed, events)
            if verdict.problem:
                return verdict
    return None
