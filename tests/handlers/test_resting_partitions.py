"""Partitions of a session that have nothing to tell are not looked at, and nobody can tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets
from kit.producing import send
from kit.waiting import until

from barnabas.broker.core.replication.isr_change import IsrAnswer, IsrChange
from barnabas.broker.handlers.fetch.reading import Reading
from barnabas.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .clusters import TOPIC_ID, Follower, create_replicated, elect, partition_of, register
from .sessions import go_on, going_on, open_session


class Proposals:
    """Changes of in-sync sets that nobody answers."""

    def __init__(self) -> None:
        self.changes: list[IsrChange] = []

    def propose(self, change: IsrChange, done: Callable[[IsrAnswer], object]) -> None:
        """Keep it."""
        del done
        self.changes.append(change)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The partitions that fetches looked at."""
    found: list[int] = []
    look = Reading._read_one

    def noted(self: Reading, number: int, target: Any, *taken: Any) -> Any:
        found.append(target.partition)
        return look(self, number, target, *taken)

    monkeypatch.setattr(Reading, "_read_one", noted)
    yield found


class HandClock:
    """The broker's clock, moved by hand."""

    def __init__(self, bench: Bench) -> None:
        self._clock = bench.broker.env.clock
        self.now_ms = self._clock.monotonic_ms()
        bench.broker.env.clock = self

    def monotonic_ms(self) -> float:
        return self.now_ms

    def wall_ms(self) -> int:
        return self._clock.wall_ms()


async def rested(follower: Follower, offset: int = 0) -> None:
    """Open a session, and have what it was told last be all there is to tell."""
    await follower.fetch_in_session(offset)
    assert await follower.fetch_in_session(None) == []


async def test_a_fetch_looks_at_what_is_new(tmp_path: Path, looks: list[int]) -> None:
    """227-02: of a partition at rest nothing is read until there are records, then once more."""
    async with running(tmp_path) as bench, bench.connect() as one, bench.connect() as writer:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        looks.clear()
        for _ in range(3):
            assert await follower.fetch_in_session(None) == []
        assert looks == []
        assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
        (row,) = await follower.fetch_in_session(None)
        assert base_offsets(row.records) == [0]
        (row,) = await follower.fetch_in_session(None)
        assert base_offsets(row.records) == [0], "it did not say that it has the first"
        assert looks == [0, 0]


async def test_a_parked_fetch_hears_of_what_rested(tmp_path: Path) -> None:
    """74-02: the append wakes a fetch of the session, though it does not look at the partition."""
    async with running(tmp_path) as bench, bench.connect() as one, bench.connect() as writer:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        one.send(follower.request(None, max_wait_ms=60_000), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
        answer = await asyncio.wait_for(one.receive(1, 17), 5)
        assert base_offsets(answer.responses[0].partitions[0].records) == [0]


async def test_the_log_start_is_told(tmp_path: Path) -> None:
    """227-02, C9: records are deleted while the partition rests, its follower hears of it."""
    async with running(tmp_path) as bench, bench.connect() as one, bench.connect() as other:
        register(bench)
        create_replicated(bench)
        assert (await send(other, batch(b"a"), acks=1)).error_code == 0
        follower = Follower(one, 2)
        await follower.fetch_in_session(1)
        await Follower(other, 3).fetch(1)
        assert partition_of(bench).high_watermark == 1
        await follower.fetch_in_session(None)
        assert await follower.fetch_in_session(None) == []
        topic = DeleteRecordsTopic(
            name="t", partitions=[DeleteRecordsPartition(partition_index=0, offset=1)]
        )
        await other.ask(DeleteRecordsRequest(topics=[topic], timeout_ms=0), 2)
        (row,) = await follower.fetch_in_session(None)
        assert row.log_start_offset == 1


async def test_a_new_epoch_ends_the_rest(tmp_path: Path) -> None:
    """951-05, 279-05: the same leader in a new epoch refuses who believes in the one before."""
    async with running(tmp_path) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await follower.fetch_in_session(0, current_leader_epoch=0)
        assert await follower.fetch_in_session(None) == []
        elect(bench, 1)
        assert [row.error_code for row in await follower.fetch_in_session(None)] == [74]


async def test_another_order_of_the_replicas_leaves_the_rest(
    tmp_path: Path, looks: list[int]
) -> None:
    """227-02: another replica is the preferred leader, which tells a fetch nothing; that one
    replica is no replica any more does."""
    async with running(tmp_path) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        looks.clear()
        bench.apply(
            PartitionChangeRecord(
                partition_id=0, topic_id=TOPIC_ID, replicas=[2, 3, 1], isr=[2, 3, 1]
            )
        )
        assert partition_of(bench).as_leader().in_sync.committed == (2, 3, 1)
        assert await follower.fetch_in_session(None) == []
        assert looks == []
        bench.apply(
            PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=[1, 3], isr=[1, 3])
        )
        assert [row.error_code for row in await follower.fetch_in_session(None)] == [6]


async def test_a_topic_that_is_deleted_ends_the_rest(tmp_path: Path) -> None:
    """951-05: a consumer's session is told each time, though the partition rested."""
    async with running(tmp_path) as bench, bench.connect() as client:
        session = await open_session(bench, client)
        client.send(going_on(session, 1, max_wait_ms=0), 16)
        assert (await client.receive(1, 16)).responses == []
        bench.delete_topic(TOPIC_ID)
        for epoch in (2, 3):
            (row,) = await go_on(client, session, epoch)
            assert row.error_code == 100


@pytest.mark.parametrize("is_pending", [False, True])
async def test_who_rests_is_caught_up_until_the_append(tmp_path: Path, is_pending: bool) -> None:
    """501-02: when records come, the follower was caught up with its last fetch, not long ago."""
    settings: dict[str, Any] = {"follower_fetch_pending_reads_insync_enable": is_pending}
    async with (
        running(tmp_path, **settings) as bench,
        bench.connect() as one,
        bench.connect() as writer,
    ):
        register(bench)
        create_replicated(bench, isr=(1, 2))
        clock = HandClock(bench)
        follower = Follower(one, 2)
        await rested(follower)
        for _ in range(3):
            clock.now_ms += 60_000
            await follower.fetch_in_session(None)
        fetched_ms = clock.now_ms
        clock.now_ms += 20_000
        partition = partition_of(bench)
        assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
        state = partition.as_leader().followers[2]
        assert (state.last_caught_up_ms, state.last_fetch_ms) == (fetched_ms, fetched_ms)
        assert 2 not in partition.as_leader().expire(fetched_ms + 30_000)
        assert 2 in partition.as_leader().expire(fetched_ms + 30_001)


async def test_pending_counts_from_the_append(tmp_path: Path) -> None:
    """501-04, 501-06: a parked fetch keeps its follower in sync where there is something new."""
    settings: dict[str, Any] = {"follower_fetch_pending_reads_insync_enable": True}
    async with running(tmp_path, **settings) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        one.send(follower.request(None, max_wait_ms=60_000, min_bytes=1 << 20), 17)
        partition = partition_of(bench)
        await until(lambda: partition.waiters.parked_count)
        async with bench.connect() as writer:
            assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
        await asyncio.wait_for(one.receive(1, 17), 5)
        assert partition.as_leader().pending_count == 0


async def test_who_leaves_the_set_does_not_rest(tmp_path: Path) -> None:
    """497-04: a follower that was removed asks to join with its next fetch."""
    async with running(tmp_path) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        controller = Proposals()
        bench.broker.replicas.surroundings.isr = controller
        bench.apply(PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, isr=[1, 3]))
        await follower.fetch_in_session(None)
        assert [member for member, _ in controller.changes[0].isr] == [1, 3, 2]


async def test_another_incarnation_is_looked_at(tmp_path: Path) -> None:
    """903-01: an older incarnation that goes on with the session is refused for all of it."""
    async with running(tmp_path) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        (row,) = await follower.fetch_in_session(None, broker_epoch=1)
        assert row.error_code == 6


async def test_a_session_that_is_closed_leaves_nothing_behind(tmp_path: Path) -> None:
    """227-01, 227-03: no partition keeps a watch for a session that is over."""
    async with running(tmp_path) as bench, bench.connect() as one:
        register(bench)
        create_replicated(bench)
        follower = Follower(one, 2)
        await rested(follower)
        partition = partition_of(bench)
        assert len(partition.waiters._resting) == 1
        follower.session_epoch = -1
        await one.ask(follower.request(0), 17)
        assert not partition.waiters._resting
