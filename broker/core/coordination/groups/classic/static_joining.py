"""Static members who come back without their id (KIP-345, KIP-814)."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_response import JoinGroupResponse

from ...machine import Outcome, Reply
from .classic_group import ClassicGroup
from .group_record import record_of
from .lost_records import report_lost
from .member import Member, Terms
from .rebalances import Rebalances
from .states import GroupState

_SKIPPING_SINCE: Final = 9
"""From this version on a leader can be told not to assign (KIP-814)."""


class StaticJoining:
    """A known instance id, and a JoinGroup without a member id (GRP-15)."""

    __slots__ = ("_rebalances",)

    def __init__(self, rebalances: Rebalances) -> None:
        self._rebalances = rebalances

    def rejoin(
        self,
        group: ClassicGroup,
        old: Member,
        member_id: str,
        terms: Terms,
        reply: Reply[JoinGroupResponse],
        api_version: int,
    ) -> Outcome[None]:
        """The new id takes the old one's place, with all that it brings along (GRP-16).

        In a stable group whose protocol stays the same nobody else notices.
        """
        leader_before = group.leader_id or ""
        new = Member(member_id, old.instance_id, terms)
        self._replace(group, old, new)
        group.roster.park_join(new, reply)
        if group.state is GroupState.STABLE:
            if group.roster.choose_protocol() == group.protocol_name:
                new.predecessor = old
                return self._persist(group, new, leader_before, api_version)
            return self._rebalances.begin(group, "a static member's protocols change the choice")
        if group.state is GroupState.COMPLETING:
            return self._rebalances.begin(group, f"static member {new.instance_id} joined again")
        return self._rebalances.complete_if_joined(group)

    def _replace(self, group: ClassicGroup, old: Member, new: Member) -> None:
        group.roster.replace(old, new)
        new.assignment = old.assignment
        if group.leader_id == old.member_id:
            group.leader_id = new.member_id
        sessions = self._rebalances.sessions
        sessions.forget(group, old.member_id)
        old.timer_ms = None
        sessions.restart(group, new)

    def _persist(
        self, group: ClassicGroup, new: Member, leader_before: str, api_version: int
    ) -> Outcome[None]:
        """Write the new id, then answer; if it cannot be written the old one comes back."""
        generation = group.generation
        reply = new.joining

        def appended(code: ErrorCode) -> None:
            before = new.as_written
            is_written = code is ErrorCode.NONE
            if is_written:
                new.predecessor = None
            if group.roster.get(new.member_id) is not new:
                return  # somebody has taken its place meanwhile, or it is gone
            if new.joining is not reply:
                new.predecessor = None  # it is part of another generation, which has its record
            elif not is_written:
                self._take_back(group, before, new, code)
            elif group.is_generation(GroupState.STABLE, generation):
                group.note_subscriptions()
                answer = self._answer(group, new, leader_before, api_version)
                group.roster.answer_join(new, answer)
                self._rebalances.sessions.restart(group, new)
            # Else a rebalance has begun, for which the member has joined.

        return Outcome(None, (record_of(group),), is_replayed=False, on_appended=appended)

    def _answer(
        self, group: ClassicGroup, member: Member, leader_before: str, api_version: int
    ) -> JoinGroupResponse:
        answer = self._rebalances.generation_for(group, member)
        if api_version >= _SKIPPING_SINCE:
            answer.skip_assignment = member.member_id == group.leader_id
        else:
            # It cannot be told not to assign, so it is told that somebody else leads.
            answer.leader, answer.members = leader_before, []
        return answer

    def _take_back(self, group: ClassicGroup, old: Member, new: Member, code: ErrorCode) -> None:
        report_lost(self._rebalances.around, group, code)
        group.roster.refuse_join(new, code)
        self._replace(group, new, old)
