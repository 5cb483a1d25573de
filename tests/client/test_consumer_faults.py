"""Goal: whatever happens to brokers and topics, nothing is lost, twice, or moved in silence."""

from __future__ import annotations

import time
from typing import Any

import pytest

from barnabas.client import PositionReset
from barnabas.client.errors import (
    CorruptMessageError,
    OffsetOutOfRangeError,
    TopicAuthorizationFailedError,
)
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_response import (
    FetchResponse,
)

from .consuming import T0, consuming, put, read, refusal
from .fake_cluster import Action, FakeCluster, FakeNode


def once(name: str, answer: Any) -> Any:
    """Script: the first request of one API gets this answer."""
    answers = [answer]

    def script(node: FakeNode, request: Any) -> Any:
        if f"{name}Request" == type(request).NAME and answers:
            return answers.pop()
        return None

    return script


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.UNKNOWN_SERVER_ERROR,
    ],
)
async def test_errors_that_pass(code: ErrorCode) -> None:
    """392-05, 392-02: asked again, with a look at metadata, and nothing is lost."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        cluster.script = once("Fetch", refusal(cluster, code))
        if code == ErrorCode.UNKNOWN_SERVER_ERROR:
            async with consuming(cluster, T0) as consumer:
                with pytest.raises(Exception, match="UNKNOWN_SERVER_ERROR"):
                    await consumer.getone()
                assert await read(consumer, 10) == list(range(10))
            return
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
            assert consumer.reset_events() == []


@pytest.mark.parametrize(
    "answer",
    [
        Action.DROP,
        Action.DROP_AFTER,
        FetchResponse(error_code=int(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)),
        FetchResponse(error_code=int(ErrorCode.INVALID_FETCH_SESSION_EPOCH)),
        FetchResponse(error_code=int(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)),
    ],
)
async def test_sessions_begin_anew(answer: Any) -> None:
    """227-01."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
            cluster.script = once("Fetch", answer)
            put(cluster, 10)
            await cluster.wake()
            assert await read(consumer, 10) == list(range(10, 20))
            last = cluster.node.of("Fetch")[-1]
            assert last.session_epoch >= 0


async def test_a_broker_that_forgets_its_sessions() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0, fetch_max_wait_ms=20) as consumer:
            assert await read(consumer, 10) == list(range(10))
            cluster.node.sessions.clear()
            put(cluster, 10)
            await cluster.wake()
            assert await read(consumer, 10) == list(range(10, 20))


async def test_a_new_leader_is_followed() -> None:
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
            cluster.move("t", 0, 2)
            put(cluster, 10)
            await cluster.wake()
            assert await read(consumer, 10) == list(range(10, 20))
            assert cluster.nodes[2].count("Fetch") >= 1


async def test_a_broker_that_goes_away_and_comes_back() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
            await cluster.node.stop()
            put(cluster, 10)
            assert await consumer.getmany(timeout_ms=20) == {}
            await cluster.node.start()
            assert await read(consumer, 10) == list(range(10, 20))


async def test_a_topic_that_appears_later() -> None:
    async with FakeCluster() as cluster, consuming(cluster, T0) as consumer:
        assert await consumer.getmany(timeout_ms=20) == {}
        cluster.add_topic("t")
        put(cluster, 3)
        assert await read(consumer, 3) == [0, 1, 2]


async def test_out_of_range_goes_by_policy_and_says_so() -> None:
    """392-07: records of the position were deleted."""
    told: list[PositionReset] = []
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 100)
        cluster.partition("t").delete_before(60)
        async with consuming(cluster, T0, on_reset=told.append) as consumer:
            consumer.seek(T0, 20)
            assert await read(consumer, 40) == list(range(60, 100))
            events = consumer.reset_events()
            assert events == told
            assert events == [PositionReset(T0, 20, 60, "out of range")]
            assert consumer.reset_events() == []
        async with consuming(cluster, T0, auto_offset_reset="none") as consumer:
            consumer.seek(T0, 20)
            with pytest.raises(OffsetOutOfRangeError, match=r"20 is out of range: .*60 to 100"):
                await consumer.getone()
            assert await consumer.position(T0) == 20
            consumer.seek(T0, 99)
            assert await read(consumer, 1) == [99]


async def test_a_topic_made_anew_is_another_topic() -> None:
    """516-01: the old position means nothing there, even if that offset exists."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0, fetch_max_wait_ms=20) as consumer:
            assert await read(consumer, 5) == list(range(5))
            cluster.add_topic("t")
            put(cluster, 30)
            await cluster.wake()
            assert await read(consumer, 5) == list(range(5, 10)), "what was fetched is still good"
            assert await read(consumer, 30) == list(range(30))
            assert consumer.reset_events() == [PositionReset(T0, 10, 0, "the topic was made anew")]


async def test_without_topic_ids() -> None:
    """Brokers before 2.8: partitions are named, Fetch is at most version 12."""
    async with FakeCluster() as cluster:
        cluster.with_topic_ids = False
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))
        versions = {
            version for version, each in cluster.node.requests if each.NAME == "FetchRequest"
        }
        assert versions == {12}


async def test_an_old_broker() -> None:
    async with FakeCluster() as cluster:
        cluster.served |= {1: (4, 4), 2: (1, 1), 3: (0, 4)}
        cluster.add_topic("t")
        put(cluster, 10)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 10) == list(range(10))


async def test_what_is_forbidden_is_raised() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        answer = refusal(cluster, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        cluster.script = once("Fetch", answer)
        async with consuming(cluster, T0) as consumer:
            with pytest.raises(TopicAuthorizationFailedError, match="fetching t-0"):
                await consumer.getone()


async def test_damage_is_raised_after_what_came_before_it() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 20)
        partition = cluster.partition("t")
        base, end, data = partition.batches[1]
        damaged = bytearray(data)
        damaged[-2] ^= 1
        partition.batches[1] = (base, end, bytes(damaged))
        async with consuming(cluster, T0) as consumer:
            assert [(await consumer.getone()).offset for _ in range(10)] == list(range(10))
            with pytest.raises(CorruptMessageError, match="t-0, batch at offset 10"):
                await consumer.getone()
            assert await consumer.position(T0) == 10
            partition.batches[1] = (base, end, data)
            consumer.seek(T0, 10)
            assert await read(consumer, 10) == list(range(10, 20))


async def test_a_refusal_is_not_asked_again_at_once() -> None:
    """392-05b: no busy loop while the broker says 78."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        answer = refusal(cluster, ErrorCode.OFFSET_NOT_AVAILABLE)
        cluster.script = lambda node, request: (
            answer if type(request).NAME == "FetchRequest" else None
        )
        async with consuming(cluster, T0, retry_backoff_ms=50) as consumer:
            started = time.monotonic()
            assert await consumer.getmany(timeout_ms=300) == {}
            assert cluster.node.count("Fetch") <= (time.monotonic() - started) / 0.05 + 2
