"""DescribeCluster: the brokers of Metadata, and from version 2 on request all fenced ones too.

A controller's listener describes controllers: `controller/describe_cluster.py`.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

from ..serving.cluster_view import (
    BROKERS,
    check_endpoint_type,
    cluster_operations,
    controller_id,
    listed_brokers,
)
from ..serving.context import BrokerContext
from ..serving.handler import Handler

IS_FENCED_SINCE: Final = 2


def handle(request: DescribeClusterRequest, context: BrokerContext) -> DescribeClusterResponse:
    """Raises KafkaError for endpoints of another kind than this listener's (114, 115; 42)."""
    check_endpoint_type(request.endpoint_type, BROKERS, context)
    listed = listed_brokers(context, with_fenced=request.include_fenced_brokers)
    return DescribeClusterResponse(
        cluster_id=context.node.image.cluster_id,
        controller_id=controller_id(context),
        brokers=[
            DescribeClusterBroker(
                broker_id=broker.broker_id,
                host=host,
                port=port,
                rack=broker.rack,
                # One that died a moment ago is listed in all versions.
                is_fenced=broker.fenced and context.api_version >= IS_FENCED_SINCE,
            )
            for broker, host, port in listed
        ],
        cluster_authorized_operations=cluster_operations(
            context, is_asked=request.include_cluster_authorized_operations
        ),
    )


HANDLER = Handler(DescribeClusterRequest, (0, 2), handle)
