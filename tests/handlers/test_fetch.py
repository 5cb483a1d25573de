"""Fetch over the wire: all versions, long polls, limits, sessions, isolation, errors."""

from __future__ import annotations

import asyncio
import struct
import time
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import produce, send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.log.origin import Origin
from barnabas.protocol.messages.fetch_request import (
    FetchRequest,
    ForgottenTopic,
)

UNKNOWN_ID = b"\xee" * 16


@pytest.mark.parametrize("version", range(4, 19))
async def test_every_version(tmp_path: Path, version: int) -> None:
    """Goal: records small and large, by name and by id, in every served version."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t", 2)
        topic = topic_id if version >= 13 else "t"
        await send(client, batch(b"small"))
        await send(client, batch(b"x" * 50_000))
        await send(client, batch(b"other"), index=1)
        request = fetch(wanted(), wanted(index=1), wanted(index=9), topic=topic)
        answer = await client.ask(request, version)
        (found,) = answer.responses
        assert found.topic_id == topic_id if version >= 13 else found.topic == "t"
        first, second, third = found.partitions
        assert base_offsets(first.records) == [0, 1]
        assert (first.high_watermark, first.last_stable_offset) == (2, 2)
        assert first.log_start_offset == (0 if version >= 5 else -1)
        assert first.aborted_transactions is None
        assert base_offsets(second.records) == [0]
        assert (third.error_code, third.records or b"") == (3, b"")


async def test_long_poll_is_woken_by_an_append(tmp_path: Path) -> None:
    """74-02: a parked fetch answers with the append, long before its deadline."""
    async with running(tmp_path) as bench, bench.connect() as reader, bench.connect() as writer:
        bench.create_topic("t", 3)
        for number in range(3):
            request = fetch(
                wanted(number), wanted(number, 1), wanted(number, 2), max_wait_ms=30_000
            )
            reader.send(request, 11)
            waiting = asyncio.create_task(reader.receive(1, 11))
            await send(writer, batch(b"v"), index=number % 3)
            for index in range(3):
                if index != number % 3:
                    await send(writer, batch(b"v"), index=index)
            answer = await asyncio.wait_for(waiting, 5)
            assert any(data.records for data in answer.responses[0].partitions)


async def test_long_poll_ends_at_its_deadline(tmp_path: Path) -> None:
    """74-02: with nothing to read the answer comes, empty, when max_wait is over."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        loop = asyncio.get_running_loop()
        began = loop.time()
        data = await read(client, fetch(wanted(), max_wait_ms=100))
        assert 0.09 < loop.time() - began < 20
        assert (data.error_code, data.records) == (0, b"")
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        assert partition.waiters.parked_count == 0


async def test_min_bytes_waits_for_enough(tmp_path: Path) -> None:
    """74-02: a fetch of min_bytes answers with the append that makes it enough, not before."""
    async with running(tmp_path) as bench, bench.connect() as reader, bench.connect() as writer:
        bench.create_topic("t")
        size = len(batch(b"v" * 100))
        reader.send(fetch(wanted(), max_wait_ms=30_000, min_bytes=3 * size), 11)
        waiting = asyncio.create_task(reader.receive(1, 11))
        for _ in range(2):
            await send(writer, batch(b"v" * 100))
        assert not waiting.done()
        await send(writer, batch(b"v" * 100))
        answer = await asyncio.wait_for(waiting, 5)
        assert base_offsets(answer.responses[0].partitions[0].records) == [0, 1, 2]


async def test_an_error_ends_the_wait(tmp_path: Path) -> None:
    """peers §7 case 3: one partition in error, and the answer comes at once."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        answer = await asyncio.wait_for(
            client.ask(fetch(wanted(), wanted(index=5), max_wait_ms=60_000), 11), 5
        )
        assert [data.error_code for data in answer.responses[0].partitions] == [0, 3]


async def test_deletion_and_new_leaders_end_the_wait(tmp_path: Path) -> None:
    """74-02: who is parked on a partition that goes away is told at once."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t")
        client.send(fetch(wanted(), max_wait_ms=60_000), 11)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        await until(lambda: partition.waiters.parked_count)
        bench.delete_topic(topic_id)
        answer = await asyncio.wait_for(client.receive(1, 11), 5)
        assert answer.responses[0].partitions[0].error_code == 3


async def test_size_limits(tmp_path: Path) -> None:
    """74-01: in order, the first batch whatever its size, afterwards the limits hold."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 3)
        size = len(batch(b"v" * 1000))
        for index in range(3):
            for _ in range(4):
                await send(client, batch(b"v" * 1000), index=index)
        everything = [wanted(index=index, size=10) for index in (2, 0, 1)]
        answer = await client.ask(fetch(*everything, max_bytes=1 << 20), 11)
        sizes = [len(data.records) for data in answer.responses[0].partitions]
        assert sizes == [size, 0, 0]
        everything = [wanted(index=index, size=2 * size) for index in (2, 0, 1)]
        answer = await client.ask(fetch(*everything, max_bytes=3 * size), 11)
        sizes = [len(data.records) for data in answer.responses[0].partitions]
        assert sizes == [2 * size, size, 0]


async def test_from_the_middle_of_a_batch(tmp_path: Path) -> None:
    """peers §7 case 2: the whole batch comes."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        await send(client, batch(b"a", b"b", b"c"))
        await send(client, batch(b"d"))
        data = await read(client, fetch(wanted(1)))
        assert base_offsets(data.records) == [0, 3]


@pytest.mark.parametrize("version", [4, 5, 11, 12])
async def test_out_of_range_tells_the_range(tmp_path: Path, version: int) -> None:
    """392-07, 392-08: code 1 with high watermark and log start offset of this replica."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for _ in range(5):
            await send(client, batch(b"v"))
        log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
        log.advance_log_start(2)
        for offset in (1, 6, 10**15):
            data = await read(client, fetch(wanted(offset)), version)
            assert (data.error_code, data.high_watermark) == (1, 5)
            assert data.log_start_offset == (2 if version >= 5 else -1)
        assert (await read(client, fetch(wanted(5)), version)).error_code == 0


async def test_epochs_fence(tmp_path: Path) -> None:
    """392-03: an older leader epoch is fenced (74), a newer one is unknown (75), -1 passes."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t")
        bench.new_epoch(topic_id)
        codes = [
            (await read(client, fetch(wanted(current_leader_epoch=epoch)), 11)).error_code
            for epoch in (-1, 0, 1, 2)
        ]
        assert codes == [0, 74, 0, 75]


async def test_topic_ids(tmp_path: Path) -> None:
    """516-01: unknown id 100; after delete and re-creation the old id stays unknown."""
    async with running(tmp_path) as bench, bench.connect() as client:
        old = bench.create_topic("t")
        await send(client, batch(b"old"))
        assert (await read(client, fetch(wanted(), topic=UNKNOWN_ID), 13)).error_code == 100
        bench.delete_topic(old)
        new = bench.create_topic("t")
        assert (await read(client, fetch(wanted(), topic=old), 13)).error_code == 100
        data = await read(client, fetch(wanted(), topic=new), 13)
        assert (data.error_code, data.records) == (0, b"")


async def test_diverging_epoch(tmp_path: Path) -> None:
    """279-02: a fetcher whose last epoch ended earlier here is told where; unknown epochs are 1."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t")
        for epoch in range(3):
            await send(client, batch(b"v"))
            await send(client, batch(b"v"))
            if epoch < 2:
                bench.new_epoch(topic_id)
        # Epoch 0 is offsets 0 and 1, epoch 1 is 2 and 3, epoch 2 is 4 and 5.
        data = await read(client, fetch(wanted(4, last_fetched_epoch=2)), 12)
        assert (data.error_code, data.diverging_epoch.epoch) == (0, -1)
        assert base_offsets(data.records) == [4, 5]
        data = await read(client, fetch(wanted(4, last_fetched_epoch=0), max_wait_ms=60_000), 12)
        assert (data.error_code, data.records or b"") == (0, b"")
        assert (data.diverging_epoch.epoch, data.diverging_epoch.end_offset) == (0, 2)
        for offset in (4, 9):
            data = await read(client, fetch(wanted(offset, last_fetched_epoch=9)), 12)
            assert data.error_code == 1
        for epoch, end in ((1, 4), (2, 6)):  # beyond the end of the log
            data = await read(client, fetch(wanted(9, last_fetched_epoch=epoch)), 12)
            assert (data.error_code, data.records or b"") == (0, b"")
            assert (data.diverging_epoch.epoch, data.diverging_epoch.end_offset) == (epoch, end)


async def test_not_yet_committed_is_not_out_of_range(tmp_path: Path) -> None:
    """392-05: HW < offset <= end parks and ends as 78 (v11+), as empty before v11."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for _ in range(4):
            await send(client, batch(b"v"))
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        partition.log._high_watermark = 2
        loop = asyncio.get_running_loop()
        began = loop.time()
        data = await read(client, fetch(wanted(3), max_wait_ms=100), 11)
        assert (data.error_code, data.high_watermark, data.records) == (78, 2, b"")
        assert loop.time() - began > 0.09  # 392-05b: it parked
        data = await read(client, fetch(wanted(3), max_wait_ms=1), 10)
        assert (data.error_code, data.records) == (0, b"")
        data = await read(client, fetch(wanted(0)), 11)
        assert base_offsets(data.records) == [0, 1]


def append(bench: Bench, records: bytes, now_ms: int) -> None:
    log = bench.broker.replicas.get("t", 0).log  # type: ignore[union-attr]
    origin = Origin.COORDINATOR
    log.append_batch(memoryview(records), 0, len(records), 0, now_ms, origin)
    log.high_watermark = log.log_end_offset


async def test_read_committed(tmp_path: Path) -> None:
    """98-06, 392-09: stops at the last stable offset, names aborted transactions."""
    marker = struct.pack(">hhi", 0, 0, 0)  # an abort marker of coordinator epoch 0
    key = struct.pack(">hh", 0, 0)
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        transactional = dict(attributes=0x10, producer_id=9, producer_epoch=0)
        first = batch(b"v", base_sequence=0, **transactional)  # type: ignore[arg-type]
        now = time.time_ns() // 1_000_000
        append(bench, batch(b"before"), now)
        append(bench, first, now)
        append(bench, batch(b"after"), now)
        data = await read(client, fetch(wanted(), isolation_level=1), 11)
        assert (data.high_watermark, data.last_stable_offset) == (3, 1)
        assert base_offsets(data.records) == [0]
        assert data.aborted_transactions == []
        abort = batch(marker[:6], key=key, attributes=0x30, producer_id=9, producer_epoch=0)
        append(bench, abort, now)
        data = await read(client, fetch(wanted(), isolation_level=1), 11)
        assert data.last_stable_offset == 4
        assert base_offsets(data.records) == [0, 1, 2, 3]
        aborted = [(one.producer_id, one.first_offset) for one in data.aborted_transactions]
        assert aborted == [(9, 1)]
        data = await read(client, fetch(wanted()), 11)
        assert data.aborted_transactions is None


async def ask_session(client: RawClient, session_id: int, epoch: int, *parts: Any, **f: Any) -> Any:
    request = fetch(*parts, session_id=session_id, session_epoch=epoch, **f)
    if not parts:
        request.topics = []
    return await client.ask(request, 11)


async def test_sessions(tmp_path: Path) -> None:
    """227-01, 227-02: full, then only what changed; forgotten partitions stay away."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t", 3)
        await send(client, batch(b"v"), index=1)
        answer = await ask_session(client, 0, 0, wanted(), wanted(0, 1), wanted(0, 2))
        session = answer.session_id
        assert session != 0
        assert [data.partition_index for data in answer.responses[0].partitions] == [0, 1, 2]
        answer = await ask_session(client, session, 1, wanted(1, 1))
        assert answer.responses == []
        await send(client, batch(b"v"), index=2)
        answer = await ask_session(client, session, 2)
        (data,) = answer.responses[0].partitions
        assert (data.partition_index, base_offsets(data.records)) == (2, [0])
        gone = [ForgottenTopic(topic="t", partitions=[2])]
        answer = await ask_session(client, session, 3, forgotten_topics_data=gone)
        assert answer.responses == []
        assert (await ask_session(client, session, 3)).error_code == 71
        assert (await ask_session(client, session + 1, 1)).error_code == 70
        answer = await ask_session(client, session, -1, wanted())
        assert (answer.session_id, len(answer.responses)) == (0, 1)
        assert (await ask_session(client, session, 4)).error_code == 70


async def test_a_session_parks_and_wakes(tmp_path: Path) -> None:
    """Goal: an incremental fetch that names nothing waits for all partitions of its session."""
    async with running(tmp_path) as bench, bench.connect() as client, bench.connect() as writer:
        bench.create_topic("t", 3)
        answer = await ask_session(client, 0, 0, wanted(), wanted(0, 1), wanted(0, 2))
        request = FetchRequest(
            max_wait_ms=30_000, min_bytes=1, session_id=answer.session_id, session_epoch=1
        )
        client.send(request, 11)
        waiting = asyncio.create_task(client.receive(1, 11))
        await send(writer, batch(b"v"), index=2)
        answer = await asyncio.wait_for(waiting, 5)
        assert [data.partition_index for data in answer.responses[0].partitions] == [2]


async def test_session_slots_are_bounded(tmp_path: Path) -> None:
    """227-03, F-11: without a slot a fetch is served all the same, with session id 0."""
    async with running(tmp_path, max_incremental_fetch_session_cache_slots=2) as bench:
        bench.create_topic("t")
        async with bench.connect() as client:
            ids = [(await ask_session(client, 0, 0, wanted())).session_id for _ in range(5)]
            assert all(ids[:2])
            assert ids[2:] == [0, 0, 0]
            assert len(bench.broker.sessions) == 2


async def test_fetch_right_behind_a_produce_on_one_connection(tmp_path: Path) -> None:
    """Goal: requests of one connection are worked on in order: the fetch sees the record."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        client.send(produce(batch(b"v")), 9)
        client.send(fetch(wanted()), 11)
        await client.receive(0, 9)
        answer = await client.receive(1, 11)
        assert base_offsets(answer.responses[0].partitions[0].records) == [0]
