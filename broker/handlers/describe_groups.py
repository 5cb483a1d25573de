"""DescribeGroups: state and members of classic groups, as they are committed (GRP-27).

Versions: 1 throttle time, 3 authorized operations, 4 static members (KIP-345), 5 flexible, 6 an
error with a message for groups that are not there (KIP-1043).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_groups_request import DescribeGroupsRequest
from barnabas.protocol.messages.describe_groups_response import (
    DescribedGroup,
    DescribeGroupsResponse,
)

from ..core.coordination.groups.classic.states import GroupState
from ..core.security.resources import Operation, group_resource
from ..serving.cluster_view import NOT_ASKED
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns

_NOT_FOUND_SINCE: Final = 6
"""From this version on a group that is not there is an error; before, it was merely dead."""


async def handle(request: DescribeGroupsRequest, context: BrokerContext) -> DescribeGroupsResponse:
    """Each group is described once, however often it is named."""
    answer, turns = DescribeGroupsResponse(), Turns()
    for group_id in dict.fromkeys(request.groups):
        described = await _described(group_id, context)
        if request.include_authorized_operations and not described.error_code:
            described.authorized_operations = context.rights.operations(group_resource(group_id))
        else:
            described.authorized_operations = NOT_ASKED
        answer.groups.append(described)
        await turns.after(1 + len(described.members))
    return answer


async def _described(group_id: str, context: BrokerContext) -> DescribedGroup:
    try:
        context.rights.require(Operation.DESCRIBE, group_resource(group_id))
        found = await context.node.groups.read(
            group_id,
            lambda machine, offset: machine.classic.describe(group_id, offset),
            may_be_old=True,
        )
    except KafkaError as error:
        return DescribedGroup(group_id=group_id, error_code=int(error.code))
    if found is not None:
        return found
    missing = DescribedGroup(group_id=group_id, group_state=GroupState.DEAD.value)
    if context.api_version >= _NOT_FOUND_SINCE:
        missing.error_code = int(ErrorCode.GROUP_ID_NOT_FOUND)
        missing.error_message = f"there is no classic group {group_id}"
    return missing


def _refuse(
    request: DescribeGroupsRequest, code: ErrorCode, message: str | None
) -> DescribeGroupsResponse:
    groups = [DescribedGroup(group_id=one, error_code=int(code)) for one in request.groups]
    return DescribeGroupsResponse(groups=groups)


HANDLER = Handler(DescribeGroupsRequest, (0, 6), handle, refuse=_refuse)
