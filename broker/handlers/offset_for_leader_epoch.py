"""OffsetForLeaderEpoch: where the log of an epoch ended, so that clients find out about truncation.

392-15: consumers get no more than the high watermark, and OFFSET_NOT_AVAILABLE while the watermark
has not reached the start of the leader's epoch and the true end lies beyond it.

All of it is in memory: a disk that stands still holds up nobody here.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
)
from barnabas.protocol.messages.offset_for_leader_epoch_response import (
    EpochEndOffset,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)

from ..core.reads import Steps, attempt
from ..core.security.resources import CLUSTER, Operation, topic_resource
from ..serving.context import BrokerContext, may_be_broker
from ..serving.handler import Handler
from ..serving.hosting import hosted_replica
from ..serving.waiting import SLICE, in_slices

_REPLICA_ID_SINCE = 3


def handle(
    request: OffsetForLeaderEpochRequest, context: BrokerContext
) -> OffsetForLeaderEpochResponse | Coroutine[Any, Any, OffsetForLeaderEpochResponse]:
    """Answer each partition on its own."""
    response = OffsetForLeaderEpochResponse()
    if sum(len(topic.partitions) for topic in request.topics) > SLICE:
        return _in_slices(request, context, response)
    attempt(_answer_all(request, context, response))
    return response


async def _in_slices(
    request: OffsetForLeaderEpochRequest,
    context: BrokerContext,
    response: OffsetForLeaderEpochResponse,
) -> OffsetForLeaderEpochResponse:
    await in_slices(context.node, _answer_all(request, context, response))
    return response


def _answer_all(
    request: OffsetForLeaderEpochRequest,
    context: BrokerContext,
    response: OffsetForLeaderEpochResponse,
) -> Steps[None]:
    is_replica = (
        context.api_version >= _REPLICA_ID_SINCE
        and request.replica_id >= 0
        and may_be_broker(context)
    )
    number = 0
    rights = context.rights
    is_node = rights.may(Operation.CLUSTER_ACTION, CLUSTER, is_audited=False)
    for topic in request.topics:
        answer = OffsetForLeaderTopicResult(topic=topic.topic)
        response.topics.append(answer)
        may_describe = is_node or rights.may(Operation.DESCRIBE, topic_resource(topic.topic))
        for wanted in topic.partitions:
            number += 1
            if number % SLICE == 0:
                yield None
            row = EpochEndOffset(partition=wanted.partition)
            answer.partitions.append(row)
            if not may_describe:
                row.error_code = int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
                continue
            try:
                row.leader_epoch, row.end_offset = _find(
                    topic.topic, wanted, context, is_replica=is_replica
                )
            except KafkaError as error:
                row.error_code = int(error.code)


def refuse(
    request: OffsetForLeaderEpochRequest, code: ErrorCode, message: str | None
) -> OffsetForLeaderEpochResponse:
    """The same error for every partition."""
    del message
    response = OffsetForLeaderEpochResponse()
    for topic in request.topics:
        rows = [
            EpochEndOffset(partition=wanted.partition, error_code=int(code))
            for wanted in topic.partitions
        ]
        response.topics.append(OffsetForLeaderTopicResult(topic=topic.topic, partitions=rows))
    return response


def _find(
    topic: str, wanted: OffsetForLeaderPartition, context: BrokerContext, *, is_replica: bool
) -> tuple[int, int]:
    """(epoch, end offset); (-1, -1) if nothing is known of that epoch."""
    partition = hosted_replica(context.node, topic, wanted.partition)
    partition.check_leader_epoch(wanted.current_leader_epoch)
    leader = partition.as_leader()
    epoch, end_offset = partition.log.end_offset_for_epoch(wanted.leader_epoch)
    if is_replica or end_offset < 0:
        return epoch, end_offset
    high_watermark = partition.high_watermark
    if high_watermark < leader.epoch_start_offset and end_offset > high_watermark:
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)
    return epoch, min(end_offset, high_watermark)


HANDLER = Handler(OffsetForLeaderEpochRequest, (2, 4), handle, refuse=refuse)
