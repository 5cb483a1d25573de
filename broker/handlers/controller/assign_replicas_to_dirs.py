"""AssignReplicasToDirs: a broker tells which log directory holds which replica (KIP-858)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest
from barnabas.protocol.messages.assign_replicas_to_dirs_response import (
    AssignReplicasToDirsResponse,
    DirectoryData,
    PartitionData,
    TopicData,
)

from ...core.cluster.partition_commands import AssignReplicasToDirs, DirectoryAssignment
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler


async def handle(
    request: AssignReplicasToDirsRequest, context: NodeContext
) -> AssignReplicasToDirsResponse:
    """Submit all assignments as one command, and answer for each. Raises KafkaError (77)."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    assignments = tuple(
        DirectoryAssignment(directory.id, topic.topic_id, partition.partition_index)
        for directory in request.directories
        for topic in directory.topics
        for partition in topic.partitions
    )
    answers: list[ErrorCode] = await context.node.metadata.submit(
        AssignReplicasToDirs(request.broker_id, request.broker_epoch, assignments)
    )
    remaining = iter(answers)
    return AssignReplicasToDirsResponse(
        directories=[
            DirectoryData(
                id=directory.id,
                topics=[
                    TopicData(
                        topic_id=topic.topic_id,
                        partitions=[
                            PartitionData(
                                partition_index=partition.partition_index,
                                error_code=next(remaining),
                            )
                            for partition in topic.partitions
                        ],
                    )
                    for topic in directory.topics
                ],
            )
            for directory in request.directories
        ]
    )


HANDLER = Handler(AssignReplicasToDirsRequest, (0, 0), handle)
