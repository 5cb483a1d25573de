"""Goal: every record is handed out once and in order, from wherever the program wants to read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from barnabas.client import OffsetAndTimestamp, TopicPartition
from barnabas.client.errors import (
    ClientClosedError,
    ConfigurationError,
    NoOffsetError,
    NothingAssignedError,
    UnknownTopicOrPartitionError,
)

from .consuming import T0, T1, consuming, put, read
from .fake_cluster import FakeCluster


async def test_from_the_beginning_to_the_end_and_on() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 95)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 95) == list(range(95))
            assert await consumer.position(T0) == 95
            assert consumer.highwater(T0) == 95
            put(cluster, 5)
            await cluster.wake()
            assert await read(consumer, 5) == list(range(95, 100))


async def test_getone_and_async_for() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 30, T0)
        put(cluster, 20, T1)
        async with consuming(cluster, T0, T1) as consumer:
            first = await consumer.getone()
            assert first.offset == 0
            assert (await consumer.getone(T1)).partition == 1
            found = {T0: [0], T1: [0]}
            async for record in consumer:
                known = found[record.topic_partition]
                if record.offset not in known:
                    known.append(record.offset)
                if sum(map(len, found.values())) == 50:
                    break
            assert found == {T0: list(range(30)), T1: list(range(20))}
            assert await consumer.position(T0) == 30
            assert await consumer.position(T1) == 20


async def test_positions_move_by_what_was_handed_out_only() -> None:
    """What is fetched ahead does not count as read."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 100)
        async with consuming(cluster, T0) as consumer:
            assert await consumer.position(T0) == 0
            assert await read(consumer, 7) == list(range(7))
            assert await consumer.position(T0) == 7
            assert (await consumer.getone()).offset == 7
            assert await consumer.position(T0) == 8


async def test_seek_drops_what_was_fetched() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 100)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 3) == [0, 1, 2]
            consumer.seek(T0, 55)  # in the middle of a batch
            assert await read(consumer, 3) == [55, 56, 57]
            await consumer.seek_to_beginning(T0)
            assert await read(consumer, 2) == [0, 1]
            await consumer.seek_to_end()
            assert await consumer.position(T0) == 100
            assert await consumer.getmany(timeout_ms=20) == {}
            with pytest.raises(ConfigurationError):
                consumer.seek(T0, -1)
            with pytest.raises(ConfigurationError, match="t-1 is not assigned"):
                consumer.seek(T1, 0)


async def test_a_partition_that_comes_back_does_not_take_what_was_asked_for_before() -> None:
    """I-32: a fetch of before, which goes on behind what was handed out, leaves nothing out."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 1)
        async with consuming(cluster, T0) as consumer:
            consumer.seek(T0, 0)
            assert await read(consumer, 1) == [0]
            assert await consumer.getmany(timeout_ms=20) == {}  # a fetch waits for offset 1
            consumer.assign([])
            consumer.assign([T0])
            consumer.seek(T0, 0)
            put(cluster, 1)
            await cluster.wake()
            assert await read(consumer, 2) == [0, 1]


async def test_latest_and_none() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0, auto_offset_reset="latest") as consumer:
            assert await consumer.position(T0) == 10
        async with consuming(cluster, T0, auto_offset_reset="none") as consumer:
            with pytest.raises(NoOffsetError):
                await consumer.getone()
            with pytest.raises(NoOffsetError):
                await consumer.position(T0)
            consumer.seek(T0, 4)
            assert await read(consumer, 2) == [4, 5]


async def test_pause_and_resume() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 10, T0)
        put(cluster, 10, T1)
        async with consuming(cluster, T0, T1) as consumer:
            consumer.pause(T0)
            assert consumer.paused() == {T0}
            found = await consumer.getmany(timeout_ms=5000)
            assert set(found) == {T1}
            assert await consumer.getmany(timeout_ms=20) == {}
            consumer.resume(T0)
            assert await read(consumer, 10) == list(range(10))


async def test_a_pause_in_the_middle_loses_nothing() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert (await consumer.getone()).offset == 0
            consumer.pause(T0)
            assert await consumer.getmany(timeout_ms=5) == {}
            consumer.resume(T0)
            assert (await consumer.getone()).offset == 1


async def test_assignment_can_change() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 10, T0)
        put(cluster, 10, T1)
        async with consuming(cluster, T0) as consumer:
            await read(consumer, 4)
            consumer.assign([T0, T1])
            assert await consumer.position(T0) == 4, "kept"
            await read(consumer, 16)
            consumer.assign([T1])
            assert consumer.assignment() == {T1}
            consumer.unassign()
            with pytest.raises(NothingAssignedError, match="nothing to read is assigned"):
                await consumer.getmany(timeout_ms=5)


async def test_many_partitions_on_many_nodes() -> None:
    async with FakeCluster(nodes=3) as cluster:
        cluster.add_topic("t", 9)
        for number in range(9):
            put(cluster, 20, TopicPartition("t", number))
        async with consuming(cluster) as consumer:
            consumer.assign(await consumer.all_partitions("t"))
            assert len(await read(consumer, 180)) == 180
            # A session names a partition again only when its offset moved (227-01).
            for node in cluster.nodes.values():
                assert node.of("Fetch")[0].session_epoch == 0
                assert [each.session_epoch for each in node.of("Fetch")[1:3]] in ([1], [1, 2], [])


async def test_looking_up_offsets() -> None:
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 10, T0)
        cluster.partition("t", 0).delete_before(4)
        async with consuming(cluster, topic_wait_ms=50) as consumer:
            assert await consumer.beginning_offsets([T0, T1]) == {T0: 4, T1: 0}
            assert await consumer.end_offsets([T0, T1]) == {T0: 10, T1: 0}
            found = await consumer.offsets_for_times({T0: 7})
            assert isinstance(found[T0], OffsetAndTimestamp)
            with pytest.raises(UnknownTopicOrPartitionError, match="t-9: the topic has 2"):
                await consumer.end_offsets([TopicPartition("t", 9)])


async def test_stop_ends_waiting() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with consuming(cluster, T0) as consumer:
            waiting = asyncio.create_task(consumer.getone())
            await cluster.node.until("Fetch", 1)
        with pytest.raises(ClientClosedError):
            await waiting


async def test_nothing_is_handed_out_after_the_stop() -> None:
    """Goal: what was fetched and not handed out would be read again by whoever comes next."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert (await consumer.getone()).offset == 0
        with pytest.raises(ClientClosedError):
            await consumer.getone()
        with pytest.raises(ClientClosedError):
            await anext(consumer)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (1.5, TypeError),
        ("5", TypeError),
        (None, TypeError),
        (True, TypeError),
        (-1, ConfigurationError),
        (2**63, ConfigurationError),
    ],
)
async def test_places_that_there_are_not(wrong: Any, error: type[Exception]) -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with consuming(cluster, T0) as consumer:
            with pytest.raises(error, match="offset"):
                consumer.seek(T0, wrong)


@pytest.mark.parametrize(("wrong", "error"), [("0", TypeError), (2**31, ConfigurationError)])
async def test_leader_epochs_that_there_are_not(wrong: Any, error: type[Exception]) -> None:
    """Goal: the call that brings it is refused, and reading goes on where it was."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 1) == [0]
            with pytest.raises(error, match=r"leader.epoch"):
                consumer.seek(T0, 5, leader_epoch=wrong)
            assert await read(consumer, 1) == [1]


@pytest.mark.parametrize(("wrong", "error"), [("1", TypeError), (-1, ConfigurationError)])
async def test_counts_of_records_that_there_are_not(wrong: Any, error: type[Exception]) -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            with pytest.raises(error, match="max_records"):
                await consumer.getmany(timeout_ms=5000, max_records=wrong)


@pytest.mark.parametrize(("wrong", "error"), [(1.7e12, TypeError), (-1, ValueError)])
async def test_times_that_there_are_not(wrong: Any, error: type[Exception]) -> None:
    """Goal: no number below zero is taken for the end, and no float is rounded."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with consuming(cluster, T0) as consumer:
            with pytest.raises(error, match="timestamp"):
                await consumer.offsets_for_times({T0: wrong})


async def test_fetches_go_on_while_the_program_works() -> None:
    """The second answer is there before the first is read."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 100)
        async with consuming(cluster, T0, max_partition_fetch_bytes=200) as consumer:
            assert (await consumer.getone()).offset == 0
            await cluster.node.until("Fetch", 2)
            assert await read(consumer, 99) == list(range(1, 100))


async def test_an_idle_partition_does_not_hold_up_a_busy_one() -> None:
    """A broker holds a fetch for the idle one; the busy one goes on beside it."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 2)
        put(cluster, 1000)
        async with consuming(
            cluster, T0, T1, max_partition_fetch_bytes=200, fetch_max_wait_ms=5_000
        ) as consumer:
            async with asyncio.timeout(4):
                assert await read(consumer, 1000) == list(range(1000))
                consumer.seek(T0, 500)
                assert await read(consumer, 500) == list(range(500, 1000))


async def test_two_idle_partitions_do_not_hold_up_a_busy_one() -> None:
    """A broker holds one fetch for each of them; the busy one waits for neither."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 3)
        put(cluster, 500, per_batch=50)
        put(cluster, 100, T1, per_batch=50)
        async with consuming(
            cluster,
            T0,
            T1,
            TopicPartition("t", 2),
            max_partition_fetch_bytes=200,
            fetch_max_wait_ms=5_000,
        ) as consumer:
            first = (await consumer.getone(T0)).offset
            consumer.pause(T0)
            assert await read(consumer, 100) == list(range(100))
            asks = cluster.node.count("Fetch")
            assert await consumer.getmany() == {}
            await cluster.node.until("Fetch", asks + 1)  # for what T1 may get
            consumer.resume(T0)
            async with asyncio.timeout(4):
                assert [first, *await read(consumer, 499)] == list(range(500))


async def test_what_waits_is_bounded() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 1000)
        async with consuming(
            cluster, T0, max_partition_fetch_bytes=200, prefetch_max_bytes=1
        ) as consumer:
            await consumer.getone()
            for _ in range(50):
                await asyncio.sleep(0)
            assert cluster.node.count("Fetch") <= 2
            assert await read(consumer, 999) == list(range(1, 1000))
