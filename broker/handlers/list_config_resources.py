"""ListConfigResources: what has settings, for those who then ask DescribeConfigs.

Versions: 0 lists client metrics subscriptions, 1 the kinds that are asked for, or all of them
(KIP-1142).
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.list_config_resources_request import ListConfigResourcesRequest
from barnabas.protocol.messages.list_config_resources_response import (
    ConfigResource,
    ListConfigResourcesResponse,
)

from ..core.cluster.image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
    ClusterImage,
)
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Handler

_KINDS: Final = (
    RESOURCE_GROUP,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_BROKER,
    RESOURCE_TOPIC,
)


def handle(
    request: ListConfigResourcesRequest, context: NodeContext
) -> ListConfigResourcesResponse:
    """Raises KafkaError for a kind that is not known (35)."""
    context.rights.require(Operation.DESCRIBE_CONFIGS, CLUSTER)
    wanted = {RESOURCE_CLIENT_METRICS}
    if context.api_version > 0:
        wanted = set(request.resource_types) or set(_KINDS)
    for kind in wanted.difference(_KINDS):
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"Unsupported resource type: {kind}")
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResource(resource_name=name, resource_type=kind)
            for kind in _KINDS
            if kind in wanted
            for name in _names(kind, context.node.image)
        ]
    )


def _names(kind: int, image: ClusterImage) -> list[str]:
    """Topics and live brokers whether anything was set on them or not, others where it was."""
    if kind == RESOURCE_TOPIC:
        return sorted(image.topics_by_name)
    if kind in (RESOURCE_BROKER, RESOURCE_BROKER_LOGGER):
        return [str(number) for number, one in sorted(image.brokers.items()) if not one.fenced]
    return sorted(name for resource, name in image.configs if resource == kind)


HANDLER = Handler(ListConfigResourcesRequest, (0, 1), handle)
