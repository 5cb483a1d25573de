"""IncrementalAlterConfigs: answers when the brokers' logs obey the new settings.

Levels of loggers (KIP-412) are changed by the node that is asked; the rest is decided by the active
controller.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from barnabas.protocol.messages.incremental_alter_configs_response import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)

from ..core.cluster.commands import ConfigChange, Outcome, ResourceChange
from ..serving.config_requests import apart, own_outcomes, results, submit_changes
from ..serving.context import NodeContext
from ..serving.handler import Apart, Forwarded, Handler


async def handle(
    request: IncrementalAlterConfigsRequest, context: NodeContext
) -> IncrementalAlterConfigsResponse:
    """Submit the resources that are well formed, in one command, and answer for all."""
    changes = [_change(resource) for resource in request.resources]
    outcomes = await submit_changes(changes, context, validate_only=request.validate_only)
    return IncrementalAlterConfigsResponse(
        responses=results(AlterConfigsResourceResponse, request.resources, outcomes)
    )


async def answer_own(request: IncrementalAlterConfigsRequest, context: NodeContext) -> Apart | None:
    """Change levels of this broker's loggers, and refuse certificates that it cannot take, before
    the rest goes to the active controller."""
    changes = [_change(resource) for resource in request.resources]
    outcomes = await own_outcomes(changes, context, validate_only=request.validate_only)
    return apart(request, outcomes, AlterConfigsResourceResponse, IncrementalAlterConfigsResponse)


def refuse(
    request: IncrementalAlterConfigsRequest, code: int, message: str | None
) -> IncrementalAlterConfigsResponse:
    """An error for the whole request stands on each resource."""
    outcomes = [Outcome(ErrorCode(code), message)] * len(request.resources)
    return IncrementalAlterConfigsResponse(
        responses=results(AlterConfigsResourceResponse, request.resources, outcomes)
    )


def _change(resource: AlterConfigsResource) -> ResourceChange:
    return ResourceChange(
        resource.resource_type,
        resource.resource_name,
        tuple(
            ConfigChange(config.name, config.config_operation, config.value)
            for config in resource.configs
        ),
    )


def _things(request: IncrementalAlterConfigsRequest) -> int:
    """Resources and settings."""
    return sum(1 + len(one.configs) for one in request.resources)


HANDLER = Handler(
    IncrementalAlterConfigsRequest,
    (0, 1),
    handle,
    refuse=refuse,
    forwarded=Forwarded(answer_own=answer_own, things=_things),
)
