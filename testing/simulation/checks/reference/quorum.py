"""The quorum (595, 996), its snapshots (630), what the controller decides (497-01, 966)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.cluster import alter_partition, controller, leaders, liveness
from barnabas.broker.core.cluster.heartbeats import BrokerSessions
from barnabas.broker.core.raft import claims, elections, leader_log, leading, serving, snapshots
from barnabas.broker.core.raft.states import Follower, Leader, Prospective, Unattached
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, refusal

RECOVERED, RECOVERING = 0, 1

# --- votes --------------------------------------------------------------------------------------


def granted(replica: Any, request: Any, now_ms: float) -> Generator[None, Any, None]:
    """595-02, 996-01: nobody votes twice, nor for less than it has, nor where a leader is."""
    log = replica.log
    holds_all = (request.last_epoch, request.last_offset) >= (log.last_epoch, log.end_offset)
    epoch, voted, role, leader = replica.epoch, replica.voted, replica.role, replica.leader_id
    is_free = voted in (None, request.candidate) and leader < 0
    is_free = is_free and type(role) in (Unattached, Prospective)
    hears = type(role) is Follower and role.has_heard and not role.is_lost
    hears = hears and now_ms < role.deadline_ms
    abstains = replica.abstains
    answer = yield
    if abstains:
        assert not answer, "a vote of one whose log lost records"
        return
    if answer:
        assert holds_all, f"a vote for {request.candidate} with less than {log.end_offset}"
    if request.pre_vote:
        assert (replica.epoch, replica.voted) == (epoch, voted), "a pre-vote changed something"
        expected = holds_all and not hears and type(role) is not Leader
        assert answer == expected, f"a pre-vote was answered {answer}"
    elif request.epoch == epoch:
        assert answer == (holds_all and is_free), f"a vote was answered {answer}, voted {voted}"
    else:
        assert replica.epoch == request.epoch, f"epoch {replica.epoch} after {request.epoch}"
        may_refuse = not holds_all or replica.voted not in (None, request.candidate)
        assert answer or may_refuse, "a vote was refused for nothing"
    if answer and not request.pre_vote:
        assert replica.voted == request.candidate, f"the vote was noted for {replica.voted}"


def learnt(
    replica: Any, epoch: int, leader_id: int, address: Any, now_ms: float, *, source: int = -1
) -> Generator[None, Any, None]:
    """595-10: what speaks of a past epoch counts for nothing, what speaks of a later one always."""
    del leader_id, address, now_ms, source
    before, role = replica.epoch, replica.role
    answer = yield
    if epoch < before:
        assert answer is False, f"an answer of epoch {epoch} counts in {before}"
        assert replica.role is role, "it changed the role"
    elif answer is True:
        assert replica.epoch == epoch, f"epoch {replica.epoch} after one of {epoch}"


def in_epoch(replica: Any, epoch: int) -> ErrorCode:
    """595-05, 630-12."""
    if epoch > replica.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if 0 <= epoch < replica.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if type(replica.role) is not Leader:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return ErrorCode.BROKER_NOT_AVAILABLE if replica.is_stopping else ErrorCode.NONE


def majority(replica: Any, role: Any) -> int:
    """595-03, C33d: what a majority of voters told to hold, this node what it has flushed."""
    ends = [one.end_offset for one in role.voters.values()]
    if replica.is_voter:
        ends.append(replica.flushed_offset)
    needed = len(ends) // 2 + 1
    return max((end for end in ends if sum(one >= end for one in ends) >= needed), default=-1)


def advanced(replica: Any, role: Any, now_ms: float) -> Generator[None, Any, None]:
    """595-03: the watermark goes on by a record of the leader's own epoch only."""
    del now_ms
    before, expected = replica.high_watermark, majority(replica, role)
    start = role.epoch_start
    yield
    if expected <= start or expected <= before:
        assert replica.high_watermark == before, (
            f"it went from {before} to {replica.high_watermark}"
        )
    else:
        assert replica.high_watermark >= expected, f"it stayed at {replica.high_watermark}"


def heard(replica: Any, role: Any, now_ms: float) -> bool:
    """595-07: a majority within one and a half fetch time-outs."""
    times = [one.last_fetch_ms for one in role.voters.values()]
    if replica.is_voter:
        times.append(now_ms)
    times.sort(reverse=True)
    last_ms = times[len(times) // 2] if times else now_ms
    limit_ms: float = max(role.since_ms, last_ms) + 1.5 * replica.config.fetch_timeout_ms
    return now_ms < limit_ms


# --- snapshots ----------------------------------------------------------------------------------


def wanted(replica: Any, request: Any) -> Any:
    """630-10."""
    known = replica.log.snapshots()
    if not known:
        return None
    start, oldest = replica.log.start_offset, known[0]
    is_gone = request.offset < start or request.offset == 0
    is_other = request.offset == start and request.last_epoch != oldest.epoch
    return known[-1] if is_gone or is_other or request.last_epoch < oldest.epoch else None


def open_gate(replica: Any, snapshot: Any, now_ms: float) -> bool:
    """630-07."""
    role, log, config = replica.role, replica.log, replica.config
    if type(role) is not Leader or log.snapshot_size(snapshot) < 0:
        return False
    if not log.start_offset < snapshot.end_offset <= replica.high_watermark:
        return False
    seen_ms = replica.snapshot_seen_ms.get(snapshot, now_ms)
    if now_ms - seen_ms >= config.max_replication_lag_ms:
        return True
    session_ms = config.replica_session_ms
    if replica.others and now_ms - role.since_ms < session_ms:
        return False
    live = [
        one
        for one in (*role.voters.values(), *role.observers.values())
        if now_ms - one.last_fetch_ms <= session_ms
    ]
    return not any(one.end_offset < snapshot.end_offset for one in live)


def piece(
    replica: Any, request: Any, error: ErrorCode, now_ms: float
) -> Generator[None, Any, None]:
    """630-12, 630-13."""
    del now_ms
    expected = error or in_epoch(replica, request.epoch)
    size = replica.log.snapshot_size(request.snapshot) if request.snapshot.end_offset else -1
    answer = yield
    if isinstance(answer, Exception):
        return  # its file cannot be read
    if not expected and size < 0:
        expected = ErrorCode.SNAPSHOT_NOT_FOUND
    elif not expected and not 0 <= request.position < size:
        expected = ErrorCode.POSITION_OUT_OF_RANGE
    if answer.error is ErrorCode.SNAPSHOT_NOT_FOUND and not expected:
        return  # deleted while it was opened (630-19)
    assert answer.error == expected, f"answered {answer.error}, should be {expected}"
    if not expected:
        told = (answer.snapshot, answer.position, answer.size)
        assert told == (request.snapshot, request.position, size), f"told {told}"
        assert len(answer.data) <= request.max_bytes, f"{len(answer.data)} bytes"


def snapshot_fits(replica: Any, snapshot: Any) -> Generator[None, Any, None]:
    """630-04."""
    end, log = snapshot.end_offset, replica.log
    is_inside = log.start_offset <= end <= replica.high_watermark and log.is_batch_boundary(end)
    answer = yield
    assert is_inside or answer is not None, (
        f"{snapshot} of a log from {log.start_offset}, committed to {replica.high_watermark}"
    )


def started(replica: Any, leader_start: int) -> Generator[None, Any, None]:
    """630-08: not beyond the leader's start, nor beyond a snapshot of one's own."""
    before = replica.log.start_offset
    yield
    start = replica.log.start_offset
    if start != before:
        ends = [one.end_offset for one in replica.log.snapshots()]
        assert start in ends, f"the log begins at {start}, snapshots end at {ends}"
        assert before < start <= leader_start, (
            f"{start} after {before}, the leader's {leader_start}"
        )


# --- the controller -----------------------------------------------------------------------------


def epochs_fit(broker_id: int, proposal: Any, before: Any) -> None:
    """497-01, in order."""
    if proposal.leader_epoch > before.leader_epoch:
        raise refusal(ErrorCode.NOT_CONTROLLER)
    if proposal.partition_epoch > before.partition_epoch:
        raise refusal(ErrorCode.NOT_CONTROLLER)
    if proposal.leader_epoch != before.leader_epoch:
        raise refusal(ErrorCode.FENCED_LEADER_EPOCH)
    if before.leader != broker_id:
        raise refusal(ErrorCode.INVALID_REQUEST)
    if proposal.partition_epoch != before.partition_epoch:
        raise refusal(ErrorCode.INVALID_UPDATE_VERSION)


def handed_over(proposal: Any, before: Any, situation: Any) -> Generator[None, Any, None]:
    """501-11 to 501-13: the same set, to somebody else, and not again for a while."""
    is_same = {member for member, _ in proposal.isr} == set(before.isr)
    others = [member for member in before.isr if member != before.leader]
    is_cooling = situation.relinquished.is_cooling(
        proposal.topic_id, proposal.partition, situation.now_ms
    )
    answer = yield
    if not is_same:
        assert answer is ErrorCode.INVALID_REQUEST, f"{answer} for another set"
    elif not others or is_cooling:
        assert answer is ErrorCode.OPERATION_NOT_ATTEMPTED, f"{answer}, others are {others}"
    else:
        told = (answer.leader, list(answer.isr))
        assert told == (others[0], [*others, before.leader]), f"{told} of {before.isr}"


def isr_fits(proposal: Any, before: Any) -> None:
    """497-01: an in-sync set that can be."""
    members = [member for member, _ in proposal.isr]
    state = proposal.recovery_state
    is_set = len(members) == len(set(members)) and set(members) <= set(before.replicas)
    has_leader = before.leader in members
    is_recovering = state == RECOVERING
    recovers = is_recovering and (len(members) > 1 or before.leader_recovery_state == RECOVERED)
    if not is_set or not has_leader or recovers or state not in (RECOVERED, RECOVERING):
        raise refusal(ErrorCode.INVALID_REQUEST)


def eligible(member: int, epoch: int, before: Any, brokers: Any) -> bool:
    """841-01."""
    broker = brokers.get(member)
    if broker is None or broker.fenced or broker.in_controlled_shutdown:
        return False
    if member in before.replicas and not broker.is_online(before.directory_of(member)):
        return False
    return epoch in (-1, broker.epoch)


def elected(
    before: Any, target: Any, brokers: Any, rules: Any, *, preferred: bool, incomplete: Any
) -> tuple[int, tuple[int, ...], bool]:
    """966-02 to 966-05: in-sync members, then eligible ones, then the last that led."""

    def can(one: int) -> bool:
        return eligible(one, -1, before, brokers)

    able = [one for one in target.replicas if can(one)]
    order = [*target.replicas[: 1 if preferred else 0], before.leader, *target.replicas]
    in_sync = [one for one in order if one in target.isr and one >= 0 and can(one)]
    if in_sync:
        return in_sync[0], tuple(one for one in target.isr if can(one)), False
    awaited = set(before.elr) - set(incomplete)
    complete = [one for one in able if one in awaited]
    if rules.elr and complete:
        return complete[0], (complete[0],), False
    last = before.last_known_elr
    nobody = not target.isr and not awaited
    if rules.elr and nobody and len(last) == 1 and last[0] in able:
        return last[0], last, True
    if rules.unclean and able:
        return able[0], (able[0],), True
    return -1, target.isr, False


def registered(command: Any, situation: Any) -> Generator[None, Any, None]:
    """631-01, 631-02, 966-03: fenced, with an epoch of its own; who lost something is in no set."""
    image = situation.image
    before = image.brokers.get(command.broker_id)
    is_same = before is not None and before.incarnation_id == command.incarnation_id
    is_clean = before is not None and command.previous_epoch == before.epoch
    is_alive = (
        before is not None
        and not is_same
        and situation.sessions.epoch_of(command.broker_id) == before.epoch
        and situation.sessions.is_alive(command.broker_id, situation.now_ms)
    )
    answer = yield
    if is_alive and command.cluster_id == image.cluster_id:
        assert answer is ErrorCode.DUPLICATE_BROKER_REGISTRATION, "two of one broker are let in"
    if answer is None or isinstance(answer, ErrorCode):
        return
    epoch = answer.answer.broker_epoch
    if is_same:
        assert before is not None
        assert epoch == before.epoch, f"epoch {epoch}, it was {before.epoch}"
        return
    expected = image.last_offset + len(answer.records)
    assert epoch == expected, f"epoch {epoch} of a record at {expected}"
    assert answer.records[-1].fenced, "it is not fenced"
    if is_clean:
        return
    left = {(one.topic_id, one.partition_id): one for one in answer.records[:-1]}
    for topic in image.topics_by_id.values():
        for number, partition in topic.partitions.items():
            change = left.get((topic.topic_id, number))
            isr = partition.isr if change is None or change.isr is None else change.isr
            elr = partition.elr
            if change is not None and change.eligible_leader_replicas is not None:
                elr = tuple(change.eligible_leader_replicas)
            is_left = command.broker_id not in isr or len(partition.isr) == 1
            assert is_left, f"{topic.name}-{number}: it is still in sync, {isr}"
            is_out = command.broker_id not in elr
            assert is_out, f"{topic.name}-{number}: it is still eligible, {elr}"


def let_in(command: Any, broker: Any, situation: Any) -> Generator[None, Any, None]:
    """631-02: a fenced broker is let in when it has applied its own registration, no sooner."""
    del situation
    is_wanted = not command.wants_fence and not command.wants_shutdown
    is_offline = bool(broker.log_dirs) and set(broker.log_dirs) <= set(command.offline_log_dirs)
    knows_itself = command.metadata_offset >= broker.epoch
    answer = yield
    if broker.fenced:
        is_let_in = not answer[0].fenced
        assert is_let_in == (is_wanted and knows_itself and not is_offline), (
            f"let in {is_let_in} at {command.metadata_offset}, its registration is at"
            f" {broker.epoch}; wanted {is_wanted}, disks offline {is_offline}"
        )


def alive(sessions: Any, broker_id: int, now_ms: float) -> bool:
    """631-01, 631-02."""
    session = sessions._sessions.get(broker_id)
    return session is not None and session.is_heard and now_ms < expiry_ms(sessions, session)


def expiry_ms(sessions: Any, session: Any) -> float:
    """A session's end: without heartbeats, or sooner without the connection."""
    whole: float = session.last_contact_ms + sessions._timeout_ms
    if session.lost_since_ms is None or not sessions._grace_ms:
        return whole
    sooner: float = session.lost_since_ms + sessions._grace_ms
    return min(whole, sooner)


def may_go(sessions: Any, broker: Any, image: Any) -> bool:
    """631-03: everybody at work has heard who leads instead."""
    session = sessions._sessions.get(broker.broker_id)
    if session is None or session.shutdown_offset is None:
        return False
    others = [
        one
        for one in image.brokers.values()
        if one.broker_id != broker.broker_id and not one.fenced and not one.in_controlled_shutdown
    ]
    return not any(
        sessions.metadata_offset(one.broker_id) < session.shutdown_offset for one in others
    )


RULES = (
    Rule("595-02", serving, "grant", granted, is_after=True),
    Rule("595-10", elections, "take_leader", learnt, is_after=True),
    Rule("595-05", claims, "check_leadership", in_epoch),
    Rule("595-03", leader_log, "majority_offset", majority),
    Rule("595-03", leader_log, "advance_high_watermark", advanced, is_after=True),
    Rule("595-07", leading, "check_quorum", heard),
    Rule("630-10", snapshots, "wanted_by", wanted),
    Rule("630-07", snapshots, "may_raise_start", open_gate),
    Rule("630-12", snapshots, "serve", piece, is_after=True),
    Rule("630-04", snapshots, "check", snapshot_fits, is_after=True),
    Rule("630-08", snapshots, "follow_start", started, is_after=True),
    Rule("497-01", alter_partition, "_check_epochs", epochs_fit),
    Rule("497-01", alter_partition, "_check_isr", isr_fits),
    Rule("501-13", alter_partition, "_relinquish", handed_over, is_after=True),
    Rule("841-01", alter_partition, "_is_eligible", eligible),
    Rule("966-02", leaders, "_elect", elected),
    Rule("966-03", controller, "decide_register_broker", registered, is_after=True),
    Rule("631-02", liveness, "_next_state", let_in, is_after=True),
    Rule("631-01", BrokerSessions, "is_alive", alive),
    Rule("631-03", BrokerSessions, "may_shut_down", may_go),
)
