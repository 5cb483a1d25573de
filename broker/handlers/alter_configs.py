"""AlterConfigs: all settings of a resource at once; what is not named goes back to its default.

Clients of today use IncrementalAlterConfigs, which touches nothing but what it names.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_configs_request import (
    AlterConfigsRequest,
    AlterConfigsResource,
)
from barnabas.protocol.messages.alter_configs_response import (
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)

from ..core.cluster.commands import SET, ConfigChange, Outcome, ResourceChange
from ..serving.config_requests import apart, own_outcomes, results, submit_changes
from ..serving.context import NodeContext
from ..serving.handler import Apart, Forwarded, Handler


async def handle(request: AlterConfigsRequest, context: NodeContext) -> AlterConfigsResponse:
    """Submit the resources that are well formed, in one command, and answer for all."""
    changes = [_change(resource) for resource in request.resources]
    outcomes = await submit_changes(changes, context, validate_only=request.validate_only)
    return AlterConfigsResponse(
        responses=results(AlterConfigsResourceResponse, request.resources, outcomes)
    )


def refuse(request: AlterConfigsRequest, code: int, message: str | None) -> AlterConfigsResponse:
    """An error for the whole request stands on each resource."""
    outcomes = [Outcome(ErrorCode(code), message)] * len(request.resources)
    return AlterConfigsResponse(
        responses=results(AlterConfigsResourceResponse, request.resources, outcomes)
    )


def _change(resource: AlterConfigsResource) -> ResourceChange:
    return ResourceChange(
        resource.resource_type,
        resource.resource_name,
        tuple(ConfigChange(config.name, SET, config.value) for config in resource.configs),
        is_whole=True,
    )


async def answer_own(request: AlterConfigsRequest, context: NodeContext) -> Apart | None:
    """Refuse certificates that this broker cannot take before the rest goes to the controller."""
    changes = [_change(resource) for resource in request.resources]
    outcomes = await own_outcomes(changes, context, validate_only=request.validate_only)
    return apart(request, outcomes, AlterConfigsResourceResponse, AlterConfigsResponse)


def _things(request: AlterConfigsRequest) -> int:
    """Resources and settings."""
    return sum(1 + len(one.configs) for one in request.resources)


HANDLER = Handler(
    AlterConfigsRequest,
    (0, 2),
    handle,
    refuse=refuse,
    forwarded=Forwarded(answer_own=answer_own, things=_things),
)
