"""Admin calls about access control entries."""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.create_acls_response import CreateAclsResponse
from barnabas.protocol.messages.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from barnabas.protocol.messages.delete_acls_response import DeleteAclsResponse
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest
from barnabas.protocol.messages.describe_acls_response import DescribeAclsResponse

from ..errors import MalformedResponseError, error_of
from ..wire.cluster import Cluster
from .acl_values import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPatternType,
    AclPermission,
    AclResourceType,
)
from .topics import Failures, raise_failures, raise_if_retriable


async def create_acls(cluster: Cluster, acls: Sequence[AclBinding]) -> None:
    """See `Admin.create_acls`."""
    request = CreateAclsRequest(creations=[_creation(one) for one in acls])
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        response = await cluster.call_controller(request, CreateAclsResponse)
        if len(response.results) != len(acls):
            raise MalformedResponseError(f"{len(response.results)} results for {len(acls)} entries")
        done = []
        for acl, result in zip(acls, response.results, strict=True):
            if result.error_code:
                failures[acl] = error_of(result.error_code, f"{acl}: {result.error_message}")
            else:
                done.append(acl)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "creating access control entries")
    raise_failures(failures)


async def describe_acls(cluster: Cluster, wanted: AclBindingFilter) -> list[AclBinding]:
    """See `Admin.describe_acls`."""
    request = DescribeAclsRequest(
        resource_type_filter=wanted.resource_type,
        resource_name_filter=wanted.resource_name,
        pattern_type_filter=wanted.pattern_type,
        principal_filter=wanted.principal,
        host_filter=wanted.host,
        operation=wanted.operation,
        permission_type=wanted.permission,
    )

    async def attempt() -> list[AclBinding]:
        response = await cluster.call_any(request, DescribeAclsResponse)
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "describing entries")
        return [
            _binding(
                resource.resource_type,
                resource.resource_name,
                resource.pattern_type,
                one.principal,
                one.host,
                one.operation,
                one.permission_type,
            )
            for resource in response.resources
            for one in resource.acls
        ]

    return await cluster.retrying(attempt, "describing access control entries")


async def delete_acls(
    cluster: Cluster, filters: Sequence[AclBindingFilter]
) -> list[list[AclBinding]]:
    """See `Admin.delete_acls`."""
    request = DeleteAclsRequest(filters=[_filter(one) for one in filters])
    failures: Failures = {}

    async def attempt() -> list[list[AclBinding]]:
        failures.clear()
        response = await cluster.call_controller(request, DeleteAclsResponse)
        results = response.filter_results
        if len(results) != len(filters):
            raise MalformedResponseError(f"{len(results)} results for {len(filters)} filters")
        found = []
        for wanted, result in zip(filters, results, strict=True):
            if result.error_code:
                failures[wanted] = error_of(result.error_code, f"{wanted}: {result.error_message}")
                continue
            found.append(
                [
                    _binding(
                        one.resource_type,
                        one.resource_name,
                        one.pattern_type,
                        one.principal,
                        one.host,
                        one.operation,
                        one.permission_type,
                    )
                    for one in result.matching_acls
                ]
            )
        raise_if_retriable(failures, found)
        return found

    found = await cluster.retrying(attempt, "deleting access control entries")
    raise_failures(failures)
    return found


def _creation(acl: AclBinding) -> AclCreation:
    return AclCreation(
        resource_type=acl.resource_type,
        resource_name=acl.resource_name,
        resource_pattern_type=acl.pattern_type,
        principal=acl.principal,
        host=acl.host,
        operation=acl.operation,
        permission_type=acl.permission,
    )


def _filter(wanted: AclBindingFilter) -> DeleteAclsFilter:
    return DeleteAclsFilter(
        resource_type_filter=wanted.resource_type,
        resource_name_filter=wanted.resource_name,
        pattern_type_filter=wanted.pattern_type,
        principal_filter=wanted.principal,
        host_filter=wanted.host,
        operation=wanted.operation,
        permission_type=wanted.permission,
    )


def _binding(
    kind: int, name: str, pattern: int, principal: str, host: str, operation: int, permission: int
) -> AclBinding:
    try:
        return AclBinding(
            AclResourceType(kind),
            name,
            principal,
            AclOperation(operation),
            AclPermission(permission),
            AclPatternType(pattern),
            host,
        )
    except ValueError as error:
        raise MalformedResponseError(f"an access control entry of another kind: {error}") from None
