"""Goal: the members of a group share its partitions, lose none of them and keep their commits."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from barnabas.client import (
    CloseOption,
    GroupState,
    TopicPartition,
)
from barnabas.client.errors import (
    ClientError,
    CommitFailedError,
    ConfigurationError,
    EventLoopBlockedError,
    FencedInstanceError,
    GroupsNotSupportedError,
    MembershipLostError,
    PollIntervalExceededError,
)
from barnabas.protocol.errors import ErrorCode

from .consuming import T0, T1, put
from .fake_cluster import FakeCluster
from .grouping import Noted, becomes, grouping, numbers, reading, take, topic_of

COOPERATIVE = ("cooperative-sticky",)


async def test_one_member_gets_everything_commits_and_resumes() -> None:
    """Goal: a member that comes back goes on where the group committed, with the epoch."""
    async with topic_of(2) as (cluster, groups):
        async with grouping(cluster, "t") as consumer:
            assert numbers(consumer) == [0, 1]
            assert consumer.state.state is GroupState.STABLE
            assert consumer.state.generation == 1
            assert len(await take(consumer, 13)) == 13
            await consumer.commit()
            done = {key: await consumer.committed(key) for key in (T0, T1)}
            assert sum(each or 0 for each in done.values()) == 13
            assert consumer.lag(T0) == 10 - (done[T0] or 0)
        assert groups["g"].members == {}, "a dynamic member leaves"
        assert {epoch for _, _, epoch in groups["g"].offsets.values()} == {0}
        async with grouping(cluster, "t") as consumer:
            assert len(await take(consumer, 7)) == 7
            assert await consumer.seek_to_committed() == done
            assert len(await take(consumer, 7)) == 7


async def test_members_share_and_take_over() -> None:
    """CLI-01: a heartbeat's 27 makes a member join again; what one gives up the other gets."""
    async with topic_of(4) as (cluster, groups), grouping(cluster, "t") as one:
        noted = Noted()
        one.subscribe("t", listener=noted)
        task = asyncio.create_task(reading(one))
        async with grouping(cluster, "t") as two:
            await becomes(lambda: (len(numbers(one)), len(numbers(two))) == (2, 2))
            assert set(numbers(one)) | set(numbers(two)) == {0, 1, 2, 3}
            other = asyncio.create_task(reading(two))
            await becomes(lambda: two.state.state is GroupState.STABLE)
            other.cancel()
        await becomes(lambda: len(numbers(one)) == 4)
        assert ("revoked", {0, 1, 2, 3}) in noted.calls
        assert noted.calls[-1] == ("assigned", {0, 1, 2, 3})
        assert len(groups["g"].members) == 1
        task.cancel()


async def test_cooperative_members_keep_what_stays() -> None:
    """CLI-10: partitions move in two rounds, and those that stay are never revoked."""
    async with topic_of(4) as (cluster, _):
        noted = Noted()
        async with grouping(cluster, partition_assignment_strategy=COOPERATIVE) as one:
            one.subscribe("t", listener=noted)
            await becomes(lambda: len(numbers(one)) == 4)
            one.pause(T0)
            task = asyncio.create_task(reading(one))
            async with grouping(cluster, "t", partition_assignment_strategy=COOPERATIVE) as two:
                await becomes(lambda: (len(numbers(one)), len(numbers(two))) == (2, 2))
                kept = set(numbers(one))
                revoked = [what for name, what in noted.calls if name == "revoked"]
                assert revoked == [{0, 1, 2, 3} - kept]
                assert one.paused() == {T0} & one.assignment()
            task.cancel()


async def test_join_survives_every_error_that_passes() -> None:
    """CLI-01: 14, 15, 16, 27 and an unknown member id are tried again until there is a group."""
    async with topic_of(1) as (cluster, groups):
        groups.fail("FindCoordinator", ErrorCode.COORDINATOR_NOT_AVAILABLE)
        groups.fail("JoinGroup", 14, 15, 16, 27, 25)
        groups.fail("SyncGroup", 16, 27, 22)
        groups.fail("OffsetFetch", 14, 16)
        async with grouping(cluster, "t") as consumer:
            assert len(await take(consumer, 10)) == 10
            groups.fail("Heartbeat", 14, 15, 16)
            await cluster.node.until("Heartbeat", cluster.node.count("Heartbeat") + 8)
            assert consumer.state.state is GroupState.STABLE


@pytest.mark.parametrize("code", [23, 24, 26, 30, 81, 82])
async def test_a_join_that_is_refused_for_good_is_told(code: int) -> None:
    """CLI-01: these are fatal, and start() raises them."""
    async with topic_of(1) as (cluster, groups):
        groups.fail("JoinGroup", code)
        with pytest.raises(ClientError, match=ErrorCode(code).name):
            async with grouping(cluster, "t"):
                pass


async def test_a_dead_group_raises_from_everything() -> None:
    """Goal: no silent stop: iteration, getmany and commit raise what ended the membership."""
    async with topic_of(1) as (cluster, groups), grouping(cluster, "t") as consumer:
        await take(consumer, 10)
        waiting = asyncio.create_task(consumer.getone())
        await asyncio.sleep(0)
        groups.fail("Heartbeat", ErrorCode.FENCED_INSTANCE_ID)
        with pytest.raises(FencedInstanceError):
            await waiting
        assert consumer.state.state is GroupState.DEAD
        assert isinstance(consumer.state.reason, FencedInstanceError)
        assert consumer.assignment() == set()
        for call in (consumer.getmany(), consumer.commit(), consumer.getone()):
            with pytest.raises(FencedInstanceError):
                await call
        consumer.subscribe("t")
        assert len(await take(consumer, 10)) == 10, "subscribing anew makes a new member"


async def test_a_callback_that_raises_is_no_silent_end() -> None:
    """Goal: the program gets its own error from its next call."""

    class Bad(Noted):
        async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
            raise ZeroDivisionError

    async with topic_of(1) as (cluster, groups), grouping(cluster) as consumer:
        consumer.subscribe("t", listener=Bad())
        with pytest.raises(ZeroDivisionError):
            await consumer.getone()
        await becomes(lambda: not groups["g"].members)


async def test_a_program_that_does_not_ask_leaves_and_comes_back() -> None:
    """Goal: after `max_poll_interval_ms` others get the partitions; asking again joins again."""
    async with (
        topic_of(2) as (cluster, groups),
        grouping(cluster, "t", max_poll_interval_ms=100) as one,
    ):
        await take(one, 3)
        await becomes(lambda: one.state.state is GroupState.FENCED)
        assert isinstance(one.state.reason, PollIntervalExceededError)
        assert groups["g"].members == {}
        with pytest.raises(CommitFailedError):
            await one.commit()
        assert len(await take(one, 20)) == 20
        assert one.state.state is GroupState.STABLE


async def test_a_program_that_waits_for_records_is_asking() -> None:
    """Goal: waiting longer than `max_poll_interval_ms` for a record is no reason to leave."""
    async with (
        topic_of(1, 0) as (cluster, groups),
        grouping(cluster, "t", max_poll_interval_ms=50) as consumer,
    ):
        waiting = asyncio.create_task(consumer.getone())
        await cluster.node.until("Heartbeat", 15)
        assert len(groups["g"].members) == 1
        put(cluster, 1)
        await cluster.wake()
        assert (await waiting).offset == 0


async def test_a_static_member_comes_back_without_a_rebalance() -> None:
    """CLI-05, CLI-11: by default it does not leave; its second life has the same generation."""
    async with topic_of(2) as (cluster, groups):
        async with grouping(cluster, "t", group_instance_id="i"):
            pass
        assert len(groups["g"].members) == 1
        async with grouping(cluster, "t", group_instance_id="i") as consumer:
            assert numbers(consumer) == [0, 1]
            assert consumer.state.generation == 1
            sync = cluster.node.of("SyncGroup")[-1]
            assert sync.assignments == [], "the group skips the assignment (KIP-814)"
            await consumer.stop(CloseOption.LEAVE_GROUP)
        assert groups["g"].members == {}
        (leave,) = cluster.node.of("LeaveGroup")
        assert leave.members[0].group_instance_id is None, "named by its member id alone"


async def test_the_older_of_two_twins_is_fenced() -> None:
    """CLI-11: 82 for the one whose instance id another member has taken over."""
    async with (
        topic_of(1) as (cluster, _),
        grouping(cluster, "t", group_instance_id="i") as one,
        grouping(cluster, "t", group_instance_id="i") as two,
    ):
        assert numbers(two) == [0]
        with pytest.raises(FencedInstanceError):
            await take(one, 100)


async def test_a_stop_waits_until_the_group_was_left() -> None:
    """Goal: `unsubscribe()`, and at once the end: the last commit is made, and the group left."""
    async with topic_of(1) as (cluster, groups):
        async with grouping(cluster, "t", enable_auto_commit=True) as consumer:
            assert len(await take(consumer, 4)) == 4
            consumer.unsubscribe()
        assert groups["g"].members == {}
        assert [offset for offset, _, _ in groups["g"].offsets.values()] == [4]


@pytest.mark.parametrize("options", [{}, {"partition_assignment_strategy": COOPERATIVE}])
async def test_a_member_that_is_started_again_begins_where_the_group_is(
    options: dict[str, Any],
) -> None:
    """Goal: not where it was itself, when others have read on meanwhile."""
    async with topic_of(1) as (cluster, _):
        async with grouping(cluster, "t", **options) as first:
            assert len(await take(first, 3)) == 3
            await first.commit()
        async with grouping(cluster, "t", **options) as second:
            assert [row.offset for row in await take(second, 4)] == [3, 4, 5, 6]
            await second.commit()
        await first.start()
        assert [row.offset for row in await take(first, 3)] == [7, 8, 9]
        await first.stop()


async def test_who_remains_says_nothing() -> None:
    """CLI-05: REMAIN_IN_GROUP leaves the partitions to the session's end."""
    async with topic_of(1) as (cluster, groups), grouping(cluster, "t") as consumer:
        await consumer.stop(CloseOption.REMAIN_IN_GROUP)
        assert cluster.node.count("LeaveGroup") == 0
        assert len(groups["g"].members) == 1


async def test_the_coordinator_moves() -> None:
    """CLI-01: NOT_COORDINATOR, or a broker that is gone, has it looked up again."""
    async with topic_of(1, nodes=2) as (cluster, groups), grouping(cluster, "t") as consumer:
        assert len(await take(consumer, 10)) == 10
        groups.node_id = 2
        await cluster.nodes[2].until("Heartbeat", 2)
        await consumer.commit()
        assert consumer.state.generation == 1
        await cluster.nodes[2].stop()
        groups.node_id = 1
        await consumer.commit({T0: 4})
        await cluster.nodes[1].until("Heartbeat", cluster.nodes[1].count("Heartbeat") + 3)


async def test_partitions_that_a_topic_gets_are_assigned() -> None:
    """Goal: the member that assigned notices new partitions, and topics that appear later."""
    async with (
        topic_of(1) as (cluster, _),
        grouping(cluster, "t", "later", metadata_max_age_ms=100) as consumer,
    ):
        assert numbers(consumer) == [0]
        cluster.add_topic("later", 1)
        await becomes(lambda: len(consumer.assignment()) == 2)


async def test_a_pattern_reads_whole_names() -> None:
    """Goal: the classic protocol matches a pattern itself, and notices new topics."""
    async with topic_of(1) as (cluster, _):
        cluster.add_topic("tt")
        async with grouping(cluster, metadata_max_age_ms=100) as consumer:
            consumer.subscribe(pattern="t|u")
            await becomes(lambda: consumer.assignment() == {T0})
            cluster.add_topic("u")
            await becomes(lambda: consumer.assignment() == {T0, TopicPartition("u", 0)})
            with pytest.raises(ConfigurationError, match="no regular expression"):
                consumer.subscribe(pattern="(")


async def test_enforce_rebalance_is_a_new_generation() -> None:
    """Goal: the program can have the group assigned anew, with its reason (KIP-568, KIP-800)."""
    async with topic_of(1) as (cluster, _), grouping(cluster, "t") as consumer:
        consumer.enforce_rebalance("because " * 100)
        await becomes(lambda: consumer.state.generation == 2)
        assert len(cluster.node.of("JoinGroup")[-1].reason) == 255


async def test_a_paused_partition_that_comes_back_is_still_paused() -> None:
    """Goal: eager members give everything up, and keep what they paused."""
    async with topic_of(2) as (cluster, _), grouping(cluster, "t") as consumer:
        consumer.pause(T1)
        consumer.enforce_rebalance()
        await becomes(lambda: consumer.state.generation == 2)
        assert consumer.paused() == {T1}


async def test_brokers_without_coordinators_are_named() -> None:
    """Goal: a cluster that knows no groups says so at start()."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        with pytest.raises(GroupsNotSupportedError, match="FindCoordinator"):
            async with grouping(cluster, "t"):
                pass


@pytest.mark.slow  # the session must be longer than a busy machine stands still
async def test_a_session_that_a_silent_coordinator_ends_is_told() -> None:
    """Goal: `state` says that nobody answers, and is stable again when somebody does."""
    async with (
        topic_of(1) as (cluster, groups),
        grouping(cluster, "t", session_timeout_ms=1000, request_timeout_ms=200) as consumer,
    ):
        groups.hangs.add("Heartbeat")
        await becomes(lambda: consumer.state.state is GroupState.FENCED)
        assert isinstance(consumer.state.reason, MembershipLostError)
        assert "no heartbeat was answered" in str(consumer.state.reason)
        groups.hangs.clear()
        await becomes(lambda: consumer.state.state is GroupState.STABLE)


async def test_a_join_may_wait_longer_than_other_requests() -> None:
    """CLI-06: a member whose join waits for another one does not give up and join in a loop."""
    async with (
        topic_of(2) as (cluster, groups),
        grouping(cluster, "t", request_timeout_ms=50) as one,
    ):
        assert len(await take(one, 1)) == 1
        starting = asyncio.create_task(_assignment_of_another(cluster))
        await becomes(lambda: groups["g"].state == "Preparing" and len(groups["g"].members) == 2)
        joins = cluster.node.count("JoinGroup")
        await cluster.node.until("Heartbeat", cluster.node.count("Heartbeat") + 15)
        assert cluster.node.count("JoinGroup") == joins
        assert len(groups["g"].members) == 2
        await one.getmany(timeout_ms=20)
        assert await starting


async def _assignment_of_another(cluster: FakeCluster) -> set[TopicPartition]:
    async with grouping(cluster, "t", request_timeout_ms=50) as two:
        return two.assignment()


async def test_a_program_that_blocks_the_loop_is_told_so() -> None:
    """Goal: a session that ended because the loop stood still is not blamed on the broker."""
    reasons: list[Exception | None] = []

    class Asking(Noted):
        async def on_partitions_lost(self, lost: set[TopicPartition]) -> None:
            reasons.append(consumer.state.reason)

    async with (
        topic_of(1) as (cluster, groups),
        grouping(cluster, session_timeout_ms=100) as consumer,
    ):
        consumer.subscribe("t", listener=Asking())
        await take(consumer, 1)
        member_id = next(iter(groups["g"].members))
        time.sleep(0.2)  # noqa: ASYNC251 - this is the fault
        groups["g"].expel(member_id)
        await becomes(lambda: reasons)
        assert isinstance(reasons[0], EventLoopBlockedError)


async def test_only_stable_offsets_are_asked_for_by_who_reads_committed_records() -> None:
    """CLI-16: require_stable goes with read_committed; 88 is waited for."""
    async with topic_of(1) as (cluster, groups):
        groups["g"].offsets["t", 0] = (4, "", -1)
        groups.fail("OffsetFetch", ErrorCode.UNSTABLE_OFFSET_COMMIT)
        async with grouping(cluster, "t", isolation_level="read_committed") as consumer:
            assert (await consumer.getone()).offset == 4
        assert all(each.require_stable for each in cluster.node.of("OffsetFetch"))
        async with grouping(cluster, "t") as consumer:
            assert (await consumer.getone()).offset == 4
        assert not cluster.node.of("OffsetFetch")[-1].require_stable
