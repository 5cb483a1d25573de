"""`kafka-transactions` of Apache Kafka finds what hangs here, and ends it (KIP-664)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from handlers.nodes import create, serving
from kit.kafka_jars import KafkaJars
from kit.transactional import TransactionalProducer, committed

from barnabas.protocol.messages.delete_topics_request import (
    DeleteTopicsRequest,
    DeleteTopicState,
)

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

STATE_TOPIC = "__transaction_state"


class Tool:
    """The tool against one node; rows of what it printed, without the head."""

    def __init__(self, kafka_jars: KafkaJars, port: int) -> None:
        self._jars = kafka_jars
        self._bootstrap = f"127.0.0.1:{port}"

    async def __call__(self, *arguments: str) -> list[list[str]]:
        done = await asyncio.to_thread(
            self._jars.run,
            "org.apache.kafka.tools.TransactionsCommand",
            "--bootstrap-server",
            self._bootstrap,
            *arguments,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.split() for line in done.stdout.splitlines()[1:] if line.strip()]


async def test_find_describe_and_abort(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """TXN-24, TXN-42: an open transaction hangs only when its coordinator has forgotten it; the
    tool tells the two apart, and its abort lets readers go on."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t")
        address = ("127.0.0.1", node.port)
        tool = Tool(kafka_jars, node.port)
        producer = TransactionalProducer(lambda: [address], "p", bumps=True)
        await producer.init()
        assert await producer.write(address, "t", 0, b"hangs") == 0
        producer_id = str(producer.producer_id)
        (row,) = await tool("list")
        assert row == ["p", "1", producer_id, "Ongoing"]
        (row,) = await tool("describe", "--transactional-id", "p")
        assert (row[:5], row[-1]) == (["1", "p", producer_id, "0", "Ongoing"], "t-0")
        where = ("--topic", "t", "--partition", "0")
        (row,) = await tool("describe-producers", *where)
        assert (row[:4], row[-1]) == ([producer_id, "0", "-1", "0"], "0")
        assert await tool("find-hanging", "--topic", "t") == []
        gone = [DeleteTopicState(name=STATE_TOPIC)]
        answer = await client.ask(DeleteTopicsRequest(topics=gone, timeout_ms=5000), 6)
        assert answer.responses[0].error_code == 0
        (row,) = await tool("find-hanging", "--broker-id", "1")
        assert row[:6] == ["t", "0", producer_id, "0", "-1", "0"]
        assert await tool("abort", *where, "--start-offset", "0") == []
        assert await tool("find-hanging", "--topic", "t") == []
        (row,) = await tool("describe-producers", *where)
        assert (row[:4], row[-1]) == ([producer_id, "0", "0", "0"], "None")
        assert await committed(address, "t") == []


async def test_force_terminate(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """TXN-03: an open transaction is aborted by fencing its producer."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t")
        address = ("127.0.0.1", node.port)
        tool = Tool(kafka_jars, node.port)
        producer = TransactionalProducer(lambda: [address], "p", bumps=True)
        await producer.init()
        assert await producer.write(address, "t", 0, b"never") == 0
        assert await tool("forceTerminateTransaction", "--transactionalId", "p") == []
        assert await producer.end(commit=True) == 90
        assert await committed(address, "t") == []
