"""CreateAcls, DescribeAcls and DeleteAcls, as a controller answers them."""

from __future__ import annotations

from typing import Any

import pytest
from kit.list_logger import ListLogger

from barnabas.broker.core.cluster import acl_changes
from barnabas.broker.core.security.acl import Acl
from barnabas.broker.core.security.authorizer import Authorizer
from barnabas.broker.core.security.resources import Operation, PatternType, Permission, ResourceType
from barnabas.broker.observe.audit import Audit
from barnabas.broker.serving.rights import AccessControl
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest

from .asking import Asking

READ_T = Acl(
    ResourceType.TOPIC,
    "t",
    PatternType.LITERAL,
    "User:alice",
    "*",
    Operation.READ,
    Permission.ALLOW,
)


def asking(*super_users: str) -> tuple[Asking, ListLogger]:
    """A controller with an authorizer, asked by `User:ANONYMOUS`; and its audit."""
    found, log = Asking(1), ListLogger()
    authorizer = Authorizer(
        lambda: found.cluster.image.security.acls, super_users=super_users or ("User:ANONYMOUS",)
    )
    found.guard(AccessControl(authorizer, Audit(log, lambda: 0.0, 1000)))
    return found, log


async def create(at: Asking, *acls: Acl, version: int = 3) -> list[tuple[int, str | None]]:
    creations = [
        AclCreation(
            resource_type=one.kind,
            resource_name=one.name,
            resource_pattern_type=one.pattern,
            principal=one.principal,
            host=one.host,
            operation=one.operation,
            permission_type=one.permission,
        )
        for one in acls
    ]
    answer = await at.ask(CreateAclsRequest(creations=creations), version)
    return [(one.error_code, one.error_message) for one in answer.results]


async def describe(at: Asking, version: int = 3, **wanted: Any) -> Any:
    fields = {
        "resource_type_filter": 1,
        "resource_name_filter": None,
        "pattern_type_filter": 1,
        "principal_filter": None,
        "host_filter": None,
        "operation": 1,
        "permission_type": 1,
    }
    return await at.ask(DescribeAclsRequest(**{**fields, **wanted}), version)


def wanted(**changes: Any) -> DeleteAclsFilter:
    fields = {
        "resource_type_filter": 1,
        "resource_name_filter": None,
        "pattern_type_filter": 1,
        "principal_filter": None,
        "host_filter": None,
        "operation": 1,
        "permission_type": 1,
    }
    return DeleteAclsFilter(**{**fields, **changes})


@pytest.mark.parametrize("version", range(1, 4))
async def test_entries_come_and_go(version: int) -> None:
    """ACL-01, ACL-14, ACL-15: created once, described by resource, deleted once."""
    at, log = asking()
    write_t = READ_T._replace(operation=Operation.WRITE)
    assert await create(at, READ_T, READ_T, write_t, version=version) == [(0, None)] * 3
    assert await create(at, READ_T, version=version) == [(0, None)]
    assert len(at.cluster.image.security.acls) == 2
    assert at.cluster.replayed() == at.cluster.image
    answer = await describe(at, version)
    (resource,) = answer.resources
    assert (resource.resource_type, resource.resource_name, resource.pattern_type) == (2, "t", 3)
    assert [one.operation for one in resource.acls] == [Operation.READ, Operation.WRITE]
    request = DeleteAclsRequest(filters=[wanted(operation=3), wanted(), wanted(host_filter="h")])
    results = (await at.ask(request, version)).filter_results
    assert [len(one.matching_acls) for one in results] == [1, 2, 0]
    assert not any(one.error_code for one in results)
    assert len(at.cluster.image.security.acls) == 0
    assert at.cluster.replayed() == at.cluster.image
    changes = [event for _, event, _ in log.lines]
    assert changes.count("deleted") == 2
    assert changes.count("created") == 4, "each answer of 0 is told"


@pytest.mark.parametrize(
    ("acl", "reason"),
    [
        (READ_T._replace(kind=ResourceType.CLUSTER), "kafka-cluster"),
        (READ_T._replace(name=""), "empty"),
        (READ_T._replace(principal="alice"), "TYPE:NAME"),
        *((READ_T._replace(kind=code), "resource type") for code in (0, 1, 8, 100)),
        *((READ_T._replace(pattern=code), "pattern type") for code in (0, 1, 2, 5)),
        *((READ_T._replace(operation=code), "operation") for code in (0, 1, 16)),
        *((READ_T._replace(permission=code), "permission type") for code in (0, 1, 4)),
    ],
)
async def test_entries_that_are_refused(acl: Acl, reason: str) -> None:
    """ACL-13: 42 on that entry, which says why; the others are created."""
    at, _ = asking()
    (first, second) = await create(at, acl, READ_T)
    assert first[0] == ErrorCode.INVALID_REQUEST
    assert reason in (first[1] or "")
    assert second == (0, None)
    assert [one for _, one in at.cluster.image.security.acls.items()] == [READ_T]


async def test_entries_that_only_look_odd() -> None:
    """ACL-13: what Kafka does not check either."""
    at, _ = asking()
    odd = [
        READ_T._replace(host="not an address"),
        READ_T._replace(principal=":"),
        READ_T._replace(operation=Operation.CLUSTER_ACTION),
        READ_T._replace(kind=4, name="kafka-cluster", pattern=PatternType.PREFIXED),
    ]
    assert [code for code, _ in await create(at, *odd)] == [0] * 4


async def test_too_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACL-13, ACL-15, ATK-43: more than the limit changes nothing."""
    assert acl_changes.CHANGES_MAX == 10_000
    monkeypatch.setattr(acl_changes, "CHANGES_MAX", 20)
    at, _ = asking()
    many = [READ_T._replace(name=str(number)) for number in range(21)]
    codes = {code for code, _ in await create(at, *many)}
    assert codes == {ErrorCode.INVALID_REQUEST}
    assert len(at.cluster.image.security.acls) == 0
    await create(at, *many[1:])
    await create(at, many[0])
    answer = await at.ask(DeleteAclsRequest(filters=[wanted()]), 3)
    assert answer.filter_results[0].error_code == ErrorCode.INVALID_REQUEST
    assert len(at.cluster.image.security.acls) == 21


async def test_filters_with_a_code_that_stands_for_nothing() -> None:
    """ACL-13..15: 42, on the filter where there are several, and the connection stays."""
    at, _ = asking()
    await create(at, READ_T)
    assert (await describe(at, operation=0)).error_code == ErrorCode.INVALID_REQUEST
    assert (await describe(at, operation=99)).resources == []
    request = DeleteAclsRequest(filters=[wanted(permission_type=0), wanted()])
    bad, good = (await at.ask(request, 3)).filter_results
    assert (bad.error_code, good.error_code) == (ErrorCode.INVALID_REQUEST, 0)
    assert len(good.matching_acls) == 1


async def test_without_an_authorizer() -> None:
    """ACL-10: 54, at the top or on each entry and filter."""
    at = Asking(1)
    assert (await create(at, READ_T, READ_T))[1][0] == ErrorCode.SECURITY_DISABLED
    assert (await describe(at)).error_code == ErrorCode.SECURITY_DISABLED
    answer = await at.ask(DeleteAclsRequest(filters=[wanted()]), 3)
    assert answer.filter_results[0].error_code == ErrorCode.SECURITY_DISABLED


async def test_what_is_not_loaded_yet() -> None:
    """ACL-22: super users are answered, others are told to come back."""
    at, _ = asking()
    acls = at.cluster.image.security.acls
    authorizer = Authorizer(lambda: acls, allows_without_acl=True)
    at.guard(AccessControl(authorizer, is_loaded=lambda: False))
    assert (await describe(at)).error_code == ErrorCode.NOT_CONTROLLER
    authorizer = Authorizer(lambda: acls, super_users=("User:ANONYMOUS",))
    at.guard(AccessControl(authorizer, is_loaded=lambda: False))
    assert (await describe(at)).error_code == 0


async def test_the_audit_tells_of_refusals() -> None:
    """SEC-05, SEC-06, ATK-43: who, what, by which rule; texts of clients are cut."""
    at, log = asking("User:somebody")
    assert (await describe(at)).error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    ((level, outcome, fields),) = log.lines
    assert (level, outcome) == ("info", "denied")
    assert fields["principal"] == "User:ANONYMOUS"
    assert (fields["api"], fields["version"]) == ("DescribeAcls", 3)
    assert fields["operation"] == "DESCRIBE"
    assert fields["resource"] == "Cluster:LITERAL:kafka-cluster"
    assert fields["rule"] == "DefaultDeny"
    at, log = asking()
    await create(at, READ_T._replace(principal="User:" + "x\n" * 1000))
    (created,) = log.events("created")
    assert len(str(created["acl"])) < 300


async def test_entries_that_match_nobody() -> None:
    """ACL-05: they are taken, as in Kafka, and the log says so in one line a request."""
    at, _ = asking()
    hosts = ("*", "10.0.0.1", "::1", "localhost", "10.0.0.0/8", "10.0.0.*")
    outcomes = await create(at, *(READ_T._replace(host=host) for host in hosts))
    assert [code for code, _ in outcomes] == [0] * len(hosts)
    ((level, event, fields),) = at.log.lines
    assert level == "warning"
    assert "matches nobody" in event
    assert fields["others"] == 2
    assert "localhost" in str(fields["entry"])
    await create(at, READ_T._replace(host="localhost", name=""))
    assert len(at.log.lines) == 1, "what is refused is not warned of"
