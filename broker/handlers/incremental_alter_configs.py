"""IncrementalAlterConfigs: answers when this broker's logs obey the new settings.

Each resource is changed whole or not at all, and answers with its own code.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.incremental_alter_configs_response import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)

from ..core.cluster.commands import (
    DELETE,
    SUBTRACT,
    AlterConfigs,
    ConfigChange,
    Outcome,
    ResourceChange,
)
from ..core.cluster.image import RESOURCE_BROKER, RESOURCE_TOPIC
from ..core.cluster.topic_image import METADATA_TOPIC

if TYPE_CHECKING:
    from barnabas.protocol.messages.incremental_alter_configs_request import (
        AlterConfigsResource,
        IncrementalAlterConfigsRequest,
    )

    from .context import RequestContext

VERSIONS = (0, 1)


async def handle(
    request: IncrementalAlterConfigsRequest, context: RequestContext
) -> IncrementalAlterConfigsResponse:
    """Submit the resources that are well formed, in one command, and answer for all."""
    times = Counter(map(_key, request.resources))
    outcomes: dict[tuple[int, str], Outcome] = {}
    changes: list[ResourceChange] = []
    for resource in request.resources:
        fault = _fault(resource, times[_key(resource)]) or _wrong_broker(resource, context)
        if fault is not None:
            outcomes[_key(resource)] = fault
        else:
            changes.append(_change(resource))
    if changes:
        command = AlterConfigs(tuple(changes), request.validate_only)
        answers = await context.node.metadata.submit(command)
        for change, outcome in zip(changes, answers, strict=True):
            outcomes[change.resource_type, change.name] = outcome
    return IncrementalAlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=outcomes[key].code,
                error_message=outcomes[key].message,
                resource_type=key[0],
                resource_name=key[1],
            )
            for key in map(_key, request.resources)
        ]
    )


def refuse(
    request: IncrementalAlterConfigsRequest, code: int, message: str | None
) -> IncrementalAlterConfigsResponse:
    """An error for the whole request stands on each resource."""
    return IncrementalAlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=code,
                error_message=message,
                resource_type=one.resource_type,
                resource_name=one.resource_name,
            )
            for one in request.resources
        ]
    )


def _key(resource: AlterConfigsResource) -> tuple[int, str]:
    return resource.resource_type, resource.resource_name


def _fault(resource: AlterConfigsResource, times: int) -> Outcome | None:
    names = [config.name for config in resource.configs]
    nulls = [
        config.name
        for config in resource.configs
        if config.value is None and config.config_operation != DELETE
    ]
    unknown = [
        config.config_operation
        for config in resource.configs
        if not 0 <= config.config_operation <= SUBTRACT
    ]
    if times > 1:
        text = "Each resource must appear at most once."
    elif len(set(names)) != len(names):
        text = "Error due to duplicate config keys"
    elif nulls:
        text = f"Null value not supported for : {', '.join(nulls)}"
    elif unknown:
        text = f"Unknown operations type {unknown[0]}"
    elif _key(resource) == (RESOURCE_TOPIC, METADATA_TOPIC):
        # 630-17: it is kept short by snapshots, whatever anybody sets.
        return Outcome(ErrorCode.POLICY_VIOLATION, f"{METADATA_TOPIC} cannot be configured.")
    else:
        return None
    return Outcome(ErrorCode.INVALID_REQUEST, text)


def _wrong_broker(resource: AlterConfigsResource, context: RequestContext) -> Outcome | None:
    """One broker's settings are changed by asking that broker."""
    name, node_id = resource.resource_name, context.node.node_id
    if resource.resource_type != RESOURCE_BROKER or name in ("", str(node_id)):
        return None
    if name.isdecimal():
        text = f"Unexpected broker id, expected {node_id}, but received {name}"
    else:
        text = f"Node id must be an integer, but it is: {name}"
    return Outcome(ErrorCode.INVALID_REQUEST, text)


def _change(resource: AlterConfigsResource) -> ResourceChange:
    return ResourceChange(
        resource.resource_type,
        resource.resource_name,
        tuple(
            ConfigChange(config.name, config.config_operation, config.value)
            for config in resource.configs
        ),
    )
