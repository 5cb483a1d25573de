"""Members of consumer groups that speak the classic protocol (848-40, 848-41).

To the group they are members like others: JoinGroup is a heartbeat that tells everything, its
generation is the member's epoch, and nobody assigns but the coordinator. What the answer to a
heartbeat would tell, SyncGroup does; Heartbeat tells whether it is time to join again.
"""

from __future__ import annotations

from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ...machine import Outcome, Reply
from ..classic.leaving import answered
from ..classic.subscriptions import CONSUMER
from ..embedded_protocol import assignment_bytes
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .departures import Departures
from .draft import Draft, target_or_none
from .group_epochs import renew_epoch
from .member import ClassicMetadata, Member, MemberState
from .member_steps import is_held_by_another
from .refusals import fenced_instance, unknown_instance, unknown_member
from .sessions import Sessions
from .targets import Targets
from .topic_changes import TopicChanges
from .topic_names import with_names


class ClassicMembers:
    """SyncGroup, Heartbeat and LeaveGroup of such members; JoinGroup is in classic_joins.py."""

    __slots__ = ("_around", "_changes", "_departures", "_sessions", "_targets")

    def __init__(
        self,
        around: GroupSurroundings,
        changes: TopicChanges,
        departures: Departures,
        sessions: Sessions,
        targets: Targets,
    ) -> None:
        self._around = around
        self._changes = changes
        self._departures = departures
        self._sessions = sessions
        self._targets = targets

    def sync(
        self, group: ConsumerGroup, request: SyncGroupRequest, reply: Reply[SyncGroupResponse]
    ) -> Outcome[None]:
        """Tell the member what it has. Raises KafkaError 22, 23, 25, 27 or 82."""
        member, classic = _speaker(group, request.member_id, request.group_instance_id)
        current = group.state.current(member.member_id)
        _check_generation(request.generation_id, current.epoch)
        first = classic.protocols[0]
        type_fits = request.protocol_type in (None, CONSUMER)
        if not type_fits or request.protocol_name not in (None, first.name):
            raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        is_behind = current.epoch < group.state.numbers.assignment_epoch
        if is_behind and current.state is not MemberState.UNREVOKED_PARTITIONS:
            # It joined before the latest target. Who has to give partitions up is told so first.
            self._sessions.await_join(group.group_id, member)
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        self._sessions.synced(group.group_id, member)
        named = with_names(current.assigned, self._around.image())
        answer = SyncGroupResponse(
            protocol_type=CONSUMER,
            protocol_name=first.name,
            assignment=assignment_bytes(named, first.metadata),
        )

        def appended(code: ErrorCode) -> None:
            if code is ErrorCode.NONE:
                reply.give(answer)

        return Outcome(None, on_appended=appended)

    def heartbeat(
        self, group: ConsumerGroup, request: HeartbeatRequest
    ) -> Outcome[HeartbeatResponse]:
        """The member lives; 27 tells it to join again. Raises KafkaError 22, 25 or 82.

        Changes of topics and of members are seen here as in the heartbeats of others: there may
        be no others.
        """
        member, _ = _speaker(group, request.member_id, request.group_instance_id)
        current = group.state.current(member.member_id)
        _check_generation(request.generation_id, current.epoch)
        self._sessions.restart(group.group_id, member)
        draft = Draft(group.group_id, group.state)
        renew_epoch(draft, group, self._changes, must_rise=False)
        self._targets.renew(draft, group)
        code = ErrorCode.NONE
        if self._must_join(draft, member):
            self._sessions.await_join(group.group_id, member)
            code = ErrorCode.REBALANCE_IN_PROGRESS
        return Outcome(HeartbeatResponse(error_code=int(code)), draft.records)

    @staticmethod
    def _must_join(draft: Draft, member: Member) -> bool:
        """Whether the member would get another answer to a JoinGroup than before."""
        member_id = member.member_id
        current = draft.current(member_id)
        if current.epoch < draft.numbers.assignment_epoch:
            return True
        if current.state is not MemberState.UNRELEASED_PARTITIONS:
            return current.state is MemberState.UNREVOKED_PARTITIONS
        missing = target_or_none(draft, member_id).difference(current.assigned)
        return not any(is_held_by_another(draft, member_id, one) for one in missing)

    def leave(
        self, group: ConsumerGroup, request: LeaveGroupRequest
    ) -> Outcome[LeaveGroupResponse]:
        """Let all of them go; the group's epoch rises once (848-10)."""
        draft, answer, gone = Draft(group.group_id, group.state), LeaveGroupResponse(), []
        for one in request.members:
            code = ErrorCode.NONE
            try:
                member_id = self._leaver(group, draft, one)
            except KafkaError as error:
                code = error.code
            else:
                draft.remove_member(member_id)
                gone.append(member_id)
            answer.members.append(answered(one, code))
        if not gone:
            return Outcome(answer)
        renew_epoch(draft, group, self._changes, must_rise=True)
        forget = partial(self._departures.forget, group.group_id, gone)
        return Outcome(answer, draft.records, on_appended=forget)

    @staticmethod
    def _leaver(group: ConsumerGroup, draft: Draft, one: MemberIdentity) -> str:
        """Whom a LeaveGroup means; an administrator names the instance alone (GRP-22)."""
        member_id = one.member_id
        if not member_id and one.group_instance_id is not None:
            member_id = group.state.instances.get(one.group_instance_id) or ""
        if draft.member(member_id) is None:
            raise unknown_member(member_id, group.group_id)
        return _speaker(group, member_id, one.group_instance_id)[0].member_id


def _speaker(
    group: ConsumerGroup, member_id: str, instance_id: str | None
) -> tuple[Member, ClassicMetadata]:
    """The member of the classic protocol that a request names. Raises KafkaError 25 or 82."""
    if instance_id is not None:
        holder = group.state.instances.get(instance_id)
        if holder is None:
            raise unknown_instance(instance_id, group.group_id)
        if holder != member_id:
            raise fenced_instance(instance_id, member_id)
    member = group.state.members.get(member_id)
    if member is None or member.classic is None or not member.classic.protocols:
        raise unknown_member(member_id, group.group_id)
    return member, member.classic


def _check_generation(sent: int, epoch: int) -> None:
    if sent != epoch:
        raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
