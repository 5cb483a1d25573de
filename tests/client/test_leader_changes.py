"""Goal: a leader that moves, dies or stands still costs a producer little time and no record."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from barnabas.client import ProducerConfig
from barnabas.client.producing.retries import wait_ms
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_response import LeaderIdAndEpoch
from barnabas.protocol.record_batch import read_batch_header
from barnabas.protocol.records import decode_batch

from .fake_cluster import Action, FakeCluster, FakeNode
from .producing import producing, refusal, values


@pytest.mark.parametrize("leader_hints", [True, False])
async def test_the_first_retry_after_a_hint_skips_the_backoff(leader_hints: bool) -> None:
    """951-07: with hints the record is stored long before `retry_backoff_ms` is over; without
    them (the comparison) it waits for that and for metadata."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        async with producing(cluster, retry_backoff_ms=300, leader_hints=leader_hints) as producer:
            await producer.send_and_wait("t", b"0")
            cluster.move("t", 0, 2)
            loop = asyncio.get_running_loop()
            started = loop.time()
            await producer.send_and_wait("t", b"1")
            took_s = loop.time() - started
        assert (took_s < 0.25) == leader_hints, took_s
        assert values(cluster) == [b"0", b"1"]


async def test_a_second_refusal_under_the_same_epoch_backs_off() -> None:
    """951-07: the new leader does not know it yet; it is not asked in a tight loop."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        async with producing(cluster, retry_backoff_ms=100) as producer:
            await producer.send_and_wait("t", b"0")
            cluster.move("t", 0, 2)
            new_leader = cluster.nodes[2]
            unaware = [refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER)] * 2

            def script(node: FakeNode, request: Any) -> Any:
                is_asked = node is new_leader and type(request).NAME == "ProduceRequest"
                return unaware.pop() if is_asked and unaware else None

            cluster.script = script
            loop = asyncio.get_running_loop()
            started = loop.time()
            await producer.send_and_wait("t", b"1")
            assert loop.time() - started >= 0.1 + 0.2, "after one, then two times the wait"
            assert new_leader.count("Produce") == 3


async def test_a_new_leader_that_does_not_know_it_yet_is_asked_again_soon() -> None:
    """951-07: it names the leader of before, so what makes it the leader is on its way to it: the
    wait between two attempts is short, while that for other reasons stays."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        day_ms = 24 * 3600 * 1000
        async with producing(
            cluster,
            delivery_timeout_ms=day_ms,
            retry_backoff_ms=day_ms,
            retry_backoff_max_ms=day_ms,
        ) as producer:
            await producer.send_and_wait("t", b"0")
            cluster.move("t", 0, 2)
            new_leader = cluster.nodes[2]
            before = LeaderIdAndEpoch(leader_id=1, leader_epoch=0)
            late = refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER, current_leader=before)
            unaware = [late] * 3

            def script(node: FakeNode, request: Any) -> Any:
                is_asked = node is new_leader and type(request).NAME == "ProduceRequest"
                return unaware.pop() if is_asked and unaware else None

            cluster.script = script
            async with asyncio.timeout(60):
                await producer.send_and_wait("t", b"1")
            assert new_leader.count("Produce") == 4
        assert values(cluster) == [b"0", b"1"]


def test_waits_grow_and_end() -> None:
    """951-07: later attempts back off; those at a broker that is late too, in smaller steps."""
    config = ProducerConfig(retry_backoff_ms=100, retry_backoff_max_ms=1000)
    attempts = range(1, 8)
    assert [wait_ms(config, one) for one in attempts] == [100, 200, 400, 800, 1000, 1000, 1000]
    late = [wait_ms(config, one, is_late=True) for one in attempts]
    assert late == [2, 2, 4, 8, 16, 32, 64]
    assert wait_ms(config, 10**6) == wait_ms(config, 10**6, is_late=True) == 1000


@pytest.mark.parametrize("seed", range(4))
async def test_sequences_are_kept_through_hints(seed: int) -> None:
    """951-08: five batches in flight when the leader moves: each keeps its number, none is
    numbered anew, and all are stored once and in order."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        numbers: dict[tuple[int, int], set[bytes | None]] = {}
        randomness = random.Random(seed)

        def script(node: FakeNode, request: Any) -> Any:
            if type(request).NAME != "ProduceRequest":
                return None
            data = request.topic_data[0].partition_data[0].records
            header = read_batch_header(data, 0)
            number = (header.producer_epoch, header.base_sequence)
            numbers.setdefault(number, set()).add(decode_batch(data, 0)[0].value)
            if randomness.random() < 0.3:
                cluster.move("t", 0, 3 - cluster.partition("t").leader)
            return None

        cluster.script = script
        async with producing(cluster, batch_size=200, retry_backoff_ms=20) as producer:
            futures = []
            for number in range(300):
                futures.append(await producer.send("t", b"%d" % number))
                if number % 15 == 14:
                    await asyncio.sleep(0)
            await asyncio.gather(*futures)
        assert values(cluster) == [b"%d" % n for n in range(300)]
        assert cluster.partition("t").epoch > 0, "the leader moved"
        assert {epoch for epoch, _ in numbers} == {0}
        assert all(len(firsts) == 1 for firsts in numbers.values())


async def test_a_leader_that_dies_is_left_as_soon_as_there_is_another() -> None:
    """Connection refused at the old one; the new one is found by the other brokers' metadata."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        async with producing(cluster, batch_size=300, retry_backoff_ms=10) as producer:
            await producer.send_and_wait("t", b"0")
            futures = [await producer.send("t", b"%d" % n) for n in range(1, 100)]
            await cluster.node.stop()
            futures += [await producer.send("t", b"%d" % n) for n in range(100, 200)]
            # It still names the dead one, and is asked again until it does not.
            await cluster.nodes[2].until("Metadata", cluster.nodes[2].count("Metadata") + 5)
            cluster.move("t", 0, 2)
            async with asyncio.timeout(5):
                await asyncio.gather(*futures)
        assert values(cluster) == [b"%d" % n for n in range(200)]


@pytest.mark.slow
async def test_a_leader_that_stands_still_is_left_when_the_cluster_drops_it() -> None:
    """Nobody hears of it by the connection; without metadata the wait would be 30 s."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.add_topic("t")
        async with producing(cluster, enable_idempotence=True) as producer:
            await producer.send_and_wait("t", b"0")
            stopped = cluster.nodes[1]
            cluster.script = lambda node, request: Action.HANG if node is stopped else None
            future = await producer.send("t", b"1")
            await stopped.until("Produce", 2)
            del cluster.nodes[1]
            cluster.move("t", 0, 2)
            async with asyncio.timeout(10):
                await future
            await stopped.stop()
        assert values(cluster) == [b"0", b"1"]
