"""Goal: calls about access control entries ask for what they say, and raise what was refused."""

from __future__ import annotations

import pytest

from barnabas.client import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPatternType,
    AclPermission,
    AclResourceType,
)
from barnabas.client.errors import BrokerError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import create_acls_response as created
from barnabas.protocol.messages import delete_acls_response as deleted
from barnabas.protocol.messages import describe_acls_response as described

from .admins import admin_of, answering
from .fake_cluster import FakeCluster

READ = AclBinding(AclResourceType.TOPIC, "t", "User:alice", AclOperation.READ)
DENY = AclBinding(
    AclResourceType.GROUP,
    "g",
    "User:bob",
    AclOperation.ALL,
    AclPermission.DENY,
    AclPatternType.PREFIXED,
    "10.0.0.1",
)


async def test_entries_are_created() -> None:
    refused = created.AclCreationResult(
        error_code=int(ErrorCode.INVALID_REQUEST), error_message="no such thing"
    )
    good = created.AclCreationResult(error_message=None)
    async with FakeCluster() as cluster:
        moved = created.AclCreationResult(error_code=int(ErrorCode.NOT_CONTROLLER))
        answering(
            cluster,
            30,
            (1, 3),
            created.CreateAclsResponse(results=[moved, moved]),
            created.CreateAclsResponse(results=[good, refused]),
        )
        async with admin_of(cluster) as admin:
            with pytest.raises(BrokerError, match="no such thing") as caught:
                await admin.create_acls([READ, DENY])
        assert list(caught.value.failures) == [DENY]
        asked, again = cluster.node.of("CreateAcls")
        assert again.creations == asked.creations, "asked again while the controller moved"
        first, second = asked.creations
        assert (first.resource_type, first.resource_name, first.resource_pattern_type) == (
            2,
            "t",
            3,
        )
        assert (first.principal, first.host, first.operation) == ("User:alice", "*", 3)
        assert (second.host, second.permission_type, second.resource_pattern_type) == (
            "10.0.0.1",
            2,
            4,
        )


async def test_entries_are_described() -> None:
    one = described.AclDescription(principal="User:alice", host="*", operation=3, permission_type=3)
    resource = described.DescribeAclsResource(
        resource_type=2, resource_name="t", pattern_type=3, acls=[one]
    )
    async with FakeCluster() as cluster:
        answering(
            cluster,
            29,
            (1, 3),
            described.DescribeAclsResponse(error_message=None, resources=[resource]),
            described.DescribeAclsResponse(
                error_code=int(ErrorCode.SECURITY_DISABLED), error_message="no authorizer"
            ),
        )
        async with admin_of(cluster) as admin:
            assert await admin.describe_acls() == [READ]
            with pytest.raises(BrokerError, match="no authorizer"):
                await admin.describe_acls(
                    AclBindingFilter(resource_name="t", pattern_type=AclPatternType.MATCH)
                )
        everything, some = cluster.node.of("DescribeAcls")
        assert everything.resource_name_filter is everything.principal_filter is None
        assert (everything.pattern_type_filter, everything.operation) == (1, 1)
        assert (some.resource_name_filter, some.pattern_type_filter) == ("t", 2)


async def test_entries_are_deleted() -> None:
    found = deleted.DeleteAclsMatchingAcl(
        error_message=None,
        resource_type=2,
        resource_name="t",
        pattern_type=3,
        principal="User:alice",
        host="*",
        operation=3,
        permission_type=3,
    )
    results = [
        deleted.DeleteAclsFilterResult(error_message=None, matching_acls=[found]),
        deleted.DeleteAclsFilterResult(error_message=None),
    ]
    async with FakeCluster() as cluster:
        answering(cluster, 31, (1, 3), deleted.DeleteAclsResponse(filter_results=results))
        async with admin_of(cluster) as admin:
            wanted = [AclBindingFilter(principal="User:alice"), AclBindingFilter(host="h")]
            assert await admin.delete_acls(wanted) == [[READ], []]
        (asked,) = cluster.node.of("DeleteAcls")
        assert [one.principal_filter for one in asked.filters] == ["User:alice", None]
