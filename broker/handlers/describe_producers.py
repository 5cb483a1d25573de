"""DescribeProducers: what a partition remembers of its producers, and their open transactions.

Administrators find hanging transactions with it, and end them by WriteTxnMarkers (KIP-664). Any
replica answers, as in Apache Kafka: tools ask the leader unless they are told otherwise (TXN-24).
"""

from __future__ import annotations

import asyncio

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_producers_request import DescribeProducersRequest
from barnabas.protocol.messages.describe_producers_response import (
    DescribeProducersResponse,
    PartitionResponse,
    ProducerState,
    TopicResponse,
)

from ..core.cluster.topic_names import name_fault
from ..core.log.producer_entry import ProducerEntry
from ..core.security.resources import Operation, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.hosting import hosted_replica
from ..serving.waiting import SLICE, Turns


async def handle(
    request: DescribeProducersRequest, context: BrokerContext
) -> DescribeProducersResponse:
    """Each partition has its own code; one that is named twice is described once."""
    response, turns = DescribeProducersResponse(), Turns()
    described: set[tuple[str, int]] = set()
    for topic in request.topics:
        answer = TopicResponse(name=topic.name)
        response.topics.append(answer)
        for index in topic.partition_indexes:
            await turns.after()
            row = PartitionResponse(partition_index=index)
            answer.partitions.append(row)
            if (topic.name, index) in described:
                row.error_code = int(ErrorCode.INVALID_REQUEST)
                # Without the topic's name, which the request has once for all of its partitions.
                row.error_message = f"partition {index} is named twice"
                continue
            described.add((topic.name, index))
            await _describe(context, topic.name, row)
    return response


async def _describe(context: BrokerContext, topic: str, row: PartitionResponse) -> None:
    try:
        fault = name_fault(topic)
        if fault is not None:
            raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
        context.rights.require(Operation.READ, topic_resource(topic))
        partition = hosted_replica(context.node, topic, row.partition_index)
    except KafkaError as error:
        row.error_code = int(error.code)
        row.error_message = error.message
        return
    entries = list(partition.log.producers.by_id.values())
    for start in range(0, len(entries), SLICE):
        if start:
            await asyncio.sleep(0)
        row.active_producers += map(_state, entries[start : start + SLICE])


def _state(entry: ProducerEntry) -> ProducerState:
    return ProducerState(
        producer_id=entry.producer_id,
        producer_epoch=entry.epoch,
        last_sequence=entry.last_sequence,
        last_timestamp=entry.timestamp,
        coordinator_epoch=entry.coordinator_epoch,
        current_txn_start_offset=entry.transaction_first_offset,
    )


def refuse(
    request: DescribeProducersRequest, code: int, message: str | None
) -> DescribeProducersResponse:
    """The same error for every partition."""
    return DescribeProducersResponse(
        topics=[
            TopicResponse(
                name=topic.name,
                partitions=[
                    PartitionResponse(
                        partition_index=index, error_code=int(code), error_message=message
                    )
                    for index in topic.partition_indexes
                ],
            )
            for topic in request.topics
        ]
    )


HANDLER = Handler(DescribeProducersRequest, (0, 0), handle, refuse=refuse)
