"""Apache Kafka with an authorizer and logins, as a place to walk the table at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from operator import eq
from pathlib import Path
from typing import Final

from kit.authorization import acl_for
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess
from kit.kafka_secured import kafka_settings
from kit.raw_client import RawClient
from kit.secured import ADMIN, ADMIN_PASSWORD, USER, log_in
from kit.waiting import eventually

from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

_ANY: Final = 1


_SETTINGS: Final = {
    **kafka_settings("SASL_PLAINTEXT"),
    "offsets.topic.num.partitions": "2",
    "transaction.state.log.num.partitions": "2",
    "group.initial.rebalance.delay.ms": "0",
}


class KafkaPlace:
    """A node of Kafka where nobody but the admin may do anything yet."""

    def __init__(self, kafka: KafkaProcess, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._port = int(kafka.address.rpartition(":")[2])
        self._controller_port = int(kafka.controller_address.rpartition(":")[2])

    async def open(self) -> None:
        """Log everybody in."""
        self.client = await self._log_in(self._port)
        self.controller = await self._log_in(self._controller_port)
        self._admin = await self._log_in(self._port, ADMIN, ADMIN_PASSWORD)
        self._admin_there = await self._log_in(self._controller_port, ADMIN, ADMIN_PASSWORD)

    async def _log_in(self, port: int, *who: str) -> RawClient:
        client = await self._stack.enter_async_context(RawClient("127.0.0.1", port))
        await log_in(client, "PLAIN", *who)
        return client

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[RawClient]:
        """One more connection of the client, logged in."""
        async with RawClient("127.0.0.1", self._port) as client:
            await log_in(client)
            yield client

    async def create_topic(self, name: str) -> None:
        """Of one partition; the broker knows it when this returns."""
        wanted = CreatableTopic(name=name, num_partitions=1, replication_factor=1)
        answer = await self._admin.ask(CreateTopicsRequest(topics=[wanted], timeout_ms=5000), 7)
        assert answer.topics[0].error_code == 0, answer
        asked = MetadataRequest(
            topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=False
        )
        await eventually(
            lambda: self._admin.ask(asked, 12), lambda told: told.topics[0].error_code == 0
        )

    async def grant(self, *grants: str) -> None:
        """Give rights, in the words of the table; the broker and the controller obey."""
        if not grants:
            return
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
            for one in (acl_for(grant, f"User:{USER}") for grant in grants)
        ]
        before = await self._counted(self._admin_there)
        answer = await self._admin.ask(CreateAclsRequest(creations=creations), 3)
        assert not any(one.error_code for one in answer.results), answer
        await self._everywhere(before + len(set(grants)))

    async def revoke_all(self) -> None:
        """Take all rights away; the broker and the controller obey."""
        every = DeleteAclsFilter(
            resource_type_filter=_ANY,
            resource_name_filter=None,
            pattern_type_filter=_ANY,
            principal_filter=None,
            host_filter=None,
            operation=_ANY,
            permission_type=_ANY,
        )
        answer = await self._admin.ask(DeleteAclsRequest(filters=[every]), 3)
        assert answer.filter_results[0].error_code == 0, answer
        await self._everywhere(0)

    async def _everywhere(self, count: int) -> None:
        """ACL-16: the answer comes when the change is committed; each listener's node has it soon
        after."""
        for admin in (self._admin, self._admin_there):
            await eventually(partial(self._counted, admin), partial(eq, count))

    async def _counted(self, admin: RawClient) -> int:
        asked = DescribeAclsRequest(
            resource_type_filter=_ANY,
            resource_name_filter=None,
            pattern_type_filter=_ANY,
            principal_filter=None,
            host_filter=None,
            operation=_ANY,
            permission_type=_ANY,
        )
        told = await admin.ask(asked, 3)
        assert told.error_code == 0, told
        return sum(len(resource.acls) for resource in told.resources)


@asynccontextmanager
async def kafka_place(jars: KafkaJars, directory: Path) -> AsyncIterator[KafkaPlace]:
    """A process of its own, formatted anew."""
    process = KafkaProcess(jars, directory, _SETTINGS)
    try:
        process.start()
        async with AsyncExitStack() as stack:
            place = KafkaPlace(process, stack)
            await place.open()
            yield place
    finally:
        process.stop()
