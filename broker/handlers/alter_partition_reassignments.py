"""AlterPartitionReassignments: partitions move to other replicas, or stop moving (KIP-455).

The answer says that the move has begun. Versions: 1 can forbid another replication factor.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)
from barnabas.protocol.messages.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)

from ..core.cluster.commands import Outcome
from ..core.cluster.partition_commands import AlterPartitionReassignments, Reassignment
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(
    request: AlterPartitionReassignmentsRequest, context: NodeContext
) -> AlterPartitionReassignmentsResponse:
    """Submit one command for all partitions, and answer for each."""
    context.rights.require(Operation.ALTER, CLUSTER)
    wanted = tuple(
        Reassignment(
            topic.name,
            partition.partition_index,
            None if partition.replicas is None else tuple(partition.replicas),
        )
        for topic in request.topics
        for partition in topic.partitions
    )
    may_resize = context.api_version == 0 or request.allow_replication_factor_change
    outcomes: list[Outcome] = await context.node.metadata.submit(
        AlterPartitionReassignments(wanted, may_resize)
    )
    remaining = iter(outcomes)
    return AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=may_resize,
        error_message=None,
        responses=[
            ReassignableTopicResponse(
                name=topic.name,
                partitions=[
                    _result(partition.partition_index, next(remaining))
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ],
    )


def _result(partition: int, outcome: Outcome) -> ReassignablePartitionResponse:
    return ReassignablePartitionResponse(
        partition_index=partition, error_code=outcome.code, error_message=outcome.message
    )


def refuse(
    request: AlterPartitionReassignmentsRequest, code: int, message: str | None
) -> AlterPartitionReassignmentsResponse:
    """An error for the whole request stands on each partition, too."""
    outcome = Outcome(ErrorCode(code), message)
    return AlterPartitionReassignmentsResponse(
        error_code=code,
        error_message=message,
        responses=[
            ReassignableTopicResponse(
                name=topic.name,
                partitions=[_result(one.partition_index, outcome) for one in topic.partitions],
            )
            for topic in request.topics
        ],
    )


def _things(request: AlterPartitionReassignmentsRequest) -> int:
    """Partitions."""
    return sum(len(topic.partitions) for topic in request.topics)


HANDLER = Handler(
    AlterPartitionReassignmentsRequest,
    (0, 1),
    handle,
    refuse=refuse,
    forwarded=Forwarded(things=_things),
)
