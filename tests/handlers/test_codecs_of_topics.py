"""Produce to topics with a codec of their own: what is long is built anew beside other work."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.broker import Bench, running
from kit.producing import produce, send
from kit.raw_client import RawClient

from barnabas.broker.core.log import validation
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import PartitionProduceData
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import check_batch
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

AT_ONCE = 256
PRODUCER = 7


def records(count: int, size: int = 1, sequence: int = 0) -> bytes:
    """So many records of `size` bytes in one compressed batch of a producer."""
    builder = RecordBatchBuilder(
        codec=Codec.ZSTD, producer_id=PRODUCER, producer_epoch=0, base_sequence=sequence
    )
    for number in range(count):
        builder.append(1_700_000_000_000 + number, b"%d" % number, bytes(size), (("h", b"x"),))
    return bytes(builder.build())


def contents(batch: bytes) -> list[Any]:
    """What consumers see of the records."""
    return [_seen(one) for one in decode_batch(batch)]


def _seen(one: Record) -> tuple[object, ...]:
    return one.timestamp, one.key, one.value, one.headers


class Topic:
    """Topic t on a broker, and on which kinds of threads its batches were built."""

    def __init__(self, bench: Bench, client: RawClient) -> None:
        self._bench = bench
        self.client = client
        self.built_on_loop: list[bool] = []

    def log_end(self, index: int = 0) -> int:
        return self._log(index).log_end_offset

    def stored(self, index: int = 0) -> bytes:
        """All that is in the partition's log."""
        log = self._log(index)
        return bytes(log.read(0, 1 << 20, log.log_end_offset))

    def _log(self, index: int) -> PartitionLog:
        partition = self._bench.broker.replicas.get("t", index)
        assert partition is not None
        return partition.log


@asynccontextmanager
async def topic_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, codec: str, **configs: object
) -> AsyncIterator[Topic]:
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 2, compression_type=codec, **configs)
        topic = Topic(bench, client)
        loop_thread = threading.get_ident()

        def build(**fields: Any) -> RecordBatchBuilder:
            topic.built_on_loop.append(threading.get_ident() == loop_thread)
            return RecordBatchBuilder(**fields)

        monkeypatch.setattr(validation, "RecordBatchBuilder", build)
        yield topic


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.GZIP, Codec.LZ4, Codec.SNAPPY])
async def test_many_records_are_built_anew_on_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, codec: Codec
) -> None:
    """Goal: the event loop builds no more than a few hundred records; either way what is stored
    is the same records in the topic's codec, once, as the producer's."""
    name = "uncompressed" if codec is Codec.NONE else codec.name.lower()
    async with topic_of(tmp_path, monkeypatch, name) as topic:
        few, many = records(AT_ONCE), records(AT_ONCE + 1, sequence=AT_ONCE)
        for sent in (few, many):
            assert (await send(topic.client, sent)).error_code == 0
        assert topic.built_on_loop == [True, False]
        stored = topic.stored()
        first = check_batch(stored, 0, len(stored))
        second = check_batch(stored, first.size, len(stored))
        assert {first.codec, second.codec} == {codec}
        assert (second.producer_id, second.base_sequence) == (PRODUCER, AT_ONCE)
        assert second.max_timestamp == 1_700_000_000_000 + AT_ONCE
        assert contents(stored[: first.size]) == contents(few)
        assert contents(stored[first.size :]) == contents(many)
        again = await send(topic.client, many)
        assert (again.error_code, again.base_offset) == (0, AT_ONCE)
        assert topic.stored() == stored


async def test_the_batches_of_a_request_share_what_is_built_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: many batches in one request are no way to keep the event loop busy for longer."""
    async with topic_of(tmp_path, monkeypatch, "gzip") as topic:
        request = produce(records(AT_ONCE // 2))
        long_one = PartitionProduceData(index=1, records=records(AT_ONCE // 2 + 1))
        request.topic_data[0].partition_data.append(long_one)
        answer = await topic.client.ask(request, 9)
        rows = answer.responses[0].partition_responses
        assert [row.error_code for row in rows] == [0, 0]
        assert sorted(topic.built_on_loop) == [False, True]
        for index, count in enumerate((AT_ONCE // 2, AT_ONCE // 2 + 1)):
            assert contents(topic.stored(index)) == contents(records(count))


@pytest.mark.parametrize("count", [AT_ONCE, AT_ONCE + 1])
async def test_what_grows_too_large_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Goal: max.message.bytes is for the batch as it is stored (10), on the loop and on a thread;
    the producer may go on with another batch in its place."""
    async with topic_of(tmp_path, monkeypatch, "uncompressed", max_message_bytes=20_000) as topic:
        row = await send(topic.client, records(count, 100))
        assert (row.error_code, row.base_offset) == (ErrorCode.MESSAGE_TOO_LARGE, -1)
        assert topic.log_end() == 0
        assert (await send(topic.client, records(count))).error_code == 0
        assert topic.log_end() == count
