"""All classic groups of one shard: which group a request means, and how groups come and go."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_groups_response import (
    DescribedGroup,
    DescribedGroupMember,
)
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ...machine import Outcome, Reply
from ..group import Group
from ..surroundings import GroupSurroundings
from .admission import check_protocols, terms_of
from .classic_group import ClassicGroup
from .group_record import group_of, record_of
from .joining import Joiner, Joining
from .leaving import Leaving, unknown_members
from .member import Client, Member
from .rebalances import Rebalances
from .sessions import is_here
from .states import GroupState
from .syncing import Syncing


class ClassicGroups:
    """The classic protocol over the shard's table of groups."""

    __slots__ = ("_around", "_born", "_joining", "_leaving", "_syncing", "rebalances")

    def __init__(self, around: GroupSurroundings) -> None:
        self._around = around
        self.rebalances = Rebalances(around)
        self._joining = Joining(self.rebalances)
        self._syncing = Syncing(self.rebalances)
        self._leaving = Leaving(self.rebalances)
        self._born: dict[str, ClassicGroup] = {}
        """Groups whose first record is about to be replayed: it brings them into the table, so
        that a batch that fails takes them out of it again."""

    def find(self, group_id: str) -> ClassicGroup | None:
        """The group of this id, if there is one and it is classic."""
        found = self._around.groups.get(group_id)
        return found if isinstance(found, ClassicGroup) else None

    # --- requests -------------------------------------------------------------------------------

    def join(
        self, request: JoinGroupRequest, client: Client, reply: Reply[JoinGroupResponse]
    ) -> Outcome[None]:
        """Answer a JoinGroup that `check_join` let pass, by `reply`. Raises KafkaError.

        A group of another kind that is empty becomes a classic one; into others nobody joins by
        this protocol (GRP-01).
        """
        joiner = Joiner(request, client, terms_of(request, client), reply)
        found = self._around.groups.get(request.group_id)
        if isinstance(found, ClassicGroup):
            return self._joining.join(found, joiner)
        if found is not None and not found.is_empty:
            raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        if request.member_id:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        return self._found(joiner, found)

    def _found(self, joiner: Joiner, replaced: Group | None) -> Outcome[None]:
        """The group is made for its first member (GRP-02)."""
        check_protocols(None, joiner.request.protocol_type, joiner.terms)
        group = ClassicGroup(joiner.request.group_id, self.rebalances)
        group.state_since_ms = self._around.env.clock.wall_ms()
        first = record_of(group)

        def appended(code: ErrorCode) -> None:
            if code is not ErrorCode.NONE:
                self._born.pop(group.group_id, None)
                self.rebalances.end(group, code)

        gone = () if replaced is None else replaced.tombstones()
        self._born[group.group_id] = group
        done = self._joining.join(group, joiner)
        assert not done.records, "in an empty group nothing is complete at once"
        return Outcome(None, (*gone, first), on_appended=appended)

    def sync(self, request: SyncGroupRequest, reply: Reply[SyncGroupResponse]) -> Outcome[None]:
        """Answer a SyncGroup that `check_sync` let pass, by `reply`. Raises KafkaError."""
        return self._syncing.sync(self._known(request.group_id), request, reply)

    def heartbeat(self, request: HeartbeatRequest) -> Outcome[HeartbeatResponse]:
        """Answer a Heartbeat. Raises KafkaError."""
        return self._leaving.heartbeat(self._known(request.group_id), request)

    def leave(self, request: LeaveGroupRequest) -> Outcome[LeaveGroupResponse]:
        """Answer a LeaveGroup, of any number of members (GRP-22). Raises KafkaError."""
        group = self.find(request.group_id)
        if group is None:
            return Outcome(unknown_members(request))
        return self._leaving.leave(group, request)

    def _known(self, group_id: str) -> ClassicGroup:
        group = self.find(group_id)
        if group is None:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        return group

    def describe(self, group_id: str, offset: int) -> DescribedGroup | None:
        """The group as DescribeGroups tells it; None if there was no such one at `offset`.

        What members say and have is told of a stable group only (GRP-27).
        """
        group = self._around.groups.at(group_id, offset)
        if not isinstance(group, ClassicGroup):
            return None
        is_stable = group.state is GroupState.STABLE
        name = group.protocol_name if is_stable else None
        return DescribedGroup(
            group_id=group_id,
            group_state=group.state.value,
            protocol_type=group.protocol_type,
            protocol_data=name or "",
            members=[
                DescribedGroupMember(
                    member_id=one.member_id,
                    group_instance_id=one.instance_id,
                    client_id=one.terms.client_id,
                    client_host=one.terms.client_host,
                    member_metadata=one.metadata(name),
                    member_assignment=one.assignment if is_stable else b"",
                )
                for one in group.roster
            ],
        )

    # --- groups that change their protocol -------------------------------------------------------

    def adopt(self, group: ClassicGroup, waiting: tuple[Member, Joiner] | None) -> Outcome[None]:
        """Take over a stable group that was one of another kind, and let it rebalance (848-43).

        `waiting`: a member whose JoinGroup waits for that. The records must be replayed behind
        those that end the former group.
        """
        record = record_of(group)
        self._born[group.group_id] = group
        if waiting is not None:
            member, joiner = waiting
            group.roster.park_join(member, joiner.reply)
        for one in group.roster:
            self.rebalances.heard_of(group, one)
        done = self.rebalances.begin(group, "it was a consumer group")
        assert not done.records, "it has members, so that it does not become empty"

        def appended(code: ErrorCode) -> None:
            if code is not ErrorCode.NONE:
                self._born.pop(group.group_id, None)
                self.rebalances.end(group, code)

        return Outcome(None, (record,), on_appended=appended)

    def retired(self, group: ClassicGroup, code: ErrorCode) -> None:
        """A group has become one of another kind, if `code` is NONE (848-42).

        Else it goes on, if it is still here: it was not while that was open, so that its timers
        may have gone off in vain.
        """
        if code is not ErrorCode.NONE and is_here(self._around, group):
            self.rebalances.resume(group)
        else:
            gone = ErrorCode.REBALANCE_IN_PROGRESS if code is ErrorCode.NONE else code
            self.rebalances.end(group, gone)

    # --- groups come and go ---------------------------------------------------------------------

    def simple_group(self, group_id: str) -> ClassicGroup:
        """Make a group for offsets that no member commits (GRP-26), while one is replayed.

        It has no record of its own: the offsets are what it is known by.
        """
        group = ClassicGroup(group_id, self.rebalances)
        self._around.groups[group_id] = group
        return group

    def replay_group(
        self, key: GroupMetadataKey, value: GroupMetadataValue | None, offset: int
    ) -> None:
        """Apply a record of a classic group (key type 2)."""
        born = self._born.pop(key.group, None)
        if value is None:
            if self.find(key.group) is not None:
                self._around.groups.pop(key.group)
        elif born is not None:
            self._around.groups[key.group] = born
        else:
            self._around.groups[key.group] = group_of(key.group, value, self.rebalances)
