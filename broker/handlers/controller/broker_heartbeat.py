"""BrokerHeartbeat: a broker lives, and is told what it is (631-02, 631-03).

Versions: 1 tells log directories that failed, 2 those that are cordoned.
"""

from __future__ import annotations

from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_heartbeat_response import BrokerHeartbeatResponse

from ...core.cluster.commands import BrokerHeartbeat, HeartbeatAnswer
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


async def handle(request: BrokerHeartbeatRequest, context: NodeContext) -> BrokerHeartbeatResponse:
    """Answer once what follows from the heartbeat is committed. Raises KafkaError (77)."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    cordoned = request.cordoned_log_dirs
    answer: HeartbeatAnswer = await context.node.metadata.submit(
        BrokerHeartbeat(
            broker_id=request.broker_id,
            broker_epoch=request.broker_epoch,
            metadata_offset=request.current_metadata_offset,
            wants_fence=request.want_fence,
            wants_shutdown=request.want_shut_down,
            offline_log_dirs=tuple(request.offline_log_dirs),
            cordoned_log_dirs=None if cordoned is None else tuple(cordoned),
        )
    )
    return BrokerHeartbeatResponse(
        is_caught_up=answer.is_caught_up,
        is_fenced=answer.is_fenced,
        should_shut_down=answer.should_shut_down,
    )


HANDLER = Handler(BrokerHeartbeatRequest, (0, 2), handle)
