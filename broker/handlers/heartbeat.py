"""Heartbeat: a member of a classic group lives, and hears whether it must join again.

Versions: 1 throttle time, 3 static members (KIP-345), 4 flexible.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse

from ..core.security.resources import Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler


async def handle(request: HeartbeatRequest, context: BrokerContext) -> HeartbeatResponse:
    """Extend the member's session (GRP-18)."""
    context.rights.require(Operation.READ, group_resource(request.group_id))
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    try:
        return await context.node.groups.write(
            request.group_id, lambda machine: machine.heartbeat(request)
        )
    except KafkaError as error:
        if error.code is not ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            raise
        return HeartbeatResponse()  # sessions begin when the group is loaded (CRT-04)


HANDLER = Handler(HeartbeatRequest, (0, 4), handle)
