"""One heartbeat of a member: what it says is noted, what it shall do is told (KIP-848).

The steps are those of 848-10 to 848-20, and their records come in the order of REC-01: the member,
its pattern, the group's epoch, the targets, and what the member has from now on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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
from ..classic.classic_group import ClassicGroup
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .departures import Departures
from .draft import Draft
from .group_epochs import renew_epoch
from .heartbeat_checks import is_full, leaves
from .heartbeat_times import HeartbeatTimes
from .joining import check_weight, find_member
from .member import JOINS, NO_TIMEOUT, Client, Current, Member, MemberState
from .member_steps import note_subscription, take_step
from .partitions import Partitions, by_topic
from .pattern_refresh import PatternRefresh
from .pattern_search import MaySee
from .refusals import unknown_group
from .sessions import Sessions
from .targets import Targets
from .topic_changes import TopicChanges
from .upgrades import Upgrades

NOTHING: Final = (None,) * 5
"""What a heartbeat says of its member's subscription and so on, if nothing has changed."""


class Heartbeats:
    """Answers the heartbeats of the consumer groups of one shard."""

    __slots__ = (
        "_around",
        "_changes",
        "_departures",
        "_patterns",
        "_sessions",
        "_targets",
        "_times",
        "_upgrades",
    )

    def __init__(
        self,
        around: GroupSurroundings,
        changes: TopicChanges,
        departures: Departures,
        sessions: Sessions,
        targets: Targets,
        patterns: PatternRefresh,
        upgrades: Upgrades,
    ) -> None:
        self._around = around
        self._changes = changes
        self._departures = departures
        self._sessions = sessions
        self._targets = targets
        self._times = HeartbeatTimes(around, targets)
        self._patterns = patterns
        self._upgrades = upgrades

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
        draft, group, upgraded = self._begin(request)
        owned = _owned(request)
        found = find_member(
            draft, request, client, owned, self._around.config.group_consumer_max_size
        )
        before = found.member
        member = _updated(before, request, client)
        had = draft.current(member.member_id)
        if found.is_new or (member is not before and member != before):
            check_weight(group, None if found.is_new else before, member)
            draft.put_member(member)
        must_rise = note_subscription(draft, before, member) or found.lost_another
        renew_epoch(draft, group, self._changes, must_rise=must_rise)
        self._targets.renew(draft, group)
        now = take_step(draft, member, owned, self._around.image())
        if now is not had and now.state is MemberState.UNREVOKED_PARTITIONS:
            self._sessions.await_revocation(request.group_id, member, now.epoch)
        self._sessions.restart(request.group_id, member)
        self._patterns.request(draft, may_see)
        joins = request.member_epoch == JOINS
        shows = joins or is_full(request) or had.assigned.keys() != now.assigned.keys()
        interval_ms = self._times.interval_ms(draft, group, now, joins=joins)
        answer = _answer(member.member_id, now, interval_ms, shows=shows)
        if upgraded is None:
            return Outcome(answer, draft.records)
        return Outcome(answer, draft.records, on_appended=self._upgrades.retire(upgraded))

    def _begin(
        self, request: ConsumerGroupHeartbeatRequest
    ) -> tuple[Draft, ConsumerGroup, ClassicGroup | None]:
        """The group as it is or as it begins (848-06), and the classic one with members that it is
        made of (848-42)."""
        found = self._around.groups.get(request.group_id)
        if isinstance(found, ConsumerGroup):
            return Draft(request.group_id, found.state), found, None
        if request.member_epoch != JOINS:
            raise unknown_group(request.group_id)
        group = ConsumerGroup(request.group_id, self._around)
        draft = Draft(request.group_id, group.state)
        if found is None:
            return draft, group, None
        if isinstance(found, ClassicGroup) and not found.is_empty:
            self._upgrades.convert(draft, found)
            return draft, group, found
        draft.records += found.tombstones()
        return draft, group, None


def _answer(
    member_id: str, now: Current, interval_ms: int, *, shows: bool
) -> ConsumerGroupHeartbeatResponse:
    assignment = None
    if shows:
        assignment = Assignment(
            topic_partitions=[
                TopicPartitions(topic_id=topic_id, partitions=partitions)
                for topic_id, partitions in by_topic(now.assigned).items()
            ]
        )
    return ConsumerGroupHeartbeatResponse(
        member_id=member_id,
        member_epoch=now.epoch,
        heartbeat_interval_ms=interval_ms,
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
    others = (request.instance_id, request.rack_id, request.server_assignor)
    is_told = (names, pattern, *others) != NOTHING or request.rebalance_timeout_ms != NO_TIMEOUT
    if not is_told and member.classic is None and member.client == client:
        return member  # as in most heartbeats
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
