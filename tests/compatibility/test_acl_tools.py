"""Kafka's own tool and librdkafka's admin client add, list and remove access control entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # its stubs export too little
    AclBinding,  # pyright: ignore[reportPrivateImportUsage]
    AclBindingFilter,  # pyright: ignore[reportPrivateImportUsage]
    AclOperation,  # pyright: ignore[reportPrivateImportUsage]
    AclPermissionType,  # pyright: ignore[reportPrivateImportUsage]
    AdminClient,
    ResourcePatternType,  # pyright: ignore[reportPrivateImportUsage]
    ResourceType,  # pyright: ignore[reportPrivateImportUsage]
)
from kit.kafka_jars import KafkaJars

from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "audit.enable": "false",
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """Whoever comes may change entries there."""
    settings = {**AUTHORIZER, "super.users": "User:ANONYMOUS"}
    with NodeProcess(tmp_path_factory.mktemp("open") / "data", settings=settings) as process:
        yield process


@pytest.fixture(scope="module")
def closed_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """Whoever comes may do nothing there."""
    with NodeProcess(tmp_path_factory.mktemp("closed") / "data", settings=AUTHORIZER) as process:
        yield process


@pytest.mark.kafka
def test_kafkas_own_tool(
    node: NodeProcess, closed_node: NodeProcess, kafka_jars: KafkaJars
) -> None:
    """ACL-13..15: kafka-acls.sh --add, --list and --remove; and what it says without the right."""

    def acls(at: NodeProcess, *arguments: str) -> str:
        done = kafka_jars.run(
            "org.apache.kafka.tools.AclCommand", "--bootstrap-server", at.bootstrap, *arguments
        )
        return done.stdout + done.stderr

    alice = ("--allow-principal", "User:alice")
    acls(node, "--add", *alice, "--operation", "Read", "--topic", "flights")
    acls(
        node, "--add", *alice, "--producer", "--topic", "team-", "--resource-pattern-type=PREFIXED"
    )
    listed = acls(node, "--list")
    assert "resourceType=TOPIC, name=flights, patternType=LITERAL" in listed
    assert "operation=READ, permissionType=ALLOW" in listed
    assert "resourceType=TOPIC, name=team-, patternType=PREFIXED" in listed
    matching = acls(node, "--list", "--topic", "team-a", "--resource-pattern-type=MATCH")
    assert "team-" in matching
    assert "flights" not in matching
    acls(node, "--remove", "--force", "--topic", "flights")
    assert "flights" not in acls(node, "--list")
    refused = acls(closed_node, "--list")
    assert "Cluster authorization failed" in refused


def test_librdkafka(node: NodeProcess, closed_node: NodeProcess) -> None:
    """ACL-13..15: create, describe and delete; and the error without the right."""
    admin = AdminClient({"bootstrap.servers": node.bootstrap})
    binding = AclBinding(
        ResourceType.GROUP,
        "team-",
        ResourcePatternType.PREFIXED,
        "User:bob",
        "10.0.0.1",
        AclOperation.READ,
        AclPermissionType.DENY,
    )
    anything: Any = None  # the stubs do not know that it may be
    wanted = AclBindingFilter(
        ResourceType.ANY,
        anything,
        ResourcePatternType.ANY,
        "User:bob",
        anything,
        AclOperation.ANY,
        AclPermissionType.ANY,
    )
    (created,) = admin.create_acls([binding]).values()
    created.result(30)
    assert admin.describe_acls(wanted).result(30) == [binding]
    (deleted,) = admin.delete_acls([wanted]).values()
    assert deleted.result(30) == [binding]
    assert admin.describe_acls(wanted).result(30) == []
    stranger = AdminClient({"bootstrap.servers": closed_node.bootstrap})
    # It does not tell of an error of DescribeAcls, but of this one.
    (refused,) = stranger.create_acls([binding]).values()
    with pytest.raises(KafkaException, match="CLUSTER_AUTHORIZATION_FAILED"):
        refused.result(30)
