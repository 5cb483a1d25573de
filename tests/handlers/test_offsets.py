"""ListOffsets, OffsetForLeaderEpoch and InitProducerId over the wire."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, LocalMembership, running
from kit.producing import send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.log import time_search
from barnabas.broker.core.log.record_times import first_record
from barnabas.protocol.compression import Codec
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.record_builder import RecordBatchBuilder

from .offsets import ask_epoch, ask_offset

T0 = 1_700_000_000_000


async def fill(bench: Bench, client: RawClient) -> bytes:
    """Offsets 0 to 5 at times T0, T0+10, … T0+50."""
    topic_id = bench.create_topic("t")
    for number in range(6):
        row = await send(client, batch(b"v", timestamp=T0 + 10 * number))
        assert row.error_code == 0
    return topic_id


@pytest.mark.parametrize("version", range(1, 11))
async def test_ends_and_times(tmp_path: Path, version: int) -> None:
    """207-06, 207-07, peers §7 case 8: latest, earliest, by time, in every version."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await fill(bench, client)
        found = {}
        for timestamp in (-1, -2, T0, T0 + 11, T0 + 50, T0 + 51):
            row = await ask_offset(client, timestamp, version)
            assert row.error_code == 0
            found[timestamp] = (row.timestamp, row.offset)
        assert found == {
            -1: (-1, 6),
            -2: (-1, 0),
            T0: (T0, 0),
            T0 + 11: (T0 + 20, 2),
            T0 + 50: (T0 + 50, 5),
            T0 + 51: (-1, -1),
        }
        row = await ask_offset(client, -1, version)
        assert row.leader_epoch == (0 if version >= 4 else -1)


async def test_special_timestamps(tmp_path: Path) -> None:
    """207-07: each from its version on, else UNSUPPORTED_VERSION(35)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await fill(bench, client)
        row = await ask_offset(client, -3, 7)
        assert (row.error_code, row.timestamp, row.offset) == (0, T0 + 50, 5)
        assert (await ask_offset(client, -4, 8)).offset == 0
        row = await ask_offset(client, -5, 9)
        assert (row.error_code, row.offset) == (0, -1)
        row = await ask_offset(client, -6, 11)
        assert (row.error_code, row.offset) == (0, -1)
        for timestamp, version in ((-3, 6), (-4, 7), (-5, 8), (-6, 10), (-7, 11)):
            assert (await ask_offset(client, timestamp, version)).error_code == 35


async def test_the_newest_record_is_none_that_was_deleted(tmp_path: Path) -> None:
    """207-07: after DeleteRecords the newest of those that are left is told, and not "none"."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for time in (90, 10, 30, 20):
            assert (await send(client, batch(b"v", timestamp=T0 + time))).error_code == 0
        assert (await ask_offset(client, -3, 7)).offset == 0
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        assert partition.advance_log_start(1)
        row = await ask_offset(client, -3, 7)
        assert (row.error_code, row.timestamp, row.offset) == (0, T0 + 30, 2)
        row = await ask_offset(client, T0 + 15, 7)
        assert (row.error_code, row.timestamp, row.offset) == (0, T0 + 30, 2)


async def test_refusals(tmp_path: Path) -> None:
    """392-02, 392-03, 207-07: unknown partitions, epochs, and one that is asked for twice."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await fill(bench, client)
        assert (await ask_offset(client, -1, index=4)).error_code == 3
        assert (await ask_offset(client, -1, current_leader_epoch=3)).error_code == 75
        wanted = ListOffsetsPartition(partition_index=0, timestamp=-1)
        twice = ListOffsetsTopic(name="t", partitions=[wanted] * 2)
        (topic,) = (await client.ask(ListOffsetsRequest(topics=[twice] * 2), 5)).topics
        assert [row.error_code for row in topic.partitions] == [42], "as Kafka: one row says so"


async def test_refused_while_the_watermark_is_behind_the_epoch(tmp_path: Path) -> None:
    """207-01, 207-02: 78 (v5+) or 5 for clients, and not for -2."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await fill(bench, client)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        partition.as_leader().epoch_start_offset = 6
        partition.log._high_watermark = 4
        for timestamp in (-1, -2, T0):
            assert (await ask_offset(client, timestamp, 5)).error_code == 78
            assert (await ask_offset(client, timestamp, 4)).error_code == 5
        assert (await ask_offset(client, -1, 5, replica_id=-2)).offset == 4


def let_pass(bench: Bench, staleness_ms: float) -> None:
    """So long ago the broker heard from its controller."""
    membership = bench.broker._membership
    assert isinstance(membership, LocalMembership)
    membership.staleness_ms = staleness_ms


@pytest.mark.parametrize(("version", "code"), [(4, 5), (5, 78)])
async def test_stale_metadata_tells_no_end(tmp_path: Path, version: int, code: int) -> None:
    """207-09: a leader that has not heard of the controller for long may have been replaced."""
    async with (
        running(tmp_path, leader_metadata_staleness_max_ms=40) as bench,
        bench.connect() as client,
    ):
        await fill(bench, client)
        let_pass(bench, 10.0)
        assert (await ask_offset(client, -1, version)).offset == 6
        let_pass(bench, 41.0)
        for timestamp in (-1, T0, T0 + 11):
            row = await ask_offset(client, timestamp, version)
            assert (row.error_code, row.offset, row.timestamp) == (code, -1, -1)
            assert row.leader_epoch == -1
        assert (await ask_offset(client, -2, version)).offset == 0
        assert (await ask_offset(client, -1, version, replica_id=3)).offset == 6


async def test_an_end_is_told_when_the_metadata_is_fresh_again(tmp_path: Path) -> None:
    """207-09: the answer waits for it; clients that take a refusal for a failure never see one."""
    async with running(tmp_path) as bench, bench.connect() as client, bench.connect() as other:
        await fill(bench, client)
        let_pass(bench, 60_000.0)
        waiting = asyncio.ensure_future(ask_offset(client, -1, 5))
        # Others are answered meanwhile, and what needs no lease.
        assert (await ask_offset(other, -2, 5)).offset == 0
        assert not waiting.done()
        let_pass(bench, 0.0)
        row = await waiting
        assert (row.error_code, row.offset) == (0, 6)


async def test_a_leader_that_is_none_any_more_is_not_waited_for(tmp_path: Path) -> None:
    """207-09: it can never be sure of its epoch again; the client is to ask another."""
    async with (
        running(tmp_path, leader_metadata_staleness_max_ms=600_000) as bench,
        bench.connect() as client,
        bench.connect() as other,
    ):
        topic_id = await fill(bench, client)
        let_pass(bench, 600_001.0)
        waiting = asyncio.ensure_future(ask_offset(client, -1, 5))
        assert (await ask_offset(other, -2, 5)).offset == 0
        assert not waiting.done()
        bench.new_epoch(topic_id)
        assert (await waiting).error_code == 78


async def test_freshness_is_judged_when_the_answer_leaves(tmp_path: Path) -> None:
    """207-09: an answer that waits behind another one is judged when its turn has come."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await fill(bench, client)
        slow = FetchPartition(partition=0, fetch_offset=6, partition_max_bytes=1)
        topics = [FetchTopic(topic="t", partitions=[slow])]
        client.send(FetchRequest(topics=topics, max_wait_ms=60_000, min_bytes=1), 11)
        wanted = ListOffsetsPartition(partition_index=0, timestamp=-1)
        asked = ListOffsetsTopic(name="t", partitions=[wanted])
        client.send(ListOffsetsRequest(replica_id=-1, topics=[asked]), 5)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        await until(lambda: partition.waiters.parked_count)
        let_pass(bench, 60_000.0)
        async with bench.connect() as other:
            await send(other, batch(b"v"))
        await client.receive(1, 11)
        answer = await client.receive(2, 5)
        assert answer.topics[0].partitions[0].error_code == 78


async def test_a_row_of_an_epoch_before_is_not_told(tmp_path: Path) -> None:
    """207-05, 207-09: it waited behind another answer until the metadata was fresh again, and was
    found when this broker led an epoch that was over elsewhere."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = await fill(bench, client)
        slow = FetchPartition(partition=0, fetch_offset=6, partition_max_bytes=1)
        topics = [FetchTopic(topic="t", partitions=[slow])]
        client.send(FetchRequest(topics=topics, max_wait_ms=60_000, min_bytes=1), 11)
        wanted = ListOffsetsPartition(partition_index=0, timestamp=-1)
        asked = ListOffsetsTopic(name="t", partitions=[wanted])
        client.send(ListOffsetsRequest(replica_id=-1, topics=[asked]), 5)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        await until(lambda: partition.waiters.parked_count)
        bench.new_epoch(topic_id)
        async with bench.connect() as other:
            await send(other, batch(b"v"))
        await client.receive(1, 11)
        answer = await client.receive(2, 5)
        assert answer.topics[0].partitions[0].error_code == 78


@pytest.mark.parametrize(("version", "code"), [(4, 5), (5, 78)])
async def test_a_leader_after_another_tells_no_end(tmp_path: Path, version: int, code: int) -> None:
    """207-09: who led before may still tell one, and does not know what was written since."""
    async with (
        running(tmp_path, leader_metadata_staleness_max_ms=40) as bench,
        bench.connect() as client,
    ):
        await fill(bench, client)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        now_ms = bench.broker.env.clock.monotonic_ms()
        partition.former_leaders.note(3, now_ms + 60_000)
        for timestamp in (-1, T0):
            assert (await ask_offset(client, timestamp, version)).error_code == code
        assert (await ask_offset(client, -2, version)).offset == 0
        partition.former_leaders.forget(3)
        assert (await ask_offset(client, -1, version)).offset == 6


@pytest.mark.parametrize("version", [2, 3, 4])
async def test_end_of_epochs(tmp_path: Path, version: int) -> None:
    """101-02: the end of each epoch, of the latest, and of epochs that never were."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = await fill(bench, client)  # epoch 0: 0 to 5
        for _ in range(3):
            bench.new_epoch(topic_id)
        await send(client, batch(b"v"))  # epoch 3: 6
        found = {}
        for epoch in (0, 1, 2, 3, 4):
            row = await ask_epoch(client, epoch, version)
            assert row.error_code == 0
            found[epoch] = (row.leader_epoch, row.end_offset)
        assert found[0] == (0, 6)
        assert found[3] == (3, 7)
        assert found[4] == (-1, -1)
        assert (await ask_epoch(client, 0, version, current_leader_epoch=1)).error_code == 74
        assert (await ask_epoch(client, 0, version, current_leader_epoch=9)).error_code == 75


async def test_consumers_get_no_more_than_the_watermark(tmp_path: Path) -> None:
    """392-15: clamped to the watermark; 78 while a new leader has not reached its epoch's start."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = await fill(bench, client)
        bench.new_epoch(topic_id)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        partition.log._high_watermark = 4
        assert (await ask_epoch(client, 0)).error_code == 78
        partition.as_leader().epoch_start_offset = 0
        assert (await ask_epoch(client, 0)).end_offset == 4


@pytest.mark.parametrize("version", range(6))
async def test_producer_ids_are_never_given_twice(tmp_path: Path, version: int) -> None:
    """98-01: fresh ids with epoch 0, over the end of a block."""
    async with running(tmp_path) as bench, bench.connect() as client:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000)
        count = 1005 if version == 0 else 3
        seen = set()
        for _ in range(count):
            answer = await client.ask(request, version)
            assert (answer.error_code, answer.producer_epoch) == (0, 0)
            seen.add(answer.producer_id)
        assert len(seen) == count


async def test_transactional_ids_need_their_coordinator(tmp_path: Path) -> None:
    """16 where it is not, 42 for an id without characters (CRT-04, TXN-01)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        request = InitProducerIdRequest(transactional_id="tx", transaction_timeout_ms=1000)
        answer = await client.ask(request, 3)
        assert (answer.error_code, answer.producer_id) == (16, -1)
        request.transactional_id = ""
        assert (await client.ask(request, 3)).error_code == 42


async def test_batches_are_decoded_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """207-06, ENV-13: no batch that may be long is decoded where others wait; each one once."""
    threads: list[int] = []

    def note(*args: Any) -> Any:
        threads.append(threading.get_ident())
        return first_record(*args)

    monkeypatch.setattr(time_search, "first_record", note)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 3)
        builder = RecordBatchBuilder(codec=Codec.ZSTD)
        for number in range(5000):
            builder.append(T0 + number, None, b"value")
        for index in range(2):
            row = await send(client, bytes(builder.build()), index=index)
            assert row.error_code == 0
        partitions = [
            ListOffsetsPartition(partition_index=index, timestamp=T0 + 4000)
            for index in (0, 1, 2, 2)
        ]
        request = ListOffsetsRequest(
            replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=partitions)]
        )
        rows = (await client.ask(request, 7)).topics[0].partitions
        assert [(row.error_code, row.offset) for row in rows] == [
            (0, 4000),
            (0, 4000),
            (42, -1),
        ]
        assert len(threads) == 2
        assert threading.get_ident() not in threads
        newest = await ask_offset(client, -3, 7)
        assert (newest.offset, newest.timestamp) == (4999, T0 + 4999)
        assert threading.get_ident() not in threads
