"""OffsetDelete: takes offsets of a group away, unless a member reads their topic (OFF-20)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.offset_delete_request import OffsetDeleteRequest
from barnabas.protocol.messages.offset_delete_response import (
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)

from ..core.coordination.groups.group_machine import GroupMachine
from ..core.coordination.groups.offsets.committed import TopicPartition
from ..core.coordination.machine import Outcome
from ..core.security.resources import Operation, group_resource, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE, Turns


async def handle(request: OffsetDeleteRequest, context: BrokerContext) -> OffsetDeleteResponse:
    """Answer unknown partitions with 3; an error of the group is one of the whole answer."""
    context.rights.require(Operation.DELETE, group_resource(request.group_id))
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    image = context.node.image
    response = OffsetDeleteResponse()
    known: list[tuple[TopicPartition, OffsetDeleteResponsePartition]] = []
    turns = Turns()
    for topic in request.topics:
        answer = OffsetDeleteResponseTopic(name=topic.name)
        response.topics.append(answer)
        may_read = context.rights.may(Operation.READ, topic_resource(topic.name))
        for one in topic.partitions:
            row = OffsetDeleteResponsePartition(partition_index=one.partition_index)
            answer.partitions.append(row)
            if not may_read:
                row.error_code = int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            elif image.partition(topic.name, one.partition_index) is None:
                row.error_code = int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            else:
                known.append(((topic.name, one.partition_index), row))
            await turns.after()
    for start in range(0, max(len(known), 1), SLICE):
        part = known[start : start + SLICE]
        decide = partial(_decide, request.group_id, [partition for partition, _ in part])
        codes = await context.node.groups.write(request.group_id, decide)
        for (_, row), code in zip(part, codes, strict=True):
            row.error_code = int(code)
        await asyncio.sleep(0)
    return response


def _decide(
    group_id: str, partitions: Sequence[TopicPartition], machine: GroupMachine
) -> Outcome[list[ErrorCode]]:
    return machine.offsets.delete(group_id, partitions)


HANDLER = Handler(OffsetDeleteRequest, (0, 0), handle)
