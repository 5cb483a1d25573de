"""LeaveGroup: members of a classic group go, or an administrator removes them (GRP-22).

Versions: 0 to 2 one member; 1 throttle time, 3 any number of them, 4 flexible, 5 reasons (KIP-800).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse

from .context import BrokerContext
from .handler import Handler

_SEVERAL_SINCE: Final = 3
"""From this version on a request names any number of members, and each has its own error."""


async def handle(request: LeaveGroupRequest, context: BrokerContext) -> LeaveGroupResponse:
    """Remove all of them, then rebalance once."""
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    is_single = context.api_version < _SEVERAL_SINCE
    if is_single:
        request.members = [MemberIdentity(member_id=request.member_id)]
    answer = await context.node.groups.write(
        request.group_id, lambda machine: machine.leave(request)
    )
    if not is_single:
        return answer
    return LeaveGroupResponse(error_code=answer.members[0].error_code)


HANDLER = Handler(LeaveGroupRequest, (0, 5), handle)
