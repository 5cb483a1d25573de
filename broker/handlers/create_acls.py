"""CreateAcls: adds access control entries; answers when the brokers obey them (ACL-13, ACL-16)."""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.create_acls_response import AclCreationResult, CreateAclsResponse

from ..core.cluster.acl_changes import CreateAcls
from ..core.cluster.commands import Outcome
from ..core.security.acl import Acl, is_host
from ..core.security.resources import CLUSTER, Operation
from ..observe.audit import cut
from ..observe.logging import Logger
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler
from ..serving.rights import require_authorizer


async def handle(request: CreateAclsRequest, context: NodeContext) -> CreateAclsResponse:
    """Submit one command for all entries, and answer for each. Raises KafkaError (54, 31)."""
    require_authorizer(context.rights)
    context.rights.require(Operation.ALTER, CLUSTER)
    acls = tuple(map(_acl, request.creations))
    outcomes: list[Outcome] = await context.node.metadata.submit(CreateAcls(acls))
    created = [
        acl for acl, outcome in zip(acls, outcomes, strict=True) if outcome.code is ErrorCode.NONE
    ]
    for acl in created:
        context.rights.note_change("created", acl=str(acl))
    _warn_of_hosts(created, context.node.log)
    return CreateAclsResponse(
        results=[
            AclCreationResult(error_code=outcome.code, error_message=outcome.message)
            for outcome in outcomes
        ]
    )


def _warn_of_hosts(created: Sequence[Acl], log: Logger) -> None:
    """Entries for what is no address are taken, as in Kafka, and are for nobody (ACL-05)."""
    idle = [acl for acl in created if not is_host(acl.host)]
    if idle:
        log.warning(
            "an access control entry matches nobody: hosts are IP addresses or *",
            entry=cut(str(idle[0])),
            others=len(idle) - 1,
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


HANDLER = Handler(CreateAclsRequest, (1, 3), handle, refuse=refuse, forwarded=Forwarded())
