"""Fetches and look-ups of what is not in memory: a log may change while a thread reads it."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import send
from kit.raw_client import RawClient
from kit.threads import Threads
from kit.waiting import until

from barnabas.broker.core.reads import Load
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.server.broker import Broker
from barnabas.broker.storage.files import RealFile
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)


@asynccontextmanager
async def cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Bench, RawClient, Partition, Threads]]:
    """Topic `t` with the batches 0 to 2, of which nothing is in memory."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        for _ in range(3):
            assert (await send(client, batch(b"a"))).error_code == 0
        threads = Threads()
        monkeypatch.setattr(RealFile, "try_pread", lambda *_: None)
        monkeypatch.setattr(Broker, "load", threads.load)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        yield bench, client, partition, threads


async def test_nothing_in_an_answer_is_older_than_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """501-10: the row is of now, its records are those that were read, and not read again."""
    async with cold(tmp_path, monkeypatch) as (bench, client, partition, threads):
        reading = asyncio.create_task(read(client, fetch(wanted())))
        await until(lambda: threads.waiting)

        def append() -> None:
            raw = bytearray(batch(b"b"))
            now_ms = bench.broker.env.clock.wall_ms()
            partition.log.append_batch(memoryview(raw), 0, len(raw), 0, now_ms)
            partition.log.high_watermark = 4

        threads.do()
        assert len(threads.waiting) == 1, "where they are is known: now they are read"
        threads.do(append)
        row = await reading
        assert (row.high_watermark, base_offsets(row.records)) == (4, [0, 1, 2])
        assert (threads.done, threads.waiting) == (2, [])


async def test_what_was_cut_while_it_was_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """279-01, 501-10: no byte of before the cut is in the answer."""
    async with cold(tmp_path, monkeypatch) as (_, client, partition, threads):
        reading = asyncio.create_task(read(client, fetch(wanted())))
        await until(lambda: threads.waiting)
        threads.do()
        threads.do(lambda: partition.log.truncate_to(2))
        row = await threads.do_all(reading)
        assert (row.high_watermark, base_offsets(row.records)) == (2, [0, 1])
        assert threads.done == 4


async def test_a_topic_that_is_deleted_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: that its file is gone is no failure of the disk; nothing is here any more."""
    async with cold(tmp_path, monkeypatch) as (bench, client, partition, threads):
        reading = asyncio.create_task(read(client, fetch(wanted())))
        await until(lambda: threads.waiting)
        planned, done = threads.waiting.pop()
        del planned
        bench.delete_topic(partition.topic_id)
        done(FileNotFoundError(2, "planted"))
        assert (await reading).error_code == 3
        assert partition.log.failure is None


async def test_an_error_of_the_disk_is_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P-14: EIO on a thread is KAFKA_STORAGE_ERROR for the client, and the log goes offline."""
    async with cold(tmp_path, monkeypatch) as (_, client, partition, threads):
        reading = asyncio.create_task(read(client, fetch(wanted())))
        await until(lambda: threads.waiting)
        _, done = threads.waiting.pop()
        done(OSError(5, "planted"))
        assert (await reading).error_code == 56
        assert partition.log.failure is not None


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
async def test_a_lack_of_descriptors_is_no_failure_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """P-14: this fetch cannot be served (56), but the log stays: the next ones are, and it is
    written to."""
    async with cold(tmp_path, monkeypatch) as (_, client, partition, threads):
        reading = asyncio.create_task(read(client, fetch(wanted())))
        await until(lambda: threads.waiting)
        _, done = threads.waiting.pop()
        done(OSError(number, "planted"))
        assert (await reading).error_code == 56
        assert partition.log.failure is None
        assert (await send(client, batch(b"b"))).error_code == 0
        row = await threads.do_all(asyncio.create_task(read(client, fetch(wanted()))))
        assert base_offsets(row.records) == [0, 1, 2, 3]


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE])
async def test_an_index_of_transactions_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """P-14, 98-06: a reader of committed records is answered 56 as well, and does not wait for
    ever; the log goes offline unless there are too many open files."""
    async with cold(tmp_path, monkeypatch) as (_, client, partition, threads):
        partition.log.segments.active.transactions_checked = False
        reading = asyncio.create_task(read(client, fetch(wanted(), isolation_level=1)))
        await until(lambda: threads.waiting)
        threads.do()
        threads.do()
        planned, done = threads.waiting.pop()
        assert isinstance(planned, Load)
        done(OSError(number, "planted"))
        assert (await reading).error_code == 56
        assert (partition.log.failure is None) == (number == errno.EMFILE)


async def test_a_look_up_goes_on_in_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """207-06: a time is looked up in the log as it is when the answer is made."""
    async with cold(tmp_path, monkeypatch) as (_, client, partition, threads):
        asked = ListOffsetsPartition(partition_index=0, timestamp=1)
        request = ListOffsetsRequest(topics=[ListOffsetsTopic(name="t", partitions=[asked])])
        asking = asyncio.create_task(client.ask(request, 7))
        await until(lambda: threads.waiting)
        threads.do(lambda: partition.log.truncate_fully_and_start_at(7))
        answer = await threads.do_all(asking)
        row = answer.topics[0].partitions[0]
        assert (row.error_code, row.offset) == (0, -1)
