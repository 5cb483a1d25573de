"""Rebalances of classic groups: who is waited for, how long, and what a generation begins with."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_response import (
    JoinGroupResponse,
    JoinGroupResponseMember,
)

from ...machine import Operation, Outcome
from ..surroundings import GroupSurroundings
from .answers import sync_refused
from .classic_group import ClassicGroup
from .group_record import record_of
from .lost_records import report_lost
from .member import Member
from .sessions import NOTHING, Sessions, is_here
from .states import GroupState
from .weights import TotalWeight

REASON_CHARACTERS_MAX: Final = 255
"""Of a reason that a client gives; longer ones are cut (GRP-28)."""

_NOBODY_JOINED_MS: Final = 1_000
"""Shortest wait for static members none of whom has joined: their timeout may be 0."""


class Rebalances:
    """`Keeper` of classic_group.py, for all classic groups of a shard."""

    __slots__ = ("around", "sessions")

    def __init__(self, around: GroupSurroundings) -> None:
        self.around = around
        self.sessions = Sessions(around, self._expire, self.drop_pending)

    @property
    def weight(self) -> TotalWeight:
        return self.around.weight

    # --- the beginning --------------------------------------------------------------------------

    def begin_or_complete(self, group: ClassicGroup, reason: str) -> Outcome[None]:
        """Something changed: a new rebalance, or the present one may be complete now."""
        if group.state is GroupState.PREPARING:
            return self.complete_if_joined(group)
        return self.begin(group, reason)

    def begin(self, group: ClassicGroup, reason: str) -> Outcome[None]:
        """All members must join again. What waits for an assignment is answered with 27."""
        for member in group.roster:
            if group.state is GroupState.COMPLETING:
                member.assignment = b""
            if group.roster.refuse_sync(member, ErrorCode.REBALANCE_IN_PROGRESS):
                self.sessions.restart(group, member)
        self.around.timers.cancel(_sync_key(group))
        group.move_to(GroupState.PREPARING, self._wall_ms())
        group.rebalance_began_ms = self._now_ms()
        self._report("group-rebalance", group, reason=reason[:REASON_CHARACTERS_MAX])
        if group.is_initial:
            self._await_more(group, self.around.config.group_initial_rebalance_delay_ms)
            return NOTHING
        if group.roster.have_all_joined:
            return self.complete(group)
        self._await_all(group)
        return NOTHING

    def _await_all(self, group: ClassicGroup, at_least_ms: float = 0) -> None:
        def is_over() -> Outcome[None]:
            return self.complete(group)

        self._at(group, max(group.roster.longest_rebalance_ms(), at_least_ms), is_over)

    def _await_more(self, group: ClassicGroup, delay_ms: float) -> None:
        """The window in which the members of an empty group come together (GRP-10)."""
        group.has_newcomer = False

        def is_over() -> Outcome[None]:
            began_ms = group.rebalance_began_ms
            left_ms = began_ms + group.roster.longest_rebalance_ms() - self._now_ms()
            if not group.has_newcomer or left_ms <= 0:
                return self.complete(group)
            delay_ms = self.around.config.group_initial_rebalance_delay_ms
            self._await_more(group, min(delay_ms, left_ms))
            return NOTHING

        self._at(group, delay_ms, is_over)

    def _at(self, group: ClassicGroup, delay_ms: float, go_on: Operation[None]) -> None:
        """The join phase goes on then, if it is still the same one: each ends with a generation."""
        generation = group.generation

        def is_due() -> Outcome[None]:
            is_same = group.is_generation(GroupState.PREPARING, generation)
            return go_on() if is_same and is_here(self.around, group) else NOTHING

        self.around.timers.schedule(_join_key(group), delay_ms, is_due)

    # --- the end of the join phase --------------------------------------------------------------

    def complete_if_joined(self, group: ClassicGroup) -> Outcome[None]:
        """Complete the join phase if nobody has to be waited for; the first one has its window."""
        is_joining = group.state is GroupState.PREPARING and not group.is_initial
        if is_joining and group.roster.have_all_joined:
            return self.complete(group)
        return NOTHING

    def complete(self, group: ClassicGroup) -> Outcome[None]:
        """The members who joined are the next generation.

        Dynamic members who did not join are removed, static ones stay. If nobody joined and static
        members are left, they are given one more rebalance timeout (GRP-11).
        """
        self.around.timers.cancel(_join_key(group))
        roster = group.roster
        for member in [one for one in roster if one.joining is None and not one.is_static]:
            self.remove(group, member)
        if len(roster):
            first = roster.first_joining()
            if first is None:
                self._await_all(group, _NOBODY_JOINED_MS)
                return NOTHING
            leader = roster.get(group.leader_id or "")
            if leader is None or leader.joining is None:
                group.leader_id = first.member_id
        group.begin_generation(self._wall_ms())
        if group.state is GroupState.EMPTY:
            return self._record_empty(group)
        self._answer_joins(group)
        return NOTHING

    def _answer_joins(self, group: ClassicGroup) -> None:
        """Who is absent is not asked for a SyncGroup either: its session decides (GRP-11)."""
        roster = group.roster
        for member in roster:
            if member.joining is not None:
                roster.unsynced.add(member.member_id)
                roster.answer_join(member, self.generation_for(group, member))
                member.is_new = False
                self.sessions.restart(group, member)
        self._await_syncs(group)

    def _await_syncs(self, group: ClassicGroup) -> None:
        generation = group.generation

        def is_over() -> Outcome[None]:
            return self._drop_unsynced(group, generation)

        in_ms = group.roster.longest_rebalance_ms()
        self.around.timers.schedule(_sync_key(group), in_ms, is_over)

    def generation_for(self, group: ClassicGroup, member: Member) -> JoinGroupResponse:
        """The present generation; the leader's answer lists all members (GRP-13)."""
        return JoinGroupResponse(
            generation_id=group.generation,
            protocol_type=group.protocol_type,
            protocol_name=group.protocol_name,
            leader=group.leader_id or "",
            member_id=member.member_id,
            members=listed(group) if member.member_id == group.leader_id else [],
        )

    def _record_empty(self, group: ClassicGroup) -> Outcome[None]:
        """The last member is gone (GRP-23). If this is not written the former generation may come
        back after a move of the shard, and its members' sessions end there."""

        def appended(code: ErrorCode) -> None:
            if code is not ErrorCode.NONE:
                report_lost(self.around, group, code)

        return Outcome(None, (record_of(group),), is_replayed=False, on_appended=appended)

    # --- who goes -------------------------------------------------------------------------------

    def remove(self, group: ClassicGroup, member: Member) -> None:
        """No member any more; what it waits for is answered with 25. The caller rebalances."""
        group.roster.remove(member)
        self.sessions.forget(group, member.member_id)
        if group.leader_id == member.member_id:
            group.leader_id = None  # elected when the join phase is complete

    def drop_pending(self, group: ClassicGroup, member_id: str) -> Outcome[None]:
        """An id is not waited for any more, which may complete the join phase (GRP-05)."""
        if not group.roster.pending.discard(member_id):
            return NOTHING
        self.sessions.forget(group, member_id)
        return self.complete_if_joined(group)

    def _expire(self, group: ClassicGroup, member: Member) -> Outcome[None]:
        self.remove(group, member)
        return self.begin_or_complete(group, f"the session of {member.member_id} is over")

    def synced(self, group: ClassicGroup, member_id: str) -> None:
        """A member has sent its SyncGroup; after the last one nobody is waited for (GRP-21)."""
        unsynced = group.roster.unsynced
        if member_id in unsynced:
            unsynced.remove(member_id)
            if not unsynced:
                self.around.timers.cancel(_sync_key(group))

    def _drop_unsynced(self, group: ClassicGroup, generation: int) -> Outcome[None]:
        """Who has sent no SyncGroup for a rebalance timeout is removed (GRP-21)."""
        is_current = group.state in (GroupState.COMPLETING, GroupState.STABLE)
        if not is_current or group.generation != generation or not is_here(self.around, group):
            return NOTHING
        gone = [one for one in group.roster if one.member_id in group.roster.unsynced]
        if not gone:
            return NOTHING
        for member in gone:
            self.remove(group, member)
        return self.begin(group, f"{len(gone)} members have sent no SyncGroup")

    # --- Keeper ---------------------------------------------------------------------------------

    def heard_of(self, group: ClassicGroup, member: Member) -> None:
        """A sign of life of a member."""
        self.sessions.restart(group, member)

    def loaded(self, group: ClassicGroup) -> None:
        """Every member gets a whole session; a group above its size rebalances (CRT-17)."""
        for member in group.roster:
            self.sessions.restart(group, member)
        is_too_large = len(group.roster) > self.around.config.group_max_size
        if is_too_large and group.state is GroupState.STABLE:
            self.begin(group, "it has more members than group.max.size allows")

    def ask_again(self, group: ClassicGroup, member: Member) -> None:
        """Answer what a member waits for with 27, so that it joins again."""
        code = ErrorCode.REBALANCE_IN_PROGRESS
        group.roster.refuse_join(member, code)
        group.roster.refuse_sync(member, code)
        member.is_new = False

    def resume(self, group: ClassicGroup) -> None:
        """The group goes on after a time in which its timers were in vain."""
        for member in group.roster:
            member.timer_ms = None
            self.sessions.restart(group, member)
        for member_id in group.roster.pending.clear():  # nothing would end their waiting
            self.sessions.forget(group, member_id)
        if group.state is GroupState.PREPARING:
            self._await_all(group)
        elif group.state is not GroupState.EMPTY:
            self._await_syncs(group)

    def end(self, group: ClassicGroup, code: ErrorCode) -> None:
        """The group is here no longer: who waits is answered with `code`."""
        if group.state is GroupState.DEAD:
            return
        roster = group.roster
        for member in roster:
            roster.refuse_join(member, code)
            roster.answer_sync(member, sync_refused(code))
        group.move_to(GroupState.DEAD, self._wall_ms())
        other = self.around.groups.get(group.group_id)
        if isinstance(other, ClassicGroup) and other is not group:
            return  # the timers are those of the group that has its id now
        for member_id in (*(one.member_id for one in roster), *roster.pending):
            self.sessions.forget(group, member_id)
        self.around.timers.cancel(_join_key(group))
        self.around.timers.cancel(_sync_key(group))

    # --- what is used above ---------------------------------------------------------------------

    def _report(self, event: str, group: ClassicGroup, **fields: object) -> None:
        whose = {"group": group.group_id, "generation": group.generation}
        self.around.report(event, {**whose, **fields})

    def _now_ms(self) -> float:
        return self.around.env.clock.monotonic_ms()

    def _wall_ms(self) -> int:
        return self.around.env.clock.wall_ms()


def listed(group: ClassicGroup) -> list[JoinGroupResponseMember]:
    """All members with their metadata, for the one who assigns."""
    return [
        JoinGroupResponseMember(
            member_id=one.member_id,
            group_instance_id=one.instance_id,
            metadata=one.metadata(group.protocol_name),
        )
        for one in group.roster
    ]


def _join_key(group: ClassicGroup) -> tuple[str, str]:
    return ("join", group.group_id)


def _sync_key(group: ClassicGroup) -> tuple[str, str]:
    return ("sync", group.group_id)
