"""DescribeCluster on a controller's listener: the controllers, and which of them is active
(KIP-919)."""

from __future__ import annotations

from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

from ...core.security.resources import CLUSTER, Operation
from ...serving.cluster_view import CONTROLLERS, check_endpoint_type, cluster_operations
from ...serving.context import NodeContext
from ...serving.handler import Handler


def handle(request: DescribeClusterRequest, context: NodeContext) -> DescribeClusterResponse:
    """The controllers that registered with an address on the listener that was asked.

    Raises KafkaError: CLUSTER_AUTHORIZATION_FAILED (FWD-08), and for endpoints of another kind
    than this listener's (114, 115; 42).
    """
    context.rights.require(Operation.ALTER, CLUSTER)
    check_endpoint_type(request.endpoint_type, CONTROLLERS, context)
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
        cluster_authorized_operations=cluster_operations(
            context, is_asked=request.include_cluster_authorized_operations
        ),
    )


HANDLER = Handler(DescribeClusterRequest, (0, 2), handle)
