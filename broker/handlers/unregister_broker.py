"""UnregisterBroker: forget a broker that will not come back (631)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.messages.unregister_broker_response import UnregisterBrokerResponse

from ..core.cluster.commands import UnregisterBroker

if TYPE_CHECKING:
    from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest

    from .context import RequestContext

VERSIONS = (0, 0)
FORWARDED = True


async def handle(
    request: UnregisterBrokerRequest, context: RequestContext
) -> UnregisterBrokerResponse:
    """Answer once the broker is gone. Raises KafkaError BROKER_ID_NOT_REGISTERED (102)."""
    await context.node.metadata.submit(UnregisterBroker(request.broker_id))
    return UnregisterBrokerResponse(error_message=None)
