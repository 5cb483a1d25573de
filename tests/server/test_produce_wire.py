"""Produce over the wire: every version, both roads, acknowledgements, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.batches import batch
from kit.broker import running
from kit.fetching import fetch_all
from kit.producing import produce, send

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)


@pytest.mark.parametrize("version", range(3, 14))
async def test_every_version_appends_and_says_where(tmp_path: Path, version: int) -> None:
    """Goal: each served version, on the hot path, gives offsets in order."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t", 2)
        topic = topic_id if version >= 13 else "t"
        first = await send(client, batch(b"a", b"b"), version, index=1, topic=topic)
        second = await send(client, batch(b"c"), version, index=1, topic=topic)
        assert (first.error_code, first.base_offset) == (0, 0)
        assert (second.error_code, second.base_offset) == (0, 2)
        assert second.log_append_time_ms == -1
        assert second.log_start_offset == (0 if version >= 5 else -1)
        assert bench.broker.metrics.produce_requests == 2
        assert bench.broker.replicas.get("t", 1).log.log_end_offset == 3  # type: ignore[union-attr]


@pytest.mark.parametrize("version", [3, 8, 9, 11, 12, 13])
async def test_many_partitions_in_one_request(tmp_path: Path, version: int) -> None:
    """Goal: several topics and partitions are appended and answered in the order of the request."""
    async with running(tmp_path) as bench, bench.connect() as client:
        ids = {"t": bench.create_topic("t", 3), "u": bench.create_topic("u", 1)}
        request = ProduceRequest(
            acks=1,
            timeout_ms=1000,
            topic_data=[
                TopicProduceData(
                    name="t",
                    topic_id=ids["t"],
                    partition_data=[
                        PartitionProduceData(index=index, records=batch(b"x" * index))
                        for index in (2, 0, 1)
                    ],
                ),
                TopicProduceData(
                    name="u",
                    topic_id=ids["u"],
                    partition_data=[PartitionProduceData(index=0, records=batch(b"y"))],
                ),
            ],
        )
        answer = await client.ask(request, version)
        if version >= 13:
            assert [topic.topic_id for topic in answer.responses] == list(ids.values())
        else:
            assert [topic.name for topic in answer.responses] == ["t", "u"]
        rows = [row for topic in answer.responses for row in topic.partition_responses]
        assert [(row.index, row.error_code, row.base_offset) for row in rows] == [
            (2, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0),
        ]  # fmt: skip
        assert bench.broker.metrics.produce_requests == 1
        assert bench.broker.metrics.requests[0] == 0


BAD = [
    pytest.param(b"", ErrorCode.INVALID_RECORD, id="empty"),
    pytest.param(None, ErrorCode.INVALID_RECORD, id="null"),
    pytest.param(batch(b"v")[:-1] + b"!", ErrorCode.CORRUPT_MESSAGE, id="crc"),
    pytest.param(batch(b"v") + batch(b"w"), ErrorCode.INVALID_RECORD, id="two batches"),
    pytest.param(batch(b"v")[:-5], ErrorCode.CORRUPT_MESSAGE, id="cut"),
    pytest.param(batch(b"v", magic=1), ErrorCode.INVALID_RECORD, id="magic 1"),
    pytest.param(batch(b"v", magic=3), ErrorCode.CORRUPT_MESSAGE, id="magic 3"),
    pytest.param(batch(b"v", base_offset=7), ErrorCode.INVALID_RECORD, id="base offset"),
    pytest.param(batch(b"v", count=-3), ErrorCode.INVALID_RECORD, id="negative count"),
    pytest.param(batch(count=0), ErrorCode.INVALID_RECORD, id="no records"),
    pytest.param(batch(b"v", last_offset_delta=5), ErrorCode.INVALID_RECORD, id="delta"),
    pytest.param(batch(b"v", attributes=0x20), ErrorCode.INVALID_RECORD, id="control"),
    pytest.param(batch(b"v", attributes=0x08), ErrorCode.INVALID_TIMESTAMP, id="append time"),
    pytest.param(batch(b"v", attributes=5), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, id="codec 5"),
    pytest.param(
        batch(b"v", attributes=0x10, producer_id=1, producer_epoch=0, base_sequence=0),
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        id="transactional without an id",
    ),
    pytest.param(
        batch(b"v", producer_id=5, producer_epoch=0, base_sequence=-1),
        ErrorCode.INVALID_RECORD,
        id="producer without sequence",
    ),
    pytest.param(batch(b"v" * 2_000_000), ErrorCode.MESSAGE_TOO_LARGE, id="too large"),
    pytest.param(
        batch(b"v", timestamp=4_000_000_000_000), ErrorCode.INVALID_TIMESTAMP, id="future"
    ),
]


@pytest.mark.parametrize(("records", "code"), BAD)
async def test_what_is_refused_leaves_the_log_untouched(
    tmp_path: Path, records: bytes | None, code: ErrorCode
) -> None:
    """F-5 (one of each kind): the right code, nothing appended, the connection goes on."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for version in (3, 9):
            row = await send(client, records, version)
            assert ErrorCode(row.error_code) is code
            assert row.base_offset == -1
        assert bench.broker.replicas.get("t", 0).log.size_bytes == 0  # type: ignore[union-attr]
        assert (await send(client, batch(b"good"))).error_code == 0


async def test_unknown_topic_and_partition(tmp_path: Path) -> None:
    """Goal: 3 for what does not exist, and others in the same request are served."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        assert (await send(client, batch(b"v"), topic="nope")).error_code == 3
        assert (await send(client, batch(b"v"), index=7)).error_code == 3
        request = produce(batch(b"v"))
        request.topic_data[0].partition_data.append(
            PartitionProduceData(index=9, records=batch(b"v"))
        )
        rows = (await client.ask(request, 9)).responses[0].partition_responses
        assert [row.error_code for row in rows] == [0, 3]


@pytest.mark.parametrize("acks", [-1, 1])
async def test_ids_of_no_topic(tmp_path: Path, acks: int) -> None:
    """516-01: 100 for an unknown id, none, or that of a deleted topic; others are served."""
    async with running(tmp_path) as bench, bench.connect() as client:
        before = bench.create_topic("t")
        bench.delete_topic(before)
        now = bench.create_topic("t")
        for unknown in (before, b"\7" * 16, bytes(16)):
            row = await send(client, batch(b"v"), 13, topic=unknown, acks=acks)
            assert (row.error_code, row.base_offset) == (100, -1)
            request = produce(batch(b"v"), topic=unknown, acks=acks)
            request.topic_data += produce(batch(b"v"), topic=now).topic_data
            answer = await client.ask(request, 13)
            assert [topic.topic_id for topic in answer.responses] == [unknown, now]
            codes = [topic.partition_responses[0].error_code for topic in answer.responses]
            assert codes == [100, 0]
        assert (await send(client, batch(b"v"), 13, topic=now, index=7)).error_code == 3
        assert (await send(client, batch(b"v")[:-1] + b"!", 13, topic=now)).error_code == 2
        row = await send(client, batch(b"v"), 13, topic=now)
        assert (row.error_code, row.base_offset) == (0, 3)


@pytest.mark.parametrize("version", [12, 13])
async def test_internal_topics_are_written_by_brokers(tmp_path: Path, version: int) -> None:
    """REC-05: 17, by whichever name."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("__consumer_offsets")
        topic = topic_id if version >= 13 else "__consumer_offsets"
        assert (await send(client, batch(b"v"), version, topic=topic)).error_code == 17


async def test_invalid_acks(tmp_path: Path) -> None:
    """Goal: acks other than -1, 0 and 1 are INVALID_REQUIRED_ACKS(21)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        assert (await send(client, batch(b"v"), acks=2)).error_code == 21


async def test_acks_0_has_no_answer_and_closes_on_error(tmp_path: Path) -> None:
    """ENV-09: no response; on any error the connection is closed."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        client.send(produce(batch(b"one"), acks=0), 9)
        row = await send(client, batch(b"two"))
        assert row.base_offset == 1
        client.send(produce(batch(b"three"), topic="nope", acks=0), 9)
        assert await client.closed()


async def test_sequences_and_duplicates(tmp_path: Path) -> None:
    """98-02, 98-03: a repeated batch gets its first answer; gaps 45, old epochs 47."""

    def numbered(sequence: int, epoch: int = 0) -> bytes:
        return batch(b"v", producer_id=77, producer_epoch=epoch, base_sequence=sequence)

    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        offsets = [(await send(client, numbered(n))).base_offset for n in range(6)]
        assert offsets == [0, 1, 2, 3, 4, 5]
        again = await send(client, numbered(3))
        assert (again.error_code, again.base_offset) == (0, 3)
        assert (await send(client, numbered(9))).error_code == 45
        assert (await send(client, numbered(0, epoch=1))).base_offset == 6
        assert (await send(client, numbered(6))).error_code == 47
        assert (await send(client, numbered(5, epoch=2))).error_code == 45


async def test_log_append_time(tmp_path: Path) -> None:
    """Goal: the broker's time is stamped and told."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", message_timestamp_type="LogAppendTime")
        row = await send(client, batch(b"v", timestamp=5))
        assert row.error_code == 0
        assert row.log_append_time_ms > 1_600_000_000_000


async def test_compacted_topic_names_the_records_without_key(tmp_path: Path) -> None:
    """KIP-467: INVALID_RECORD(87) with the index of each record at fault."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", cleanup_policy="compact")
        row = await send(client, batch(b"a", b"b"))
        assert row.error_code == 87
        assert [error.batch_index for error in row.record_errors] == [0, 1]
        assert (await send(client, batch(b"a", key=b"k"))).error_code == 0


async def test_records_that_cannot_be_read_are_an_answer(tmp_path: Path) -> None:
    """F-5: where records are read, garbage under a right checksum is INVALID_RECORD(87)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", cleanup_policy="compact")
        row = await send(client, batch(b"a", key=b"k", records=b"\x7f garbage"))
        assert row.error_code == 87
        assert row.record_errors == []
        assert (await send(client, batch(b"a", key=b"k"))).error_code == 0


@pytest.mark.each_loop
async def test_flush_messages_1_answers_after_the_fsync(tmp_path: Path) -> None:
    """Goal: with flush.messages=1 the watermark and the answer come after the group commit."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", flush_messages=1)
        for acks in (-1, 1):
            row = await send(client, batch(b"v"), acks=acks)
            assert row.error_code == 0
            partition = bench.broker.replicas.get("t", 0)
            assert partition is not None
            assert partition.log.recovery_point == partition.log.log_end_offset
        assert bench.broker.metrics.fsync_rounds == 2


async def test_min_insync_replicas_is_bounded_by_the_assignment(tmp_path: Path) -> None:
    """966-01: effective min = min(config, RF), so one replica is enough for one replica."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", min_insync_replicas=2)
        assert (await send(client, batch(b"v"))).error_code == 0


@pytest.mark.each_loop
async def test_pipelined_answers_keep_the_order(tmp_path: Path) -> None:
    """ENV-08: requests that wait for an fsync do not overtake, nor stop, those behind them."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("slow", flush_messages=1)
        bench.create_topic("fast")
        for number in range(40):
            topic = "slow" if number % 3 == 0 else "fast"
            client.send(produce(batch(b"%d" % number), topic=topic), 9)
        correlations = []
        for _ in range(40):
            frame = await client.read_frame()
            correlations.append(int.from_bytes(frame[:4], "big"))
        assert correlations == list(range(1, 41))


@pytest.mark.each_loop
async def test_what_was_produced_is_fetched(tmp_path: Path) -> None:
    """Goal: the bytes come back but for base offset and leader epoch."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        sent = [batch(b"x" * size) for size in (1, 5000, 300_000)]
        for one in sent:
            assert (await send(client, one)).error_code == 0
        answer = await client.ask(fetch_all("t"), 11)
        records = answer.responses[0].partitions[0].records
        at = 0
        for number, one in enumerate(sent):
            got = records[at : at + len(one)]
            assert got[:8] == number.to_bytes(8, "big")
            assert got[16:] == one[16:]
            at += len(one)
        assert at == len(records)
