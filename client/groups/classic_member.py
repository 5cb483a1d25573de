"""A member of a classic group, without I/O: what it sends, and what answers make of it.

    joining ── JoinGroup ──▶ joined ── SyncGroup ──▶ synced ── Heartbeat … 27 ──▶ joining

The leader of a generation assigns partitions for all members; to the
coordinator this is bytes. Answers for a generation that is over are ignored (CLI-02).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.join_group_request import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
)
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ..structs import TopicPartition
from .assignors.choice import ASSIGNORS, Held, is_cooperative, member_of, metadata_for
from .assignors.members import Assignment, Member, Partitions
from .formats import decode_assignment, encode_assignment
from .reactions import HEARTBEAT, JOIN, SYNC, Reaction, reaction_to
from .values import CloseOption, Identity

PROTOCOL_TYPE = "consumer"
NO_GENERATION = -1
NO_MEMBER = ""
REASON_CHARS_MAX = 255
"""Reasons are cut to this (KIP-800)."""
LEAVE_SINCE_LIST = 3
"""The version of LeaveGroup from which on it has a list of members."""


class ClassicOptions(NamedTuple):
    """What the configuration says of a classic member."""

    group_id: str
    instance_id: str | None
    session_timeout_ms: int
    rebalance_timeout_ms: int
    assignors: tuple[str, ...]
    rack: str | None = None


class ClassicMember:
    """One membership, over all its generations."""

    def __init__(self, options: ClassicOptions) -> None:
        self._options = options
        self.member_id = NO_MEMBER
        self.generation = NO_GENERATION
        """Of the assignment that is in force; -1 for none."""
        self.protocol = ""
        self.owned: frozenset[TopicPartition] = frozenset()
        self._last = Held(frozenset(), NO_GENERATION)
        """The last assignment, for `sticky`, which outlives the partitions being given up."""
        self._joined: JoinGroupResponse | None = None
        self._has_skipped = False
        """Whether a generation went by without this member since the one in force."""
        self.came_late = False
        """Whether one went by before the assignment in force, as happens to a static member that
        joins late: others may have had its partitions meanwhile, and committed them."""

    @property
    def is_cooperative(self) -> bool:
        """Whether partitions are kept while the member joins."""
        return is_cooperative(self._options.assignors)

    @property
    def identity(self) -> Identity:
        """Who this member is in a commit."""
        return Identity(self.generation, self.member_id, self._options.instance_id)

    # ------------------------------------------------------------ joining

    def join_request(self, topics: Iterable[str], reason: str) -> JoinGroupRequest:
        """Ask to be in the next generation."""
        wanted = sorted(set(topics))
        owned = Held(self.owned, self.generation)
        return JoinGroupRequest(
            group_id=self._options.group_id,
            session_timeout_ms=self._options.session_timeout_ms,
            rebalance_timeout_ms=self._options.rebalance_timeout_ms,
            member_id=self.member_id,
            group_instance_id=self._options.instance_id,
            protocol_type=PROTOCOL_TYPE,
            protocols=[
                JoinGroupRequestProtocol(
                    name=name,
                    metadata=metadata_for(
                        name,
                        wanted,
                        owned if ASSIGNORS[name].is_cooperative else self._last,
                        self._options.rack,
                    ),
                )
                for name in self._options.assignors
            ],
            reason=reason[:REASON_CHARS_MAX],
        )

    def on_join(self, response: JoinGroupResponse) -> Reaction:
        """The group's answer: a generation, or an error."""
        reaction = reaction_to(JOIN, response.error_code)
        if reaction is Reaction.COME_BACK:
            self.member_id = response.member_id
        elif reaction is Reaction.DONE:
            self.member_id = response.member_id
            if self._joined is not None and self.generation != NO_GENERATION:
                before = self._joined.generation_id
                # The same again: it joined a group that did not rebalance.
                if response.generation_id not in (before, before + 1):
                    self._has_skipped = True
            self._joined = response
        else:
            self._after(reaction)
        return reaction

    @property
    def must_assign(self) -> bool:
        """Whether this member has to say who gets what: it leads the generation, and the group
        did not say that all stays as it is (KIP-814)."""
        joined = self._joined
        return (
            joined is not None and joined.leader == joined.member_id and not joined.skip_assignment
        )

    def members(self) -> list[Member]:
        """All members of the generation, for the one that leads it; nobody for the others."""
        joined = self._joined
        if joined is None or joined.leader != joined.member_id:
            return []
        name = joined.protocol_name or ""
        return [
            member_of(name, each.member_id, each.group_instance_id, each.metadata)
            for each in joined.members
        ]

    def assign(self, members: Sequence[Member], partitions: Partitions) -> Assignment:
        """Who gets what, by the assignor that the group chose.

        Raises:
            KeyError: the group chose an assignor that this member did not offer.
        """
        assert self._joined is not None, "only the leader of a generation assigns"
        return ASSIGNORS[self._joined.protocol_name or ""].assign(members, partitions)

    def sync_request(self, assignment: Mapping[str, Iterable[TopicPartition]]) -> SyncGroupRequest:
        """Ask for this member's part; with everybody's, from the leader."""
        joined = self._joined
        assert joined is not None, "a member joins before it syncs"
        return SyncGroupRequest(
            group_id=self._options.group_id,
            generation_id=joined.generation_id,
            member_id=self.member_id,
            group_instance_id=self._options.instance_id,
            protocol_type=joined.protocol_type or PROTOCOL_TYPE,
            protocol_name=joined.protocol_name,
            assignments=[
                SyncGroupRequestAssignment(member_id=each, assignment=encode_assignment(mine))
                for each, mine in assignment.items()
            ],
        )

    def on_sync(self, response: SyncGroupResponse) -> tuple[Reaction, frozenset[TopicPartition]]:
        """The member's part, which is in force from now on.

        Raises:
            DecodeError: the leader wrote bytes that are no assignment.
        """
        joined = self._joined
        assert joined is not None, "a member joins before it syncs"
        reaction = reaction_to(SYNC, response.error_code)
        if reaction is not Reaction.DONE:
            self._after(reaction)
            return reaction, frozenset()
        assigned = frozenset(decode_assignment(response.assignment))
        self.generation = joined.generation_id
        self.protocol = joined.protocol_name or ""
        self._last = Held(assigned, self.generation)
        self.came_late, self._has_skipped = self._has_skipped, False
        return reaction, assigned

    # ------------------------------------------------------------ staying

    def heartbeat_request(self) -> HeartbeatRequest:
        """Say that this member lives."""
        return HeartbeatRequest(
            group_id=self._options.group_id,
            generation_id=self.generation,
            member_id=self.member_id,
            group_instance_id=self._options.instance_id,
        )

    def on_heartbeat(self, code: int, asked: HeartbeatRequest) -> Reaction:
        """What the coordinator thinks; of an earlier generation it does not matter."""
        if (asked.generation_id, asked.member_id) != (self.generation, self.member_id):
            return Reaction.DONE
        reaction = reaction_to(HEARTBEAT, code)
        self._after(reaction)
        return reaction

    def on_commit(self, code: int, by: Identity) -> Reaction:
        """What a commit's error says of the membership, which may be over."""
        if by != self.identity:
            return Reaction.DONE
        reaction = Reaction.DONE
        if code == ErrorCode.ILLEGAL_GENERATION:
            reaction = Reaction.LOST
        elif code == ErrorCode.UNKNOWN_MEMBER_ID:
            reaction = Reaction.UNKNOWN
        elif code == ErrorCode.REBALANCE_IN_PROGRESS:
            reaction = Reaction.REJOIN
        elif code == ErrorCode.FENCED_INSTANCE_ID:
            reaction = Reaction.FATAL
        self._after(reaction)
        return reaction

    def left(self) -> None:
        """The member is out of the group, by its own will."""
        self._after(Reaction.UNKNOWN)

    def _after(self, reaction: Reaction) -> None:
        if reaction in (Reaction.LOST, Reaction.UNKNOWN):
            self.generation, self._has_skipped = NO_GENERATION, False
        if reaction is Reaction.UNKNOWN:
            self.member_id = NO_MEMBER

    # ------------------------------------------------------------ leaving

    def leaves(self, option: CloseOption) -> bool:
        """Whether anything is to be said at the end (CLI-05)."""
        if not self.member_id or option is CloseOption.REMAIN_IN_GROUP:
            return False
        return self._options.instance_id is None or option is CloseOption.LEAVE_GROUP

    def leave_request(self, version: int, reason: str) -> LeaveGroupRequest:
        """Leave, named by the member id alone, static or not (CLI-05)."""
        if version < LEAVE_SINCE_LIST:
            return LeaveGroupRequest(group_id=self._options.group_id, member_id=self.member_id)
        identity = MemberIdentity(member_id=self.member_id, reason=reason[:REASON_CHARS_MAX])
        return LeaveGroupRequest(group_id=self._options.group_id, members=[identity])
