"""ControllerRegistration: a controller process tells its addresses and its features (KIP-919)."""

from __future__ import annotations

from barnabas.protocol.messages.controller_registration_request import ControllerRegistrationRequest
from barnabas.protocol.messages.controller_registration_response import (
    ControllerRegistrationResponse,
)

from ...core.cluster.broker_image import endpoints_from, features_from
from ...core.cluster.commands import RegisterController
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


async def handle(
    request: ControllerRegistrationRequest, context: NodeContext
) -> ControllerRegistrationResponse:
    """Answer once the registration is committed. Raises KafkaError."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    await context.node.metadata.submit(
        RegisterController(
            controller_id=request.controller_id,
            incarnation_id=request.incarnation_id,
            endpoints=endpoints_from(request.listeners),
            features=features_from(request.features),
        )
    )
    return ControllerRegistrationResponse(error_message=None)


HANDLER = Handler(ControllerRegistrationRequest, (0, 0), handle)
