"""Admin calls that only look: the cluster, its topics, its log directories."""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_cluster_response import DescribeClusterResponse
from barnabas.protocol.messages.describe_log_dirs_request import (
    DescribableLogDirTopic,
    DescribeLogDirsRequest,
)
from barnabas.protocol.messages.describe_log_dirs_response import (
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
)
from barnabas.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from barnabas.protocol.messages.describe_topic_partitions_response import (
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.messages.metadata_response import MetadataResponse, MetadataResponseTopic

from ..errors import UnsupportedVersionError, error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from .topics import Failures, raise_failures
from .values import (
    ClusterDescription,
    LogDirDescription,
    PartitionDescription,
    ReplicaLogDir,
    TopicDescription,
)


async def describe_cluster(cluster: Cluster, include_fenced: bool) -> ClusterDescription:
    """See `Admin.describe_cluster`."""

    async def attempt() -> ClusterDescription:
        connection = await cluster.any_connection()
        try:
            version = connection.version_of(DescribeClusterRequest)
        except UnsupportedVersionError:
            await cluster.refresh()
            seen = cluster.metadata
            return ClusterDescription(
                seen.cluster_id, seen.controller_id, tuple(seen.nodes.values())
            )
        request = DescribeClusterRequest()
        if version >= 2:
            request.include_fenced_brokers = include_fenced
        response = await connection.send(
            request, DescribeClusterResponse, version, cluster.request_timeout_s
        )
        if response.error_code:
            raise error_of(response.error_code, response.error_message)
        return ClusterDescription(
            response.cluster_id,
            response.controller_id,
            tuple(
                Node(each.broker_id, each.host, each.port, each.rack) for each in response.brokers
            ),
            frozenset(each.broker_id for each in response.brokers if each.is_fenced),
        )

    return await cluster.retrying(attempt, "describing the cluster")


async def all_topics(cluster: Cluster) -> list[MetadataResponseTopic]:
    """Every topic with its partitions, from Metadata."""

    async def attempt() -> list[MetadataResponseTopic]:
        request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
        response = await cluster.call_any(request, MetadataResponse)
        if response.error_code:
            raise error_of(response.error_code, "listing topics")
        return response.topics

    return await cluster.retrying(attempt, "listing topics")


async def list_topics(cluster: Cluster, include_internal: bool) -> dict[str, bytes]:
    """See `Admin.list_topics`."""
    return {
        each.name: each.topic_id
        for each in sorted(await all_topics(cluster), key=lambda one: one.name or "")
        if each.name and not each.error_code and (include_internal or not each.is_internal)
    }


async def describe_topics(
    cluster: Cluster, names: Sequence[str] | None
) -> dict[str, TopicDescription]:
    """See `Admin.describe_topics`."""
    if names is None:
        names = list(await list_topics(cluster, include_internal=True))
    if not names:
        return {}
    wanted = sorted(set(names))

    async def attempt() -> tuple[dict[str, TopicDescription], Failures]:
        connection = await cluster.any_connection()
        try:
            connection.version_of(DescribeTopicPartitionsRequest)
        except UnsupportedVersionError:
            return await describe_by_metadata(cluster, wanted)
        return await describe_by_cursor(cluster, wanted)

    found, failures = await cluster.retrying(attempt, "describing topics")
    raise_failures(failures)
    return found


async def describe_by_cursor(
    cluster: Cluster, names: Sequence[str]
) -> tuple[dict[str, TopicDescription], Failures]:
    """DescribeTopicPartitions, page by page."""
    found: dict[str, TopicDescription] = {}
    failures: Failures = {}
    cursor: Cursor | None = None
    while True:
        request = DescribeTopicPartitionsRequest(
            topics=[TopicRequest(name=name) for name in names], cursor=cursor
        )
        response = await cluster.call_any(request, DescribeTopicPartitionsResponse)
        for topic in response.topics:
            name = topic.name or ""
            if topic.error_code:
                failures[name] = error_of(topic.error_code, name)
                continue
            before = found[name].partitions if name in found else ()
            more = tuple(description_of(each) for each in topic.partitions)
            found[name] = TopicDescription(name, topic.topic_id, topic.is_internal, before + more)
        following = response.next_cursor
        if following is None:
            return found, failures
        last = (cursor.topic_name, cursor.partition_index) if cursor else ("", -1)
        if (following.topic_name, following.partition_index) <= last:
            raise error_of(-1, "DescribeTopicPartitions: the cursor does not move")
        cursor = Cursor(topic_name=following.topic_name, partition_index=following.partition_index)
        names = [name for name in names if name >= cursor.topic_name]


def description_of(answer: DescribeTopicPartitionsResponsePartition) -> PartitionDescription:
    """One partition as DescribeTopicPartitions tells it."""
    return PartitionDescription(
        answer.partition_index,
        answer.leader_id if answer.leader_id >= 0 else None,
        answer.leader_epoch,
        tuple(answer.replica_nodes),
        tuple(answer.isr_nodes),
        tuple(answer.offline_replicas),
        tuple(answer.eligible_leader_replicas or ()),
        tuple(answer.last_known_elr or ()),
    )


async def describe_by_metadata(
    cluster: Cluster, names: Sequence[str]
) -> tuple[dict[str, TopicDescription], Failures]:
    """The same from Metadata, for brokers before 3.8."""
    request = MetadataRequest(
        topics=[MetadataRequestTopic(name=name) for name in names],
        allow_auto_topic_creation=False,
    )
    response = await cluster.call_any(request, MetadataResponse)
    found: dict[str, TopicDescription] = {}
    failures: Failures = {}
    for topic in response.topics:
        name = topic.name or ""
        if topic.error_code:
            failures[name] = error_of(topic.error_code, name)
            continue
        partitions = tuple(
            PartitionDescription(
                each.partition_index,
                each.leader_id if each.leader_id >= 0 else None,
                each.leader_epoch,
                tuple(each.replica_nodes),
                tuple(each.isr_nodes),
                tuple(each.offline_replicas),
            )
            for each in sorted(topic.partitions, key=lambda one: one.partition_index)
        )
        found[name] = TopicDescription(name, topic.topic_id, topic.is_internal, partitions)
    return found, failures


async def describe_log_dirs(
    cluster: Cluster, brokers: Sequence[int] | None, partitions: Sequence[TopicPartition] | None
) -> list[LogDirDescription]:
    """See `Admin.describe_log_dirs`."""
    wanted: dict[str, DescribableLogDirTopic] = {}
    for topic, partition in partitions or ():
        entry = wanted.setdefault(topic, DescribableLogDirTopic(topic=topic, partitions=[]))
        entry.partitions.append(partition)
    request = DescribeLogDirsRequest(topics=None if partitions is None else list(wanted.values()))

    async def attempt() -> list[LogDirDescription]:
        await cluster.refresh()
        nodes = cluster.metadata.nodes
        chosen = sorted(nodes) if brokers is None else list(brokers)
        found: list[LogDirDescription] = []
        for node_id in chosen:
            if node_id not in nodes:
                raise error_of(8, f"there is no broker {node_id} in the cluster")
            response = await cluster.call_node(nodes[node_id], request, DescribeLogDirsResponse)
            if response.error_code:
                raise error_of(response.error_code, f"node {node_id}")
            found.extend(log_dir_of(node_id, each) for each in response.results)
        return found

    return await cluster.retrying(attempt, "describing log directories")


def log_dir_of(node_id: int, answer: DescribeLogDirsResult) -> LogDirDescription:
    """One log directory as its broker describes it."""
    replicas = tuple(
        ReplicaLogDir(
            topic.name,
            each.partition_index,
            each.partition_size,
            each.offset_lag,
            each.is_future_key,
        )
        for topic in answer.topics
        for each in topic.partitions
    )
    return LogDirDescription(
        node_id,
        answer.log_dir,
        replicas,
        answer.total_bytes,
        answer.usable_bytes,
        answer.error_code,
    )
