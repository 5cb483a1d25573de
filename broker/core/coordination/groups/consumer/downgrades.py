"""A consumer group whose members all speak the classic protocol becomes a classic group (848-43).

It keeps its epoch as generation, and the targets as assignments; its members must join again, since
some of them may not have had their targets yet.
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode

from ...machine import Outcome
from ..classic.classic_group import ClassicGroup
from ..classic.classic_groups import ClassicGroups
from ..classic.joining import Joiner
from ..classic.member import Member as ClassicMember
from ..classic.member import Terms
from ..classic.states import GroupState
from ..classic.subscriptions import CONSUMER
from ..embedded_protocol import assignment_bytes
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .member import Member
from .topic_names import with_names

POLICIES = frozenset({"downgrade", "bidirectional"})
"""Of `group.consumer.migration.policy`, those that allow it."""


class Downgrades:
    """How consumer groups of a shard become classic groups."""

    __slots__ = ("_around", "_classic")

    def __init__(self, around: GroupSurroundings, classic: ClassicGroups) -> None:
        self._around = around
        self._classic = classic

    def is_due(self, group: ConsumerGroup, gone_id: str, *, is_replaced: bool = False) -> bool:
        """Whether the group becomes a classic one when this member goes, or is replaced by one of
        the classic protocol."""
        config, members = self._around.config, group.state.members
        gone = members.get(gone_id)
        if gone is None or gone.classic is not None:
            return False
        size = len(members) - (not is_replaced)
        if not 0 < size <= config.group_max_size:
            return False
        if config.group_consumer_migration_policy not in POLICIES:
            return False
        return not any(one.classic is None and one.member_id != gone_id for one in members.values())

    def without(
        self, group: ConsumerGroup, gone_id: str, then: Callable[[ErrorCode], None]
    ) -> Outcome[None]:
        """The same members without this one, in a classic group that rebalances.

        `then` is called with what writing that came to.
        """
        classic = self._classic_group(group, gone_id)
        classic.protocol_name = classic.roster.choose_protocol()
        self._assign(classic, group, {})
        return self._take_over(group, classic, None, then)

    def with_static(
        self, group: ConsumerGroup, gone_id: str, member_id: str, joiner: Joiner
    ) -> Outcome[None]:
        """The same with another member in its place, whose JoinGroup waits for the rebalance."""
        classic = self._classic_group(group, gone_id)
        new = ClassicMember(member_id, joiner.request.group_instance_id, joiner.terms)
        classic.roster.add(new)
        classic.protocol_name = classic.roster.choose_protocol()
        self._assign(classic, group, {member_id: gone_id})
        return self._take_over(group, classic, (new, joiner), lambda code: None)

    def _classic_group(self, group: ConsumerGroup, gone_id: str) -> ClassicGroup:
        """A stable group of all members but one."""
        classic = ClassicGroup(group.group_id, self._classic.rebalances)
        classic.generation = group.state.numbers.epoch
        classic.protocol_type = CONSUMER
        classic.state = GroupState.STABLE
        classic.state_since_ms = self._around.env.clock.wall_ms()
        for member_id, member in group.state.members.items():
            if member_id != gone_id:
                classic.roster.add(ClassicMember(member_id, member.instance_id, _terms_of(member)))
        return classic

    def _assign(
        self, classic: ClassicGroup, group: ConsumerGroup, instead_of: dict[str, str]
    ) -> None:
        """Targets become assignments; `instead_of`: whose target a new member takes."""
        image = self._around.image()
        for one in classic.roster:
            target = group.state.target(instead_of.get(one.member_id, one.member_id))
            named = with_names(target, image)
            one.assignment = assignment_bytes(named, one.metadata(classic.protocol_name))
        classic.note_subscriptions()

    def _take_over(
        self,
        group: ConsumerGroup,
        classic: ClassicGroup,
        waiting: tuple[ClassicMember, Joiner] | None,
        then: Callable[[ErrorCode], None],
    ) -> Outcome[None]:
        self._around.report(
            "a consumer group becomes a classic group",
            {"group": group.group_id, "members": len(classic.roster)},
        )
        begun = self._classic.adopt(classic, waiting)

        def appended(code: ErrorCode) -> None:
            if begun.on_appended is not None:
                begun.on_appended(code)
            then(code)

        return Outcome(None, (*group.tombstones(), *begun.records), on_appended=appended)


def _terms_of(member: Member) -> Terms:
    assert member.classic is not None, "the others are gone"
    return Terms(
        member.client.client_id,
        member.client.host,
        member.rebalance_timeout_ms,
        member.classic.session_timeout_ms,
        {one.name: one.metadata for one in member.classic.protocols},
    )
