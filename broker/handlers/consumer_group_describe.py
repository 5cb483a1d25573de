"""ConsumerGroupDescribe: state and members of consumer groups, as they are committed (848-24).

Versions: 1 tells which members speak the classic protocol.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_describe_request import (
    ConsumerGroupDescribeRequest,
)
from barnabas.protocol.messages.consumer_group_describe_response import (
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)

from .cluster_view import GROUP_OPERATIONS, NOT_ASKED
from .consumer_group_heartbeat import check_protocol
from .context import BrokerContext
from .handler import Handler
from .waiting import Turns, in_slices


async def handle(
    request: ConsumerGroupDescribeRequest, context: BrokerContext
) -> ConsumerGroupDescribeResponse:
    """Each group is described once, however often it is named; with its own error."""
    check_protocol(context)
    answer, turns = ConsumerGroupDescribeResponse(), Turns()
    for group_id in dict.fromkeys(request.group_ids):
        described = await _described(group_id, context)
        described.authorized_operations = (
            GROUP_OPERATIONS
            if request.include_authorized_operations and not described.error_code
            else NOT_ASKED
        )
        answer.groups.append(described)
        await turns.after(1 + len(described.members))
    return answer


async def _described(group_id: str, context: BrokerContext) -> DescribedGroup:
    try:
        if not group_id:
            raise KafkaError(ErrorCode.INVALID_GROUP_ID, "a consumer group has a name")
        steps = await context.node.groups.read(
            group_id, lambda machine, offset: machine.consumer.describing(group_id, offset)
        )
    except KafkaError as error:
        return DescribedGroup(
            group_id=group_id, error_code=int(error.code), error_message=error.message
        )
    return await in_slices(context.node, steps)


def _refuse(
    request: ConsumerGroupDescribeRequest, code: int, message: str | None
) -> ConsumerGroupDescribeResponse:
    groups = [
        DescribedGroup(group_id=one, error_code=code, error_message=message)
        for one in dict.fromkeys(request.group_ids)
    ]
    return ConsumerGroupDescribeResponse(groups=groups)


HANDLER = Handler(ConsumerGroupDescribeRequest, (0, 1), handle, refuse=_refuse)
