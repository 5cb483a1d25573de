"""A classic group with members becomes a consumer group (848-42).

Its members stay members, of the classic protocol, and keep what they were assigned; their next
heartbeat tells them to join again.
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import DecodeError, ErrorCode

from ..classic.classic_group import ClassicGroup
from ..classic.classic_groups import ClassicGroups
from ..classic.member import Member as ClassicMember
from ..classic.subscriptions import CONSUMER
from ..embedded_protocol import read_assignment, read_subscription
from ..surroundings import GroupSurroundings
from .draft import Draft
from .member import ClassicMetadata, ClassicProtocol, Client, Current, Member
from .numbers import FIRST_EPOCH
from .partitions import Partitions
from .refusals import not_upgraded
from .sessions import Sessions
from .topic_names import with_ids

POLICIES = frozenset({"upgrade", "bidirectional"})
"""Of `group.consumer.migration.policy`, those that allow it."""


class Upgrades:
    """How classic groups of a shard become consumer groups."""

    __slots__ = ("_around", "_classic", "_sessions")

    def __init__(
        self, around: GroupSurroundings, classic: ClassicGroups, sessions: Sessions
    ) -> None:
        self._around = around
        self._classic = classic
        self._sessions = sessions

    def convert(self, draft: Draft, group: ClassicGroup) -> None:
        """Decide the records that end the classic group and begin a consumer group of the same
        members, each with what it was assigned.

        Raises KafkaError GROUP_ID_NOT_FOUND (69) with the reason if that cannot be.
        """
        group.check_alive()
        self._check(group)
        protocol = group.protocol_name or group.roster.choose_protocol()
        epoch = max(group.generation, FIRST_EPOCH)
        found = [self._member(group, one, protocol) for one in group.roster]
        draft.records += group.tombstones()
        for member, _ in found:
            draft.put_member(member)
        draft.put_epoch(epoch, 0)  # the hash of its topics follows with the next epoch
        for member, assigned in found:
            draft.put_target(member.member_id, assigned)
        draft.put_assignment_epoch(epoch, 0)  # the next target need not wait
        for member, assigned in found:
            current = Current(epoch, epoch, assigned=dict.fromkeys(assigned, epoch))
            draft.put_current(member.member_id, current)

    def retire(self, group: ClassicGroup) -> Callable[[ErrorCode], None]:
        """The records are on their way: members that wait for something must join again.

        What is returned must be called when the records are written, or never will be.
        """
        for member in group.roster:
            self._classic.rebalances.ask_again(group, member)
            self._sessions.restart_classic(
                group.group_id, member.member_id, member.terms.session_timeout_ms
            )
        self._around.report(
            "a classic group becomes a consumer group",
            {"group": group.group_id, "members": len(group.roster)},
        )
        return lambda code: self._classic.retired(group, code)

    def _check(self, group: ClassicGroup) -> None:
        config = self._around.config
        if config.group_consumer_migration_policy not in POLICIES:
            raise not_upgraded(group.group_id, "group.consumer.migration.policy does not allow it")
        if group.protocol_type != CONSUMER:
            raise not_upgraded(group.group_id, "its members are no consumers")
        if len(group.roster) > config.group_consumer_max_size:
            raise not_upgraded(group.group_id, "it has more members than group.consumer.max.size")

    def _member(
        self, group: ClassicGroup, one: ClassicMember, protocol: str | None
    ) -> tuple[Member, Partitions]:
        """The same member in the new group, and what it was assigned."""
        try:
            subscription = read_subscription(one.metadata(protocol))
            assigned = read_assignment(one.assignment)
        except DecodeError as error:
            raise not_upgraded(
                group.group_id, f"what member {one.member_id} says is malformed: {error}"
            ) from error
        if assigned.has_user_data:
            raise not_upgraded(
                group.group_id, "its assignor gives members data that the coordinator cannot know"
            )
        terms = one.terms
        member = Member(
            one.member_id,
            Client(terms.client_id, terms.client_host),
            instance_id=one.instance_id,
            rack_id=subscription.rack_id,
            rebalance_timeout_ms=terms.rebalance_timeout_ms,
            topic_names=subscription.topics,
            classic=ClassicMetadata(
                terms.session_timeout_ms,
                tuple(ClassicProtocol(name, data) for name, data in terms.protocols.items()),
            ),
        )
        return member, with_ids(assigned.partitions, self._around.image())
