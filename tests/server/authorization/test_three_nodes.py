"""A cluster of three with an authorizer: its nodes are super users, and work as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.client import AclBinding, AclOperation, AclResourceType, Admin, NewTopic, Producer

from ..clusters import cluster

pytestmark = pytest.mark.slow


async def test_nodes_that_are_super_users(tmp_path: Path) -> None:
    """ACL-09, ACL-16, FWD-01: replication and registration go on; an entry reaches every node."""
    async with cluster(
        tmp_path,
        combined=3,
        authorizer_class_name=STANDARD_AUTHORIZER,
        super_users="User:ANONYMOUS",
        audit_enable=False,
    ) as nodes:
        async with Admin(bootstrap_servers=nodes.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 3, 3)])
            entry = AclBinding(AclResourceType.TOPIC, "t", "User:alice", AclOperation.READ)
            await admin.create_acls([entry])
            for node in nodes.nodes.values():
                assert len(node.image.security.acls) == 1
            assert await admin.describe_acls() == [entry]
        async with Producer(bootstrap_servers=nodes.bootstrap, acks="all") as producer:
            for number in range(9):
                await producer.send_and_wait("t", b"x", partition=number % 3)
        topic = nodes.active.image.topics_by_name["t"]
        assert [len(one.isr) for one in topic.partitions.values()] == [3, 3, 3]
