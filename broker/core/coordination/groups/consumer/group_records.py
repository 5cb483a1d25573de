"""Records of consumer groups, key types 3 to 8 and 16, from the values that they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.protocol.messages import (
    consumer_group_current_member_assignment_value as current_message,
)
from barnabas.protocol.messages import (
    consumer_group_member_metadata_value as member_message,
)
from barnabas.protocol.messages import (
    consumer_group_target_assignment_member_value as target_message,
)
from barnabas.protocol.messages.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from barnabas.protocol.messages.consumer_group_member_metadata_key import (
    ConsumerGroupMemberMetadataKey,
)
from barnabas.protocol.messages.consumer_group_metadata_key import ConsumerGroupMetadataKey
from barnabas.protocol.messages.consumer_group_metadata_value import ConsumerGroupMetadataValue
from barnabas.protocol.messages.consumer_group_partition_metadata_key import (
    ConsumerGroupPartitionMetadataKey,
)
from barnabas.protocol.messages.consumer_group_regular_expression_key import (
    ConsumerGroupRegularExpressionKey,
)
from barnabas.protocol.messages.consumer_group_regular_expression_value import (
    ConsumerGroupRegularExpressionValue,
)
from barnabas.protocol.messages.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)
from barnabas.protocol.messages.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from barnabas.protocol.messages.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)

from ...machine import Record
from .member import Current, Member
from .numbers import Resolved
from .partitions import Partitions, TopicPartition, by_topic


def epoch_record(group_id: str, epoch: int, metadata_hash: int) -> Record:
    """Key type 3: the group's epoch and the hash of its topics."""
    return Record(
        ConsumerGroupMetadataKey(group_id=group_id),
        ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash),
    )


def member_record(group_id: str, member: Member) -> Record:
    """Key type 5: what a member said of itself."""
    classic = None
    if member.classic is not None:
        classic = member_message.ClassicMemberMetadata(
            session_timeout_ms=member.classic.session_timeout_ms,
            supported_protocols=[
                member_message.ClassicProtocol(name=one.name, metadata=one.metadata)
                for one in member.classic.protocols
            ],
        )
    value = member_message.ConsumerGroupMemberMetadataValue(
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client.client_id,
        client_host=member.client.host,
        subscribed_topic_names=sorted(member.topic_names),
        subscribed_topic_regex=member.pattern,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        server_assignor=member.assignor,
        classic_member_metadata=classic,
    )
    return Record(
        ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member.member_id), value
    )


def assignment_epoch_record(group_id: str, epoch: int, at_ms: int) -> Record:
    """Key type 6: of which epoch the target assignment is, and when it was worked out."""
    return Record(
        ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id),
        ConsumerGroupTargetAssignmentMetadataValue(
            assignment_epoch=epoch, assignment_timestamp=at_ms
        ),
    )


def target_record(group_id: str, member_id: str, target: Partitions) -> Record:
    """Key type 7: what a member shall have."""
    value = target_message.ConsumerGroupTargetAssignmentMemberValue(
        topic_partitions=[
            target_message.TopicPartition(topic_id=topic_id, partitions=partitions)
            for topic_id, partitions in by_topic(target).items()
        ]
    )
    return Record(
        ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), value
    )


def current_record(group_id: str, member_id: str, current: Current) -> Record:
    """Key type 8: what a member has, and must give up."""
    value = current_message.ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=current.epoch,
        previous_member_epoch=current.previous_epoch,
        state=int(current.state),
        assigned_partitions=_with_epochs(current.assigned),
        partitions_pending_revocation=_with_epochs(current.revoking),
    )
    return Record(
        ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), value
    )


def pattern_record(group_id: str, pattern: str, resolved: Resolved) -> Record:
    """Key type 16: the topics that a pattern stands for."""
    return Record(
        ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=pattern),
        ConsumerGroupRegularExpressionValue(
            topics=sorted(resolved.topics), version=resolved.version, timestamp=resolved.at_ms
        ),
    )


def member_tombstones(group_id: str, member_id: str) -> list[Record]:
    """They remove a member: current, target, then itself (REC-02)."""
    return [
        Record(
            ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None
        ),
        Record(
            ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None
        ),
        Record(ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


def pattern_tombstone(group_id: str, pattern: str) -> Record:
    """It removes a pattern that nobody uses any more."""
    key = ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=pattern)
    return Record(key, None)


def old_metadata_tombstone(group_id: str) -> Record:
    """It removes what Kafka 4.0 and older wrote of a group's topics."""
    return Record(ConsumerGroupPartitionMetadataKey(group_id=group_id), None)


def group_tombstones(
    group_id: str, member_ids: Iterable[str], patterns: Iterable[str]
) -> list[Record]:
    """They remove a group, in the order that a replay can bear (REC-02)."""
    of_members = [member_tombstones(group_id, one) for one in member_ids]
    return [
        *(current for current, _, _ in of_members),
        *(target for _, target, _ in of_members),
        Record(ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id), None),
        *(member for _, _, member in of_members),
        *(pattern_tombstone(group_id, one) for one in patterns),
        old_metadata_tombstone(group_id),
        Record(ConsumerGroupMetadataKey(group_id=group_id), None),
    ]


def _with_epochs(
    partitions: Mapping[TopicPartition, int],
) -> list[current_message.TopicPartitions]:
    return [
        current_message.TopicPartitions(
            topic_id=topic_id,
            partitions=numbers,
            assignment_epochs=[partitions[topic_id, number] for number in numbers],
        )
        for topic_id, numbers in by_topic(partitions).items()
    ]
