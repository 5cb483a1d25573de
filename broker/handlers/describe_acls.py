"""DescribeAcls: the access control entries that a filter finds, as this node has them (ACL-14)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest
from barnabas.protocol.messages.describe_acls_response import (
    AclDescription,
    DescribeAclsResource,
    DescribeAclsResponse,
)

from ..core.security.acl import AclFilter
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Handler
from ..serving.rights import require_authorizer
from ..serving.waiting import Turns


async def handle(request: DescribeAclsRequest, context: NodeContext) -> DescribeAclsResponse:
    """Entries of one resource together. Raises KafkaError (54, 31, 42)."""
    require_authorizer(context.rights)
    context.rights.require(Operation.DESCRIBE, CLUSTER)
    wanted = AclFilter(
        request.resource_type_filter,
        request.resource_name_filter,
        request.pattern_type_filter,
        request.principal_filter,
        request.host_filter,
        request.operation,
        request.permission_type,
    )
    if wanted.has_unknown:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a filter cannot have the code 0")
    answer, turns = DescribeAclsResponse(error_message=None), Turns()
    resources: dict[tuple[int, str, int], DescribeAclsResource] = {}
    for _, acl in list(context.node.image.security.acls.items()):
        await turns.after()
        if not wanted.matches(acl):
            continue
        key = (acl.kind, acl.name, acl.pattern)
        resource = resources.get(key)
        if resource is None:
            resource = resources[key] = DescribeAclsResource(
                resource_type=acl.kind, resource_name=acl.name, pattern_type=acl.pattern
            )
            answer.resources.append(resource)
        resource.acls.append(
            AclDescription(
                principal=acl.principal,
                host=acl.host,
                operation=acl.operation,
                permission_type=acl.permission,
            )
        )
    return answer


HANDLER = Handler(DescribeAclsRequest, (1, 3), handle)
