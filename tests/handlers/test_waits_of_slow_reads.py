"""Fetches that wait after a read in which others had their turn: nothing of it is slept over."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import send
from kit.raw_client import RawClient
from kit.threads import Threads
from kit.waiting import until

from barnabas.broker.handlers.fetch import handler
from barnabas.broker.server.broker import Broker
from barnabas.broker.serving.waiting import SLICE, in_slices
from barnabas.broker.storage.files import RealFile

from .clusters import Follower, create_replicated, elect, partition_of, register

LONG_MS = 600_000
LONG_S = 30


def append(bench: Bench, topic: str = "t") -> None:
    """As a Produce would that comes in between."""
    partition = bench.broker.replicas.get(topic, 0)
    assert partition is not None
    raw = bytearray(batch(b"b"))
    partition.append(memoryview(raw), 0, len(raw), bench.broker.env.clock.wall_ms())


async def test_the_watermark_moves_in_steps(tmp_path: Path) -> None:
    """74-02: a part of what was appended is committed, then the rest: both wake consumers."""
    async with running(tmp_path) as bench, bench.connect() as consumer, bench.connect() as other:
        register(bench)
        create_replicated(bench, isr=(1, 2))
        partition, follower = partition_of(bench), Follower(other, 2)
        for _ in range(3):
            append(bench)
        for committed in (1, 2, 3):
            waiting = fetch(wanted(committed - 1), max_wait_ms=LONG_MS)
            answer = asyncio.create_task(read(consumer, waiting))
            await until(lambda: partition.waiters.parked_count)
            await follower.fetch(committed)
            row = await asyncio.wait_for(answer, LONG_S)
            assert (row.high_watermark, base_offsets(row.records)) == (committed, [committed - 1])


@pytest.mark.parametrize("change", ["records", "leader"])
async def test_between_two_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """74-02: a long request waits only for what was not there when it began to wait."""
    async with running(tmp_path) as bench, bench.connect() as client:
        topic_id = bench.create_topic("t", SLICE + 1)

        async def read_slowly(*given: Any) -> Any:
            done = await in_slices(*given)
            if change == "records":
                append(bench)
            else:
                bench.new_epoch(topic_id)
            return done

        monkeypatch.setattr(handler, "in_slices", read_slowly)
        parts = [wanted(index=number, current_leader_epoch=0) for number in range(SLICE + 1)]
        asked = client.ask(fetch(*parts, max_wait_ms=LONG_MS), 11)
        answer = await asyncio.wait_for(asked, LONG_S)
        row = answer.responses[0].partitions[0]
        if change == "records":
            assert base_offsets(row.records) == [0]
        else:
            assert row.error_code == 74


async def test_while_a_thread_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """74-02: what comes to one partition while another one is read from the disk."""
    async with running(tmp_path) as bench, bench.connect() as client:
        for topic in ("t", "u"):
            bench.create_topic(topic)
        assert (await send(client, batch(b"a"))).error_code == 0
        threads = Threads()
        monkeypatch.setattr(RealFile, "try_pread", lambda *_: None)
        monkeypatch.setattr(Broker, "load", threads.load)
        request = fetch(wanted(), topic="u", max_wait_ms=LONG_MS, min_bytes=100)
        request.topics += fetch(wanted()).topics
        answer = asyncio.create_task(client.ask(request, 11))
        await until(lambda: threads.waiting)
        append(bench, "u")
        told = await asyncio.wait_for(threads.do_all(answer), LONG_S)
        first = told.responses[0].partitions[0]
        assert base_offsets(first.records) == [0]


class ColdFollower:
    """Broker 2, whose fetches are read on threads."""

    def __init__(self, bench: Bench, client: RawClient, threads: Threads) -> None:
        self.bench, self.threads = bench, threads
        self._follower = Follower(client, 2)

    async def fetch(self, offset: int, **fields: Any) -> Any:
        """A batch is appended while a thread reads."""
        answer = asyncio.create_task(self._follower.fetch(offset, **fields))
        await until(lambda: self.threads.waiting or answer.done())
        if self.threads.waiting:
            append(self.bench)
        return await asyncio.wait_for(self.threads.do_all(answer), LONG_S)


async def test_a_follower_has_what_was_there_when_its_fetch_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """501-02: each fetch is noted once, as it came; the end of the log that counts is that of
    before the disk was waited for."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1, 2))
        append(bench)
        threads = Threads()
        monkeypatch.setattr(RealFile, "try_pread", lambda *_: None)
        monkeypatch.setattr(Broker, "load", threads.load)
        follower = ColdFollower(bench, client, threads)
        leader = partition_of(bench).as_leader()
        caught_up = []
        for offset in range(4):
            assert base_offsets((await follower.fetch(offset)).records)[0] == offset
            caught_up.append(leader.followers[2].last_caught_up_ms)
        assert caught_up == sorted(set(caught_up)), "each fetch had all of before the last one"


async def test_a_new_leadership_notes_the_fetch_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """903-01: the leader of a new epoch, that began while the disk was read, knows nothing yet."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1, 2))
        append(bench)
        append(bench)
        threads = Threads()
        monkeypatch.setattr(RealFile, "try_pread", lambda *_: None)
        monkeypatch.setattr(Broker, "load", threads.load)
        follower = Follower(client, 2)
        answer = asyncio.create_task(follower.fetch(1))
        await until(lambda: threads.waiting)
        elect(bench, 2)
        elect(bench, 1)
        assert partition_of(bench).as_leader().followers[2].log_end_offset < 1
        row = await asyncio.wait_for(threads.do_all(answer), LONG_S)
        assert base_offsets(row.records) == [1]
        assert partition_of(bench).as_leader().followers[2].log_end_offset == 1
