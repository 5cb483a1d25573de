"""JoinGroup: new members, members who join again, and ids that are given out beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.join_group_response import JoinGroupResponse

from ...machine import Outcome, Reply
from .admission import check_protocols, has_room, needs_id, new_member_id
from .answers import join_refused
from .classic_group import ClassicGroup
from .member import Client, Member, Terms
from .rebalances import Rebalances
from .sessions import NOTHING
from .states import GroupState
from .static_joining import StaticJoining


@dataclass(frozen=True, slots=True)
class Joiner:
    """One JoinGroup: who sent it, what it brings along, where its answer goes."""

    request: JoinGroupRequest
    client: Client
    terms: Terms
    reply: Reply[JoinGroupResponse]


class Joining:
    """What a JoinGroup does to a group."""

    __slots__ = ("_rebalances", "_static")

    def __init__(self, rebalances: Rebalances) -> None:
        self._rebalances = rebalances
        self._static = StaticJoining(rebalances)

    def join(self, group: ClassicGroup, joiner: Joiner) -> Outcome[None]:
        """Let a member in, or raise KafkaError (GRP-03 to GRP-08)."""
        request = joiner.request
        group.check_alive()
        size_max = self._rebalances.around.config.group_max_size
        if not has_room(group, request, joiner.terms, size_max):
            joiner.reply.give(join_refused(ErrorCode.GROUP_MAX_SIZE_REACHED, ""))
            return self._rebalances.drop_pending(group, request.member_id)
        check_protocols(group, request.protocol_type, joiner.terms)
        if not request.member_id:
            return self._join_unknown(group, joiner)
        if request.member_id in group.roster.pending:
            return self._join_pending(group, joiner)
        return self._join_known(group, joiner)

    def _join_unknown(self, group: ClassicGroup, joiner: Joiner) -> Outcome[None]:
        instance_id = joiner.request.group_instance_id
        member_id = new_member_id(joiner.request, joiner.client, self._rebalances.around.env)
        if instance_id is not None:
            old = group.roster.get(group.roster.static_id(instance_id) or "")
            if old is None:
                return self._add(group, member_id, joiner)
            version = joiner.client.api_version
            return self._static.rejoin(group, old, member_id, joiner.terms, joiner.reply, version)
        if needs_id(joiner.request, joiner.client):
            return self._give_id(group, member_id, joiner)
        return self._add(group, member_id, joiner)

    def _give_id(self, group: ClassicGroup, member_id: str, joiner: Joiner) -> Outcome[None]:
        """The id is pending for a session timeout (GRP-05)."""
        sessions = self._rebalances.sessions
        for void in group.roster.pending.add(member_id):
            sessions.forget(group, void)
        sessions.await_use(group, member_id, joiner.request.session_timeout_ms)
        joiner.reply.give(join_refused(ErrorCode.MEMBER_ID_REQUIRED, member_id))
        return NOTHING

    def _join_pending(self, group: ClassicGroup, joiner: Joiner) -> Outcome[None]:
        """The id that was given out comes back; only dynamic members are given one (GRP-06)."""
        if joiner.request.group_instance_id is not None:
            raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "this id is no static member's")
        return self._add(group, joiner.request.member_id, joiner)

    def _add(self, group: ClassicGroup, member_id: str, joiner: Joiner) -> Outcome[None]:
        roster = group.roster
        if not len(roster):
            group.protocol_type = joiner.request.protocol_type
        member = Member(member_id, joiner.request.group_instance_id, joiner.terms)
        member.is_new = True
        roster.add(member)
        roster.park_join(member, joiner.reply)
        group.has_newcomer = True
        if group.leader_id is None:
            group.leader_id = member_id  # the first one who joined (GRP-14)
        self._rebalances.sessions.start_new(group, member)
        return self._rebalances.begin_or_complete(group, self._reason(joiner, "a member joined"))

    def _join_known(self, group: ClassicGroup, joiner: Joiner) -> Outcome[None]:
        request = joiner.request
        member = group.member_of(request.member_id, request.group_instance_id)
        is_unchanged = member.terms.has_protocols_of(joiner.terms)
        is_leader = group.leader_id == member.member_id
        if is_unchanged and (
            group.state is GroupState.COMPLETING
            or (group.state is GroupState.STABLE and not is_leader)
        ):
            # The answer was lost, or the member only makes sure: it can go on (GRP-08).
            joiner.reply.give(self._rebalances.generation_for(group, member))
            self._rebalances.sessions.restart(group, member)
            return NOTHING
        group.roster.renew(member, joiner.terms)
        group.roster.park_join(member, joiner.reply)
        reason = self._reason(joiner, f"{member.member_id} joined again")
        return self._rebalances.begin_or_complete(group, reason)

    @staticmethod
    def _reason(joiner: Joiner, what: str) -> str:
        said = joiner.request.reason
        return f"{what}: {said}" if said else what
