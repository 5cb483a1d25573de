"""DescribeTopicPartitions: partitions with eligible leader replicas, a page at a time (KIP-966).

Topics are told in the order of their names. The cursor names the first partition that did not fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_topic_partitions_request import (
    DescribeTopicPartitionsRequest,
)
from barnabas.protocol.messages.describe_topic_partitions_response import (
    Cursor,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)

from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import INTERNAL_TOPICS, NO_LEADER, PartitionImage, TopicImage
from ..core.cluster.topic_names import name_fault
from ..core.security.resources import Operation, topic_resource
from ..serving.cluster_view import NOT_ASKED, offline_replicas
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import in_turns

Rows = Iterator[DescribeTopicPartitionsResponseTopic]


def handle(
    request: DescribeTopicPartitionsRequest, context: BrokerContext
) -> DescribeTopicPartitionsResponse:
    """Raises KafkaError INVALID_REQUEST (42) for a cursor that cannot be."""
    response = DescribeTopicPartitionsResponse()
    response.topics = list(_rows(request, context, context.node.image, response))
    return response


async def handle_in_turns(
    request: DescribeTopicPartitionsRequest, context: BrokerContext
) -> DescribeTopicPartitionsResponse:
    """The same for very many topics."""
    response = DescribeTopicPartitionsResponse()
    response.topics = await in_turns(_rows(request, context, context.node.image, response))
    return response


def _rows(
    request: DescribeTopicPartitionsRequest,
    context: BrokerContext,
    image: ClusterImage,
    response: DescribeTopicPartitionsResponse,
) -> Rows:
    """The topics of the answer; its cursor is set where they end before all were told."""
    names = _names(request, context)
    limit = max(
        min(context.node.config.max_request_partition_size_limit, request.response_partition_limit),
        1,
    )
    first = request.cursor.partition_index if request.cursor is not None else 0
    for name in names:
        if request.topics and not context.rights.may(Operation.DESCRIBE, topic_resource(name)):
            yield _forbidden(name)
            continue
        topic = image.topics_by_name.get(name)
        start = first if request.cursor is not None and name == request.cursor.topic_name else 0
        if topic is None:
            yield _unknown(name, context)
            continue
        if limit == 0:
            response.next_cursor = Cursor(topic_name=name, partition_index=start)
            break
        wanted = [number for number in sorted(topic.partitions) if number >= start]
        yield _topic(topic, wanted[:limit], context, image)
        if len(wanted) > limit:
            response.next_cursor = Cursor(topic_name=name, partition_index=wanted[limit])
            break
        limit -= len(wanted)


def refuse(
    request: DescribeTopicPartitionsRequest, code: int, message: str | None
) -> DescribeTopicPartitionsResponse:
    """An error for the whole request stands on each topic."""
    del message
    return DescribeTopicPartitionsResponse(
        topics=[
            DescribeTopicPartitionsResponseTopic(error_code=code, name=topic.name)
            for topic in request.topics
        ]
    )


def _names(request: DescribeTopicPartitionsRequest, context: BrokerContext) -> list[str]:
    cursor = request.cursor
    begin = "" if cursor is None else cursor.topic_name
    if not request.topics:
        names = [
            name
            for name in context.node.image.topics_by_name
            if name >= begin
            and context.rights.may(Operation.DESCRIBE, topic_resource(name), is_audited=False)
        ]
    else:
        names = [topic.name for topic in request.topics if topic.name >= begin]
        if cursor is not None and begin not in names:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST,
                "DescribeTopicPartitionsRequest topic list should contain the cursor topic: "
                + begin,
            )
    if cursor is not None and cursor.partition_index < 0:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            "DescribeTopicPartitionsRequest cursor partition must be valid: "
            f"{cursor.partition_index}",
        )
    return sorted(set(names))


def _forbidden(name: str) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        error_code=ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        name=name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=NOT_ASKED,
    )


def _unknown(name: str, context: BrokerContext) -> DescribeTopicPartitionsResponseTopic:
    code = (
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if name_fault(name) is None
        else ErrorCode.INVALID_TOPIC_EXCEPTION
    )
    return DescribeTopicPartitionsResponseTopic(
        error_code=code,
        name=name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=context.rights.operations(topic_resource(name)),
    )


def _topic(
    topic: TopicImage, numbers: list[int], context: BrokerContext, image: ClusterImage
) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        name=topic.name,
        topic_id=topic.topic_id,
        is_internal=topic.is_internal,
        partitions=[_partition(one, topic.partitions[one], image) for one in numbers],
        topic_authorized_operations=context.rights.operations(topic_resource(topic.name)),
    )


def _partition(
    number: int, partition: PartitionImage, image: ClusterImage
) -> DescribeTopicPartitionsResponsePartition:
    """A partition without a leader is no error here: unlike in Metadata, as in Kafka."""
    leader = partition.leader
    broker = image.brokers.get(leader)
    has_leader = broker is not None and not broker.fenced
    return DescribeTopicPartitionsResponsePartition(
        partition_index=number,
        leader_id=leader if has_leader else NO_LEADER,
        leader_epoch=partition.leader_epoch,
        replica_nodes=list(partition.replicas),
        isr_nodes=list(partition.isr),
        eligible_leader_replicas=list(partition.elr),
        last_known_elr=list(partition.last_known_elr),
        offline_replicas=offline_replicas(partition, image),
    )


HANDLER = Handler(
    DescribeTopicPartitionsRequest, (0, 0), handle, refuse=refuse, handle_in_turns=handle_in_turns
)
