"""DeleteRecords: raises a partition's log start; the answer's low watermark is the new start.

-1 stands for the high watermark. Only the leader does it, only up to the high watermark, and only
for topics whose cleanup policy removes records; `__cluster_metadata` never (630-17).
A partition that is named twice is answered once: its last offset counts.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.delete_records_request import DeleteRecordsRequest
from barnabas.protocol.messages.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

from ..core.cluster.topic_image import INTERNAL_TOPICS, METADATA_TOPIC
from ..core.security.resources import Operation, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.hosting import hosted_leader

HIGH_WATERMARK = -1


def handle(request: DeleteRecordsRequest, context: BrokerContext) -> DeleteRecordsResponse:
    """Each partition on its own; one that cannot be does not hold up the others."""
    wanted: dict[str, dict[int, int]] = {}
    for topic in request.topics:
        offsets = wanted.setdefault(topic.name, {})
        offsets.update((one.partition_index, one.offset) for one in topic.partitions)
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                name=name,
                partitions=[
                    _result(name, number, offset, context) for number, offset in offsets.items()
                ],
            )
            for name, offsets in wanted.items()
        ]
    )


def refuse(request: DeleteRecordsRequest, code: int, message: str | None) -> DeleteRecordsResponse:
    """An error for the whole request stands on each partition."""
    del message
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                name=topic.name,
                partitions=[
                    DeleteRecordsPartitionResult(
                        partition_index=one.partition_index, low_watermark=-1, error_code=code
                    )
                    for one in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _result(
    topic: str, partition: int, offset: int, context: BrokerContext
) -> DeleteRecordsPartitionResult:
    code = ErrorCode.NONE
    low_watermark = -1
    try:
        low_watermark = _delete(topic, partition, offset, context)
    except KafkaError as error:
        code = error.code
    return DeleteRecordsPartitionResult(
        partition_index=partition, low_watermark=low_watermark, error_code=code
    )


def _delete(topic: str, partition: int, offset: int, context: BrokerContext) -> int:
    """The new log start offset."""
    context.rights.require(Operation.DELETE, topic_resource(topic))
    if topic == METADATA_TOPIC:
        raise KafkaError(ErrorCode.POLICY_VIOLATION)
    if topic in INTERNAL_TOPICS:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    leader = hosted_leader(context.node, topic, partition)
    if not leader.config.is_deleted_by_age_or_size and leader.config.cleanup_policy:
        raise KafkaError(ErrorCode.POLICY_VIOLATION)
    high_watermark = leader.high_watermark
    target = high_watermark if offset == HIGH_WATERMARK else offset
    if not 0 <= target <= high_watermark:
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    leader.advance_log_start(target)
    return leader.log.log_start_offset


HANDLER = Handler(DeleteRecordsRequest, (0, 2), handle, refuse=refuse)
