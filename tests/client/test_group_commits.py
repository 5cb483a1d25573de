"""Goal: what a group's members have dealt with is committed, nothing else, and never in silence."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import (
    GroupState,
    OffsetAndMetadata,
    TopicPartition,
)
from barnabas.client.errors import (
    ClientError,
    CommitFailedError,
    GroupAuthorizationError,
    RebalanceInProgressError,
)
from barnabas.protocol.errors import ErrorCode

from .consuming import T0, T1
from .fake_cluster import FakeCluster
from .grouping import Noted, becomes, grouping, numbers, take, topic_of

COOPERATIVE = ("cooperative-sticky",)


async def test_a_rebalance_waits_for_the_records_in_hand() -> None:
    """CLI-07: what a member works on is committed before another one gets the partition."""
    async with (
        topic_of(2) as (cluster, groups),
        grouping(cluster, "t", enable_auto_commit=True) as one,
    ):
        assert len(await take(one, 20)) == 20
        starting = asyncio.create_task(_join_second(cluster))
        await becomes(lambda: groups["g"].state == "Preparing")
        await cluster.node.until("Heartbeat", cluster.node.count("Heartbeat") + 3)
        assert numbers(one) == [0, 1], "nothing is given up while the program works"
        assert groups["g"].offsets == {}
        assert await one.getmany(timeout_ms=200) == {}
        assert await starting == {}, "the second member finds nothing left to read"
        assert {key: each[0] for key, each in groups["g"].offsets.items()} == {
            ("t", 0): 10,
            ("t", 1): 10,
        }


async def _join_second(cluster: FakeCluster) -> object:
    async with grouping(cluster, "t") as two:
        return await two.getmany(timeout_ms=100)


async def test_auto_commit_never_commits_what_is_in_hand() -> None:
    """Goal: a record counts as dealt with when the program asks for the next one."""
    async with topic_of(1) as (cluster, groups):
        with pytest.raises(ZeroDivisionError):
            async with grouping(
                cluster, "t", enable_auto_commit=True, auto_commit_interval_ms=5
            ) as consumer:
                for _ in range(4):
                    await consumer.getone()
                await becomes(lambda: groups["g"].offsets.get(("t", 0), (0,))[0] == 3)
                raise ZeroDivisionError
        assert groups["g"].offsets["t", 0][0] == 3, "not dealt with: it ended with an error"
        async with grouping(cluster, "t", enable_auto_commit=True) as consumer:
            assert (await consumer.getone()).offset == 3
        assert groups["g"].offsets["t", 0][0] == 4, "the end commits all"


async def test_a_commit_of_an_old_assignment_is_refused() -> None:
    """CLI-01: after 25 the member is another one; what the program still worked on is named."""
    async with topic_of(1) as (cluster, groups), grouping(cluster) as consumer:
        noted = Noted()
        consumer.subscribe("t", listener=noted)
        (record,) = await take(consumer, 1)
        groups["g"].expel(next(iter(groups["g"].members)))
        await becomes(lambda: ("lost", {0}) in noted.calls)
        await becomes(lambda: consumer.state.state is GroupState.STABLE)
        with pytest.raises(CommitFailedError, match="t-0 went to another member"):
            await consumer.commit({T0: record.offset + 1})
        with pytest.raises(CommitFailedError, match="t-0"):
            await consumer.commit()
        assert (await take(consumer, 1))[0].offset == 0, "it is read again"
        await consumer.commit()
        assert groups["g"].offsets["t", 0][0] == 1
        with pytest.raises(CommitFailedError, match="t-7"):
            await consumer.commit({TopicPartition("t", 7): 1})


async def test_what_was_never_committed_is_told_once() -> None:
    """Goal: a program that commits now and then learns that a loss made its commit worthless."""
    async with topic_of(1) as (cluster, groups), grouping(cluster, "t") as consumer:
        await take(consumer, 4)
        assert await take(consumer, 1)
        await consumer.getmany(timeout_ms=0, max_records=1)
        before = consumer.state.generation
        groups["g"].expel(next(iter(groups["g"].members)))
        await becomes(lambda: consumer.state.generation > before)
        await take(consumer, 2)
        with pytest.raises(CommitFailedError, match="t-0"):
            await consumer.commit()
        await consumer.commit()
        assert groups["g"].offsets["t", 0][0] == 2


async def test_unsubscribe_and_assign_in_one_breath() -> None:
    """Goal: partitions chosen right after leaving are kept, and the old ones committed."""
    async with (
        topic_of(2) as (cluster, groups),
        grouping(cluster, "t", enable_auto_commit=True) as consumer,
    ):
        assert len(await take(consumer, 20)) == 20
        left = consumer.unsubscribe()
        assert consumer.assignment() == set()
        consumer.assign([T1])
        await left
        assert consumer.assignment() == {T1}
        assert groups["g"].offsets["t", 0][0] == 10
        consumer.seek(T1, 7)
        assert len(await take(consumer, 3)) == 3
        second = consumer.unsubscribe()
        consumer.subscribe("t")
        await second
        await becomes(lambda: consumer.state.state is GroupState.STABLE)


@pytest.mark.parametrize("name", ["OffsetCommit", "LeaveGroup", "Heartbeat"])
async def test_a_stop_that_is_cancelled_ends_at_once(name: str) -> None:
    """Goal: cancelled or not, stop() leaves nothing running and no connection open."""
    async with (
        topic_of(1) as (cluster, groups),
        grouping(cluster, "t", enable_auto_commit=True) as consumer,
    ):
        await take(consumer, 3)
        groups.hangs.add(name)
        before = asyncio.all_tasks() - {asyncio.current_task()}
        stopping = asyncio.create_task(consumer.stop())
        for _ in range(20):
            await asyncio.sleep(0)
        stopping.cancel()
        await asyncio.gather(stopping, return_exceptions=True)
        assert stopping.done()
        groups.hangs.clear()
        for _ in range(20):
            await asyncio.sleep(0)
        ours = {each for each in asyncio.all_tasks() & before if "_serve" not in str(each)}
        assert not ours


async def test_commits_are_tried_again_or_fail_with_a_type() -> None:
    """CLI-01: 14, 15, 16, 7 and 3 are tried again, 27 is the program's to repeat, 22 ends the
    generation, 12 is told."""
    async with topic_of(1) as (cluster, groups), grouping(cluster, "t") as consumer:
        groups.fail("OffsetCommit", 14, 15, 16, 7, 3)
        await consumer.commit({T0: OffsetAndMetadata(5, "text", 0)})
        assert groups["g"].offsets["t", 0] == (5, "text", 0)
        groups.fail("OffsetCommit", ErrorCode.OFFSET_METADATA_TOO_LARGE)
        with pytest.raises(ClientError, match="OFFSET_METADATA_TOO_LARGE"):
            await consumer.commit({T0: (6, "x" * 5000)})
        groups.fail("OffsetCommit", ErrorCode.REBALANCE_IN_PROGRESS)
        with pytest.raises(RebalanceInProgressError) as caught:
            await consumer.commit({T0: 6})
        assert caught.value.retriable
        await becomes(lambda: consumer.state.generation == 2)
        groups.fail("OffsetCommit", ErrorCode.ILLEGAL_GENERATION)
        with pytest.raises(CommitFailedError):
            await consumer.commit({T0: 6})
        await becomes(lambda: consumer.state.generation == 3)
        assert groups["g"].offsets["t", 0][0] == 5


async def test_a_commit_that_is_tried_again_does_not_undo_a_later_one() -> None:
    """I-26: of two commits of a partition that are under way the later one stays; the earlier one
    still commits its other partitions."""
    async with topic_of(2) as (cluster, groups), grouping(cluster, "t") as consumer:
        groups.fail("OffsetCommit", ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        older = asyncio.create_task(consumer.commit({T0: 5, T1: 5}))
        await cluster.node.until("OffsetCommit", 1)
        await consumer.commit({T0: 6})
        await older
        assert groups["g"].offsets["t", 0][0] == 6
        assert groups["g"].offsets["t", 1][0] == 5
        group = consumer._group
        assert group is not None
        assert {key: each.offset for key, each in group.commits._found.items()} == {T0: 6, T1: 5}


@pytest.mark.parametrize("name", ["OffsetCommit", "LeaveGroup"])
async def test_every_commit_and_the_end_are_bounded(name: str) -> None:
    """Goal: a coordinator that never answers holds up neither commit() nor stop()."""
    loop = asyncio.get_running_loop()
    async with topic_of(1) as (cluster, groups):
        async with grouping(cluster, "t", enable_auto_commit=True, close_timeout_ms=400) as one:
            await take(one, 3)
            groups.hangs.add(name)
            if name == "OffsetCommit":
                with pytest.raises(ClientError):
                    await one.commit(timeout_ms=50)
            started = loop.time()
        assert loop.time() - started < 2


async def test_unsubscribe_and_assign_leave_the_group() -> None:
    """Goal: a consumer that chooses by itself is no member, but commits for the empty group."""
    async with topic_of(2) as (cluster, groups), grouping(cluster, "t") as consumer:
        await consumer.unsubscribe()
        assert consumer.assignment() == set()
        assert groups["g"].members == {}
        assert consumer.state.state is GroupState.NO_GROUP
        consumer.assign([T1])
        assert len(await take(consumer, 4)) == 4
        await consumer.commit()
        assert groups["g"].offsets["t", 1][0] == 4
        consumer.subscribe("t")
        assert len(await take(consumer, 16)) == 16


async def test_a_position_that_is_gone_recovers() -> None:
    """Goal: a committed offset below the log start, or beyond its end, goes on by policy."""
    async with topic_of(2) as (cluster, groups):
        cluster.partition("t", 0).log_start = 5
        groups["g"].offsets = {("t", 0): (2, "", -1), ("t", 1): (99, "", -1)}
        async with grouping(cluster, "t") as consumer:
            found = await take(consumer, 15)
            assert sorted({each.offset for each in found if each.partition == 0}) == [*range(5, 10)]


async def test_no_offset_is_never_taken_from_an_error() -> None:
    """Goal: an OffsetFetch that is refused for good is raised, and skips nothing."""
    async with topic_of(1) as (cluster, groups):
        groups.fail("OffsetFetch", ErrorCode.GROUP_AUTHORIZATION_FAILED)
        async with grouping(cluster, "t") as consumer:
            with pytest.raises(GroupAuthorizationError):
                await consumer.getone()
