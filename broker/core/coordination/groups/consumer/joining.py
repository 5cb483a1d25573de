"""Which member a heartbeat is of: known, new, or a static one that is back (848-05 to 848-08)."""

from __future__ import annotations

from typing import NamedTuple

from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)

from .consumer_group import ConsumerGroup
from .draft import Draft
from .member import JOINS, LEAVES_FOR_A_WHILE, Client, Current, Member
from .member_weights import weight_of
from .partitions import Partitions
from .refusals import (
    fenced_epoch,
    fenced_instance,
    full_group,
    heavy_member,
    unknown_instance,
    unknown_member,
    unreleased_instance,
)


class Found(NamedTuple):
    """The member, and what finding it means for the group."""

    member: Member
    is_new: bool = False
    lost_another: bool = False
    """The group has a member fewer: it must be assigned anew."""


def find_member(
    draft: Draft,
    request: ConsumerGroupHeartbeatRequest,
    client: Client,
    owned: Partitions | None,
    max_size: int,
) -> Found:
    """The member that speaks. Raises KafkaError 25, 81, 82, 110 or 111."""
    if request.instance_id is not None:
        holder = draft.holder_of(request.instance_id)
        if holder is not None and holder.member_id != request.member_id:
            return _replace(draft, request, holder)
        if holder is None and request.member_epoch != JOINS:
            raise unknown_instance(request.instance_id, request.group_id)
    member = draft.member(request.member_id)
    if member is None:
        if request.member_epoch != JOINS:
            raise unknown_member(request.member_id, request.group_id)
        if draft.size >= max_size:
            raise full_group(request.group_id, max_size)
        return Found(Member(request.member_id, client, request.instance_id), is_new=True)
    check_epoch(request.member_epoch, draft.current(member.member_id), owned)
    return Found(member)


def check_weight(group: ConsumerGroup, before: Member | None, member: Member) -> None:
    """Raise KafkaError GROUP_MAX_SIZE_REACHED (81) if there is no memory for what a member says
    now in place of what it said before; None: it is new."""
    instead_of = 0 if before is None else weight_of(before)
    if not group.state.weight.has_room_for(weight_of(member), instead_of):
        raise heavy_member(group.group_id)


def check_epoch(sent: int, current: Current, owned: Partitions | None) -> None:
    """Raise KafkaError FENCED_MEMBER_EPOCH (110) for an epoch that the member does not have.

    The one before is good from a member that missed an answer: it names no partition that it
    might have lost since (848-05).
    """
    if sent in (JOINS, current.epoch):
        return
    missed_an_answer = sent == current.previous_epoch and sent < current.epoch
    if missed_an_answer and owned is not None and owned <= current.assigned.keys():
        return
    raise fenced_epoch(sent, current.epoch)


def _replace(draft: Draft, request: ConsumerGroupHeartbeatRequest, holder: Member) -> Found:
    """A static member is back under another member id; what it had is kept for it (848-08)."""
    assert request.instance_id is not None, "the caller has it from there"
    if request.member_epoch != JOINS:
        raise fenced_instance(request.instance_id, request.member_id)
    current = draft.current(holder.member_id)
    if current.epoch != LEAVES_FOR_A_WHILE and holder.classic is None:
        raise unreleased_instance(request.instance_id, request.member_id)
    was_another = draft.member(request.member_id) is not None
    if was_another:
        # It joins anew, so it has nothing; as that other member it is gone.
        draft.remove_member(request.member_id)
    began = Current(assigned=current.assigned)
    member = draft.replace_member(holder, request.member_id, began)
    return Found(member, lost_another=was_another)
