"""Produce requests for one partition, and their one row of an answer."""

from __future__ import annotations

from typing import Any

from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)

from .raw_client import RawClient


def produce(
    records: bytes | None, *, topic: str | bytes = "t", index: int = 0, acks: int = -1
) -> ProduceRequest:
    """A request with these records for one partition; the topic by name, or by id (version 13)."""
    data = PartitionProduceData(index=index, records=records)
    if isinstance(topic, str):
        named = TopicProduceData(name=topic, partition_data=[data])
    else:
        named = TopicProduceData(topic_id=topic, partition_data=[data])
    return ProduceRequest(acks=acks, timeout_ms=5000, topic_data=[named])


async def send(client: RawClient, records: bytes | None, version: int = 9, **fields: Any) -> Any:
    """Produce, and the one row of the answer; fields as of `produce`."""
    answer = await client.ask(produce(records, **fields), version)
    return answer.responses[0].partition_responses[0]
