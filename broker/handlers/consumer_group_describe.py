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

from ..core.security.resources import Operation, group_resource, topic_resource
from ..serving.cluster_view import NOT_ASKED
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns, in_slices
from .consumer_group_heartbeat import check_protocol


async def handle(
    request: ConsumerGroupDescribeRequest, context: BrokerContext
) -> ConsumerGroupDescribeResponse:
    """Each group is described once, however often it is named; with its own error."""
    check_protocol(context)
    answer, turns = ConsumerGroupDescribeResponse(), Turns()
    for group_id in dict.fromkeys(request.group_ids):
        described = await _described(group_id, context)
        described.authorized_operations = (
            context.rights.operations(group_resource(group_id))
            if request.include_authorized_operations and not described.error_code
            else NOT_ASKED
        )
        answer.groups.append(described)
        await turns.after(1 + len(described.members))
    return answer


async def _described(group_id: str, context: BrokerContext) -> DescribedGroup:
    try:
        context.rights.require(Operation.DESCRIBE, group_resource(group_id))
        if not group_id:
            raise KafkaError(ErrorCode.INVALID_GROUP_ID, "a consumer group has a name")
        steps = await context.node.groups.read(
            group_id,
            lambda machine, offset: machine.consumer.describing(group_id, offset),
            may_be_old=True,
        )
    except KafkaError as error:
        return DescribedGroup(
            group_id=group_id, error_code=int(error.code), error_message=error.message
        )
    described = await in_slices(context.node, steps)
    topics = {
        topic.topic_name
        for member in described.members
        for assigned in (member.assignment, member.target_assignment)
        for topic in assigned.topic_partitions
    }
    may = context.rights.may
    if all(may(Operation.DESCRIBE, topic_resource(name), is_audited=False) for name in topics):
        return described
    return DescribedGroup(
        group_id=group_id,
        error_code=int(ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        error_message="The group has topics that the client may not describe.",
    )


def _refuse(
    request: ConsumerGroupDescribeRequest, code: int, message: str | None
) -> ConsumerGroupDescribeResponse:
    groups = [
        DescribedGroup(group_id=one, error_code=code, error_message=message)
        for one in dict.fromkeys(request.group_ids)
    ]
    return ConsumerGroupDescribeResponse(groups=groups)


HANDLER = Handler(ConsumerGroupDescribeRequest, (0, 1), handle, refuse=_refuse)
