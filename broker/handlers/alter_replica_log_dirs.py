"""AlterReplicaLogDirs: replicas of this broker move to others of its log directories (KIP-113).

The answer says that the move has begun; DescribeLogDirs tells how far it is. Versions: 2 flexible.
"""

from __future__ import annotations

import asyncio

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest
from barnabas.protocol.messages.alter_replica_log_dirs_response import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)

from ..core.replication.directory_choice import choose_directory
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import BrokerContext
from ..serving.handler import Handler

Replica = tuple[str, int]
"""Topic and partition."""

SLICE = 20
"""Replicas between two turns of the event loop: each makes a folder."""


async def handle(
    request: AlterReplicaLogDirsRequest, context: BrokerContext
) -> AlterReplicaLogDirsResponse:
    """Choose for one replica after the other; the last of two choices for one holds."""
    is_allowed = context.rights.may(Operation.ALTER, CLUSTER)
    codes: dict[Replica, ErrorCode] = {}
    for count, ((name, number), path) in enumerate(_wanted(request).items()):
        if count % SLICE == SLICE - 1:
            await asyncio.sleep(0)
        code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        if is_allowed:
            code = _choose(context, name, number, path)
        codes[name, number] = code
    return _response(codes)


def refuse(
    request: AlterReplicaLogDirsRequest, code: ErrorCode, message: str | None
) -> AlterReplicaLogDirsResponse:
    """An error for the whole request stands on each replica."""
    del message
    return _response(dict.fromkeys(_wanted(request), code))


def _wanted(request: AlterReplicaLogDirsRequest) -> dict[Replica, str]:
    """The directory that is asked for each replica."""
    return {
        (topic.name, number): directory.path
        for directory in request.dirs
        for topic in directory.topics
        for number in topic.partitions
    }


def _response(codes: dict[Replica, ErrorCode]) -> AlterReplicaLogDirsResponse:
    topics: dict[str, AlterReplicaLogDirTopicResult] = {}
    for (name, number), code in codes.items():
        topic = topics.setdefault(name, AlterReplicaLogDirTopicResult(topic_name=name))
        topic.partitions.append(
            AlterReplicaLogDirPartitionResult(partition_index=number, error_code=code)
        )
    return AlterReplicaLogDirsResponse(results=list(topics.values()))


def _choose(context: BrokerContext, topic: str, number: int, path: str) -> ErrorCode:
    node = context.node
    try:
        choose_directory(node.replicas, node.image, topic, number, path)
    except KafkaError as error:
        node.replicas.report(
            "a replica is not moved", {"topic": topic, "partition": number, "error": str(error)}
        )
        return error.code
    context.rights.note_change("log directory", topic=topic, partition=number, path=path)
    return ErrorCode.NONE


HANDLER = Handler(AlterReplicaLogDirsRequest, (1, 2), handle, refuse=refuse)
