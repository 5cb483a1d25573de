"""CreateAcls: adds access control entries; answers when the brokers obey them (ACL-13, ACL-16)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.create_acls_response import AclCreationResult, CreateAclsResponse

from ..core.cluster.acl_changes import CreateAcls
from ..core.cluster.commands import Outcome
from ..core.security.acl import Acl
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Handler
from ..serving.rights import require_authorizer


async def handle(request: CreateAclsRequest, context: NodeContext) -> CreateAclsResponse:
    """Submit one command for all entries, and answer for each. Raises KafkaError (54, 31)."""
    require_authorizer(context.rights)
    context.rights.require(Operation.ALTER, CLUSTER)
    acls = tuple(map(_acl, request.creations))
    outcomes: list[Outcome] = await context.node.metadata.submit(CreateAcls(acls))
    for acl, outcome in zip(acls, outcomes, strict=True):
        if outcome.code is ErrorCode.NONE:
            context.rights.note_change("created", acl=str(acl))
    return CreateAclsResponse(
        results=[
            AclCreationResult(error_code=outcome.code, error_message=outcome.message)
            for outcome in outcomes
        ]
    )


def refuse(request: CreateAclsRequest, code: int, message: str | None) -> CreateAclsResponse:
    """An error for the whole request stands on each entry."""
    return CreateAclsResponse(
        results=[
            AclCreationResult(error_code=code, error_message=message) for _ in request.creations
        ]
    )


def _acl(creation: AclCreation) -> Acl:
    return Acl(
        creation.resource_type,
        creation.resource_name,
        creation.resource_pattern_type,
        creation.principal,
        creation.host,
        creation.operation,
        creation.permission_type,
    )


HANDLER = Handler(CreateAclsRequest, (1, 3), handle, refuse=refuse, is_forwarded=True)
