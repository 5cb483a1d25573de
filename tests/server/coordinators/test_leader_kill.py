"""Three brokers on one loop: committed offsets survive their coordinators."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from kit.raw_client import RawClient

from barnabas.client import Admin, NewTopic
from barnabas.protocol.message import Message
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from barnabas.testing.cluster import Cluster

RETRIABLE = {14, 15, 16}
GROUP = "g"


class GroupClient:
    """Asks the coordinator of one group, whoever that is."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.coordinator = -1

    async def ask(self, request: Message, version: int) -> Any:
        """The first answer without an error that says: later, or elsewhere."""
        while True:
            for address in self._cluster.bootstrap.split(","):
                with suppress(OSError, EOFError, TimeoutError):
                    answer = await self._once(address, request, version)
                    if answer is not None and not codes(answer) & RETRIABLE:
                        return answer
            await asyncio.sleep(0.02)  # clients back off: there is nothing to wait on

    async def _once(self, address: str, request: Message, version: int) -> Any:
        host, _, port = address.partition(":")
        async with RawClient(host, int(port)) as client:
            found = await client.ask(FindCoordinatorRequest(coordinator_keys=[GROUP]), 4)
        (one,) = found.coordinators
        if one.error_code:
            return None
        async with RawClient(one.host, one.port) as client:
            answer = await client.ask(request, version)
        self.coordinator = one.node_id
        return answer

    async def commit(self, offset: int) -> None:
        row = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
        topic = OffsetCommitRequestTopic(name="t", partitions=[row])
        answer = await self.ask(OffsetCommitRequest(group_id=GROUP, topics=[topic]), 9)
        assert codes(answer) == {0}

    async def fetch(self) -> int:
        one = OffsetFetchRequestGroup(group_id=GROUP, topics=None)
        answer = await self.ask(OffsetFetchRequest(groups=[one]), 9)
        offset: int = answer.groups[0].topics[0].partitions[0].committed_offset
        return offset


def codes(answer: Any) -> set[int]:
    """All error codes of an answer."""
    if hasattr(answer, "groups"):
        return {group.error_code for group in answer.groups}
    return {row.error_code for topic in answer.topics for row in topic.partitions}


@pytest.mark.slow
async def test_no_committed_offset_goes_back_when_coordinators_die() -> None:
    """What was acknowledged is told by the next coordinator, and by the one after a restart
    (CRT-06, CRT-13, CRT-14)."""
    settings = {"offsets.topic.num.partitions": 2, "min.insync.replicas": 2}
    async with Cluster(brokers=3, settings=settings) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 3)])
        client = GroupClient(cluster)
        offset = 0
        await client.commit(offset)
        # Whichever node is the controller, the topic is what the broker wanted (REC-04).
        assert len(cluster.image.topics_by_name["__consumer_offsets"].partitions) == 2
        for _ in range(2):
            for _ in range(20):
                offset += 1
                await client.commit(offset)
            killed = client.coordinator
            await cluster.kill(killed)
            assert await client.fetch() == offset
            assert client.coordinator != killed
            offset += 1
            await client.commit(offset)
            await cluster.start(killed)
            assert await client.fetch() == offset
            for number in range(2):
                await cluster.wait_for_isr("__consumer_offsets", number, (1, 2, 3))
