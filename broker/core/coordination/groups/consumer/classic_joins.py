"""JoinGroup of consumers of the classic protocol into a consumer group (848-40)."""

from __future__ import annotations

from dataclasses import replace

from barnabas.protocol.errors import DecodeError, ErrorCode, KafkaError
from barnabas.protocol.messages.join_group_response import JoinGroupResponse

from ...machine import Outcome
from ..classic.admission import needs_id, new_member_id
from ..classic.answers import join_refused
from ..classic.joining import Joiner
from ..classic.subscriptions import CONSUMER
from ..embedded_protocol import Subscription, read_subscription
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .downgrades import Downgrades
from .draft import Draft
from .group_epochs import renew_epoch
from .joining import check_weight
from .member import ClassicMetadata, ClassicProtocol, Client, Current, Member
from .member_steps import note_subscription, take_step
from .refusals import fenced_instance, unknown_instance
from .sessions import Sessions
from .targets import Targets
from .topic_changes import TopicChanges
from .topic_names import with_ids

DISABLED = "disabled"
"""The value of `group.consumer.migration.policy` that keeps the protocols apart."""


class ClassicJoins:
    """What a JoinGroup does to a consumer group that has members."""

    __slots__ = ("_around", "_changes", "_downgrades", "_sessions", "_targets")

    def __init__(
        self,
        around: GroupSurroundings,
        changes: TopicChanges,
        downgrades: Downgrades,
        sessions: Sessions,
        targets: Targets,
    ) -> None:
        self._around = around
        self._changes = changes
        self._downgrades = downgrades
        self._sessions = sessions
        self._targets = targets

    def join(self, group: ConsumerGroup, joiner: Joiner) -> Outcome[None]:
        """Let the member in, or take the next step with it. Raises KafkaError 23, 25, 81 or 82."""
        request, client, config = joiner.request, joiner.client, self._around.config
        if config.group_consumer_migration_policy == DISABLED:
            raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        instance_id = request.group_instance_id
        holder_id = None if instance_id is None else group.state.instances.get(instance_id)
        is_known = request.member_id in group.state.members
        is_back = is_known or (not request.member_id and holder_id is not None)
        if not is_back and len(group.state.members) >= config.group_consumer_max_size:
            joiner.reply.give(join_refused(ErrorCode.GROUP_MAX_SIZE_REACHED, ""))
            return Outcome(None)
        subscription = _subscription(group, joiner)
        member_id = request.member_id or new_member_id(request, client, self._around.env)
        if needs_id(request, client):
            # Nothing is kept of the id: whoever comes with one is let in.
            joiner.reply.give(join_refused(ErrorCode.MEMBER_ID_REQUIRED, member_id))
            return Outcome(None)
        draft = Draft(group.group_id, group.state)
        if instance_id is not None and request.member_id:
            _check_instance(group, instance_id, request.member_id)
        elif holder_id is not None:
            if self._downgrades.is_due(group, holder_id, is_replaced=True):
                return self._downgrades.with_static(group, holder_id, member_id, joiner)
            holder = group.state.members[holder_id]
            began = Current(assigned=group.state.current(holder_id).assigned)
            draft.replace_member(holder, member_id, began)
        return self._admit(draft, group, member_id, joiner, subscription)

    def _admit(
        self,
        draft: Draft,
        group: ConsumerGroup,
        member_id: str,
        joiner: Joiner,
        subscription: Subscription,
    ) -> Outcome[None]:
        """The member's next step, and its answer when that is written."""
        before = draft.member(member_id)
        member = _updated(before or Member(member_id, Client("", "")), joiner, subscription)
        if member != before:
            check_weight(group, before, member)
            draft.put_member(member)
        is_other = note_subscription(draft, before or Member(member_id, member.client), member)
        renew_epoch(draft, group, self._changes, must_rise=is_other)
        self._targets.renew(draft, group)
        image = self._around.image()
        now = take_step(draft, member, with_ids(subscription.owned, image), image)
        self._sessions.joined(group.group_id, member)
        answer = JoinGroupResponse(
            generation_id=now.epoch,
            protocol_type=CONSUMER,
            protocol_name=next(iter(joiner.terms.protocols)),
            member_id=member_id,
        )

        def appended(code: ErrorCode) -> None:
            if code is ErrorCode.NONE:
                joiner.reply.give(answer)

        return Outcome(None, draft.records, on_appended=appended)


def _subscription(group: ConsumerGroup, joiner: Joiner) -> Subscription:
    """What the member wants. Raises KafkaError 23 if that, or how it wants it, does not fit."""
    protocols = joiner.terms.protocols
    others = [one.classic for one in group.state.members.values() if one.classic is not None]
    shared = set(protocols)
    for other in others:
        shared.intersection_update(one.name for one in other.protocols)
    if joiner.request.protocol_type != CONSUMER or not shared:
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    try:
        return read_subscription(next(iter(protocols.values())))
    except DecodeError as error:
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, str(error)) from error


def _check_instance(group: ConsumerGroup, instance_id: str, member_id: str) -> None:
    """A static member that has an id is the one that the instance has (GRP-06)."""
    holder_id = group.state.instances.get(instance_id)
    if holder_id is None:
        raise unknown_instance(instance_id, group.group_id)
    if holder_id != member_id:
        raise fenced_instance(instance_id, member_id)


def _updated(member: Member, joiner: Joiner, subscription: Subscription) -> Member:
    """The member as it is now; a classic one has no pattern and asks for no assignor."""
    terms, instance_id = joiner.terms, joiner.request.group_instance_id
    return replace(
        member,
        client=Client(terms.client_id, terms.client_host),
        instance_id=member.instance_id if instance_id is None else instance_id,
        rack_id=subscription.rack_id,
        rebalance_timeout_ms=terms.rebalance_timeout_ms,
        topic_names=subscription.topics,
        pattern="",
        assignor=None,
        classic=ClassicMetadata(
            terms.session_timeout_ms,
            tuple(ClassicProtocol(name, data) for name, data in terms.protocols.items()),
        ),
    )
