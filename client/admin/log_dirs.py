"""Admin calls about the log directories in which brokers keep their replicas."""

from __future__ import annotations

from collections.abc import Mapping

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from barnabas.protocol.messages.alter_replica_log_dirs_response import AlterReplicaLogDirsResponse

from ..errors import error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .topics import Failures, raise_failures


async def alter_replica_log_dirs(
    cluster: Cluster, broker: int, wanted: Mapping[TopicPartition, str]
) -> None:
    """See `Admin.alter_replica_log_dirs`."""
    request = request_of(wanted)
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        await cluster.refresh()
        node = cluster.metadata.nodes.get(broker)
        if node is None:
            raise error_of(
                ErrorCode.BROKER_NOT_AVAILABLE, f"there is no broker {broker} in the cluster"
            )
        response = await cluster.call_node(node, request, AlterReplicaLogDirsResponse)
        for topic in response.results:
            for each in topic.partitions:
                if each.error_code:
                    key = TopicPartition(topic.topic_name, each.partition_index)
                    failures[key] = error_of(each.error_code, f"{key} on node {broker}")

    await cluster.retrying(attempt, "moving replicas to other log directories")
    raise_failures(failures)


def request_of(wanted: Mapping[TopicPartition, str]) -> AlterReplicaLogDirsRequest:
    """The request: directories, in them topics, in them partitions."""
    directories: dict[str, dict[str, list[int]]] = {}
    for (topic, partition), path in wanted.items():
        directories.setdefault(path, {}).setdefault(topic, []).append(partition)
    return AlterReplicaLogDirsRequest(
        dirs=[
            AlterReplicaLogDir(
                path=path,
                topics=[
                    AlterReplicaLogDirTopic(name=name, partitions=numbers)
                    for name, numbers in topics.items()
                ],
            )
            for path, topics in directories.items()
        ]
    )
