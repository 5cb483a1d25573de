"""The values that records of consumer groups hold; the counterpart of group_records.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barnabas.protocol.messages.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_member_metadata_value import (
    ConsumerGroupMemberMetadataValue,
)
from barnabas.protocol.messages.consumer_group_regular_expression_value import (
    ConsumerGroupRegularExpressionValue,
)
from barnabas.protocol.messages.consumer_group_target_assignment_member_value import (
    ConsumerGroupTargetAssignmentMemberValue,
)

from .member import ClassicMetadata, ClassicProtocol, Client, Current, Member, MemberState
from .numbers import Resolved
from .partitions import Partitions, TopicPartition

_STATES: Final = {int(one): one for one in MemberState}


def member_of(member_id: str, value: ConsumerGroupMemberMetadataValue) -> Member:
    """The member that a record of key type 5 tells of."""
    classic = None
    if (told := value.classic_member_metadata) is not None:
        classic = ClassicMetadata(
            told.session_timeout_ms,
            tuple(ClassicProtocol(one.name, one.metadata) for one in told.supported_protocols),
        )
    return Member(
        member_id=member_id,
        client=Client(value.client_id, value.client_host),
        instance_id=value.instance_id,
        rack_id=value.rack_id,
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        topic_names=frozenset(value.subscribed_topic_names),
        pattern=value.subscribed_topic_regex or "",
        assignor=value.server_assignor,
        classic=classic,
    )


def current_of(value: ConsumerGroupCurrentMemberAssignmentValue) -> Current:
    """What a record of key type 8 tells.

    A state of a later version counts as stable: the next heartbeat finds out what is to be done.
    """
    return Current(
        epoch=value.member_epoch,
        previous_epoch=value.previous_member_epoch,
        state=_STATES.get(value.state, MemberState.STABLE),
        assigned=_epochs(value.assigned_partitions, value.member_epoch),
        revoking=_epochs(value.partitions_pending_revocation, value.member_epoch),
    )


def target_of(value: ConsumerGroupTargetAssignmentMemberValue) -> Partitions:
    """The partitions that a record of key type 7 tells."""
    return frozenset(
        (topic.topic_id, partition)
        for topic in value.topic_partitions
        for partition in topic.partitions
    )


def resolved_of(value: ConsumerGroupRegularExpressionValue) -> Resolved:
    """What a record of key type 16 tells."""
    return Resolved(frozenset(value.topics), value.version, value.timestamp)


def _epochs(topics: Iterable[TopicPartitions], member_epoch: int) -> dict[TopicPartition, int]:
    """Partition -> epoch at which it was given; the member's, where an older Kafka wrote none."""
    found: dict[TopicPartition, int] = {}
    for topic in topics:
        epochs = topic.assignment_epochs or []
        if len(epochs) != len(topic.partitions):
            epochs = [max(member_epoch, 0)] * len(topic.partitions)
        for partition, epoch in zip(topic.partitions, epochs, strict=True):
            found[topic.topic_id, partition] = epoch
    return found
