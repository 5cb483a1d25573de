"""BrokerRegistration: a broker process began (631-01).

Versions: 2 tells the log directories, 3 the epoch of the last clean stop (966-03), 4 lets features
begin at level 0. Brokers that move from ZooKeeper (1) are not served.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.broker_registration_request import BrokerRegistrationRequest
from barnabas.protocol.messages.broker_registration_response import BrokerRegistrationResponse

from ...core.cluster.broker_image import endpoints_from, features_from
from ...core.cluster.commands import RegisterBroker, Registered
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


async def handle(
    request: BrokerRegistrationRequest, context: NodeContext
) -> BrokerRegistrationResponse:
    """Answer the broker's epoch. Raises KafkaError."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    if request.is_migrating_zk_broker:
        raise KafkaError(
            ErrorCode.INVALID_REGISTRATION, "Brokers that migrate from ZooKeeper are not served."
        )
    registered: Registered = await context.node.metadata.submit(
        RegisterBroker(
            broker_id=request.broker_id,
            incarnation_id=request.incarnation_id,
            cluster_id=request.cluster_id,
            endpoints=endpoints_from(request.listeners),
            features=features_from(request.features),
            log_dirs=tuple(request.log_dirs),
            rack=request.rack,
            previous_epoch=request.previous_broker_epoch,
        )
    )
    return BrokerRegistrationResponse(broker_epoch=registered.broker_epoch)


HANDLER = Handler(BrokerRegistrationRequest, (0, 4), handle)
