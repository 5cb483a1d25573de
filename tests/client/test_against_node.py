"""Goal: producer and consumer work against a barnabas node and Apache Kafka alike."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from confluent_kafka import Producer as TransactionalProducer
from kit.kafka_process import KafkaProcess

from barnabas.client import (
    Admin,
    Consumer,
    NewTopic,
    Producer,
    ProducerRecord,
    TopicPartition,
)
from barnabas.client.errors import (
    MessageTooLargeError,
    OffsetOutOfRangeError,
    RangeNotAvailableError,
    TopicAlreadyExistsError,
)
from barnabas.client.options import ClientOptions
from barnabas.protocol.record_batch import iter_batch_headers

from .brokers import create, start_node

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]


@pytest.mark.parametrize("codec", CODECS)
async def test_round_trip(address: str, topic: str, codec: str) -> None:
    await create(address, topic, 3)
    records = [
        ProducerRecord(b"v%d" % n, b"k%d" % (n % 10), (("h", b"%d" % n), ("n", None)), 1000 + n)
        for n in range(500)
    ]
    async with Producer(bootstrap_servers=address, compression_type=codec) as producer:
        sent = [
            await producer.send(topic, one.value, one.key, None, one.timestamp_ms, one.headers)
            for one in records
        ]
        places = await asyncio.gather(*sent)
        stored = {place[:3]: one for place, one in zip(places, records, strict=True)}
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign(await consumer.all_partitions(topic))
        async with asyncio.timeout(20):
            for _ in range(500):
                record = await consumer.getone()
                one = stored.pop((record.topic, record.partition, record.offset))
                assert (record.value, record.key) == (one.value, one.key)
                assert (record.headers, record.timestamp) == (one.headers, one.timestamp_ms)
        assert stored == {}


@pytest.mark.parametrize("acks", [0, 1, "all"])
async def test_order_and_count(address: str, topic: str, acks: int | str) -> None:
    await create(address, topic)
    total = 20_000
    async with Producer(bootstrap_servers=address, acks=acks) as producer:
        await producer.send_many(topic, [b"%d" % n for n in range(total)])
    here = TopicPartition(topic, 0)
    found: list[int] = []
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign([here])
        async with asyncio.timeout(30):
            while len(found) < total:
                for rows in (await consumer.getmany(timeout_ms=1000)).values():
                    found += [int(row.value or b"") for row in rows]
    assert found == list(range(total))


async def test_positions_and_times(address: str, topic: str) -> None:
    await create(address, topic)
    here = TopicPartition(topic, 0)
    now = int(time.time() * 1000)
    async with Producer(bootstrap_servers=address) as producer:
        for number in range(10):
            await producer.send_and_wait(topic, b"%d" % number, timestamp_ms=now + number * 100)
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign([here])
        assert await consumer.beginning_offsets([here]) == {here: 0}
        assert await consumer.end_offsets([here]) == {here: 10}
        found = await consumer.offsets_for_times({here: now + 450})
        assert (found[here] or ())[:2] == (5, now + 500)
        assert await consumer.offsets_for_times({here: now + 10_000}) == {here: None}
        consumer.seek(here, 7)
        assert (await consumer.getone()).value == b"7"
        await consumer.seek_to_beginning(here)
        assert (await consumer.getone()).offset == 0
        await consumer.seek_to_end(here)
        assert await consumer.position(here) == 10
        consumer.seek(here, 99)
        assert (await consumer.getone()).offset == 0
        assert [each.from_offset for each in consumer.reset_events()] == [99]
    async with Admin(bootstrap_servers=address) as admin:
        assert (await admin.list_offsets({here: -3}))[here].offset == 9


async def test_ranges(address: str, topic: str) -> None:
    await create(address, topic)
    async with Producer(bootstrap_servers=address, batch_size=1000) as producer:
        await producer.send_many(topic, [b"%d" % n for n in range(3000)])
    async with Consumer(
        bootstrap_servers=address, default_api_timeout_ms=500, fetch_max_wait_ms=50
    ) as consumer:
        offsets: list[int] = []
        async for columns in consumer.fetch_range(topic, 0, 777, 2222):
            assert columns.values == [b"%d" % offset for offset in columns.offsets]
            offsets += columns.offsets
        assert offsets == list(range(777, 2222))
        raw = [piece async for piece in consumer.fetch_range_raw(topic, 0, 0, 3000)]
        headers = [header for piece in raw for _, header in iter_batch_headers(piece)]
        assert sum(header.record_count for header in headers) == 3000
        assert [piece async for piece in consumer.fetch_range_raw(topic, 0, 5, 5)] == []
        with pytest.raises(OffsetOutOfRangeError):
            async for _ in consumer.fetch_range(topic, 0, 5000, 5001):
                pass
        with pytest.raises(RangeNotAvailableError, match="cannot be read beyond 3000"):
            async for _ in consumer.fetch_range(topic, 0, 2999, 3001):
                pass


async def test_a_long_poll_is_woken(address: str, topic: str) -> None:
    await create(address, topic)
    async with (
        Producer(bootstrap_servers=address) as producer,
        Consumer(bootstrap_servers=address, fetch_max_wait_ms=20_000) as consumer,
    ):
        consumer.assign([TopicPartition(topic, 0)])
        assert await consumer.position(TopicPartition(topic, 0)) == 0
        waiting = asyncio.create_task(consumer.getone())
        assert await consumer.getmany(timeout_ms=50) == {}
        await producer.send_and_wait(topic, b"x")
        async with asyncio.timeout(5):
            assert (await waiting).value == b"x"


async def test_what_the_broker_refuses(address: str, topic: str) -> None:
    await create(address, topic, max_message_bytes="1000")
    async with Producer(bootstrap_servers=address) as producer:
        with pytest.raises(MessageTooLargeError):
            await producer.send_and_wait(topic, bytes(5000))
        assert (await producer.send_and_wait(topic, b"small")).offset == 0


async def test_append_time_of_the_broker(address: str, topic: str) -> None:
    await create(address, topic, message_timestamp_type="LogAppendTime")
    async with Producer(bootstrap_servers=address) as producer:
        found = await producer.send_and_wait(topic, b"x", timestamp_ms=5)
    assert found.timestamp_type == 1
    assert found.timestamp > 1_000_000
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign([TopicPartition(topic, 0)])
        record = await consumer.getone()
        assert (record.timestamp_type, record.timestamp) == (1, found.timestamp)


async def test_a_topic_that_is_made_anew(address: str, topic: str) -> None:
    """516-01: records of the old topic are never mixed with those of the new."""
    here = TopicPartition(topic, 0)
    await create(address, topic)
    async with (
        Producer(bootstrap_servers=address, retry_backoff_ms=20) as producer,
        Consumer(
            bootstrap_servers=address, auto_offset_reset="earliest", fetch_max_wait_ms=50
        ) as consumer,
        Admin(bootstrap_servers=address) as admin,
    ):
        await producer.send_many(topic, [b"old"] * 50)
        await producer.flush()
        consumer.assign([here])
        async with asyncio.timeout(30):
            for _ in range(50):
                assert (await consumer.getone()).value == b"old"
            await admin.delete_topics([topic])
            await make_again(admin, topic)
            await (await producer.send_many(topic, [b"new"] * 60))
            found = [(await consumer.getone()) for _ in range(60)]
        assert [(each.offset, each.value) for each in found] == [(n, b"new") for n in range(60)]
        assert [each.reason for each in consumer.reset_events()] == ["the topic was made anew"]


async def make_again(admin: Admin, topic: str) -> None:
    """Kafka deletes in the background; a name is free when it says so."""
    while True:
        try:
            await admin.create_topics([NewTopic(topic, 1, 1)])
            return
        except TopicAlreadyExistsError:
            await asyncio.sleep(0.02)


async def test_a_node_that_is_restarted(tmp_path: Path, topic: str) -> None:
    """Producer and consumer live through a stop and a start on the same port; nothing is lost or
    twice, since the node remembers the producer (98-04)."""
    node = await start_node(tmp_path)
    port, here = node.port, TopicPartition(topic, 0)
    address = f"127.0.0.1:{port}"
    await create(address, topic)
    options: ClientOptions = {
        "bootstrap_servers": address,
        "retry_backoff_ms": 10,
        "retry_backoff_max_ms": 50,
        "reconnect_backoff_ms": 10,
    }
    async with (
        Producer(**options) as producer,
        Consumer(auto_offset_reset="earliest", **options) as consumer,
    ):
        consumer.assign([here])
        found: list[bytes | None] = []
        for turn in range(3):
            futures = [await producer.send(topic, b"%d-%d" % (turn, n)) for n in range(300)]
            await node.stop()
            node = await start_node(tmp_path, port)
            async with asyncio.timeout(20):
                await asyncio.gather(*futures)
                while len(found) < 300 * (turn + 1):
                    found.append((await consumer.getone()).value)
        assert found == [b"%d-%d" % (turn, n) for turn in range(3) for n in range(300)]
    await node.stop()


@pytest.mark.kafka
@pytest.mark.slow
async def test_transactions_of_others(kafka_broker: KafkaProcess, topic: str) -> None:
    """98-06: read_committed sees committed records only, and its end is the last stable offset."""
    address = kafka_broker.address
    await create(address, topic)
    here = TopicPartition(topic, 0)
    other = TransactionalProducer({"bootstrap.servers": address, "transactional.id": topic})
    other.init_transactions(20)
    for turn, commit in enumerate([True, False, True, False]):
        other.begin_transaction()
        for number in range(5):
            other.produce(topic, b"%d-%d" % (turn, number), partition=0)
        other.flush(20)
        if commit:
            other.commit_transaction(20)
        else:
            other.abort_transaction(20)
    other.begin_transaction()
    other.produce(topic, b"open", partition=0)
    other.flush(20)
    committed = [b"%d-%d" % (turn, number) for turn in (0, 2) for number in range(5)]
    async with Consumer(
        bootstrap_servers=address,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        fetch_max_wait_ms=50,
    ) as consumer:
        consumer.assign([here])
        async with asyncio.timeout(20):
            found = [(await consumer.getone()).value for _ in committed]
            assert found == committed
            assert await consumer.getmany(timeout_ms=200) == {}
            # 4 x 5 records and 4 markers; the open record is beyond the last stable offset.
            assert await consumer.position(here) == 24
            assert await consumer.end_offsets([here]) == {here: 24}
            columns = [each async for each in consumer.fetch_range(topic, 0, 0, 24)]
            assert [value for each in columns for value in each.values] == committed
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign([here])
        async with asyncio.timeout(20):
            everything = [(await consumer.getone()).value for _ in range(21)]
        assert everything[-1] == b"open"
    other.abort_transaction(20)


def test_under_uvloop(tmp_path: Path) -> None:
    """The loop that `barnabas serve` runs on works for programs too."""
    uvloop = pytest.importorskip("uvloop")

    async def run() -> None:
        node = await start_node(tmp_path)
        address = f"127.0.0.1:{node.port}"
        await create(address, "t")
        async with Producer(bootstrap_servers=address) as producer:
            await producer.send_many("t", [b"%d" % n for n in range(5000)])
        async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
            consumer.assign([TopicPartition("t", 0)])
            for number in range(5000):
                assert (await consumer.getone()).value == b"%d" % number
        await node.stop()

    uvloop.run(run())
