"""LeaveGroup: members of a classic group go, or an administrator removes them (GRP-22).

Versions: 0 to 2 one member; 1 throttle time, 3 any number of them, 4 flexible, 5 reasons (KIP-800).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest, MemberIdentity
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse

from ..core.security.resources import Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE, Turns

_SEVERAL_SINCE: Final = 3
"""From this version on a request names any number of members, and each has its own error."""


async def handle(request: LeaveGroupRequest, context: BrokerContext) -> LeaveGroupResponse:
    """Remove all of them, then rebalance once; very many go one slice after the other."""
    context.rights.require(Operation.READ, group_resource(request.group_id))
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    if context.api_version < _SEVERAL_SINCE:
        request.members = [MemberIdentity(member_id=request.member_id)]
        answer = await _leave(request.group_id, request.members, context)
        return LeaveGroupResponse(error_code=answer.members[0].error_code)
    whole, turns = LeaveGroupResponse(), Turns()
    for start in range(0, len(request.members) or 1, SLICE):
        some = request.members[start : start + SLICE]
        whole.members += (await _leave(request.group_id, some, context)).members
        await turns.after(len(some))
    return whole


async def _leave(
    group_id: str, members: list[MemberIdentity], context: BrokerContext
) -> LeaveGroupResponse:
    request = LeaveGroupRequest(group_id=group_id, members=members)
    return await context.node.groups.write(group_id, lambda machine: machine.leave(request))


HANDLER = Handler(LeaveGroupRequest, (0, 5), handle)
