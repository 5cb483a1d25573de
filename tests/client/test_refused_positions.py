"""Goal: a position moves only when the leader's log says that it must, and never in silence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from barnabas.client import LogTruncation, PositionKept, PositionReset
from barnabas.client.consuming.fetcher import Fetcher
from barnabas.client.consuming.refusals import Course, Refusal
from barnabas.client.errors import LogTruncationError, OffsetOutOfRangeError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)
from barnabas.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

from .consuming import T0, consuming, put, read
from .fake_cluster import Action, FakeCluster, FakeNode
from .racks import NEAR, two_racks, until_read_from


@pytest.mark.parametrize(
    ("is_leader", "offset", "epoch", "first", "last", "course"),
    [
        (False, 5, 3, 10, 20, Course.ASK_LEADER),
        (False, 30, 3, 10, 20, Course.COMPARE_EPOCHS),
        (False, 30, -1, 10, 20, Course.ASK_LEADER),
        (False, 30, -1, -1, -1, Course.ASK_LEADER),
        (False, 15, 3, 10, 20, Course.ASK_AGAIN),
        (True, 5, 3, 10, 20, Course.RESET),
        (True, 5, -1, 10, 20, Course.RESET),
        (True, 30, 3, 10, 20, Course.COMPARE_EPOCHS),
        (True, 30, -1, 10, 20, Course.RESET),
        (True, 30, 3, -1, -1, Course.COMPARE_EPOCHS),
        (True, 30, -1, -1, -1, Course.RESET),
        (True, 10, 3, 10, 20, Course.ASK_AGAIN),
        (True, 20, 3, 10, 20, Course.ASK_AGAIN),
    ],
)
def test_the_table_of_courses(
    is_leader: bool, offset: int, epoch: int, first: int, last: int, course: Course
) -> None:
    """392-11: what follows a code 1, by who said it and where the position is."""
    assert Refusal(7, is_leader, offset, epoch, first, last).course is course


async def test_a_follower_whose_log_starts_later_moves_nothing() -> None:
    """392-11: below the follower's log start, but the leader has it."""
    async with two_racks() as cluster:
        put(cluster, 100)
        cluster.partition("t").followers[NEAR].log_start = 50
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=10) as consumer:
            consumer.seek(T0, 20)
            assert await read(consumer, 80) == list(range(20, 100))
            assert cluster.nodes[NEAR].count("Fetch") >= 1
            assert consumer.position_events() == []


async def test_earliest_is_that_of_the_replica_that_refused() -> None:
    """392-11: leader and follower have both deleted it, the follower less: reading goes on there,
    by ListOffsets with replica id -2."""
    async with two_racks() as cluster:
        put(cluster, 100)
        cluster.partition("t").delete_before(60)
        follower = cluster.partition("t").followers[NEAR]
        follower.log_start = 60
        async with consuming(cluster, T0, client_rack="b", fetch_max_wait_ms=10) as consumer:
            consumer.seek(T0, 70)
            await until_read_from(consumer, NEAR)
            follower.log_start = 55
            consumer.seek(T0, 20)
            await consumer.getmany(timeout_ms=1000)
            [event] = consumer.reset_events()
            assert event == PositionReset(T0, 20, 55, "out of range")
        asked = cluster.nodes[NEAR].of("ListOffsets")
        assert [each.replica_id for each in asked] == [-2]


async def test_none_raises_only_after_the_leader_was_asked() -> None:
    """392-11: policy none."""
    async with two_racks() as cluster:
        put(cluster, 100)
        cluster.partition("t").delete_before(60)
        async with consuming(
            cluster, T0, client_rack="b", auto_offset_reset="none", fetch_max_wait_ms=10
        ) as consumer:
            consumer.seek(T0, 70)
            await until_read_from(consumer, NEAR)
            fetches = cluster.node.count("Fetch")
            consumer.seek(T0, 20)
            with pytest.raises(OffsetOutOfRangeError, match=r"20 is out of range: .*60 to 100"):
                await consumer.getone()
            assert cluster.node.count("Fetch") > fetches
            assert await consumer.position(T0) == 20


async def test_a_follower_that_lags_moves_nothing_and_it_is_said() -> None:
    """392-11: beyond the follower's high watermark; the leader's epochs say that it is fine."""
    told: list[Any] = []
    async with two_racks() as cluster:
        put(cluster, 100)
        async with consuming(
            cluster, T0, client_rack="b", fetch_max_wait_ms=10, on_position_event=told.append
        ) as consumer:
            assert await read(consumer, 100) == list(range(100))
            cluster.partition("t").followers[NEAR].end = 30
            put(cluster, 10)
            await cluster.wake()
            assert await read(consumer, 10) == list(range(100, 110))
            assert consumer.reset_events() == []
            assert PositionKept(T0, 100, NEAR) in consumer.position_events()
            assert PositionKept(T0, 100, NEAR) in told
        [asked] = {
            (topic.topic, each.leader_epoch)
            for request in cluster.node.of("OffsetForLeaderEpoch")
            for topic in request.topics
            for each in topic.partitions
        }
        assert asked == ("t", 0)
        assert cluster.nodes[NEAR].count("OffsetForLeaderEpoch") == 0, "the leader is asked"


async def test_positions_are_compared_when_the_leader_changes() -> None:
    """320-01: once, under the new leader's epoch, before anything is fetched from it."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 20)
        async with consuming(cluster, T0, fetch_max_wait_ms=10) as consumer:
            assert await read(consumer, 20) == list(range(20))
            cluster.move("t", 0, 2)
            put(cluster, 10)
            assert await read(consumer, 10) == list(range(20, 30))
            assert consumer.position_events() == []
        names = [
            type(each).NAME
            for _, each in cluster.nodes[2].requests
            if type(each).NAME in ("FetchRequest", "OffsetForLeaderEpochRequest")
        ]
        assert names[0] == "OffsetForLeaderEpochRequest"
        assert names.count("OffsetForLeaderEpochRequest") == 1
        request = cluster.nodes[2].of("OffsetForLeaderEpoch")[0]
        assert request.replica_id == -1
        asked = request.topics[0].partitions[0]
        assert (asked.current_leader_epoch, asked.leader_epoch) == (1, 0)


def lose(cluster: FakeCluster, at: int) -> None:
    """An unclean election: node 2 leads with a shorter log, and writes on under a new epoch."""
    cluster.partition("t").truncate(at)
    cluster.move("t", 0, 2)
    put(cluster, 30)


async def test_a_truncated_log_is_said_and_read_from_where_it_parted() -> None:
    """320-01: records that were read are gone; nothing of the new log is skipped."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 40)
        async with consuming(cluster, T0, fetch_max_wait_ms=10) as consumer:
            assert await read(consumer, 40) == list(range(40))
            lose(cluster, 30)
            assert await read(consumer, 30) == list(range(30, 60))
            [event] = consumer.reset_events()
            assert isinstance(event, LogTruncation)
            assert event == LogTruncation(T0, 40, 30, "the log was truncated")


async def test_a_back_off_that_ends_while_nothing_was_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """320-01: a busy machine lets the back-off of a partition end between the look at what to fetch
    and the wait for work; nothing else would wake the fetcher before metadata is old."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 40)
        async with consuming(
            cluster, T0, fetch_max_wait_ms=10, retry_backoff_ms=100, retry_backoff_max_ms=60_000
        ) as consumer:
            assert await read(consumer, 40) == list(range(40))
            look = Fetcher._wanted

            def look_slowly(self: Fetcher, *where: Any) -> Any:
                wanted = look(self, *where)
                until = max(state.backoff_until for state in self._states.values())
                while where[0] == 2 and not wanted and self._loop.time() < until:
                    pass
                return wanted

            monkeypatch.setattr(Fetcher, "_wanted", look_slowly)
            lose(cluster, 30)
            assert await read(consumer, 30) == list(range(30, 60))


async def test_what_was_only_fetched_ahead_is_fetched_anew_in_silence() -> None:
    """320-01: nobody had seen the records that were lost."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 40)
        async with consuming(cluster, T0, fetch_max_wait_ms=10) as consumer:
            assert (await consumer.getone()).offset == 0
            await cluster.node.until("Fetch", 2)
            lose(cluster, 30)
            await cluster.nodes[2].until("Fetch", 1)
            assert await read(consumer, 59) == list(range(1, 60))
            assert consumer.position_events() == []


async def test_a_truncated_log_is_an_error_without_a_policy() -> None:
    """320-01: the error names where the log parted; seek() goes on."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 40)
        async with consuming(
            cluster, T0, fetch_max_wait_ms=10, auto_offset_reset="none"
        ) as consumer:
            consumer.seek(T0, 0)
            assert await read(consumer, 40) == list(range(40))
            lose(cluster, 30)
            with pytest.raises(LogTruncationError, match="truncated at 30"):
                await consumer.getone()
            # It does not go away by itself.
            with pytest.raises(LogTruncationError, match="truncated at 30") as caught:
                await consumer.getone()
            assert (caught.value.end_offset, caught.value.leader_epoch) == (30, 0)
            consumer.seek(T0, caught.value.end_offset, caught.value.leader_epoch)
            assert await read(consumer, 30) == list(range(30, 60))


async def test_a_position_from_elsewhere_can_bring_its_epoch() -> None:
    """320-01: an offset that was stored with its leader epoch is compared before it is used."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 40)
        lose(cluster, 30)
        async with consuming(cluster, T0) as consumer:
            consumer.seek(T0, 40, leader_epoch=0)
            assert await read(consumer, 30) == list(range(30, 60))
            assert consumer.reset_events() == [LogTruncation(T0, 40, 30, "the log was truncated")]


async def test_a_leader_before_the_position_decides_nothing() -> None:
    """320-01: a leader that hears nobody may answer clients still; its log lacks what the next one
    was given. Metadata name the next leader at some time, and that one has the position."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 30)
        async with consuming(cluster, T0, fetch_max_wait_ms=10) as consumer:
            consumer.seek(T0, 40, leader_epoch=1)
            reading = asyncio.ensure_future(read(consumer, 20))
            await cluster.node.until("OffsetForLeaderEpoch", 3)
            cluster.move("t", 0, 2)
            put(cluster, 30)
            assert await reading == list(range(40, 60))
            assert consumer.reset_events() == []


async def test_a_position_of_a_topic_that_is_gone_is_given_up() -> None:
    """320-01: no leader of its epoch ever comes; that is waited for as long as a call may take."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 30)
        async with consuming(cluster, T0, default_api_timeout_ms=300) as consumer:
            consumer.seek(T0, 40, leader_epoch=1)
            assert await read(consumer, 30) == list(range(30))
            assert consumer.reset_events() == [PositionReset(T0, 40, 0, "the log was truncated")]
        assert cluster.node.count("OffsetForLeaderEpoch") >= 2


async def test_brokers_that_know_no_epochs_are_taken_at_their_word() -> None:
    async with FakeCluster(nodes=2) as cluster:
        del cluster.served[23]
        cluster.add_topic("t")
        put(cluster, 20)
        async with consuming(cluster, T0, fetch_max_wait_ms=10) as consumer:
            assert await read(consumer, 20) == list(range(20))
            cluster.move("t", 0, 2)
            put(cluster, 10)
            assert await read(consumer, 10) == list(range(20, 30))
            consumer.seek(T0, 99)
            assert await read(consumer, 1) == [0]
            assert consumer.reset_events() == [PositionReset(T0, 99, 0, "out of range")]


# ---------------------------------------------------------------------------- hints, code 78


def hint(cluster: FakeCluster, leader: int) -> FetchResponse:
    """Code 6 with the new leader and where it is."""
    partition = cluster.partition("t")
    answer = PartitionData(
        partition_index=0,
        error_code=int(ErrorCode.NOT_LEADER_OR_FOLLOWER),
        records=b"",
        current_leader=LeaderIdAndEpoch(leader_id=leader, leader_epoch=partition.epoch),
    )
    topic = FetchableTopicResponse(topic_id=cluster.topics["t"].topic_id, partitions=[answer])
    endpoint = NodeEndpoint(node_id=leader, host="127.0.0.1", port=cluster.nodes[leader].port)
    return FetchResponse(session_id=9, responses=[topic], node_endpoints=[endpoint])


@pytest.mark.parametrize("leader_hints", [True, False])
async def test_a_fetch_follows_a_hint_without_metadata(leader_hints: bool) -> None:
    """951-06: the hint is enough though nobody answers Metadata; the position is compared at the
    new leader, and metadata is asked for all the same. Without hints nothing goes on."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(
            cluster, T0, fetch_max_wait_ms=10, leader_hints=leader_hints
        ) as consumer:
            assert await read(consumer, 10) == list(range(10))
            asked = sum(node.count("Metadata") for node in cluster.nodes.values())

            def script(node: FakeNode, request: Any) -> Any:
                if type(request).NAME == "MetadataRequest":
                    return Action.HANG
                is_old = node.node_id == 1 and type(request).NAME == "FetchRequest"
                return hint(cluster, 2) if is_old else None

            cluster.move("t", 0, 2)
            cluster.script = script
            put(cluster, 10)
            if not leader_hints:
                assert await consumer.getmany(timeout_ms=200) == {}
                return
            assert await read(consumer, 10) == list(range(10, 20))
            assert cluster.nodes[2].count("OffsetForLeaderEpoch") == 1
            assert sum(node.count("Metadata") for node in cluster.nodes.values()) > asked


def not_available(request: Any) -> ListOffsetsResponse:
    return ListOffsetsResponse(
        topics=[
            ListOffsetsTopicResponse(
                name=topic.name,
                partitions=[
                    ListOffsetsPartitionResponse(
                        partition_index=each.partition_index,
                        error_code=int(ErrorCode.OFFSET_NOT_AVAILABLE),
                    )
                    for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


async def test_offsets_that_are_not_available_yet_are_waited_for() -> None:
    """207-01: code 78 means soon; it is asked again after a back-off, whoever wanted to know."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        left = [3]

        def script(node: FakeNode, request: Any) -> Any:
            if type(request).NAME != "ListOffsetsRequest" or not left[0]:
                return None
            left[0] -= 1
            return not_available(request)

        cluster.script = script
        async with consuming(cluster, T0) as consumer:
            assert await consumer.position(T0) == 0
            assert cluster.node.count("ListOffsets") == 4
            left[0] = 2
            assert await consumer.end_offsets([T0]) == {T0: 10}
            assert cluster.node.count("ListOffsets") == 7
            assert consumer.position_events() == []
