"""Clients over their quotas: throttle times in answers, and connections that are not read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import fetch, wanted
from kit.producing import produce
from kit.raw_client import RawClient
from kit.stopped_clock import stopped_env

from barnabas.broker.server.connection import Connection
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.produce_request import PartitionProduceData, TopicProduceData

USER: dict[str, str | None] = {"user": "ANONYMOUS"}
BATCH = batch(b"x" * 19_000)


@asynccontextmanager
async def throttling(directory: Path, **settings: Any) -> AsyncIterator[Bench]:
    """A broker with topic `t`, whose quotas count by a clock that stands still."""
    async with running(directory, stopped_env(), **settings) as bench:
        bench.create_topic("t", 2)
        yield bench


def only_connection(bench: Bench) -> Connection:
    (connection,) = bench.broker.connections._all
    return connection


def expected_ms(size: int, limit: float, window_s: float = 10.0) -> int:
    return round((size / window_s - limit) / limit * window_s * 1000)


@pytest.mark.parametrize(
    ("road", "version"),
    [("fast", 3), ("fast", 8), ("fast", 9), ("many", 3), ("many", 9), ("general", 3)],
)
async def test_a_produce_over_the_quota(tmp_path: Path, road: str, version: int) -> None:
    """QTA-08, QTA-09, QTA-11: answered at once with the time, on each road; then not read."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        bench.limit(USER, producer_byte_rate=1000)
        request = produce(BATCH)
        if road == "many":
            more = PartitionProduceData(index=1, records=batch(b"y"))
            request.topic_data[0].partition_data.append(more)
        elif road == "general":  # a topic that does not exist is none for the hot path
            data = PartitionProduceData(index=0, records=b"")
            request.topic_data.append(TopicProduceData(name="none", partition_data=[data]))
        frame = client.frame(request, version)
        client.writer.write(frame)
        answer = await client.receive(0, version)
        assert answer.throttle_time_ms == expected_ms(len(frame) - 4, 1000)
        assert answer.responses[0].partition_responses[0].error_code == 0
        assert only_connection(bench).is_stopped
        assert (bench.broker.metrics.produce_requests > 0) == (road != "general")
        async with bench.connect() as other:  # of the same user, but it may speak
            assert (await other.ask(MetadataRequest(topics=[]), 9)).throttle_time_ms == 0


async def test_acks_0_counts_too(tmp_path: Path) -> None:
    """QTA-09: there is no answer to tell the time, but the connection is not read."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        bench.limit(USER, producer_byte_rate=1000)
        client.send(produce(BATCH, acks=0), 9)
        client.send(MetadataRequest(topics=[]), 9)
        while not bench.broker.metrics.produce_requests:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0)
        assert only_connection(bench).is_stopped
        assert bench.broker.metrics.requests[3] == 0


async def test_a_muted_connection_is_read_again(tmp_path: Path) -> None:
    """QTA-11: what was sent meanwhile is answered when the time is over, and not before."""
    async with throttling(tmp_path, quota_window_num=2) as bench, bench.connect() as client:
        bench.limit(USER, producer_byte_rate=19_000)
        began = asyncio.get_running_loop().time()
        client.send(produce(BATCH), 9)
        client.send(MetadataRequest(topics=[]), 9)
        throttle_ms = (await client.receive(0, 9)).throttle_time_ms
        assert 0 < throttle_ms < 50
        assert bench.broker.metrics.requests[3] == 0
        await client.receive(3, 9)
        assert asyncio.get_running_loop().time() - began >= throttle_ms / 1000


async def test_the_longest_mute_counts(tmp_path: Path) -> None:
    """QTA-11: a shorter one that comes later ends nothing; a connection that goes ends it."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        await client.ask(MetadataRequest(topics=[]), 9)
        connection = only_connection(bench)
        connection.mute(60_000)
        first = connection.link._mute._timer
        connection.mute(1)
        assert connection.link._mute._timer is first
        connection.mute(90_000)
        assert connection.link._mute._timer is not first
        connection.close("a test")
        assert await client.closed()
        assert connection.link._mute._timer is None
        connection.mute(1)
        assert connection.link._mute._timer is None


async def consumed(client: RawClient, version: int, **fields: Any) -> Any:
    return await client.ask(fetch(wanted(), **fields), version)


@pytest.mark.parametrize("version", [4, 11])
async def test_a_fetch_over_the_quota_is_empty(tmp_path: Path, version: int) -> None:
    """QTA-10, 227-04: no records, the time, no session; and what did not leave does not count."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        await client.ask(produce(BATCH), 9)
        bench.limit(USER, consumer_byte_rate=1500)
        answer = await consumed(client, version)
        assert answer.responses == []
        assert 1000 * 2 < answer.throttle_time_ms < 1000 * 10
        assert answer.session_id == 0
        assert len(bench.broker.sessions) == 0
        assert only_connection(bench).is_stopped
        bench.limit(USER, consumer_byte_rate=2500)
        async with bench.connect() as other:
            answer = await consumed(other, version)
            assert (answer.throttle_time_ms, len(answer.responses)) == (0, 1)
            answer = await consumed(other, version)
            assert (answer.throttle_time_ms > 0, answer.responses) == (True, [])


async def test_a_throttled_fetch_keeps_its_session(tmp_path: Path) -> None:
    """227-04: the epoch goes on, and what the empty answer left out comes with the next one."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        bench.limit(USER, consumer_byte_rate=3000)
        opened = await consumed(client, 11, session_epoch=0)
        session = opened.session_id
        assert session > 0
        async with bench.connect() as producer:
            await producer.ask(produce(BATCH), 9)
        bench.limit(USER, consumer_byte_rate=1500)
        again = fetch(session_id=session, session_epoch=1)
        again.topics = []
        answer = await client.ask(again, 11)
        assert (answer.error_code, answer.session_id, answer.responses) == (0, session, [])
        assert answer.throttle_time_ms > 0
        bench.limit(USER, consumer_byte_rate=3000)
        async with bench.connect() as other:
            again.session_epoch = 2
            answer = await other.ask(again, 11)
        assert (answer.error_code, answer.throttle_time_ms) == (0, 0)
        assert len(answer.responses[0].partitions[0].records) == len(BATCH)


async def test_a_fetch_gets_what_can_leave(tmp_path: Path) -> None:
    """QTA-10: the largest answer is what the limit gives for all samples but one."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        small = batch(b"x" * 900)
        for _ in range(20):
            await client.ask(produce(small), 9)
        bench.limit(USER, consumer_byte_rate=500)
        answer = await consumed(client, 11)
        assert answer.throttle_time_ms == 0
        records = answer.responses[0].partitions[0].records
        assert 0 < len(records) <= 5000


async def test_time_is_limited(tmp_path: Path) -> None:
    """QTA-13, QTA-08: the handler's time counts; the throttle is one sample at most."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        bench.limit(USER, request_percentage=1)
        quotas = bench.broker.quotas
        quotas.spent(only_connection(bench).principal, "raw", 99.0)
        assert (await client.ask(MetadataRequest(topics=[]), 9)).throttle_time_ms == 0
        quotas.spent(only_connection(bench).principal, "raw", 2.0)
        assert (await client.ask(MetadataRequest(topics=[]), 9)).throttle_time_ms == 100
        assert only_connection(bench).is_stopped
        quotas.spent(only_connection(bench).principal, "raw", 9000.0)
        async with bench.connect() as other:
            assert (await other.ask(produce(BATCH), 9)).throttle_time_ms == 1000
        async with bench.connect() as other:
            answer = await consumed(other, 11)
            assert (answer.throttle_time_ms, answer.responses) == (1000, [])


async def test_followers_are_exempt(tmp_path: Path) -> None:
    """QTA-10, QTA-13: replication goes on whatever the quotas of clients are."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        await client.ask(produce(BATCH), 9)
        bench.limit(USER, consumer_byte_rate=1, request_percentage=0.001)
        bench.broker.quotas.spent(only_connection(bench).principal, "raw", 9000.0)
        answer = await consumed(client, 11, replica_id=2)
        assert answer.throttle_time_ms == 0
        assert not only_connection(bench).is_stopped


async def test_without_quotas_nothing_is_counted(tmp_path: Path) -> None:
    """QTA-17: the flags are off, before the first quota and after the last one."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        quotas = bench.broker.quotas
        assert not quotas.is_on
        bench.limit(USER, producer_byte_rate=1000)
        assert quotas.is_on
        assert not quotas.counts_fetch
        assert not quotas.counts_time
        bench.limit(USER, producer_byte_rate=None)
        assert not quotas.is_on
        assert (await client.ask(produce(BATCH), 9)).throttle_time_ms == 0
        assert all(not counters for counters in quotas._counters.values())


async def test_client_ids_share_what_their_user_has(tmp_path: Path) -> None:
    """QTA-03, QTA-19, ATK-40: another client id does not help; ANONYMOUS is a user."""
    async with throttling(tmp_path) as bench, bench.connect() as client:
        bench.limit(USER, producer_byte_rate=1950)
        assert (await client.ask(produce(BATCH), 9)).throttle_time_ms == 0
        async with bench.connect() as other:
            other.client_id = "another"
            assert (await other.ask(produce(BATCH), 9)).throttle_time_ms > 0
        bench.limit(USER, producer_byte_rate=None)
        bench.limit({"client-id": None}, producer_byte_rate=1950)
        async with bench.connect() as other:
            other.client_id = "a third"
            assert (await other.ask(produce(BATCH), 9)).throttle_time_ms == 0
