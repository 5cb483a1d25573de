"""DescribeCluster: the live brokers, and from version 2 on request the fenced ones too.

On a controller's listener: the controllers, and which of them is active (KIP-919).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

from ..core.security.resources import CLUSTER, Operation
from ..serving.cluster_view import NOT_ASKED, address_of, controller_id
from ..serving.context import NodeContext
from ..serving.handler import Handler

ENDPOINT_TYPE_SINCE: Final = 1

BROKERS: Final = 1
CONTROLLERS: Final = 2


def handle(request: DescribeClusterRequest, context: NodeContext) -> DescribeClusterResponse:
    """Raises KafkaError for endpoints of another kind than this listener's (114, 115; 42)."""
    is_controller = context.node.is_controller_listener
    if is_controller:
        context.rights.require(Operation.ALTER, CLUSTER)  # FWD-08
    kinds = {BROKERS: "BROKER", CONTROLLERS: "CONTROLLER"}
    if request.endpoint_type not in kinds:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
            f"Unsupported endpoint type {request.endpoint_type}",
        )
    own_kind = CONTROLLERS if is_controller else BROKERS
    if request.endpoint_type != own_kind:
        # Version 0 does not say what it wants, so its asker knows nothing of kinds of endpoints.
        is_told = context.api_version >= ENDPOINT_TYPE_SINCE
        raise KafkaError(
            ErrorCode.MISMATCHED_ENDPOINT_TYPE if is_told else ErrorCode.INVALID_REQUEST,
            f"The request was sent to an endpoint of type {kinds[own_kind]}, but we wanted an "
            f"endpoint of type {kinds[request.endpoint_type]}",
        )
    operations = NOT_ASKED
    if request.include_cluster_authorized_operations:
        operations = context.rights.cluster_operations()
    if is_controller:
        return _controllers(context, operations)
    return _brokers(request, context, operations)


def _controllers(context: NodeContext, operations: int) -> DescribeClusterResponse:
    """The controllers that registered with an address on the listener that was asked (KIP-919)."""
    image = context.node.image
    found = [
        DescribeClusterBroker(broker_id=number, host=one.host, port=one.port, rack=None)
        for number, controller in sorted(image.controllers.items())
        for one in controller.endpoints
        if one.name == context.listener_name
    ]
    return DescribeClusterResponse(
        endpoint_type=CONTROLLERS,
        cluster_id=image.cluster_id,
        controller_id=context.node.quorum.leader.leader_id,
        brokers=found,
        cluster_authorized_operations=operations,
    )


def _brokers(
    request: DescribeClusterRequest, context: NodeContext, operations: int
) -> DescribeClusterResponse:
    image = context.node.image
    brokers = []
    for broker_id in sorted(image.brokers):
        broker = image.brokers[broker_id]
        address = address_of(broker, context)
        if address is not None and (request.include_fenced_brokers or not broker.fenced):
            brokers.append(
                DescribeClusterBroker(
                    broker_id=broker_id,
                    host=address[0],
                    port=address[1],
                    rack=broker.rack,
                    is_fenced=broker.fenced,
                )
            )
    return DescribeClusterResponse(
        cluster_id=image.cluster_id,
        controller_id=controller_id(context),
        brokers=brokers,
        cluster_authorized_operations=operations,
    )


HANDLER = Handler(DescribeClusterRequest, (0, 2), handle)
