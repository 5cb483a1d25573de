"""One classic group: its state, its generation, its members, and what offsets ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey

from ...machine import Record
from ..group import Committer, GroupKind
from .member import Member
from .roster import Roster
from .states import GroupState, may_follow
from .subscriptions import CONSUMER, Subscriptions
from .weights import TotalWeight

NO_GENERATION: Final = -1
_GENERATION_MAX: Final = 2**31 - 1


class Keeper(Protocol):
    """Who drives a group: its sessions and its rebalances."""

    @property
    def weight(self) -> TotalWeight:
        """What the members of all groups of this broker take."""
        ...

    def heard_of(self, group: ClassicGroup, member: Member) -> None:
        """A sign of life: the member's session begins anew (GRP-18)."""
        ...

    def loaded(self, group: ClassicGroup) -> None:
        """The group was read from the log: its sessions begin (CRT-17)."""
        ...

    def end(self, group: ClassicGroup, code: ErrorCode) -> None:
        """The group is here no longer: refuse all who wait in it (CRT-18)."""
        ...


class ClassicGroup:
    """`Group` of groups/group.py. Its content is outside of the versioned state: answers that wait
    in it cannot be taken back, so it moves when its records are committed (CRT-19). Only whether
    the group exists can be read as it was."""

    __slots__ = (
        "_keeper",
        "generation",
        "group_id",
        "has_newcomer",
        "is_initial",
        "is_writing",
        "leader_id",
        "protocol_name",
        "protocol_type",
        "rebalance_began_ms",
        "roster",
        "state",
        "state_since_ms",
        "subscriptions",
    )

    def __init__(self, group_id: str, keeper: Keeper) -> None:
        self._keeper = keeper
        self.group_id = group_id
        self.state = GroupState.EMPTY
        self.state_since_ms: int | None = None
        """Wall clock of the last change of state; None if nobody knows."""
        self.generation = 0
        self.protocol_type = ""
        """Empty as long as nobody has joined: such a group only has offsets (GRP-26)."""
        self.protocol_name: str | None = None
        self.leader_id: str | None = None
        self.roster = Roster(keeper.weight)
        self.subscriptions = Subscriptions(())
        self.is_initial = False
        """PREPARING after EMPTY: members are given more time to come (GRP-10)."""
        self.has_newcomer = False
        """A member came since the initial rebalance was last prolonged."""
        self.rebalance_began_ms = 0.0
        """Monotonic time at which it became PREPARING."""
        self.is_writing = False
        """The assignment of this generation is on its way to the log."""

    # --- state ----------------------------------------------------------------------------------

    def move_to(self, state: GroupState, wall_ms: int) -> None:
        """Change the state; nothing but the arrows of the protocol is possible."""
        assert may_follow(self.state, state), f"{self.state} is not followed by {state}"
        self.is_initial = self.state is GroupState.EMPTY and state is GroupState.PREPARING
        self.state = state
        self.state_since_ms = wall_ms

    def begin_generation(self, wall_ms: int) -> None:
        """The members who joined are the next generation (GRP-13); nobody is: the group is empty.

        After the largest number comes 1, since numbers below zero mean none (GRP-24).
        """
        self.generation = self.generation + 1 if self.generation < _GENERATION_MAX else 1
        self.is_writing = False
        self.roster.unsynced.clear()
        if len(self.roster):
            self.protocol_name = self.roster.choose_protocol()
            self.move_to(GroupState.COMPLETING, wall_ms)
        else:
            self.protocol_name = self.leader_id = None
            self.move_to(GroupState.EMPTY, wall_ms)
        self.note_subscriptions()

    def note_subscriptions(self) -> None:
        """The metadata of the chosen protocol is what counts as subscribed from now on (GRP-25)."""
        name = self.protocol_name
        self.subscriptions = Subscriptions(one.metadata(name) for one in self.roster)

    def is_generation(self, state: GroupState, generation: int) -> bool:
        """Whether the group is in this state, and in this generation."""
        return self.state is state and self.generation == generation

    def member_of(self, member_id: str, instance_id: str | None) -> Member:
        """The member that a request names.

        Raises KafkaError: 25 for an unknown member or instance, 82 for an instance that has
        another id by now (GRP-06). A static member may leave its instance id out.
        """
        if instance_id is not None:
            present = self.roster.static_id(instance_id)
            if present is None:
                raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
            if present != member_id:
                raise KafkaError(ErrorCode.FENCED_INSTANCE_ID)
        member = self.roster.get(member_id)
        if member is None:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        return member

    def check_alive(self) -> None:
        """Raise KafkaError COORDINATOR_NOT_AVAILABLE (15) once the group is dead."""
        if self.state is GroupState.DEAD:
            raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)

    # --- what all groups tell -------------------------------------------------------------------

    @property
    def kind(self) -> GroupKind:
        return GroupKind.CLASSIC

    def state_name_at(self, offset: int) -> str:
        """Name of the state that it has now, for the reason above."""
        return self.state.value

    def protocol_type_at(self, offset: int) -> str:
        """Protocol type that it has now."""
        return self.protocol_type

    @property
    def is_empty(self) -> bool:
        """Whether it is in the state of that name: nobody is a member or becomes one (OFF-33)."""
        return self.state is GroupState.EMPTY

    # --- offsets --------------------------------------------------------------------------------

    def check_commit(self, committer: Committer, partitions: Sequence[tuple[str, int]]) -> None:
        """Raise KafkaError if this member may not commit now (table of errors by state).

        A commit that a member may make is a sign of life (GRP-18).
        """
        self.check_alive()
        if committer.epoch < 0 and self.state is GroupState.EMPTY:
            return  # nobody is a member: anybody may commit by hand
        member: Member | None = None
        if committer.epoch >= 0 or committer.member_id or committer.instance_id is not None:
            member = self.member_of(committer.member_id, committer.instance_id)
            if committer.epoch != self.generation:
                raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
        elif not committer.is_transactional:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        if committer.is_transactional:
            return
        if self.state is GroupState.COMPLETING:
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        if member is not None:
            self._keeper.heard_of(self, member)

    def check_fetch(self, committer: Committer, offset: int) -> None:
        """Everybody may read the offsets of a classic group (OFF-07)."""

    def check_delete(self) -> None:
        """Raise KafkaError NON_EMPTY_GROUP (68) unless the group is empty (OFF-21)."""
        if self.state is GroupState.DEAD:
            raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND)
        if self.state is not GroupState.EMPTY:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP)

    def check_offset_delete(self) -> None:
        """Raise KafkaError 68 while members may read what nobody can tell (OFF-20)."""
        if self.protocol_type != CONSUMER:
            self.check_delete()

    def is_subscribed(self, topic: str) -> bool:
        """Whether a member reads this topic; of other types than `consumer` nobody knows."""
        topics = self._topics
        return topics is not None and topic in topics

    @property
    def _topics(self) -> frozenset[str] | None:
        return self.subscriptions.topics if self.protocol_type == CONSUMER else None

    def expiry_starts_ms(self, topic: str, commit_ms: int) -> int | None:
        """From when on an offset counts as unused (OFF-30)."""
        if not self.protocol_type:
            return commit_ms
        if self.state is GroupState.EMPTY:
            return commit_ms if self.state_since_ms is None else self.state_since_ms
        topics = self._topics
        if self.state is not GroupState.STABLE or topics is None or topic in topics:
            return None
        return commit_ms

    def tombstones(self) -> Sequence[Record]:
        """The record that removes this group."""
        return (Record(GroupMetadataKey(group=self.group_id), None),)

    # --- its shard ------------------------------------------------------------------------------

    def on_loaded(self) -> None:
        """Its sessions begin (CRT-17)."""
        self._keeper.loaded(self)

    def on_unloaded(self) -> None:
        """Who waits in it is told to look for another coordinator (CRT-18)."""
        self._keeper.end(self, ErrorCode.NOT_COORDINATOR)
