"""One heartbeat of a member: what it says is noted, what it shall do is told (KIP-848).

The steps are those of 848-10 to 848-20, and their records come in the order of REC-01: the member,
its pattern, the group's epoch, the targets, and what the member has from now on.
"""

from __future__ import annotations

from dataclasses import replace

from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    Assignment,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)
from barnabas.protocol.primitives import uuid_to_text

from ....cluster.ids import random_uuid
from ...machine import Outcome
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .departures import Departures
from .draft import Draft, target_or_none
from .group_epochs import renew_epoch
from .group_settings import heartbeat_interval_ms
from .heartbeat_checks import is_full, leaves
from .joining import find_member
from .member import JOINS, NO_TIMEOUT, Client, Current, Member, MemberState
from .partitions import Partitions, TopicPartition, by_topic
from .pattern_refresh import PatternRefresh
from .pattern_search import MaySee
from .reconciliation import Aim, next_step
from .refusals import other_protocol, unknown_group
from .sessions import Sessions
from .targets import renew_targets
from .topic_changes import TopicChanges
from .topic_pattern import TopicPattern


class Heartbeats:
    """Answers the heartbeats of the consumer groups of one shard."""

    __slots__ = ("_around", "_changes", "_departures", "_patterns", "_sessions")

    def __init__(
        self,
        around: GroupSurroundings,
        changes: TopicChanges,
        departures: Departures,
        sessions: Sessions,
        patterns: PatternRefresh,
    ) -> None:
        self._around = around
        self._changes = changes
        self._departures = departures
        self._sessions = sessions
        self._patterns = patterns

    def decide(
        self,
        request: ConsumerGroupHeartbeatRequest,
        client: Client,
        may_see: MaySee | None = None,
    ) -> Outcome[ConsumerGroupHeartbeatResponse]:
        """The answer and the records of a heartbeat that `check_heartbeat` found in order.

        Raises KafkaError 25, 69, 81, 82, 110, 111 or 128; then nothing changes.
        """
        if leaves(request):
            return self._departures.leave(request)
        if not request.member_id:
            request = _with_id(request, uuid_to_text(random_uuid(self._around.env)))
        draft, group = self._begin(request)
        owned = _owned(request)
        found = find_member(
            draft, request, client, owned, self._around.config.group_consumer_max_size
        )
        before = found.member
        member = _updated(before, request, client)
        had = draft.current(member.member_id)
        if found.is_new or member != before:
            draft.put_member(member)
        must_rise = self._subscribe(draft, before, member) or found.lost_another
        renew_epoch(draft, group, self._changes, must_rise=must_rise)
        renew_targets(draft, self._around)
        now = self._reconcile(draft, member, owned)
        self._sessions.restart(request.group_id, member.member_id)
        self._patterns.request(draft, may_see)
        shows = request.member_epoch == JOINS or is_full(request)
        shows = shows or had.assigned.keys() != now.assigned.keys()
        return Outcome(self._answer(request.group_id, member, now, shows=shows), draft.records)

    def _begin(self, request: ConsumerGroupHeartbeatRequest) -> tuple[Draft, ConsumerGroup]:
        """The group, as it is or as it begins (848-06)."""
        found = self._around.groups.get(request.group_id)
        if isinstance(found, ConsumerGroup):
            return Draft(request.group_id, found.state), found
        if request.member_epoch != JOINS:
            raise unknown_group(request.group_id)
        group = ConsumerGroup(request.group_id, self._around)
        draft = Draft(request.group_id, group.state)
        if found is not None:
            if not found.is_empty:
                raise other_protocol(request.group_id)
            draft.records += found.tombstones()
        return draft, group

    def _subscribe(self, draft: Draft, before: Member, member: Member) -> bool:
        """What a changed subscription means; whether the group's epoch must rise (848-10).

        Raises KafkaError INVALID_REGULAR_EXPRESSION (128).
        """
        must_rise = before.topic_names != member.topic_names
        if before.pattern == member.pattern:
            return must_rise
        if not member.pattern or draft.resolved(member.pattern) is not None:
            must_rise = True
        else:
            TopicPattern(member.pattern)
            # Its topics come later. Those of the pattern before are for others now.
            lost = draft.resolved(before.pattern)
            must_rise |= lost is not None and bool(lost.topics)
        draft.drop_unused(before.pattern)
        return must_rise

    def _reconcile(self, draft: Draft, member: Member, owned: Partitions | None) -> Current:
        """Take the member one step towards its target."""
        member_id = member.member_id
        topics = self._around.image().topics_by_id
        resolved = draft.resolved(member.pattern)
        matching = frozenset() if resolved is None else resolved.topics

        def is_wanted(partition: TopicPartition) -> bool:
            topic = topics.get(partition[0])
            return topic is not None and (
                topic.name in member.topic_names or topic.name in matching
            )

        def is_held_by_another(partition: TopicPartition) -> bool:
            return draft.owner_of(partition) not in (None, member_id)

        aim = Aim(
            draft.numbers.assignment_epoch,
            target_or_none(draft, member_id),
            is_wanted,
            is_held_by_another,
        )
        had = draft.current(member_id)
        now = next_step(had, aim, owned)
        if now is not had:
            draft.put_current(member_id, now)
            if now.state is MemberState.UNREVOKED_PARTITIONS:
                self._sessions.await_revocation(
                    draft.group_id, member_id, now.epoch, member.rebalance_timeout_ms
                )
        return now

    def _answer(
        self, group_id: str, member: Member, now: Current, *, shows: bool
    ) -> ConsumerGroupHeartbeatResponse:
        around = self._around
        assignment = None
        if shows:
            assignment = Assignment(
                topic_partitions=[
                    TopicPartitions(topic_id=topic_id, partitions=partitions)
                    for topic_id, partitions in by_topic(now.assigned).items()
                ]
            )
        return ConsumerGroupHeartbeatResponse(
            member_id=member.member_id,
            member_epoch=now.epoch,
            heartbeat_interval_ms=heartbeat_interval_ms(group_id, around.config, around.image()),
            assignment=assignment,
        )


def _with_id(
    request: ConsumerGroupHeartbeatRequest, member_id: str
) -> ConsumerGroupHeartbeatRequest:
    """A join by a client that leaves the choice of its id to the coordinator (848-02)."""
    fields = {name: getattr(request, name) for name in request.FIELDS}
    return ConsumerGroupHeartbeatRequest(**{**fields, "member_id": member_id})


def _owned(request: ConsumerGroupHeartbeatRequest) -> Partitions | None:
    if request.topic_partitions is None:
        return None
    return frozenset(
        (topic.topic_id, partition)
        for topic in request.topic_partitions
        for partition in topic.partitions
    )


def _updated(member: Member, request: ConsumerGroupHeartbeatRequest, client: Client) -> Member:
    """The member with what it says now; what it leaves out stays (848-03)."""
    names, pattern = request.subscribed_topic_names, request.subscribed_topic_regex
    return replace(
        member,
        client=client,
        instance_id=member.instance_id if request.instance_id is None else request.instance_id,
        rack_id=member.rack_id if request.rack_id is None else request.rack_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms
        if request.rebalance_timeout_ms == NO_TIMEOUT
        else request.rebalance_timeout_ms,
        topic_names=member.topic_names if names is None else frozenset(names),
        pattern=member.pattern if pattern is None else pattern,
        assignor=member.assignor if request.server_assignor is None else request.server_assignor,
        classic=None,
    )
