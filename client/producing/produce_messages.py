"""Batches as a Produce request, and what its answer says of each."""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
)

from ..config import ProducerConfig
from .batch import ProducerBatch
from .partition_queue import PartitionQueue

Sent = list[tuple[PartitionQueue, ProducerBatch]]
"""The batches of one request, one of each partition."""


def produce_request(
    config: ProducerConfig, transactional_id: str | None, sent: Sent
) -> ProduceRequest:
    """One request with all of these."""
    topics: dict[str, TopicProduceData] = {}
    for queue, batch in sent:
        name, partition = queue.topic_partition
        topic = topics.get(name)
        if topic is None:
            topic = topics[name] = TopicProduceData(name=name, partition_data=[])
        topic.partition_data.append(PartitionProduceData(index=partition, records=batch.encoded))
    return ProduceRequest(
        transactional_id=transactional_id,
        acks=config.required_acks,
        timeout_ms=config.request_timeout_ms,
        topic_data=list(topics.values()),
    )


def results_of(
    response: ProduceResponse, sent: Sent
) -> Iterator[tuple[PartitionQueue, ProducerBatch, PartitionProduceResponse]]:
    """Each batch with its result; one that the answer does not name has failed."""
    found = {
        (topic.name, each.index): each
        for topic in response.responses
        for each in topic.partition_responses
    }
    for queue, batch in sent:
        result = found.get(queue.topic_partition)
        if result is None:
            result = PartitionProduceResponse(
                index=queue.topic_partition.partition,
                error_code=ErrorCode.UNKNOWN_SERVER_ERROR,
                error_message="the answer does not name this partition",
            )
        yield queue, batch, result
