"""Requests about groups and offsets, as tests of handlers send them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from barnabas.protocol.primitives import ZERO_UUID


async def loaded(node: Node) -> None:
    """Wait until this node has loaded all groups that it leads."""
    await until(lambda: not node.broker.groups.figures()["GroupCoordinator.ShardsLoading"])


Offsets = Mapping[tuple[str, int], int]


async def find(client: RawClient, group: str = "g") -> Any:
    """Find the coordinator of a group, which makes the topic."""
    answer = await client.ask(FindCoordinatorRequest(coordinator_keys=[group]), 6)
    return answer.coordinators[0]


def commit_request(
    offsets: Offsets, group: str = "g", topic_id: bytes = ZERO_UUID, **fields: Any
) -> OffsetCommitRequest:
    """A request of nobody in particular, unless `fields` say else."""
    topics: dict[str, OffsetCommitRequestTopic] = {}
    for (name, index), offset in offsets.items():
        topic = topics.setdefault(name, OffsetCommitRequestTopic(name=name, topic_id=topic_id))
        topic.partitions.append(
            OffsetCommitRequestPartition(
                partition_index=index,
                committed_offset=offset,
                committed_metadata=fields.get("metadata"),
            )
        )
    others = {name: value for name, value in fields.items() if name != "metadata"}
    return OffsetCommitRequest(group_id=group, topics=list(topics.values()), **others)


async def commit(
    client: RawClient, offsets: Offsets, group: str = "g", version: int = 9, **fields: Any
) -> list[int]:
    """Commit; the codes in the order of the request."""
    answer = await client.ask(commit_request(offsets, group, **fields), version)
    return [one.error_code for topic in answer.topics for one in topic.partitions]


def fetch_request(
    wanted: Sequence[tuple[str, int]] | None,
    version: int,
    group: str = "g",
    *,
    is_stable: bool = False,
    **fields: Any,
) -> OffsetFetchRequest:
    """A request for these partitions, or for all, in the form of the version."""
    topics: dict[str, list[int]] = {}
    for name, index in wanted or ():
        topics.setdefault(name, []).append(index)
    if version < 8:
        old = [OffsetFetchRequestTopic(name=n, partition_indexes=i) for n, i in topics.items()]
        request = OffsetFetchRequest(group_id=group, topics=None if wanted is None else old)
    else:
        new = [OffsetFetchRequestTopics(name=n, partition_indexes=i) for n, i in topics.items()]
        one = OffsetFetchRequestGroup(
            group_id=group, topics=None if wanted is None else new, **fields
        )
        request = OffsetFetchRequest(groups=[one])
    request.require_stable = is_stable
    return request


async def fetched(
    client: RawClient,
    wanted: Sequence[tuple[str, int]] | None = None,
    group: str = "g",
    version: int = 9,
    **fields: Any,
) -> dict[tuple[str, int], tuple[int, str, int]]:
    """Offset, metadata and code of each partition; fails for an error of the whole group."""
    answer = await client.ask(fetch_request(wanted, version, group, **fields), version)
    found = answer if version < 8 else answer.groups[0]
    assert found.error_code == 0, answer
    return {
        (topic.name, one.partition_index): (one.committed_offset, one.metadata, one.error_code)
        for topic in found.topics
        for one in topic.partitions
    }
