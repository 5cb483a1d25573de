"""LeaveGroup and Heartbeat: members that go, and members that are still there."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse, MemberResponse

from ...machine import Outcome
from .classic_group import ClassicGroup
from .rebalances import REASON_CHARACTERS_MAX, Rebalances
from .states import GroupState


class Leaving:
    """What Heartbeat and LeaveGroup do to a group."""

    __slots__ = ("_rebalances",)

    def __init__(self, rebalances: Rebalances) -> None:
        self._rebalances = rebalances

    def heartbeat(
        self, group: ClassicGroup, request: HeartbeatRequest
    ) -> Outcome[HeartbeatResponse]:
        """The member lives; 27 tells it to join again. Raises KafkaError."""
        group.check_alive()
        member = group.member_of(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
        self._rebalances.heard_of(group, member)
        if group.state is GroupState.PREPARING:
            return Outcome(HeartbeatResponse(error_code=int(ErrorCode.REBALANCE_IN_PROGRESS)))
        return Outcome(HeartbeatResponse())

    def leave(self, group: ClassicGroup, request: LeaveGroupRequest) -> Outcome[LeaveGroupResponse]:
        """Let all of them go, then rebalance once (GRP-22)."""
        group.check_alive()
        answer = LeaveGroupResponse()
        before = len(group.roster)
        went = ""
        for one in request.members:
            code = self._let_go(group, one)
            if code is ErrorCode.NONE:
                went = _said(one)
            answer.members.append(answered(one, code))
        if len(group.roster) < before:
            done = self._rebalances.begin_or_complete(group, went)
        else:
            # Nobody went but ids that were not used yet, for which a join phase may have waited.
            done = self._rebalances.complete_if_joined(group)
        return Outcome(
            answer,
            done.records,
            is_replayed=done.is_replayed,
            on_appended=done.on_appended,
        )

    def _let_go(self, group: ClassicGroup, one: MemberIdentity) -> ErrorCode:
        """Remove a member, or an id that was not used yet; the error if it is neither."""
        roster = group.roster
        if roster.pending.discard(one.member_id):
            # Completing the join phase is left to the caller, who does it once for all.
            self._rebalances.sessions.forget(group, one.member_id)
            return ErrorCode.NONE
        if one.member_id not in roster and one.group_instance_id is None:
            return ErrorCode.UNKNOWN_MEMBER_ID  # of very many ids the quick way
        member_id: str | None = one.member_id
        if not one.member_id and one.group_instance_id is not None:
            member_id = roster.static_id(one.group_instance_id)  # removed by an administrator
        try:
            member = group.member_of(member_id or "", one.group_instance_id)
        except KafkaError as error:
            return error.code
        self._rebalances.remove(group, member)
        return ErrorCode.NONE


def unknown_members(request: LeaveGroupRequest) -> LeaveGroupResponse:
    """The answer if there is no such group: an error for each member, none at the top (GRP-22)."""
    code = ErrorCode.UNKNOWN_MEMBER_ID
    return LeaveGroupResponse(members=[answered(one, code) for one in request.members])


def answered(one: MemberIdentity, code: ErrorCode) -> MemberResponse:
    """What the answer says of one member, named as the request did."""
    return MemberResponse(
        member_id=one.member_id, group_instance_id=one.group_instance_id, error_code=int(code)
    )


def _said(one: MemberIdentity) -> str:
    who = one.member_id or one.group_instance_id
    return f"{who} left: {(one.reason or 'no reason given')[:REASON_CHARACTERS_MAX]}"
