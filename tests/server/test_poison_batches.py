"""Batches that are right to the checksum, and behind whose header no consumer would get (F-5).

None is stored, on either road: framing is walked over, compressed streams are opened first.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch, record
from kit.broker import Bench, running
from kit.producing import produce, send
from kit.varints import varint

from barnabas.broker.core.log import record_check
from barnabas.broker.core.log.record_check import RECORDS_AT_ONCE
from barnabas.broker.handlers.produce.checking import ProducedBatch
from barnabas.protocol.compression import Codec, compress, decompress
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import PartitionProduceData, TopicProduceData
from barnabas.protocol.record_batch import check_batch
from barnabas.protocol.records import decode_batch

INVALID = int(ErrorCode.INVALID_RECORD)
NOISE = random.Random(7).randbytes(300)
TWO = record(0, b"a") + record(1, b"b")


def whole(*parts: bytes) -> bytes:
    """One record with this body, its length right."""
    body = b"\0" + b"".join(parts)
    return varint(len(body)) + body


START = varint(0) + varint(0)
NOTHING = varint(-1)

POISON = [
    pytest.param(0, NOISE, 2, id="random bytes"),
    pytest.param(0, TWO[:-1], 2, id="cut short"),
    pytest.param(0, TWO, 3, id="fewer records than the header says"),
    pytest.param(0, TWO, 1, id="more records than the header says"),
    pytest.param(0, TWO + b"\0", 2, id="a byte behind"),
    pytest.param(0, record(0, b"a") + record(0, b"b"), 2, id="an offset twice"),
    pytest.param(0, record(1, b"a") + record(0, b"b"), 2, id="offsets out of order"),
    pytest.param(0, record(1, b"a"), 1, id="an offset left out"),
    pytest.param(0, varint(-1) + TWO, 2, id="a length of -1"),
    pytest.param(0, varint(2**31 - 1) + TWO, 2, id="a length of 2^31-1"),
    pytest.param(0, b"\xff" * 12, 1, id="a varint without end"),
    pytest.param(0, whole(START, varint(99), b"k", NOTHING, varint(0)), 1, id="key too long"),
    pytest.param(0, whole(START, NOTHING, varint(99), b"v", varint(0)), 1, id="value too long"),
    pytest.param(0, whole(START, NOTHING, NOTHING, varint(3)), 1, id="headers missing"),
    pytest.param(0, whole(START, NOTHING, NOTHING, varint(-1)), 1, id="-1 headers"),
    pytest.param(
        0, whole(START, NOTHING, NOTHING, varint(1), varint(-1), NOTHING), 1, id="header, no key"
    ),
    pytest.param(
        0, whole(START, NOTHING, NOTHING, varint(1), varint(9), b"h"), 1, id="header cut short"
    ),
    pytest.param(0, whole(START, NOTHING, NOTHING, varint(0), b"x"), 1, id="bytes in a record"),
    *[
        pytest.param(codec, body, count, id=f"{codec.name.lower()}: {name}")
        for codec in (Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)
        for name, body, count in (
            ("noise", NOISE, 2),
            ("nothing", b"", 2),
            ("cut short", compress(codec, TWO * 9)[:-6], 18),
            ("fewer records", compress(codec, TWO), 3),
            ("more records", compress(codec, TWO), 1),
            ("noise inside", compress(codec, NOISE), 2),
        )
    ],
]


@pytest.mark.parametrize(("codec", "body", "count"), POISON)
async def test_poison_is_refused(tmp_path: Path, codec: int, body: bytes, count: int) -> None:
    """Goal: INVALID_RECORD (87) on both roads, in old and new versions; nothing is stored."""
    sent = batch(attributes=codec, records=body, count=count)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 2)
        for version in (7, 11):
            row = await send(client, sent, version)
            assert (row.error_code, row.base_offset) == (INVALID, -1), row
        rows = await send_both(client, sent, batch(b"good"))
        assert [row.error_code for row in rows] == [INVALID, 0]
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        assert log.size_bytes == 0


async def send_both(client: Any, first: bytes, second: bytes) -> list[Any]:
    """One request for partitions 0 and 1 of `t`."""
    request = produce(None)
    request.topic_data = [
        TopicProduceData(
            name="t",
            partition_data=[
                PartitionProduceData(index=0, records=first),
                PartitionProduceData(index=1, records=second),
            ],
        )
    ]
    answer = await client.ask(request, 9)
    return list(answer.responses[0].partition_responses)


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.ZSTD])
@pytest.mark.parametrize("said", [0, 5, 2**40])
async def test_largest_timestamp_is_that_of_the_records(
    tmp_path: Path, codec: Codec, said: int
) -> None:
    """Goal: a header that is wrong about it is put right, checksum and all, as Kafka does."""
    records = record(0, b"a") + record(1, b"b", time_delta=30) + record(2, b"c", time_delta=-7)
    body = compress(codec, records)
    sent = batch(
        attributes=codec, records=body, count=3, timestamp=1_700_000_000_000, max_timestamp=said
    )
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        assert (await send(client, sent)).error_code == 0
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        stored = bytes(log.read(0, 1000, 3))
        assert check_batch(stored, 0, len(stored)).max_timestamp == 1_700_000_000_030
        assert [one.value for one in decode_batch(stored)] == [b"a", b"b", b"c"]


async def test_no_timestamp_is_no_old_timestamp(tmp_path: Path) -> None:
    """Goal: message.timestamp.before.max.ms looks at each record, but not at -1 (Kafka)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", message_timestamp_before_max_ms=1000)
        assert (await send(client, batch(b"a", timestamp=-1))).error_code == 0
        mixed = record(0, b"a", time_delta=-1 - 10**12) + record(1, b"b")
        row = await send(client, batch(records=mixed, count=2, timestamp=10**12))
        assert row.error_code == ErrorCode.INVALID_TIMESTAMP
        assert [one.batch_index for one in row.record_errors] == [1]


def long_batch(last: Callable[[int], bytes] = lambda n: record(n, b"")) -> bytes:
    """More records than are walked over on the event loop."""
    count = RECORDS_AT_ONCE + 1
    records = b"".join(record(n, b"") for n in range(count - 1)) + last(count - 1)
    return batch(records=records, count=count)


async def test_long_batches_are_walked_over_on_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: the event loop does not stand still for them, and the last record counts as well."""
    on_threads: list[ProducedBatch] = []
    walk = ProducedBatch.walk

    def walk_and_tell(self: ProducedBatch) -> None:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        on_threads.append(self)
        walk(self)

    monkeypatch.setattr(ProducedBatch, "walk", walk_and_tell)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        assert (await send(client, long_batch())).error_code == 0
        row = await send(client, long_batch(lambda n: record(n + 1, b"")))
        assert row.error_code == INVALID
        assert len(on_threads) == 2


async def test_what_inflates_much_is_opened_on_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ENV-13: on the event loop no more than DECOMPRESSED_AT_ONCE_MAX bytes come out."""
    limits: list[int] = []

    def decompress_and_tell(codec: Codec, data: memoryview, limit: int) -> bytes:
        limits.append(limit)
        return decompress(codec, data, limit)

    monkeypatch.setattr(record_check, "decompress", decompress_and_tell)
    body = compress(Codec.ZSTD, record(0, bytes(3 * 2**20)))
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        row = await send(client, batch(attributes=4, records=body, count=1))
        assert row.error_code == 0
        at_once = record_check.DECOMPRESSED_AT_ONCE_MAX
        limit = bench.broker.config.max_decompressed_message_bytes
        assert limits == [at_once, at_once, limit]


async def test_leader_that_changes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: who leads no longer when the walk ends appends nothing."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t")
        walk = ProducedBatch.walk
        loop = asyncio.get_running_loop()

        def walk_and_lose(self: ProducedBatch) -> None:
            walk(self)
            done = asyncio.run_coroutine_threadsafe(lose(bench, topic_id), loop)
            done.result()

        monkeypatch.setattr(ProducedBatch, "walk", walk_and_lose)
        row = await send(client, long_batch())
        assert row.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        assert log.log_end_offset == 0


async def lose(bench: Bench, topic_id: bytes) -> None:
    """Another broker leads from now on."""
    bench.new_epoch(topic_id, leader=7)


async def test_refusals_name_no_records_of_a_long_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: what is refused is not decoded on the event loop to say which of its records are it."""
    decoded: list[Any] = []
    monkeypatch.setattr("barnabas.protocol.records.decode_batch", decoded.append)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", cleanup_policy="compact")
        row = await send(client, long_batch())
        assert (row.error_code, row.record_errors) == (INVALID, [])
        assert not decoded
