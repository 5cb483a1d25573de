"""AllocateProducerIds: a block of producer ids for one broker (98-01)."""

from __future__ import annotations

from barnabas.protocol.messages.allocate_producer_ids_request import AllocateProducerIdsRequest
from barnabas.protocol.messages.allocate_producer_ids_response import AllocateProducerIdsResponse

from ...core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


async def handle(
    request: AllocateProducerIdsRequest, context: NodeContext
) -> AllocateProducerIdsResponse:
    """Answer once nobody else can get the block. Raises KafkaError (77)."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    block: ProducerIdBlock = await context.node.metadata.submit(
        AllocateProducerIds(request.broker_id, request.broker_epoch)
    )
    return AllocateProducerIdsResponse(producer_id_start=block.first, producer_id_len=block.size)


HANDLER = Handler(AllocateProducerIdsRequest, (0, 0), handle)
