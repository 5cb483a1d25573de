"""To and from what is committed, while partitions come and go and the program seeks (CLI-07)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from barnabas.client import Consumer, TopicPartition
from barnabas.client.errors import NoOffsetError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message

from . import fake_handlers
from .consuming import T0, T1
from .fake_cluster import FakeCluster, FakeNode
from .fake_groups import FakeGroups
from .grouping import grouping, take, topic_of


@pytest.fixture
async def gate() -> asyncio.Event:
    """Closed, the coordinator answers no OffsetFetch."""
    opened = asyncio.Event()
    opened.set()
    return opened


@asynccontextmanager
async def two_partitions(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[FakeCluster, FakeGroups]]:
    """With ten records each; 4 is committed of the first, 7 of the second."""
    async with topic_of(2) as (cluster, groups):
        code = groups.code

        async def gated(name: str, node: FakeNode) -> int:
            if name == "OffsetFetch":
                await gate.wait()
            return await code(name, node)

        monkeypatch.setattr(groups, "code", gated)
        groups["g"].offsets = {("t", 0): (4, "", 0), ("t", 1): (7, "", 0)}
        yield cluster, groups


async def going_back(
    gate: asyncio.Event, cluster: FakeCluster, consumer: Consumer
) -> asyncio.Task[dict[TopicPartition, int]]:
    """A call of `seek_to_committed` by a reader of the first partition; no answer is there yet."""
    consumer.assign([T0])
    await take(consumer, 3)
    gate.clear()
    asked = cluster.node.count("OffsetFetch")
    task = asyncio.create_task(consumer.seek_to_committed())
    await cluster.node.until("OffsetFetch", asked + 1)
    return task


async def test_a_partition_that_comes_meanwhile_begins_where_it_is_committed(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_partitions(gate, monkeypatch) as (cluster, _), grouping(cluster) as consumer:
        called = await going_back(gate, cluster, consumer)
        consumer.assign([T0, T1])
        gate.set()
        assert await called == {T0: 4}
        assert await consumer.position(T0) == 4
        assert await consumer.position(T1) == 7


async def test_a_partition_that_comes_back_meanwhile_is_left_where_it_is(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another member had it, and may have committed more of it since."""
    async with two_partitions(gate, monkeypatch) as (cluster, _), grouping(cluster) as consumer:
        called = await going_back(gate, cluster, consumer)
        consumer.assign([])
        consumer.assign([T0])
        consumer.seek(T0, 9)
        gate.set()
        assert await called == {}
        assert await consumer.position(T0) == 9


@pytest.mark.parametrize(("policy", "offset"), [("earliest", 0), ("latest", 10)])
async def test_without_a_committed_offset_the_policy_says_where(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch, policy: str, offset: int
) -> None:
    async with two_partitions(gate, monkeypatch) as (cluster, groups):
        del groups["g"].offsets[("t", 1)]
        async with grouping(cluster, auto_offset_reset=policy) as consumer:
            consumer.assign([T0, T1])
            consumer.seek(T1, 2)
            assert await consumer.seek_to_committed() == {T0: 4}
            assert await consumer.position(T0) == 4
            assert await consumer.position(T1) == offset


async def test_without_committed_offset_and_policy_the_program_is_told(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_partitions(gate, monkeypatch) as (cluster, groups):
        groups["g"].offsets = {}
        async with grouping(cluster, auto_offset_reset="none") as consumer:
            consumer.assign([T1])
            consumer.seek(T1, 2)
            assert await consumer.seek_to_committed() == {}
            with pytest.raises(NoOffsetError):
                await consumer.getone()


@pytest.mark.parametrize(("to_the_end", "offset"), [(False, 0), (True, 10)])
async def test_a_seek_to_an_end_while_the_committed_offset_is_looked_up_counts(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch, to_the_end: bool, offset: int
) -> None:
    """Goal: where the program goes is where it is, although the committed offset is known first."""
    async with two_partitions(gate, monkeypatch) as (cluster, _), grouping(cluster) as consumer:
        listed = asyncio.Event()

        async def list_offsets(node: FakeNode, request: Any, version: int) -> Message:
            await listed.wait()
            return fake_handlers.list_offsets(node, request, version)

        cluster.more["ListOffsets"] = list_offsets
        gate.clear()
        consumer.assign([T0])
        await cluster.node.until("OffsetFetch", 1)
        await (consumer.seek_to_end(T0) if to_the_end else consumer.seek_to_beginning(T0))
        gate.set()
        assert await consumer.committed(T0) == 4  # answered after the first look-up
        listed.set()
        assert await consumer.position(T0) == offset


async def test_a_refusal_to_look_up_is_not_told_to_who_sought_meanwhile(
    gate: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a program that says where to read needs no committed offset."""
    async with (
        two_partitions(gate, monkeypatch) as (cluster, groups),
        grouping(cluster) as consumer,
    ):
        gate.clear()
        consumer.assign([T0])
        await cluster.node.until("OffsetFetch", 1)
        consumer.seek(T0, 8)
        groups.fail("OffsetFetch", ErrorCode.GROUP_AUTHORIZATION_FAILED)
        gate.set()
        assert await consumer.committed(T0) == 4
        assert [each.offset for each in await take(consumer, 2)] == [8, 9]
