"""ListPartitionReassignments: partitions that are on their way, as the controller has them."""

from __future__ import annotations

from barnabas.protocol.messages.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from barnabas.protocol.messages.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)

from ..core.cluster.partition_commands import ListPartitionReassignments, OngoingReassignment
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler
from ..serving.waiting import SLICE


async def handle(
    request: ListPartitionReassignmentsRequest, context: NodeContext
) -> ListPartitionReassignmentsResponse:
    """Those of the partitions asked for, of all for null, that move."""
    context.rights.require(Operation.DESCRIBE, CLUSTER)
    metadata = context.node.metadata
    found: list[OngoingReassignment] = []
    if request.topics is None:
        found = await metadata.submit(ListPartitionReassignments(None))
    else:
        wanted = [
            (topic.name, number) for topic in request.topics for number in topic.partition_indexes
        ]
        for start in range(0, len(wanted) or 1, SLICE):
            some = tuple(wanted[start : start + SLICE])
            found += await metadata.submit(ListPartitionReassignments(some))
    topics: dict[str, OngoingTopicReassignment] = {}
    for one in found:
        topic = topics.setdefault(one.topic, OngoingTopicReassignment(name=one.topic))
        topic.partitions.append(
            OngoingPartitionReassignment(
                partition_index=one.partition,
                replicas=list(one.replicas),
                adding_replicas=list(one.adding),
                removing_replicas=list(one.removing),
            )
        )
    return ListPartitionReassignmentsResponse(error_message=None, topics=list(topics.values()))


HANDLER = Handler(ListPartitionReassignmentsRequest, (0, 0), handle, forwarded=Forwarded())
