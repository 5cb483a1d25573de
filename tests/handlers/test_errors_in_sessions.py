"""Partitions in error, and what the incremental answers of a session say of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import fetch, wanted
from kit.producing import send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .clusters import TOPIC_ID, create_replicated, elect, register

FOREVER_MS = 60_000


def going_on(session_id: int, epoch: int, max_wait_ms: int = FOREVER_MS) -> FetchRequest:
    """The next fetch of a session; it names no partition, as nothing changed for the client."""
    return FetchRequest(
        session_id=session_id, session_epoch=epoch, max_wait_ms=max_wait_ms, min_bytes=1
    )


async def go_on(client: RawClient, session_id: int, epoch: int) -> list[Any]:
    """Its rows; the broker has to answer at once, although the fetch may wait."""
    answer = await asyncio.wait_for(client.ask(going_on(session_id, epoch), 16), 10)
    assert answer.error_code == 0
    return [row for topic in answer.responses for row in topic.partitions]


async def open_session(bench: Bench, client: RawClient) -> int:
    """A session with t-0, which this broker leads, and with one of a topic beside it."""
    register(bench)
    create_replicated(bench, isr=(1,))
    beside = fetch(wanted(), topic=bench.create_topic("beside"))
    request = fetch(wanted(), topic=TOPIC_ID, session_epoch=0)
    request.topics += beside.topics
    answer = await client.ask(request, 16)
    assert answer.session_id != 0
    return int(answer.session_id)


async def test_an_error_is_told_each_time(tmp_path: Path) -> None:
    """951-05: nothing changed since the last answer, and the error is part of it all the same."""
    async with running(tmp_path) as bench, bench.connect() as client:
        session = await open_session(bench, client)
        elect(bench, 2)
        bench.apply(
            PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=[2, 3], isr=[2])
        )
        for epoch in (1, 2, 3):
            (row,) = await go_on(client, session, epoch)
            assert (row.partition_index, row.error_code) == (0, 6)
            assert (row.current_leader.leader_id, row.current_leader.leader_epoch) == (2, 1)


async def test_a_parked_fetch_of_a_session_is_told_of_the_error(tmp_path: Path) -> None:
    """951-05: it names no partition and waits; the one that goes wrong ends the wait."""
    async with running(tmp_path) as bench, bench.connect() as client:
        session = await open_session(bench, client)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        client.send(going_on(session, 1), 16)
        await until(lambda: partition.waiters.parked_count)
        bench.apply(
            PartitionChangeRecord(
                partition_id=0, topic_id=TOPIC_ID, replicas=[2, 3], isr=[2], leader=2
            )
        )
        answer = await asyncio.wait_for(client.receive(1, 16), 10)
        ((row,),) = [topic.partitions for topic in answer.responses]
        assert row.error_code == 6


async def test_an_error_beside_records(tmp_path: Path) -> None:
    """951-05: also in an answer that has records of another partition, and gone with its cause."""
    async with running(tmp_path) as bench, bench.connect() as client:
        session = await open_session(bench, client)
        assert (await send(client, batch(b"v"), acks=1)).error_code == 0
        bench.delete_topic(bench.metadata.image.topics_by_name["beside"].topic_id)
        rows = await go_on(client, session, 1)
        assert [(row.error_code, bool(row.records)) for row in rows] == [(0, True), (100, False)]
        rows = await go_on(client, session, 2)
        assert sorted(row.error_code for row in rows) == [0, 100]
