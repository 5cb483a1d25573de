"""A classic group as a record of `__consumer_offsets`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue, MemberMetadata

from ...machine import Record
from .classic_group import ClassicGroup, Keeper
from .member import Member, Terms
from .states import GroupState

VERSION: Final = 3
"""The version that is written; 0 to 4 can be read."""


def record_of(group: ClassicGroup, assignments: Mapping[str, bytes] | None = None) -> Record:
    """The group as it is now; with `assignments` (by member id) instead of those that it has."""
    since = group.state_since_ms
    return Record(
        GroupMetadataKey(group=group.group_id),
        GroupMetadataValue(
            protocol_type=group.protocol_type,
            generation=group.generation,
            protocol=group.protocol_name,
            leader=group.leader_id,
            current_state_timestamp=-1 if since is None else since,
            members=[_member_record(group, one, assignments) for one in group.roster],
        ),
        VERSION,
    )


def _member_record(
    group: ClassicGroup, member: Member, assignments: Mapping[str, bytes] | None
) -> MemberMetadata:
    terms = member.terms
    assignment = member.assignment
    if assignments is not None:
        assignment = assignments.get(member.member_id, b"")
    return MemberMetadata(
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        client_id=terms.client_id,
        client_host=terms.client_host,
        rebalance_timeout=terms.rebalance_timeout_ms,
        session_timeout=terms.session_timeout_ms,
        subscription=member.metadata(group.protocol_name),
        assignment=assignment,
    )


def group_of(group_id: str, value: GroupMetadataValue, keeper: Keeper) -> ClassicGroup:
    """The group that a record tells of: stable if it has members, else empty.

    Of each member the chosen protocol alone is known, until it joins again.
    """
    group = ClassicGroup(group_id, keeper)
    group.generation = value.generation
    group.protocol_type = value.protocol_type
    group.protocol_name = value.protocol
    group.leader_id = value.leader
    since = value.current_state_timestamp
    group.state_since_ms = since if since >= 0 else None
    for stored in value.members:
        if stored.member_id in group.roster:
            continue  # nobody writes an id twice; whoever did so gets one of them
        member = _member_of(stored, value.protocol)
        group.roster.add(member)
    if len(group.roster):
        group.state = GroupState.STABLE
    group.note_subscriptions()
    return group


def _member_of(stored: MemberMetadata, protocol: str | None) -> Member:
    rebalance_ms = stored.rebalance_timeout
    terms = Terms(
        stored.client_id,
        stored.client_host,
        rebalance_ms if rebalance_ms >= 0 else stored.session_timeout,
        stored.session_timeout,
        {} if protocol is None else {protocol: stored.subscription},
    )
    member = Member(stored.member_id, stored.group_instance_id, terms)
    member.assignment = stored.assignment
    return member
