"""DeleteAcls: removes the access control entries that filters find (ACL-15)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from barnabas.protocol.messages.delete_acls_response import (
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsResponse,
)

from ..core.cluster.acl_changes import DeleteAcls
from ..core.security.acl import Acl, AclFilter
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler
from ..serving.rights import require_authorizer


async def handle(request: DeleteAclsRequest, context: NodeContext) -> DeleteAclsResponse:
    """Submit the sound filters as one command, and answer for each. Raises KafkaError (54, 31)."""
    require_authorizer(context.rights)
    context.rights.require(Operation.ALTER, CLUSTER)
    filters = [_filter(one) for one in request.filters]
    sound = tuple(one for one in filters if not one.has_unknown)
    found: list[list[Acl]] = await context.node.metadata.submit(DeleteAcls(sound))
    for acl in dict.fromkeys(acl for some in found for acl in some):
        context.rights.note_change("deleted", acl=str(acl))
    remaining = iter(found)
    return DeleteAclsResponse(
        filter_results=[
            _unknown() if one.has_unknown else _result(next(remaining)) for one in filters
        ]
    )


def refuse(request: DeleteAclsRequest, code: int, message: str | None) -> DeleteAclsResponse:
    """An error for the whole request stands on each filter."""
    return DeleteAclsResponse(
        filter_results=[
            DeleteAclsFilterResult(error_code=code, error_message=message) for _ in request.filters
        ]
    )


def _filter(one: DeleteAclsFilter) -> AclFilter:
    return AclFilter(
        one.resource_type_filter,
        one.resource_name_filter,
        one.pattern_type_filter,
        one.principal_filter,
        one.host_filter,
        one.operation,
        one.permission_type,
    )


def _unknown() -> DeleteAclsFilterResult:
    return DeleteAclsFilterResult(
        error_code=ErrorCode.INVALID_REQUEST, error_message="a filter cannot have the code 0"
    )


def _result(found: list[Acl]) -> DeleteAclsFilterResult:
    return DeleteAclsFilterResult(
        error_message=None,
        matching_acls=[
            DeleteAclsMatchingAcl(
                error_message=None,
                resource_type=acl.kind,
                resource_name=acl.name,
                pattern_type=acl.pattern,
                principal=acl.principal,
                host=acl.host,
                operation=acl.operation,
                permission_type=acl.permission,
            )
            for acl in found
        ],
    )


def _things(request: DeleteAclsRequest) -> int:
    """Filters."""
    return len(request.filters)


HANDLER = Handler(
    DeleteAclsRequest, (1, 3), handle, refuse=refuse, forwarded=Forwarded(things=_things)
)
