"""AlterPartition: leaders propose in-sync sets (497-01), and may give a leadership away (C3).

Versions: 2 names topics by id, 3 tells the broker epoch of each member (903-01).
"""

from __future__ import annotations

from barnabas.protocol.messages.alter_partition_request import AlterPartitionRequest
from barnabas.protocol.messages.alter_partition_request import PartitionData as Proposal
from barnabas.protocol.messages.alter_partition_response import (
    AlterPartitionResponse,
    PartitionData,
    TopicData,
)

from ...core.cluster.partition_commands import (
    AlterPartition,
    PartitionAlteration,
    PartitionAltered,
)
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext
from ...serving.handler import Handler

_EPOCH_UNKNOWN = -1


async def handle(request: AlterPartitionRequest, context: NodeContext) -> AlterPartitionResponse:
    """Submit all proposals as one command, and answer for each. Raises KafkaError (77)."""
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    has_epochs = context.api_version >= 3
    command = AlterPartition(
        request.broker_id,
        request.broker_epoch,
        tuple(
            _alteration(topic.topic_id, proposal, has_epochs=has_epochs)
            for topic in request.topics
            for proposal in topic.partitions
        ),
    )
    answers: list[PartitionAltered] = await context.node.metadata.submit(command)
    remaining = iter(answers)
    return AlterPartitionResponse(
        topics=[
            TopicData(
                topic_id=topic.topic_id,
                partitions=[_result(next(remaining)) for _ in topic.partitions],
            )
            for topic in request.topics
        ]
    )


def _alteration(topic_id: bytes, proposal: Proposal, *, has_epochs: bool) -> PartitionAlteration:
    if has_epochs:
        isr = tuple((one.broker_id, one.broker_epoch) for one in proposal.new_isr_with_epochs)
    else:
        isr = tuple((broker_id, _EPOCH_UNKNOWN) for broker_id in proposal.new_isr)
    return PartitionAlteration(
        topic_id=topic_id,
        partition=proposal.partition_index,
        leader_epoch=proposal.leader_epoch,
        partition_epoch=proposal.partition_epoch,
        isr=isr,
        recovery_state=proposal.leader_recovery_state,
        relinquish=proposal.relinquish_leadership,
    )


def _result(answer: PartitionAltered) -> PartitionData:
    return PartitionData(
        partition_index=answer.partition,
        error_code=answer.code,
        leader_id=answer.leader,
        leader_epoch=answer.leader_epoch,
        isr=list(answer.isr),
        leader_recovery_state=answer.recovery_state,
        partition_epoch=answer.partition_epoch,
    )


HANDLER = Handler(AlterPartitionRequest, (2, 3), handle)
