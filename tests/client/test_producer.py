"""Goal: records arrive once, in order, in good batches; who sent them learns where they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from barnabas.client import Producer, ProducerRecord, RecordMetadata
from barnabas.client.errors import (
    BufferFullError,
    ClientClosedError,
    ClientTimeoutError,
    DeliveryTimedOutError,
    MessageTooLargeError,
    TopicNotLoadedError,
    UnknownTopicOrPartitionError,
)
from barnabas.client.producing.partitioner import partition_for_key
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.messages.produce_response import (
    BatchIndexAndErrorMessage,
)
from barnabas.protocol.record_batch import read_batch_header
from barnabas.protocol.records import decode_batch

from .fake_cluster import Action, FakeCluster, FakeNode
from .producing import producing, refusal, values


async def test_metadata_of_each_record() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster) as producer:
            futures = [
                await producer.send("t", b"%d" % n, key=b"k", timestamp_ms=1000 + n)
                for n in range(100)
            ]
            found = await asyncio.gather(*futures)
        assert found[7] == RecordMetadata("t", 0, 7, 1007, 0, 0)
        assert [each.offset for each in found] == list(range(100))
        assert values(cluster) == [b"%d" % n for n in range(100)]
        assert len(cluster.partition("t").batches) <= 2, "sent together, stored together"


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
async def test_codecs_and_headers(codec: str) -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, compression_type=codec) as producer:
            await producer.send_and_wait("t", b"x" * 500, headers=[("h", b"1"), ("n", None)])
            await producer.send_and_wait("t", None, key=b"gone")
        batches = [data for _, _, data in cluster.partition("t").batches]
        assert read_batch_header(batches[0]).codec == Codec[codec.upper()]
        record = decode_batch(batches[0], 0)[0]
        assert tuple(record.headers) == (("h", b"1"), ("n", None))
        assert values(cluster) == [b"x" * 500, None]


async def test_keys_choose_partitions_as_in_java() -> None:
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t", 5)
        async with producing(cluster) as producer:
            for number in range(50):
                key = b"key-%d" % number
                sent = await producer.send_and_wait("t", b"", key=key)
                assert sent.partition == partition_for_key(key, 5)


async def test_keyless_records_share_batches_and_reach_all_partitions() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 3)
        async with producing(cluster, batch_size=1000) as producer:
            ranges = await (await producer.send_many("t", [b"x" * 90] * 1000))
        assert sum(each.record_count for each in ranges) == 1000
        for number in range(3):
            batches = cluster.partition("t", number).batches
            assert batches, "every partition gets some"
            assert sum(end - base for base, end, _ in batches) / len(batches) > 5


async def test_a_partitioner_of_ones_own() -> None:
    seen = []

    def choose(key: bytes | None, partitions: Any, available: Any) -> int:
        seen.append((key, list(partitions), list(available)))
        return 2

    async with FakeCluster() as cluster:
        cluster.add_topic("t", 3)
        async with producing(cluster, partitioner=choose) as producer:
            assert (await producer.send_and_wait("t", b"", key=b"k")).partition == 2
            assert (await producer.send_and_wait("t", b"", partition=1)).partition == 1
    assert seen == [(b"k", [0, 1, 2], [0, 1, 2])]


async def test_send_many_tells_the_ranges() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        async with producing(cluster, batch_size=500) as producer:
            records = [ProducerRecord(b"%d" % n, timestamp_ms=n) for n in range(100)]
            ranges = await (await producer.send_many("t", records, partition=1))
        assert all(each.partition == 1 for each in ranges)
        offsets = [each.first_offset + n for each in ranges for n in range(each.record_count)]
        assert offsets == list(range(100))
        assert values(cluster, number=1) == [b"%d" % n for n in range(100)]


async def test_lingering_fills_batches() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, linger_ms=100) as producer:
            futures = []
            for number in range(20):
                futures.append(await producer.send("t", b"%d" % number))
                await asyncio.sleep(0)
            await asyncio.gather(*futures)
            assert len(cluster.partition("t").batches) == 1
            late = await producer.send("t", b"late")
            await producer.flush()  # does not wait for the linger
            assert late.done()


async def test_what_cannot_be_sent() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, max_request_size=1000, topic_wait_ms=50) as producer:
            with pytest.raises(TopicNotLoadedError):
                producer.send_nowait("t", b"x")
            await producer.ready("t")
            with pytest.raises(MessageTooLargeError, match="max_request_size is 1000"):
                producer.send_nowait("t", b"x" * 1000)
            with pytest.raises(UnknownTopicOrPartitionError, match="t-7: the topic has 1"):
                producer.send_nowait("t", b"x", partition=7)
            with pytest.raises(UnknownTopicOrPartitionError):
                await producer.send("missing", b"x")
        with pytest.raises(ClientClosedError):
            producer.send_nowait("t", b"x")


async def test_topics_are_made_on_first_use_where_the_broker_does() -> None:
    async with FakeCluster() as cluster:
        cluster.auto_create = True
        async with producing(cluster) as producer:
            assert (await producer.send_and_wait("new", b"x")).offset == 0


@contextlib.asynccontextmanager
async def full_producer(max_block_ms: int) -> AsyncIterator[Producer]:
    """One with 10,000 bytes waiting in its buffer, which no broker takes."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = lambda node, request: (
            Action.HANG if type(request).NAME == "ProduceRequest" else None
        )
        async with producing(
            cluster, buffer_memory=10_000, max_block_ms=max_block_ms, delivery_timeout_ms=300_000
        ) as producer:
            await producer.ready("t")
            with pytest.raises(BufferFullError):
                for _ in range(1000):
                    producer.send_nowait("t", b"x" * 100)
            yield producer
            await producer.stop(timeout_ms=1)


async def test_back_pressure() -> None:
    """send() waits, send_nowait() raises; nothing grows beyond buffer_memory."""
    async with full_producer(max_block_ms=50) as producer:
        assert producer._accumulator.buffered <= 10_000
        with pytest.raises(ClientTimeoutError, match="no room in the buffer within 50 ms"):
            await producer.send("t", b"x" * 100)


async def test_one_limit_for_all_waits_of_a_record() -> None:
    """Goal: whose room is taken by others each time waits no longer than who never saw any."""
    async with full_producer(max_block_ms=100) as producer:
        one = asyncio.create_task(producer.send("t", b"x" * 100))
        many = asyncio.create_task(producer.send_many("t", [b"x" * 100]))
        async with asyncio.timeout(20):
            while not (one.done() and many.done()):
                producer._accumulator._wake_waiters()
                await asyncio.sleep(0)
        for waiting in (one, many):
            with pytest.raises(ClientTimeoutError, match="no room in the buffer within 100 ms"):
                await waiting


async def test_waiting_for_room_ends_when_there_is_some() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, buffer_memory=5_000) as producer:
            futures = [await producer.send("t", b"%d" % n) for n in range(2000)]
            await asyncio.gather(*futures)
        assert values(cluster) == [b"%d" % n for n in range(2000)]


@pytest.mark.parametrize("acks", [0, 1, "all"])
async def test_acks(acks: int | str) -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, acks=acks, max_block_ms=2000) as producer:
            found = [await (await producer.send("t", b"%d" % n)) for n in range(50)]
        assert found[-1].offset == (-1 if acks == 0 else 49)
        if acks != 0:
            assert values(cluster) == [b"%d" % n for n in range(50)]


async def test_many_at_once_that_nobody_acknowledges() -> None:
    """Goal: a batch may be sent, and done, before the call that began it returns."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(
            cluster, acks=0, batch_size=500, buffer_memory=20_000, max_block_ms=2000
        ) as producer:
            await producer.send_and_wait("t", b"first")
            sent = await producer.send_many("t", [b"v" * 200] * 50, partition=0)
            async with asyncio.timeout(10):
                ranges = await sent
            assert sum(each.record_count for each in ranges) == 50
            assert {each.first_offset for each in ranges} == {-1}
            for _ in range(200):  # all of the buffer is free again each time
                await producer.send("t", b"v" * 200, partition=0)


# ---------------------------------------------------------------------------- when things fail


class Faults:
    """Does something to some Produce requests, in turn."""

    def __init__(self, *fates: Any) -> None:
        self.fates = list(fates)

    def __call__(self, node: FakeNode, request: Any) -> Any:
        if type(request).NAME != "ProduceRequest" or not self.fates:
            return None
        return self.fates.pop(0)


@pytest.mark.parametrize(
    "fates",
    [
        (Action.DROP,),
        (Action.DROP_AFTER,),
        (None, None, Action.DROP_AFTER, Action.DROP, None, Action.DROP_AFTER),
        (refusal(ErrorCode.NOT_ENOUGH_REPLICAS), refusal(ErrorCode.NOT_ENOUGH_REPLICAS)),
        (None, refusal(ErrorCode.REQUEST_TIMED_OUT), None, refusal(ErrorCode.CORRUPT_MESSAGE)),
        (None, refusal(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)),
        (None, refusal(ErrorCode.UNKNOWN_PRODUCER_ID), None, Action.DROP_AFTER),
    ],
)
async def test_once_and_in_order_whatever_fails(fates: tuple[Any, ...]) -> None:
    """98-02, 98-03: an answer that is lost is not a record that is lost, nor one that is twice."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = Faults(*fates)
        async with producing(cluster, batch_size=400) as producer:
            futures = []
            for number in range(200):
                futures.append(await producer.send("t", b"%d" % number))
                if number % 10 == 9:
                    await asyncio.sleep(0)
            found = await asyncio.gather(*futures)
        assert values(cluster) == [b"%d" % n for n in range(200)]
        assert [each.offset for each in found] == list(range(200))


async def test_a_new_leader_is_found() -> None:
    """951-02, 951-07: the refusal names the leader; records follow it at once."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        async with producing(cluster, metadata_max_age_ms=100_000) as producer:
            await producer.send_and_wait("t", b"0")
            before = sum(node.count("Metadata") for node in cluster.nodes.values())
            cluster.move("t", 0, 2)
            assert (await producer.send_and_wait("t", b"1")).offset == 1
            assert cluster.nodes[2].count("Produce") == 1
            assert sum(node.count("Metadata") for node in cluster.nodes.values()) <= before + 1


async def test_a_broker_that_goes_away_and_comes_back() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster) as producer:
            await producer.send_and_wait("t", b"0")
            await cluster.node.stop()
            futures = [await producer.send("t", b"%d" % n) for n in range(1, 50)]
            await cluster.node.start()
            await asyncio.gather(*futures)
        assert values(cluster) == [b"%d" % n for n in range(50)]


async def test_what_is_refused_for_good_says_why() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = Faults(
            refusal(
                ErrorCode.INVALID_RECORD,
                error_message="no",
                record_errors=[
                    BatchIndexAndErrorMessage(batch_index=0, batch_index_error_message="no key")
                ],
            )
        )
        async with producing(cluster) as producer:
            with pytest.raises(Exception, match="69 bytes: no; record 0: no key"):
                await producer.send_and_wait("t", b"x")
            # Its sequence numbers are free again: the next batch is not out of order.
            assert (await producer.send_and_wait("t", b"y")).offset == 0
            assert cluster.node.count("InitProducerId") == 1


async def test_an_unknown_answer_is_not_for_ever() -> None:
    """delivery_timeout_ms bounds everything, also what is in flight."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = lambda node, request: (
            Action.HANG if type(request).NAME == "ProduceRequest" else None
        )
        loop = asyncio.get_running_loop()
        async with producing(cluster, delivery_timeout_ms=200) as producer:
            started = loop.time()
            with pytest.raises(DeliveryTimedOutError, match="t-0: 1 records were not acknowledged"):
                await producer.send_and_wait("t", b"x")
            assert loop.time() - started < 20


async def test_a_fenced_producer_gets_another_id() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = Faults(None, refusal(ErrorCode.INVALID_PRODUCER_EPOCH))
        async with producing(cluster) as producer:
            await producer.send_and_wait("t", b"0")
            with pytest.raises(Exception, match="INVALID_PRODUCER_EPOCH"):
                await producer.send_and_wait("t", b"1")
            assert (await producer.send_and_wait("t", b"2")).offset == 1
        assert cluster.node.count("InitProducerId") == 2


async def test_without_a_producer_id_records_fail_with_the_reason() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        code = int(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
        cluster.script = lambda node, request: (
            InitProducerIdResponse(error_code=code)
            if type(request).NAME == "InitProducerIdRequest"
            else None
        )
        async with producing(cluster) as producer:
            with pytest.raises(Exception, match="CLUSTER_AUTHORIZATION_FAILED"):
                await producer.send_and_wait("t", b"x")


async def test_flush_and_stop_have_limits() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        cluster.script = lambda node, request: (
            Action.HANG if type(request).NAME == "ProduceRequest" else None
        )
        producer = Producer(bootstrap_servers=cluster.bootstrap)
        await producer.start()
        future = await producer.send("t", b"x")
        with pytest.raises(ClientTimeoutError, match="1 batches are not acknowledged after 50 ms"):
            await producer.flush(50)
        await producer.stop(50)
        with pytest.raises(ClientClosedError):
            await future


async def test_stop_sends_what_waits() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with producing(cluster, linger_ms=10_000) as producer:
            await producer.send("t", b"x")
        assert values(cluster) == [b"x"]
