"""AddOffsetsToTxn: a group's offsets will be part of the transaction (TXN-12).

Version 2 PRODUCER_FENCED. Producers with an epoch for each transaction do not ask (KIP-890).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from barnabas.protocol.messages.add_offsets_to_txn_response import AddOffsetsToTxnResponse

from ..core.cluster.topic_image import GROUPS_TOPIC
from ..core.coordination.machine import Outcome, Producer
from ..core.coordination.partition_of import partition_of
from ..core.coordination.transactions.adding import add_partitions
from ..core.coordination.transactions.transaction import BEFORE_EPOCH_BUMPS, TopicPartition
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import Operation, group_resource, transactional_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.transactional import check_transactional_id, told_in

FENCED_SINCE: Final = 2


async def handle(
    request: AddOffsetsToTxnRequest, context: BrokerContext
) -> AddOffsetsToTxnResponse:
    """Add the partition of `__consumer_offsets` that is responsible for the group."""
    rights = context.rights
    rights.require(Operation.WRITE, transactional_resource(request.transactional_id))
    rights.require(Operation.READ, group_resource(request.group_id))
    try:
        check_transactional_id(request.transactional_id)
        where = await _partition_of(request.group_id, context)
        decide = partial(_decide, request, where)
        await context.node.transactions.write(request.transactional_id, decide)
    except KafkaError as error:
        code = told_in(error.code, context.api_version, FENCED_SINCE)
        return AddOffsetsToTxnResponse(error_code=int(code))
    return AddOffsetsToTxnResponse()


async def _partition_of(group_id: str, context: BrokerContext) -> TopicPartition:
    """Raises KafkaError 15 while there is no such topic."""
    node = context.node
    await node.internal_topics.ensure(GROUPS_TOPIC)
    topic = node.image.topics_by_name.get(GROUPS_TOPIC)
    if topic is None:
        raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    return GROUPS_TOPIC, partition_of(group_id, len(topic.partitions))


def _decide(
    request: AddOffsetsToTxnRequest, where: TopicPartition, machine: TransactionMachine
) -> Outcome[None]:
    return add_partitions(
        machine.transactions,
        request.transactional_id,
        Producer(request.producer_id, request.producer_epoch),
        frozenset((where,)),
        BEFORE_EPOCH_BUMPS,
    )


HANDLER = Handler(AddOffsetsToTxnRequest, (0, 4), handle)
