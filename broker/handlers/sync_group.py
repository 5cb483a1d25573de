"""SyncGroup: the leader brings the assignment, everybody gets theirs (GRP-19 to GRP-21).

Versions: 1 throttle time, 3 static members (KIP-345), 4 flexible, 5 protocol type and name, which
must be there.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ..core.coordination.groups.classic.syncing import check_sync
from ..core.security.resources import Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler


async def handle(request: SyncGroupRequest, context: BrokerContext) -> SyncGroupResponse:
    """The answer comes when the leader's assignment is committed, or with an error."""
    check_sync(request, context.api_version)
    context.rights.require(Operation.READ, group_resource(request.group_id))
    try:
        return await context.node.groups.park(
            request.group_id,
            lambda machine, reply: machine.sync(request, reply),
        )
    except KafkaError as error:
        if error.code is not ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            raise
        # Java's client has no case for 14 here and would fail; 27 makes it join again (CRT-04b).
        return SyncGroupResponse(error_code=int(ErrorCode.REBALANCE_IN_PROGRESS))


HANDLER = Handler(SyncGroupRequest, (0, 5), handle)
