"""A few bytes that name something once more: they cost neither much work nor a long answer."""

from __future__ import annotations

from pathlib import Path

from barnabas.broker.server.long_answers import is_long
from barnabas.broker.serving.repeats import TIMES_MAX
from barnabas.broker.serving.waiting import SLICE
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_producers_request import (
    DescribeProducersRequest,
    TopicRequest,
)
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.produce_request import ProduceRequest, TopicProduceData
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from barnabas.protocol.primitives import STRING_BYTES_MAX

from .nodes import create, serving

TOPIC, BROKER = 2, 4
OFTEN = 3 * SLICE


async def test_a_partition_whose_producers_are_asked_for(tmp_path: Path) -> None:
    """Goal: no row repeats the topic's name."""
    async with serving(tmp_path) as (_, client):
        asked = TopicRequest(name="x" * STRING_BYTES_MAX, partition_indexes=[0] * OFTEN)
        answer = await client.ask(DescribeProducersRequest(topics=[asked]), 0)
        _, *rows = answer.topics[0].partitions
        assert [row.error_code for row in rows] == [42] * (OFTEN - 1)
        assert {row.error_message for row in rows} == {"partition 0 is named twice"}


async def test_a_transactional_id(tmp_path: Path) -> None:
    """Goal: described a few times, as by Kafka, and no more."""
    async with serving(tmp_path) as (_, client):
        request = DescribeTransactionsRequest(transactional_ids=["a"] * OFTEN)
        answer = await client.ask(request, 0)
        codes = [row.error_code for row in answer.transaction_states]
        assert len(codes) == OFTEN
        assert 42 not in codes[:TIMES_MAX]
        assert set(codes[TIMES_MAX:]) == {42}


async def test_a_resource(tmp_path: Path) -> None:
    """Goal: described a few times, each time by its own keys, and no more."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        asked = [
            DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=keys)
            for keys in (["retention.ms"], None, *[["retention.bytes"]] * OFTEN)
            for kind, name in ((TOPIC, "t"), (BROKER, "1"))
        ]
        rows = (await client.ask(DescribeConfigsRequest(resources=asked), 4)).results
        for named in (rows[::2], rows[1::2]):
            first, second, *others = named
            assert len(others) == OFTEN
            assert [one.name for one in first.configs] in (["retention.ms"], [])
            assert len(second.configs) > 20
            assert {row.error_code for row in others[: TIMES_MAX - 2]} == {0}
            assert {(row.error_code, len(row.configs)) for row in others[TIMES_MAX - 2 :]} == {
                (42, 0)
            }
            assert others[-1].error_message == f"named more than {TIMES_MAX} times"


async def test_topics_without_partitions(tmp_path: Path) -> None:
    """Goal: nothing is said of them; and long answers are encoded beside other work."""
    async with serving(tmp_path) as (_, client):
        topics = [TopicProduceData(name="t", partition_data=[]) for _ in range(OFTEN)]
        request = ProduceRequest(acks=1, timeout_ms=1000, topic_data=topics)
        answer = await client.ask(request, 9)
        assert answer.responses == []
    rows = [PartitionProduceResponse(index=number) for number in range(3000)]
    long_one = TopicProduceResponse(name="t", partition_responses=rows)
    assert is_long(0, ProduceResponse(responses=[long_one]))
    assert not is_long(0, ProduceResponse(responses=[TopicProduceResponse(name="t")]))
