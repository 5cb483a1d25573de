"""Consumer groups as ConsumerGroupDescribe tells them (848-24)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_describe_response import (
    Assignment,
    DescribedGroup,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_describe_response import (
    Member as DescribedMember,
)

from ....cluster.image import ClusterImage
from ....config.broker import BrokerConfig
from ....reads import Steps
from .consumer_group import ConsumerGroup
from .member import BORN, Member
from .partitions import NO_PARTITIONS, TopicPartition, by_topic
from .target_work import assignor_of

CLASSIC = 0
CONSUMER = 1


ROWS_AT_ONCE: Final = 500
"""Members and partitions that are described before others get a turn; a few milliseconds."""


def describing(
    group: ConsumerGroup, offset: int, config: BrokerConfig, image: ClusterImage
) -> Steps[DescribedGroup]:
    """The group as it was when the log ended at `offset`, in steps.

    What it was is looked up by this call, so that it may change while the steps are gone through.
    """
    state = group.state
    numbers = state.numbers_at(offset)
    members = [member for _, member in state.members.items_at(offset)]
    currents = dict(state.currents.items_at(offset))
    targets = dict(state.targets.items_at(offset))
    described = DescribedGroup(
        group_id=group.group_id,
        group_state=group.state_name_at(offset),
        group_epoch=numbers.epoch,
        assignment_epoch=numbers.assignment_epoch,
        assignor_name=assignor_of(members, config),
    )

    def steps() -> Steps[DescribedGroup]:
        rows = 0
        for member in sorted(members, key=lambda one: one.member_id):
            current = currents.get(member.member_id, BORN)
            target = targets.get(member.member_id, NO_PARTITIONS)
            rows += 1 + len(current.assigned) + len(target)
            if rows >= ROWS_AT_ONCE:
                rows = 0
                yield None
            one = _member(member)
            one.member_epoch = current.epoch
            one.assignment = _assignment(current.assigned, image)
            one.target_assignment = _assignment(target, image)
            described.members.append(one)
        return described

    return steps()


def not_described(group_id: str) -> KafkaError:
    """GROUP_ID_NOT_FOUND (69): the group is not there, or is of another kind."""
    return KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} is not a consumer group.")


def _member(member: Member) -> DescribedMember:
    return DescribedMember(
        member_id=member.member_id,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client.client_id,
        client_host=member.client.host,
        subscribed_topic_names=sorted(member.topic_names),
        subscribed_topic_regex=member.pattern,
        member_type=CONSUMER if member.classic is None else CLASSIC,
    )


def _assignment(partitions: Iterable[TopicPartition], image: ClusterImage) -> Assignment:
    """With the names of topics; those that are gone are left out."""
    topics = image.topics_by_id
    return Assignment(
        topic_partitions=[
            TopicPartitions(topic_id=topic_id, topic_name=topics[topic_id].name, partitions=numbers)
            for topic_id, numbers in by_topic(partitions).items()
            if topic_id in topics
        ]
    )
