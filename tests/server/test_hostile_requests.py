"""Requests that are well formed and still too much: others must hardly notice.

F-6 (bombs, one of each codec), F-11 (state abuse, small), and a loop that nothing blocks for long.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import cramjam
import pytest
from kit.batches import batch, record
from kit.broker import Bench, running
from kit.producing import produce, send
from kit.waiting import until

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)

MIB = 1 << 20

LONGEST_S = 1.0
"""Of this process's CPU, all clients of a bomb included: some hundred times what it takes."""

ANSWERED_MEANWHILE = 20
"""A request of so many rows is worked on in slices, and others are answered between them, 40 to 60
times, whatever a slice takes; where the rows are one piece of work it is 1 to 10 times."""


@asynccontextmanager
async def unhurt(bench: Bench, at_least: int = ANSWERED_MEANWHILE) -> AsyncIterator[None]:
    """Another client asks all the time, and is answered again and again before the block ends."""
    answered, is_over = 0, False

    async def ask() -> None:
        nonlocal answered
        async with bench.connect() as client:
            while not is_over:
                await client.ask(ApiVersionsRequest(), 0)
                answered += 1
                await asyncio.sleep(0.001)  # threads of this process want to work, too

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(ask())
        await until(lambda: answered > 0)
        before = answered
        yield
        meanwhile = answered - before
        is_over = True
    assert meanwhile >= at_least


def compressed(codec: int, plain: bytes) -> bytes:
    if codec == 1:
        return gzip.compress(plain, 9)
    if codec == 2:
        return bytes(cramjam.snappy.compress_raw(plain))
    if codec == 3:
        return bytes(cramjam.lz4.compress(plain))
    return bytes(cramjam.zstd.compress(plain, 19))


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
async def test_bombs_are_refused(tmp_path: Path, codec: int) -> None:
    """ENV-13, F-6: INVALID_RECORD(87), nothing appended, other clients do not notice."""
    bomb = compressed(codec, bytes(200 * MIB))
    sent = batch(records=bomb, attributes=codec, count=1)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", max_message_bytes=64 * MIB)
        worked_s = time.process_time()
        async with unhurt(bench, at_least=0):
            row = await send(client, sent)
        assert time.process_time() - worked_s < LONGEST_S
        assert row.error_code == 87
        assert bench.broker.replicas.get("t", 0).log.size_bytes == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
async def test_honest_batches_take_the_hot_path(tmp_path: Path, codec: int) -> None:
    """Goal: batches of a usual size are decompressed and judged without a detour."""
    text = b"".join(
        record(n, b'{"carrier":"UA","delay":%d,"tail":"N14228"}' % n) for n in range(2000)
    )
    sent = batch(records=compressed(codec, text), attributes=codec, count=2000)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        row = await send(client, sent)
        assert row.error_code == 0
        assert bench.broker.metrics.produce_requests == 1


@pytest.mark.slow
async def test_fetch_of_very_many_partitions(tmp_path: Path) -> None:
    """Rule 4: a frame of 100,000 partitions is decoded, read and answered beside the others."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 3)
        many = [FetchPartition(partition=n, partition_max_bytes=1000) for n in range(100_000)]
        request = FetchRequest(
            max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=many)]
        )
        frame = client.frame(request, 11)
        async with unhurt(bench):
            client.writer.write(frame)
            answer = await client.read_frame()
        assert len(answer) > 100_000 * 40


@pytest.mark.slow
async def test_produce_to_very_many_partitions(tmp_path: Path) -> None:
    """Rule 4: 50,000 partitions, most of them unknown, in one request."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 3)
        data = [PartitionProduceData(index=n, records=batch(b"v")) for n in range(50_000)]
        request = ProduceRequest(
            acks=-1,
            timeout_ms=1000,
            topic_data=[TopicProduceData(name="t", partition_data=data)],
        )
        frame = client.frame(request, 9)
        async with unhurt(bench):
            client.writer.write(frame)
            client.send(produce(batch(b"next")), 9)
            answer = await client.receive(0, 9)
            following = await client.receive(0, 9)
        rows = answer.responses[0].partition_responses
        assert [row.error_code for row in rows[:4]] == [0, 0, 0, 3]
        assert len(rows) == 50_000
        # What came behind it on the same connection was appended behind it.
        assert following.responses[0].partition_responses[0].base_offset == 1


@pytest.mark.slow
async def test_list_offsets_of_very_many_partitions(tmp_path: Path) -> None:
    """Rule 4: the same for a rare API."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        rows = [ListOffsetsPartition(partition_index=n, timestamp=-1) for n in range(90_000)]
        request = ListOffsetsRequest(topics=[ListOffsetsTopic(name="t", partitions=rows)])
        frame = client.frame(request, 5)
        async with unhurt(bench):
            client.writer.write(frame)
            answer = await client.receive(2, 5)
        assert len(answer.topics[0].partitions) == 90_000


async def test_producers_without_number(tmp_path: Path) -> None:
    """F-11, small: 2,000 producer ids cost no more than their entries."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for producer_id in range(2000):
            one = batch(b"v", producer_id=producer_id, producer_epoch=0, base_sequence=0)
            client.send(produce(one), 9)
        for _ in range(2000):
            await client.read_frame()
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        assert len(log.producers.by_id) == 2000
