"""Members and offsets of groups: who may commit and read, who may speak, what a member is given
(GRP, 848, OFF)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.coordination.groups.classic import sessions as classic_sessions
from barnabas.broker.core.coordination.groups.classic.classic_group import ClassicGroup
from barnabas.broker.core.coordination.groups.classic.leaving import Leaving
from barnabas.broker.core.coordination.groups.classic.rebalances import Rebalances
from barnabas.broker.core.coordination.groups.classic.states import GroupState
from barnabas.broker.core.coordination.groups.classic.static_joining import StaticJoining
from barnabas.broker.core.coordination.groups.classic.syncing import Syncing
from barnabas.broker.core.coordination.groups.consumer import heartbeats, joining, member_steps
from barnabas.broker.core.coordination.groups.consumer.consumer_group import ConsumerGroup
from barnabas.broker.core.coordination.groups.consumer.member import (
    BORN,
    LEAVES_FOR_A_WHILE,
    Current,
    MemberState,
)
from barnabas.broker.core.coordination.groups.consumer.sessions import Sessions
from barnabas.broker.core.coordination.groups.consumer.timer_keys import session_key
from barnabas.broker.core.coordination.groups.offsets.sweep import Sweep
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, Unsure, answer_of, refusal

GENERATION_MAX = 2**31 - 1
EPOCHS_SINCE = 9
MINUTE_MS = 60_000


# --- classic groups -----------------------------------------------------------------------------


def named(group: Any, member_id: str, instance_id: str | None) -> Any:
    """GRP-06: the member of this id; a static one is fenced by who has its instance id now."""
    members = {one.member_id: one for one in group.roster}
    if instance_id is not None:
        holders = [one.member_id for one in members.values() if one.instance_id == instance_id]
        if not holders:
            raise refusal(ErrorCode.UNKNOWN_MEMBER_ID)
        if member_id not in holders:
            raise refusal(ErrorCode.FENCED_INSTANCE_ID)
    if member_id not in members:
        raise refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    return members[member_id]


def classic_commit(group: Any, committer: Any, partitions: Any) -> None:
    """The table of errors by state: a member of this generation, or nobody in an empty group."""
    del partitions
    state = group.state
    if state is GroupState.DEAD:
        raise refusal(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    has_generation = committer.epoch >= 0
    if state is GroupState.EMPTY and not has_generation:
        return
    if not (has_generation or committer.member_id or committer.instance_id is not None):
        if committer.is_transactional:
            return
        raise refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    named(group, committer.member_id, committer.instance_id)
    if committer.epoch != group.generation:
        raise refusal(ErrorCode.ILLEGAL_GENERATION)
    if state is GroupState.COMPLETING and not committer.is_transactional:
        raise refusal(ErrorCode.REBALANCE_IN_PROGRESS)


def _refused(group: Any, request: Any) -> ErrorCode | None:
    """What a request of somebody who is no member of this generation is told; None: it is one."""
    if group.state is GroupState.DEAD:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    told = answer_of(named, group, request.member_id, request.group_instance_id)
    if isinstance(told, ErrorCode):
        return told
    is_of_it = request.generation_id == group.generation
    return None if is_of_it else ErrorCode.ILLEGAL_GENERATION


def synced(syncing: Any, group: Any, request: Any, reply: Any) -> Generator[None, Any, None]:
    """GRP-20: only members of this generation are told what to read, when all have joined."""
    del syncing, reply
    expected = _refused(group, request)
    if expected is None and group.state is GroupState.PREPARING:
        expected = ErrorCode.REBALANCE_IN_PROGRESS
    answer = yield
    assert expected is None or isinstance(answer, ErrorCode), f"it counts; should be {expected!r}"
    is_told = answer is expected or answer is ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert expected is None or is_told, f"told {answer!r}, should be {expected!r}"


def beat(leaving: Any, group: Any, request: Any) -> Generator[None, Any, None]:
    """The table of errors by state: a member of this generation lives."""
    expected = _refused(group, request)
    is_preparing = group.state is GroupState.PREPARING
    now = leaving._rebalances.around.env.clock.monotonic_ms()
    answer = yield
    if expected is not None:
        assert answer is expected, f"told {answer!r}, should be {expected!r}"
    else:
        told = answer.answer.error_code
        wanted = ErrorCode.REBALANCE_IN_PROGRESS if is_preparing else ErrorCode.NONE
        assert told == wanted, f"told {told}, should be {wanted!r}"
        member = group.roster.get(request.member_id)
        ends = now + member.terms.session_timeout_ms
        assert member.expires_ms >= ends, f"its session ends at {member.expires_ms}, not {ends}"


def generation_begun(group: Any, wall_ms: int) -> Generator[None, Any, None]:
    """GRP-13, GRP-24: one higher, and after the largest 1; without members the group is empty."""
    del wall_ms
    before = group.generation
    yield
    expected = 1 if before == GENERATION_MAX else before + 1
    assert group.generation == expected, f"after {before} comes {group.generation}"
    is_empty = not len(group.roster)
    assert (group.state is GroupState.EMPTY) == is_empty, f"{group.state}, empty: {is_empty}"


def session_restarted(sessions: Any, group: Any, member: Any) -> Generator[None, Any, None]:
    """GRP-18: from now on it lasts the member's timeout, and a timer looks at its end."""
    del group
    now = sessions._around.env.clock.monotonic_ms()
    yield
    ends = now + max(member.terms.session_timeout_ms, 0)
    assert member.expires_ms == ends, f"the session ends at {member.expires_ms}, not {ends}"
    is_seen = member.timer_ms is not None and member.timer_ms <= ends
    assert is_seen, f"its timer goes off at {member.timer_ms}, the session ends at {ends}"


def join_phase_ended(rebalances: Any, group: Any) -> Generator[None, Any, None]:
    """GRP-11: dynamic members who have not joined again are no members any more."""
    del rebalances
    absent = [one for one in group.roster if one.joining is None and one.instance_id is None]
    yield
    left = [one.member_id for one in absent if group.roster.get(one.member_id) is one]
    assert not left, f"{left} have not joined, and are members"


def timer_went_off(sessions: Any, group: Any, member: Any) -> Generator[None, Any, None]:
    """GRP-17: whoever is still a member has a timer again, or went."""
    yield
    is_member = group.roster.get(member.member_id) is member
    is_here = classic_sessions.is_here(sessions._around, group)
    assert not is_member or not is_here or member.timer_ms is not None, "nothing ends its session"


def sessions_begun(rebalances: Any, group: Any) -> Generator[None, Any, None]:
    """CRT-17: after a load every member has a session."""
    del rebalances
    yield
    for member in group.roster:
        assert member.timer_ms is not None, f"{member.member_id} of a loaded group has no session"


def place_taken(joining_: Any, group: Any, old: Any, new: Any) -> Generator[None, Any, None]:
    """GRP-15: who takes the place of a static member has all that it had."""
    del joining_
    led = group.leader_id == old.member_id
    yield
    assert new.assignment == old.assignment, "its assignment went"
    assert (group.leader_id == new.member_id) == led, f"the leader is {group.leader_id}"
    holder = group.roster.static_id(new.instance_id)
    assert holder == new.member_id, f"{new.instance_id} is {holder}'s"


# --- consumer groups ----------------------------------------------------------------------------


def consumer_commit(group: Any, committer: Any, partitions: Any) -> None:
    """OFF-04: the epoch that the member has, or one in which it was given what it still has."""
    state, epoch = group.state, committer.epoch
    is_nobody = committer.is_transactional and not committer.member_id
    is_nobody = is_nobody and epoch == -1 and committer.instance_id is None
    if epoch < 0 and (not len(state.members) or is_nobody):
        return
    member = state.members.get(committer.member_id)
    if member is None:
        raise refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.classic is not None:
        raise Unsure
    if committer.api_version < EPOCHS_SINCE and not committer.is_transactional:
        raise refusal(ErrorCode.UNSUPPORTED_VERSION)
    current = state.currents.get(committer.member_id) or BORN
    if epoch == current.epoch:
        return
    topics = group._image().topics_by_name
    given = {**current.revoking, **current.assigned}
    for name, number in partitions:
        topic = topics.get(name)
        since = None if topic is None else given.get((topic.topic_id, number))
        if since is None or not since <= epoch < current.epoch:
            raise refusal(ErrorCode.STALE_MEMBER_EPOCH)
    if epoch > current.epoch:
        raise refusal(ErrorCode.STALE_MEMBER_EPOCH)


def consumer_fetch(group: Any, committer: Any, offset: int) -> None:
    """OFF-07: a member as it is, by the state that is read."""
    member = group.state.members.at(committer.member_id, offset)
    if member is None:
        raise refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.classic is not None:
        raise Unsure
    current = group.state.currents.at(committer.member_id, offset) or BORN
    if committer.epoch != current.epoch:
        raise refusal(ErrorCode.STALE_MEMBER_EPOCH)


def epoch_known(sent: int, current: Any, owned: Any) -> None:
    """848-05: joins, has this epoch, or had the one before and owns nothing that it has not."""
    if sent in (0, current.epoch):
        return
    was_before = sent == current.previous_epoch and sent < current.epoch
    if was_before and owned is not None and all(one in current.assigned for one in owned):
        return
    raise refusal(ErrorCode.FENCED_MEMBER_EPOCH)


def spoke(
    draft: Any, request: Any, client: Any, owned: Any, max_size: int
) -> Generator[None, Any, None]:
    """848-08: a static member that has not said that it goes keeps its place."""
    del client, owned, max_size
    instance = request.instance_id
    holder = None if instance is None else draft.state.instances.get(instance)
    twin = None if holder is None else draft.member(holder)
    if twin is None or twin.classic is not None or holder == request.member_id:
        yield
        return
    is_away = draft.current(holder).epoch == LEAVES_FOR_A_WHILE
    joins = request.member_epoch == 0
    answer = yield
    if not joins:
        assert answer is ErrorCode.FENCED_INSTANCE_ID, f"it is no joiner, and told {answer!r}"
    elif not is_away:
        assert answer is ErrorCode.UNRELEASED_INSTANCE_ID, f"its twin is there; told {answer!r}"


def next_step(current: Any, aim: Any, owned: Any) -> Current:
    """848-16, 848-17, 848-19: first it gives up, then it is given what nobody has."""

    def has_any(partitions: Any) -> bool:
        return any(owned is None or one in owned for one in partitions)

    def stays(kept: Any, revoking: Any) -> Current:
        assigned = {one: at for one, at in current.assigned.items() if one in kept}
        state = MemberState.UNREVOKED_PARTITIONS if revoking else current.state
        return Current(current.epoch, current.previous_epoch, state, assigned, revoking)

    has = current.assigned
    gives_up = current.state is MemberState.UNREVOKED_PARTITIONS and has_any(current.revoking)
    is_there = current.state is MemberState.STABLE and current.epoch == aim.epoch
    if gives_up or is_there:
        unwanted = {one: at for one, at in has.items() if not aim.is_wanted(one)}
        kept = has.keys() - unwanted.keys()
        if gives_up or has_any(unwanted):
            return stays(kept, {**current.revoking, **unwanted}) if unwanted else current
        return stays(kept, {}) if unwanted else current
    target = {one for one in aim.target if aim.is_wanted(one)}
    lost = {one: at for one, at in has.items() if one not in target}
    if has_any(lost):
        return stays(target, lost)
    given = {one: has.get(one, aim.epoch) for one in target if one in has or _is_free(aim, one)}
    waits = len(given) < len(target)
    state = MemberState.UNRELEASED_PARTITIONS if waits else MemberState.STABLE
    before = current.previous_epoch if current.epoch == aim.epoch else current.epoch
    return Current(aim.epoch, before, state, given, {})


def _is_free(aim: Any, partition: Any) -> bool:
    return not aim.is_held_by_another(partition)


def held(current: Any) -> frozenset[Any]:
    """848-18: what it has, and what it has yet to give up."""
    return frozenset((*current.assigned, *current.revoking))


def _due(timers: Any, key: Any) -> Any:
    """What a timer will do; another object each time that it is set."""
    timer = timers._set.get(key)
    return None if timer is None else timer.operation


def heard_of(sessions: Any, group_id: str, member: Any) -> Generator[None, Any, None]:
    """848-21: each heartbeat begins the session anew."""
    timers, key = sessions._around.timers, session_key(group_id, member.member_id)
    before = _due(timers, key)
    yield
    after = _due(timers, key)
    is_closed = timers._is_closed
    assert is_closed or (after is not None and after is not before), "the session goes on as it was"


def beaten(beats: Any, request: Any, *others: Any) -> Generator[None, Any, None]:
    """848-21: a member that was answered has a session."""
    del others
    timers = beats._around.timers
    before = _due(timers, session_key(request.group_id, request.member_id))
    answer = yield
    if request.member_epoch < 0 or not hasattr(answer, "answer"):
        return
    key = session_key(request.group_id, answer.answer.member_id)
    after = _due(timers, key)
    assert after is not None and after is not before, "its session was not begun anew"


def all_begun(sessions: Any, group: Any) -> Generator[None, Any, None]:
    """CRT-17: after a load every member has a session."""
    yield
    for member_id in group.state.members:
        key = session_key(group.group_id, member_id)
        assert key in sessions._around.timers._set, f"{member_id} of a loaded group has no session"


# --- offsets ------------------------------------------------------------------------------------


def expiry_start(group: Any, topic: str, commit_ms: int) -> int | None:
    """OFF-30, of classic groups: when the group became empty, or a commit that nobody needs."""
    if not group.protocol_type:
        return commit_ms
    if group.state is GroupState.EMPTY:
        return commit_ms if group.state_since_ms is None else group.state_since_ms
    topics = group.subscriptions.topics if group.protocol_type == "consumer" else None
    if group.state is GroupState.STABLE and topics is not None and topic not in topics:
        return commit_ms
    return None


def expired(sweep: Any, group_id: str, group: Any, partition: Any, committed: Any) -> bool:
    """OFF-30 to OFF-32: its own time decides if it has one, else the retention; never while
    somebody reads the topic or a transaction is open."""
    if sweep._table.is_staged(group_id, partition) or group.is_subscribed(partition[0]):
        return False
    start_ms = group.expiry_starts_ms(partition[0], committed.commit_ms)
    if start_ms is None:
        return False
    ends_ms = committed.expire_ms
    if ends_ms is None:
        ends_ms = start_ms + sweep._around.config.offsets_retention_minutes * MINUTE_MS
    return bool(sweep._around.env.clock.wall_ms() >= ends_ms)


RULES = (
    Rule("GRP-06", ClassicGroup, "member_of", named),
    Rule("OFF-03", ClassicGroup, "check_commit", classic_commit),
    Rule("GRP-20", Syncing, "sync", synced, is_after=True),
    Rule("GRP-18", Leaving, "heartbeat", beat, is_after=True),
    Rule("GRP-13", ClassicGroup, "begin_generation", generation_begun, is_after=True),
    Rule("GRP-11", Rebalances, "complete", join_phase_ended, is_after=True),
    Rule("GRP-18", classic_sessions.Sessions, "restart", session_restarted, is_after=True),
    Rule("GRP-17", classic_sessions.Sessions, "_check", timer_went_off, is_after=True),
    Rule("CRT-17", Rebalances, "loaded", sessions_begun, is_after=True),
    Rule("GRP-15", StaticJoining, "_replace", place_taken, is_after=True),
    Rule("OFF-04", ConsumerGroup, "check_commit", consumer_commit),
    Rule("OFF-07", ConsumerGroup, "check_fetch", consumer_fetch),
    Rule("848-05", joining, "check_epoch", epoch_known),
    Rule("848-08", heartbeats, "find_member", spoke, is_after=True),
    Rule("848-18", Current, "held", held),
    Rule("848-17", member_steps, "next_step", next_step),
    Rule("848-21", Sessions, "restart", heard_of, is_after=True),
    Rule("848-21", heartbeats.Heartbeats, "decide", beaten, is_after=True),
    Rule("CRT-17", Sessions, "begin_all", all_begun, is_after=True),
    Rule("OFF-30", ClassicGroup, "expiry_starts_ms", expiry_start),
    Rule("OFF-30", Sweep, "_is_expired", expired),
)
