"""SyncGroup: the leader's assignment is written, then everybody is told theirs."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ...machine import Outcome, Reply
from .classic_group import ClassicGroup
from .group_record import record_of
from .lost_records import report_lost
from .member import Member
from .rebalances import Rebalances
from .sessions import NOTHING
from .states import GroupState

_NAMES_PROTOCOL_SINCE: Final = 5


def check_sync(request: SyncGroupRequest, api_version: int) -> None:
    """Raise KafkaError for what is wrong whatever the group is like (CRT-04, GRP-19)."""
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    names = (request.protocol_type, request.protocol_name)
    if api_version >= _NAMES_PROTOCOL_SINCE and None in names:
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


class Syncing:
    """What a SyncGroup does to a group."""

    __slots__ = ("_rebalances",)

    def __init__(self, rebalances: Rebalances) -> None:
        self._rebalances = rebalances

    def sync(
        self, group: ClassicGroup, request: SyncGroupRequest, reply: Reply[SyncGroupResponse]
    ) -> Outcome[None]:
        """Answer with the assignment, now or when there is one (GRP-20). Raises KafkaError."""
        group.check_alive()
        member = group.member_of(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
        _check_protocol(request, group)
        if group.state is GroupState.PREPARING:
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        self._rebalances.synced(group, member.member_id)
        if group.state is GroupState.STABLE:
            reply.give(_assigned(group, member))
            return NOTHING
        group.roster.park_sync(member, reply)
        if member.member_id == group.leader_id and not group.is_writing:
            return self._write(group, request)
        return NOTHING

    def _write(self, group: ClassicGroup, request: SyncGroupRequest) -> Outcome[None]:
        """Members whom the leader left out get nothing; ids that are no members' are ignored."""
        given = {one.member_id: one.assignment for one in request.assignments}
        assignments = {one.member_id: given.get(one.member_id, b"") for one in group.roster}
        generation = group.generation
        group.is_writing = True

        def appended(code: ErrorCode) -> None:
            if not group.is_generation(GroupState.COMPLETING, generation):
                return  # a rebalance has begun meanwhile, and answered those who waited
            group.is_writing = False
            if code is ErrorCode.NONE:
                self._settle(group, assignments)
            else:
                self._give_up(group, code)

        records = (record_of(group, assignments),)
        return Outcome(None, records, is_replayed=False, on_appended=appended)

    def _settle(self, group: ClassicGroup, assignments: dict[str, bytes]) -> None:
        group.move_to(GroupState.STABLE, self._rebalances.around.env.clock.wall_ms())
        for member in group.roster:
            member.assignment = assignments.get(member.member_id, b"")
            if group.roster.answer_sync(member, _assigned(group, member)):
                self._rebalances.sessions.restart(group, member)

    def _give_up(self, group: ClassicGroup, code: ErrorCode) -> None:
        """The assignment could not be written: all are told, and must join again (CRT-19)."""
        report_lost(self._rebalances.around, group, code)
        for member in group.roster:
            member.assignment = b""
            if group.roster.refuse_sync(member, code):
                self._rebalances.sessions.restart(group, member)
        # No record comes of it: nobody has joined yet, so that the join phase cannot be complete.
        self._rebalances.begin(group, f"the assignment could not be written: {code.name}")


def _assigned(group: ClassicGroup, member: Member) -> SyncGroupResponse:
    return SyncGroupResponse(
        protocol_type=group.protocol_type,
        protocol_name=group.protocol_name,
        assignment=member.assignment,
    )


def _check_protocol(request: SyncGroupRequest, group: ClassicGroup) -> None:
    """Raise KafkaError 23 if the client means another protocol than the group's."""
    type_fits = request.protocol_type in (None, group.protocol_type)
    if not type_fits or request.protocol_name not in (None, group.protocol_name):
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
