"""Goal: what a topic takes record by record is stored, however large a producer's batches are."""

from __future__ import annotations

import asyncio

import pytest
from kit.markers import until_markers_are_written
from kit.transactional import at_level

from barnabas.client import Consumer, Producer, TopicPartition
from barnabas.client.errors import MessageTooLargeError
from barnabas.client.producing.batch import ProducerBatch
from barnabas.client.producing.partition_queue import PartitionQueue, Verdict
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode
from barnabas.testing import Cluster

from .brokers import create

COUNT = 1000


async def stored(address: str, topic: str, isolation: str = "read_uncommitted") -> list[bytes]:
    here, found = TopicPartition(topic, 0), []
    async with Consumer(
        bootstrap_servers=address, auto_offset_reset="earliest", isolation_level=isolation
    ) as consumer:
        consumer.assign([here])
        end = (await consumer.end_offsets([here]))[here]
        async with asyncio.timeout(20):
            while await consumer.position(here) < end:
                for rows in (await consumer.getmany(timeout_ms=100)).values():
                    found += [row.value or b"" for row in rows]
    return found


@pytest.mark.parametrize(("acks", "codec"), [("all", "none"), ("all", "gzip"), (1, "none")])
async def test_small_records_all_arrive(
    address: str, topic: str, acks: int | str, codec: str
) -> None:
    await create(address, topic, max_message_bytes="500")
    values = [b"%050d" % number for number in range(COUNT)]
    async with Producer(bootstrap_servers=address, acks=acks, compression_type=codec) as producer:
        futures = [await producer.send(topic, each, headers=[("h", None)]) for each in values]
        offsets = [each.offset for each in await asyncio.gather(*futures)]
        ranges = await (await producer.send_many(topic, values))
    assert offsets == list(range(COUNT))
    told = [each.first_offset + n for each in ranges for n in range(each.record_count)]
    assert told == list(range(COUNT, 2 * COUNT))
    assert await stored(address, topic) == values * 2


async def test_only_a_record_that_is_too_large_fails(address: str, topic: str) -> None:
    await create(address, topic, max_message_bytes="500")
    sizes = {300: 5000, COUNT - 1: 5000}
    values = [b"%0*d" % (sizes.get(number, 50), number) for number in range(COUNT)]
    async with Producer(bootstrap_servers=address, batch_size=20_000) as producer:
        futures = [await producer.send(topic, each) for each in values]
        results = await asyncio.gather(*futures, return_exceptions=True)
    failed = [number for number, each in enumerate(results) if isinstance(each, Exception)]
    assert failed == sorted(sizes)
    assert all(isinstance(results[number], MessageTooLargeError) for number in failed)
    assert await stored(address, topic) == [each for each in values if len(each) == 50]


@pytest.mark.parametrize("level", [1, 2])
async def test_in_a_transaction(level: int) -> None:
    settings = {"transaction.state.log.num.partitions": 3}
    values = [b"%050d" % number for number in range(COUNT)]
    with at_level(level):
        planned = Cluster(1, settings=settings)
        await planned.start()
    async with planned as cluster:
        await create(cluster.bootstrap, "t", max_message_bytes="500")
        async with Producer(bootstrap_servers=cluster.bootstrap, transactional_id="x") as producer:
            for _ in range(2):
                async with producer.transaction():
                    await producer.send_many("t", values)
        await until_markers_are_written(cluster.bootstrap)
        assert await stored(cluster.bootstrap, "t", "read_committed") == values * 2


def queue_with(*counts: int) -> tuple[PartitionQueue, list[ProducerBatch]]:
    """A queue with batches of so many records, all in flight."""
    queue = PartitionQueue(TopicPartition("t", 0), is_idempotent=True, in_flight_max=5)
    queue.set_identity(7, 0)
    queue.is_known_to_broker = True
    batches = []
    for count in counts:
        batch = queue.new_batch(Codec.NONE, None, 1000, 0.0)
        for number in range(count):
            assert batch.append(0, None, b"%d" % number, (), None)
        queue.add(batch)
        batches.append(batch)
    for batch in batches:
        assert queue.take() is batch
    return queue, batches


def test_halves_have_the_place_and_the_numbers_of_the_whole() -> None:
    queue, (first, second) = queue_with(5, 3)
    assert queue.judge(first, ErrorCode.MESSAGE_TOO_LARGE) is Verdict.SPLIT
    queue.split(first)
    assert queue.judge(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.RETRY
    queue.put_back(second, 0.0)
    sent = [queue.take() for _ in range(3)]
    assert [each.base_sequence for each in sent] == [0, 2, 5]
    assert [each.record_count for each in sent] == [2, 3, 3]
    for each in reversed(sent):
        queue.put_back(each, 0.0)
    assert list(queue.waiting) == sent


def test_what_was_refused_for_an_earlier_one_is_numbered_anew_when_that_has_failed() -> None:
    """It was never stored, however often it was sent."""
    queue, (first, second) = queue_with(1, 1)
    assert queue.judge(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.RETRY
    queue.put_back(second, 0.0)
    queue.rejected(first)
    assert queue.take() is second
    assert queue.judge(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.RENUMBER


def test_an_attempt_without_an_answer_counts_for_the_halves() -> None:
    """It may have been stored, when the topic took larger ones: never number it anew."""
    queue, (only,) = queue_with(4)
    queue.put_back(only, 0.0)
    queue.take()
    assert queue.judge(only, ErrorCode.MESSAGE_TOO_LARGE) is Verdict.SPLIT
    queue.split(only)
    half = queue.take()
    assert queue.judge(half, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.FAIL
