"""DescribeCluster: the live brokers, and from version 2 on request the fenced ones too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

from .cluster_view import CLUSTER_OPERATIONS, NOT_ASKED, address_of, controller_id

if TYPE_CHECKING:
    from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest

    from .context import RequestContext

VERSIONS = (0, 2)

BROKERS: Final = 1
CONTROLLERS: Final = 2


def handle(request: DescribeClusterRequest, context: RequestContext) -> DescribeClusterResponse:
    """Raises KafkaError for endpoints that are not brokers (114, 115)."""
    if request.endpoint_type == CONTROLLERS:
        raise KafkaError(
            ErrorCode.MISMATCHED_ENDPOINT_TYPE,
            "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of "
            "type CONTROLLER",
        )
    if request.endpoint_type != BROKERS:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
            f"Unsupported endpoint type {request.endpoint_type}",
        )
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
        cluster_authorized_operations=CLUSTER_OPERATIONS
        if request.include_cluster_authorized_operations
        else NOT_ASKED,
    )
