"""Goal: what a partition cannot be read for is told once, and asked for again by who reads on."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

import pytest

from barnabas.client import Consumer
from barnabas.client.consuming.fetcher import Fetcher
from barnabas.client.errors import (
    GroupAuthorizationError,
    NoOffsetError,
    TopicAuthorizationFailedError,
)
from barnabas.client.login_errors import LoginFailedError
from barnabas.client.wire import pool
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import list_offsets_response as listed

from .consuming import T0, consuming, put, read
from .fake_cluster import FakeCluster, FakeNode
from .grouping import grouping, topic_of


async def first_of(consumer: Consumer) -> int:
    return (await consumer.getone()).offset


async def place_of(consumer: Consumer) -> int:
    return await consumer.position(T0)


@pytest.mark.parametrize("ask", [first_of, place_of])
async def test_a_refused_committed_offset_is_asked_for_again(ask: Any) -> None:
    """The rights may have come meanwhile."""
    async with topic_of(1) as (cluster, groups), grouping(cluster) as consumer:
        groups.fail("OffsetFetch", ErrorCode.GROUP_AUTHORIZATION_FAILED)
        consumer.assign([T0])
        async with asyncio.timeout(10):
            with pytest.raises(GroupAuthorizationError):
                await ask(consumer)
            assert await ask(consumer) == 0


@pytest.mark.parametrize("ask", [first_of, place_of])
async def test_a_refused_first_offset_is_asked_for_again(ask: Any) -> None:
    """The same without a group."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 1)
        left = [ErrorCode.TOPIC_AUTHORIZATION_FAILED]

        def script(node: FakeNode, request: Any) -> Message | None:
            del node
            if request.NAME != "ListOffsetsRequest" or not left:
                return None
            one = listed.ListOffsetsPartitionResponse(partition_index=0, error_code=left.pop())
            topic = listed.ListOffsetsTopicResponse(name="t", partitions=[one])
            return listed.ListOffsetsResponse(topics=[topic])

        cluster.script = script
        async with consuming(cluster, T0) as consumer, asyncio.timeout(10):
            with pytest.raises(TopicAuthorizationFailedError):
                await ask(consumer)
            assert await ask(consumer) == 0


def depth(trace: TracebackType | None) -> int:
    return 0 if trace is None else 1 + depth(trace.tb_next)


async def test_an_error_that_stays_does_not_grow() -> None:
    """Goal: a program that asks for ever keeps one traceback, not one an attempt."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with consuming(cluster, T0, auto_offset_reset="none") as consumer:
            depths = set()
            for _ in range(3):
                with pytest.raises(NoOffsetError) as caught:
                    await consumer.getone()
                depths.add(depth(caught.value.__traceback__))
            assert len(depths) == 1


async def test_a_login_that_is_refused_later_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: whoever waits for records hears that the password is another one now, and reads on
    when it is good again."""

    async def refuse(host: str, port: int, *_: Any) -> Any:
        raise LoginFailedError(f"{host}:{port}: wrong password")

    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 1)
        async with consuming(cluster, T0) as consumer, asyncio.timeout(10):
            assert await read(consumer, 1) == [0]
            with monkeypatch.context() as patch:
                patch.setattr(pool, "connect", refuse)
                await cluster.node.stop()
                await cluster.node.start()
                with pytest.raises(LoginFailedError, match="wrong password"):
                    await consumer.getone()
            put(cluster, 1)
            await cluster.wake()
            while True:
                try:
                    assert await read(consumer, 1) == [1]
                except LoginFailedError:
                    continue  # of an attempt that had begun before
                break


async def test_an_error_of_ours_does_not_end_fetching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: it is logged, and fetching goes on."""
    choose, left = Fetcher._wanted, [1]

    def fail_once(fetcher: Fetcher, node_id: int, now: float) -> Any:
        if left:
            raise ZeroDivisionError(left.pop())
        return choose(fetcher, node_id, now)

    monkeypatch.setattr(Fetcher, "_wanted", fail_once)
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 3)
        async with consuming(cluster, T0) as consumer:
            assert await read(consumer, 3) == [0, 1, 2]
    assert not left
