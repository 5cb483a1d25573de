"""UnregisterBroker: forget a broker that will not come back (631)."""

from __future__ import annotations

from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest
from barnabas.protocol.messages.unregister_broker_response import UnregisterBrokerResponse

from ..core.cluster.commands import UnregisterBroker
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(
    request: UnregisterBrokerRequest, context: NodeContext
) -> UnregisterBrokerResponse:
    """Answer once the broker is gone. Raises KafkaError BROKER_ID_NOT_REGISTERED (102)."""
    context.rights.require(Operation.ALTER, CLUSTER)
    await context.node.metadata.submit(UnregisterBroker(request.broker_id))
    return UnregisterBrokerResponse(error_message=None)


HANDLER = Handler(UnregisterBrokerRequest, (0, 0), handle, forwarded=Forwarded())
