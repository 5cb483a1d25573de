"""Requests that name very many things are answered in turns, and as small ones are (I-28)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kit.broker import Bench, running

from barnabas.broker.server.dispatch import LARGE_QUESTION_BYTES
from barnabas.broker.serving.waiting import SLICE, in_turns
from barnabas.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from barnabas.protocol.messages.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

NAMES = ["t", "bad name", *(f"unknown-{number:05}" for number in range(3000))]
PIECE = 200


@pytest.fixture
async def bench(tmp_path: Path) -> Any:
    async with running(tmp_path, auto_create_topics_enable=False) as one:
        one.create_topic("t")
        yield one


async def whole_and_parts(bench: Bench, make: Any, version: int, field: str) -> tuple[Any, Any]:
    """The rows of one large request, and those of many small ones."""
    async with bench.connect() as client:
        assert len(client.frame(make(NAMES), version)) > LARGE_QUESTION_BYTES
        whole = await client.ask(make(NAMES), version)
        parts = []
        for start in range(0, len(NAMES), PIECE):
            part = make(NAMES[start : start + PIECE])
            parts += getattr(await client.ask(part, version), field)
    return whole, parts


async def test_metadata(bench: Bench) -> None:
    def make(names: list[str]) -> MetadataRequest:
        topics = [MetadataRequestTopic(name=name) for name in names]
        return MetadataRequest(topics=topics, include_topic_authorized_operations=True)

    whole, parts = await whole_and_parts(bench, make, 12, "topics")
    assert whole.topics == parts
    assert [row.error_code for row in whole.topics[:3]] == [0, 17, 3]
    assert whole.topics[0].topic_authorized_operations > 0


async def test_metadata_that_cannot_be_answered(bench: Bench) -> None:
    """An error of the whole request stands on each topic, as for a small one."""
    topics = [MetadataRequestTopic(topic_id=bytes(15) + b"\1", name=None) for _ in range(3000)]
    async with bench.connect() as client:
        answer = await client.ask(MetadataRequest(topics=topics), 10)
    assert {row.error_code for row in answer.topics} == {42}


async def test_topic_partitions(bench: Bench) -> None:
    def make(names: list[str]) -> DescribeTopicPartitionsRequest:
        return DescribeTopicPartitionsRequest(topics=[TopicRequest(name=name) for name in names])

    whole, parts = await whole_and_parts(bench, make, 0, "topics")
    assert whole.topics == sorted(parts, key=lambda row: row.name)
    request = make(NAMES)
    request.cursor = Cursor(topic_name="nobody named it", partition_index=0)
    async with bench.connect() as client:
        refused = await client.ask(request, 0)
    assert {row.error_code for row in refused.topics} == {42}


async def test_credentials(bench: Bench) -> None:
    def make(names: list[str]) -> DescribeUserScramCredentialsRequest:
        return DescribeUserScramCredentialsRequest(users=[UserName(name=name) for name in names])

    whole, parts = await whole_and_parts(bench, make, 0, "results")
    assert whole.results == parts


async def test_one_after_the_other(bench: Bench) -> None:
    """Goal: however many connections ask, one answer is being made; the others are still frames."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=name) for name in NAMES])
    answers = bench.broker.connections.answers
    async with bench.connect() as first, bench.connect() as second, bench.connect() as other:
        await answers.in_the_making.acquire()
        for client in (first, second):
            client.send(asked, 12)
        answer = asyncio.ensure_future(first.receive(3, 12))
        small = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
        for _ in range(20):
            assert (await other.ask(small, 12)).topics[0].error_code == 0
        assert not answer.done()
        answers.in_the_making.release()
        for one in (answer, second.receive(3, 12)):
            assert len((await one).topics) == len(NAMES)


async def test_who_goes_away_before_its_turn_costs_nothing(bench: Bench) -> None:
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=name) for name in NAMES])
    answers = bench.broker.connections.answers
    async with bench.connect() as other:
        await answers.in_the_making.acquire()
        async with bench.connect() as client:
            client.send(asked, 12)
            await other.ask(MetadataRequest(topics=[]), 12)
        answers.in_the_making.release()
        assert len((await other.ask(asked, 12)).topics) == len(NAMES)


async def test_rows_are_made_in_turns() -> None:
    """Goal: in one turn of the loop no more rows than a slice are made."""
    turn = 0
    turns_of_rows: list[int] = []

    def rows() -> Iterator[int]:
        for number in range(10 * SLICE):
            turns_of_rows.append(turn)
            yield number

    work = asyncio.ensure_future(in_turns(rows()))
    while not work.done():
        turn += 1
        await asyncio.sleep(0)
    assert await work == list(range(10 * SLICE))
    assert max(turns_of_rows.count(one) for one in set(turns_of_rows)) == SLICE
