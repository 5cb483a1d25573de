"""DeleteRecords of a topic with three replicas, and when it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kit.batches import batch
from kit.broker import Bench, running
from kit.producing import send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)

from .clusters import Follower, create_replicated, elect, epoch_of, partition_of, register

RECORDS = 4
LONG_MS = 60_000
FENCED = 1


def below(offset: int, timeout_ms: int = LONG_MS) -> DeleteRecordsRequest:
    row = DeleteRecordsPartition(partition_index=0, offset=offset)
    topic = DeleteRecordsTopic(name="t", partitions=[row])
    return DeleteRecordsRequest(topics=[topic], timeout_ms=timeout_ms)


def only_row(answer: Any) -> tuple[int, int]:
    row = answer.topics[0].partitions[0]
    return row.error_code, row.low_watermark


@asynccontextmanager
async def replicated(
    tmp_path: Path,
) -> AsyncIterator[tuple[Bench, RawClient, dict[int, Follower]]]:
    """A leader with one batch of four records, and two followers that have it."""
    async with (
        running(tmp_path) as bench,
        bench.connect() as admin,
        bench.connect() as second,
        bench.connect() as third,
    ):
        register(bench)
        create_replicated(bench)
        assert (await send(admin, batch(*[b"x"] * RECORDS), acks=1)).error_code == 0
        followers = {2: Follower(second, 2), 3: Follower(third, 3)}
        for one in followers.values():
            await one.fetch(RECORDS)
        assert partition_of(bench).high_watermark == RECORDS
        yield bench, admin, followers


async def test_answered_when_all_replicas_have_it(tmp_path: Path) -> None:
    """107-01, 107-02: hidden at once; told when the last follower's log begins there."""
    async with replicated(tmp_path) as (bench, admin, followers):
        admin.send(below(3), 2)
        partition = partition_of(bench)
        await until(lambda: partition.waiters.deletion_count)
        assert partition.log.log_start_offset == 3
        assert (await followers[2].fetch(RECORDS, log_start_offset=0)).log_start_offset == 3
        await followers[2].fetch(RECORDS, log_start_offset=3)
        await followers[3].fetch(RECORDS, log_start_offset=2)
        assert partition.waiters.deletion_count, "one of them is not there yet"
        await followers[3].fetch(RECORDS, log_start_offset=3)
        assert only_row(await asyncio.wait_for(admin.receive(21, 2), 5)) == (0, 3)


async def test_each_deletion_is_answered_in_its_time(tmp_path: Path) -> None:
    """107-02: two wait, the lower one is answered first."""
    async with replicated(tmp_path) as (bench, admin, followers), bench.connect() as other:
        waiters = partition_of(bench).waiters
        other.send(below(-1), 2)
        await until(lambda: waiters.deletion_count)
        admin.send(below(2), 2)
        await until(lambda: partition_of(bench).waiters.deletion_count == 2)
        for one in followers.values():
            await one.fetch(RECORDS, log_start_offset=2)
        assert only_row(await asyncio.wait_for(admin.receive(21, 2), 5)) == (0, 2)
        assert waiters.deletion_count == 1
        for one in followers.values():
            await one.fetch(RECORDS, log_start_offset=RECORDS)
        assert only_row(await asyncio.wait_for(other.receive(21, 2), 5)) == (0, RECORDS)


async def test_a_follower_that_waits_hears_of_it_at_once(tmp_path: Path) -> None:
    """107-03: its fetch would else wait for records, and the administrator for it."""
    async with replicated(tmp_path) as (bench, admin, followers):
        follower = followers[2]
        follower.session_epoch = -1
        follower.client.send(follower.request(RECORDS, max_wait_ms=LONG_MS), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        admin.send(below(1), 2)
        answer = await asyncio.wait_for(follower.client.receive(1, 17), 5)
        assert answer.responses[0].partitions[0].log_start_offset == 1


async def test_a_deletion_that_takes_too_long(tmp_path: Path) -> None:
    """107-02: REQUEST_TIMED_OUT, with the lowest start of a replica; nobody waits any more."""
    async with replicated(tmp_path) as (bench, admin, followers):
        await followers[2].fetch(RECORDS, log_start_offset=0)
        assert only_row(await admin.ask(below(2, timeout_ms=1), 2)) == (7, 0)
        partition = partition_of(bench)
        assert not partition.waiters.deletion_count
        assert partition.log.log_start_offset == 2
        for one in followers.values():
            await one.fetch(RECORDS, log_start_offset=2)
        assert only_row(await admin.ask(below(2, timeout_ms=0), 2)) == (0, 2)


async def test_brokers_that_are_fenced_are_not_waited_for(tmp_path: Path) -> None:
    """107-02: it answers when the one that lacks it is fenced."""
    async with replicated(tmp_path) as (bench, admin, followers):
        admin.send(below(2), 2)
        await until(lambda: partition_of(bench).waiters.deletion_count)
        await followers[2].fetch(RECORDS, log_start_offset=2)
        bench.apply(
            BrokerRegistrationChangeRecord(broker_id=3, broker_epoch=epoch_of(3), fenced=FENCED)
        )
        assert only_row(await asyncio.wait_for(admin.receive(21, 2), 5)) == (0, 2)


async def test_a_leader_that_leads_no_more(tmp_path: Path) -> None:
    """107-02: NOT_LEADER_OR_FOLLOWER, and no low watermark."""
    async with replicated(tmp_path) as (bench, admin, _):
        admin.send(below(2), 2)
        await until(lambda: partition_of(bench).waiters.deletion_count)
        elect(bench, 2)
        assert only_row(await asyncio.wait_for(admin.receive(21, 2), 5)) == (6, -1)


async def test_nothing_stays_of_who_leaves(tmp_path: Path) -> None:
    """107-02: a connection that is closed waits for nothing, and holds nothing."""
    async with replicated(tmp_path) as (bench, _, __):
        waiters = partition_of(bench).waiters
        async with bench.connect() as hasty:
            hasty.send(below(2), 2)
            await until(lambda: waiters.deletion_count)
        await until(lambda: not waiters.deletion_count)


async def test_what_is_not_there_is_not_deleted(tmp_path: Path) -> None:
    """107-01: above the watermark and below zero."""
    async with replicated(tmp_path) as (bench, admin, _):
        for offset in (RECORDS + 1, -2):
            assert only_row(await admin.ask(below(offset), 2)) == (1, -1)
        assert partition_of(bench).log.log_start_offset == 0
