"""Partitions in error, and what the incremental answers of a session say of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kit.batches import batch
from kit.broker import running
from kit.producing import send
from kit.waiting import until

from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .clusters import TOPIC_ID, elect
from .sessions import go_on, going_on, open_session


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
