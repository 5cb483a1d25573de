"""Offsets of partitions by time, or their first and last ones: ListOffsets to the leaders,
retried."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.list_offsets_response import ListOffsetsResponse

from ..errors import BrokerError, UnsupportedVersionError, error_of, is_retriable
from ..structs import OffsetAndTimestamp, TopicPartition
from .cluster import Cluster
from .metadata import Node

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
CONSUMER = -1
ANY_REPLICA = -2
"""The replica id in a request: a consumer (-1) is answered by leaders only, -2 by any replica."""

LIST_OFFSETS_VERSION_MAX = 10
SINCE = {MAX_TIMESTAMP: 7, -4: 8, -5: 9}
"""The version from which on a number below zero is no time: older brokers answer with the first
record that is not before it, which is the first of all."""

Wanted = Mapping[TopicPartition, int]
Found = dict[TopicPartition, OffsetAndTimestamp]


async def list_offsets(
    cluster: Cluster, wanted: Wanted, *, isolation: int = 0, timeout_s: float | None = None
) -> Found:
    """The offset of each partition at a time in milliseconds, or at LATEST, EARLIEST,
    MAX_TIMESTAMP.

    A partition without a record at or after that time has the offset -1.

    Raises:
        BrokerError: the first partition that failed; `failures` has all of them.
        ClientTimeoutError: not done within `default_api_timeout_ms`.
    """
    found: Found = {}

    async def attempt() -> Found:
        missing = {each: when for each, when in wanted.items() if each not in found}
        failures: dict[object, BrokerError] = {}
        results = await asyncio.gather(
            *[
                ask_replica(cluster, node, part, isolation)
                for node, part in (await by_leader(cluster, missing)).items()
            ],
            return_exceptions=True,
        )
        lost: list[BaseException] = []
        for result in results:
            if isinstance(result, BaseException):
                lost.append(result)
                continue
            found.update(result[0])
            failures.update(result[1])
        raise_first(failures, lost)
        return found

    return await cluster.retrying(attempt, "listing offsets", timeout_s)


def raise_first(failures: dict[object, BrokerError], lost: list[BaseException]) -> None:
    """Raise errors that are final before those that can be retried, which would hide them."""
    for error in lost:
        if not is_retriable(error):
            raise error
    ordered = sorted(failures.values(), key=is_retriable)
    if ordered:
        ordered[0].failures = failures
        raise ordered[0]
    if lost:
        raise lost[0]


async def by_leader(cluster: Cluster, wanted: Wanted) -> dict[Node, dict[TopicPartition, int]]:
    """Group the partitions by the node that leads them."""
    cluster.track(each.topic for each in wanted)
    grouped: dict[Node, dict[TopicPartition, int]] = {}
    for each, when in wanted.items():
        grouped.setdefault(await cluster.leader(*each), {})[each] = when
    return grouped


async def ask_replica(
    cluster: Cluster,
    node: Node,
    wanted: Mapping[TopicPartition, int],
    isolation: int,
    replica_id: int = CONSUMER,
) -> tuple[Found, dict[object, BrokerError]]:
    """One ListOffsets request; errors of partitions are returned beside the offsets. A follower
    answers only if asked as `ANY_REPLICA` (392-10)."""
    topics: dict[str, ListOffsetsTopic] = {}
    for (topic, partition), when in wanted.items():
        entry = topics.setdefault(topic, ListOffsetsTopic(name=topic, partitions=[]))
        entry.partitions.append(
            ListOffsetsPartition(
                partition_index=partition,
                timestamp=when,
                current_leader_epoch=cluster.metadata.leader_epoch(topic, partition),
            )
        )
    request = ListOffsetsRequest(
        replica_id=replica_id, isolation_level=isolation, topics=list(topics.values())
    )
    connection = await cluster.connection(node)
    version = connection.version_of(request, LIST_OFFSETS_VERSION_MAX)
    needed = max((SINCE.get(when, 0) for when in wanted.values()), default=0)
    if version < needed:
        raise UnsupportedVersionError(
            f"{node} lists offsets in version {version}; what is asked for needs {needed}"
        )
    response = await connection.call(
        request, ListOffsetsResponse, timeout_s=cluster.request_timeout_s, at_most=version
    )
    found: Found = {}
    failures: dict[object, BrokerError] = {}
    for answer in response.topics:
        for each in answer.partitions:
            key = TopicPartition(answer.name, each.partition_index)
            if each.error_code:
                failures[key] = error_of(each.error_code, f"{key}: looking for an offset")
            else:
                found[key] = OffsetAndTimestamp(each.offset, each.timestamp, each.leader_epoch)
    for key in wanted:
        if key not in found and key not in failures:
            failures[key] = error_of(
                ErrorCode.UNKNOWN_SERVER_ERROR, f"{key}: {node} did not answer for it"
            )
    return found, failures
