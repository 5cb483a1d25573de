"""Markers on their way: what is tried again, what is given up, and what completes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from kit.list_logger import ListLogger
from kit.waiting import until

from barnabas.broker.core.coordination.transactions.surroundings import Ending
from barnabas.broker.server.coordinators import marker_sender
from barnabas.broker.server.coordinators.marker_sender import MarkerSender
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.write_txn_markers_request import WriteTxnMarkersRequest
from barnabas.protocol.messages.write_txn_markers_response import (
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersResponse,
)

OK = ErrorCode.NONE
PARTITIONS_AT_ONCE = 10_000


class Node:
    """A broker that leads all partitions of t itself; pauses are no longer than a turn."""

    def __init__(self) -> None:
        self.node_id = 1
        self.log = ListLogger()
        self.metrics = SimpleNamespace(unexpected_errors=0)
        self.config = SimpleNamespace(request_timeout_ms=1000)
        self.partitions = {("t", 0): 1, ("t", 1): 1}
        self.image = SimpleNamespace(brokers={1: None}, partition=self._partition)
        self.pauses: list[float] = []
        self.before_pause: Callable[[], object] = lambda: None

    def _partition(self, topic: str, index: int) -> Any:
        leader = self.partitions.get((topic, index))
        return None if leader is None else SimpleNamespace(leader=leader)

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> asyncio.Handle:
        self.pauses.append(delay_ms)
        self.before_pause()
        return asyncio.get_running_loop().call_soon(callback)


class Bench:
    """A sender, what partitions answer in turn, and what was completed."""

    def __init__(self, *codes: ErrorCode) -> None:
        self.node = Node()
        self.codes = list(codes)
        self.requests: list[WriteTxnMarkersRequest] = []
        self.completed: list[Ending] = []
        self.refusals: list[ErrorCode] = []
        node: Any = self.node  # enough of one
        self.sender = MarkerSender(node, self._complete)

    async def _complete(self, shard: int, ending: Ending) -> None:
        if self.refusals:
            raise KafkaError(self.refusals.pop(0))
        self.completed.append(ending)

    async def answer(self, request: WriteTxnMarkersRequest, node: Any) -> WriteTxnMarkersResponse:
        self.requests.append(request)
        return WriteTxnMarkersResponse(
            markers=[
                WritableTxnMarkerResult(
                    producer_id=marker.producer_id,
                    topics=[
                        WritableTxnMarkerTopicResult(
                            name=topic.name,
                            partitions=[
                                WritableTxnMarkerPartitionResult(
                                    partition_index=index,
                                    error_code=int(self.codes.pop(0) if self.codes else OK),
                                )
                                for index in topic.partition_indexes
                            ],
                        )
                        for topic in marker.topics
                    ],
                )
                for marker in request.markers
            ]
        )

    async def run(self, *endings: Ending) -> None:
        """Send these, and wait until none is under way."""
        with patch.object(marker_sender, "write_markers", self.answer):
            for one in endings:
                self.sender.send(0, one)
            await until(lambda: not self.sender.count)


def ending(name: str = "a", producer_id: int = 7, decision: int = 1, count: int = 2) -> Ending:
    partitions = frozenset(("t", index) for index in range(count))
    return Ending(name, producer_id, 3, 5, True, partitions, 2, decision)


async def test_ends_for_one_broker_share_a_request() -> None:
    """One request with all that waits, then each is completed (TXN-33, TXN-34)."""
    bench = Bench()
    ends = [ending(f"id{number}", number) for number in range(5)]
    await bench.run(*ends)
    (request,) = bench.requests
    assert [one.producer_id for one in request.markers] == [0, 1, 2, 3, 4]
    assert (request.markers[0].producer_epoch, request.markers[0].coordinator_epoch) == (3, 5)
    assert bench.completed == ends


@pytest.mark.parametrize("number", [3, 6, 7, 19, 20, 56, 13, -1, 87])
async def test_what_passes_is_tried_again(number: int) -> None:
    """Only the partition that has no marker yet, after a pause that grows (TXN-33)."""
    bench = Bench(OK, *[ErrorCode(number)] * 5)
    await bench.run(ending())
    assert [one.markers[0].topics[0].partition_indexes for one in bench.requests] == [
        [0, 1],
        *[[1]] * 5,
    ]
    assert bench.node.pauses == [100, 200, 400, 800, 1000]
    assert bench.completed == [ending()]


@pytest.mark.parametrize("number", [47, 52])
async def test_who_was_replaced_gives_up(number: int) -> None:
    """The whole end, without a Complete record (TXN-33)."""
    bench = Bench(ErrorCode(number))
    await bench.run(ending())
    assert not bench.completed
    assert bench.sender.count == 0


async def test_deleted_partitions_are_done() -> None:
    """Also when they go while their marker is tried again (TXN-33)."""
    bench = Bench(OK, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    bench.node.before_pause = lambda: bench.node.partitions.pop(("t", 1), None)
    await bench.run(ending())
    assert len(bench.requests) == 1
    assert bench.completed == [ending()]


async def test_partitions_without_a_leader_wait() -> None:
    """Until there is one that is known (TXN-33)."""
    bench = Bench()
    bench.node.partitions["t", 1] = -1
    with patch.object(marker_sender, "write_markers", bench.answer):
        bench.sender.send(0, ending())
        await until(lambda: len(bench.node.pauses) > 3)
        assert not bench.completed
        bench.node.partitions["t", 1] = 1
        await until(lambda: bench.completed)


async def test_a_later_end_of_an_id_takes_over() -> None:
    """What comes of the earlier one counts for nothing (TXN-33)."""
    bench = Bench()
    later = ending(decision=2)
    await bench.run(ending(), later)
    assert bench.completed == [later]


async def test_an_end_without_partitions_is_complete_at_once() -> None:
    """An abort of a producer that wrote nothing (TXN-13)."""
    bench = Bench()
    await bench.run(ending(count=0))
    assert not bench.requests
    assert bench.completed == [ending(count=0)]


async def test_the_complete_record_is_tried_again() -> None:
    """After 15, but not when the shard went elsewhere (TXN-34)."""
    bench = Bench()
    bench.refusals = [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    await bench.run(ending())
    assert bench.completed == [ending()]
    for code in (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS):
        bench = Bench()
        bench.refusals = [code]
        await bench.run(ending())
        assert not bench.completed


async def test_an_unloaded_shard_sends_nothing_more() -> None:
    """Its next coordinator does (CRT-18)."""
    bench = Bench(*[ErrorCode.NOT_LEADER_OR_FOLLOWER] * 2)
    with patch.object(marker_sender, "write_markers", bench.answer):
        bench.sender.send(0, ending())
        bench.sender.send(1, ending("b", 8, count=1))
        bench.sender.drop_all(0)
        await until(lambda: bench.completed)
        assert [one.transactional_id for one in bench.completed] == ["b"]
        assert all(len(one.markers) == 1 for one in bench.requests)
        await bench.sender.stop()


def sizes_of(request: WriteTxnMarkersRequest) -> dict[int, int]:
    """Partitions of each producer in a request."""
    return {
        marker.producer_id: sum(len(topic.partition_indexes) for topic in marker.topics)
        for marker in request.markers
    }


async def test_an_end_with_very_many_partitions_is_sent_in_parts() -> None:
    """TXN-33, TXN-34: a request names at most 10,000 partitions, in parts that follow each other;
    smaller ends that wait with it fill what is left of one, and do not wait for all of it."""
    count = 2 * PARTITIONS_AT_ONCE + 1
    bench = Bench()
    bench.node.partitions = {("t", index): 1 for index in range(count)}
    large, small, other = ending("a", 7, count=count), ending("b", 8), ending("c", 9)
    answer = bench.answer

    async def answer_late(request: WriteTxnMarkersRequest, node: Any) -> Any:
        assert large not in bench.completed
        if len(bench.requests) == 2:
            await until(lambda: bench.completed == [small, other])
        return await answer(request, node)

    with patch.object(bench, "answer", answer_late):
        await bench.run(large, small, other)
    assert [sizes_of(one) for one in bench.requests] == [
        {7: PARTITIONS_AT_ONCE},
        {8: 2, 9: 2, 7: PARTITIONS_AT_ONCE - 4},
        {7: 5},
    ]
    told = [topic.partition_indexes for one in bench.requests for topic in part_of(one, 7)]
    assert sorted(index for indexes in told for index in indexes) == list(range(count))
    assert bench.completed == [small, other, large]


def part_of(request: WriteTxnMarkersRequest, producer_id: int) -> Any:
    """The topics of one producer's end."""
    (marker,) = [one for one in request.markers if one.producer_id == producer_id]
    return marker.topics


async def test_very_many_ends_share_requests_of_bounded_size() -> None:
    """TXN-33: as many as have 10,000 partitions together, and each of them once."""
    bench = Bench()
    bench.node.partitions = {("t", index): 1 for index in range(3000)}
    ends = [ending(f"id{number}", number, count=3000) for number in range(7)]
    await bench.run(*ends)
    sizes = [sizes_of(one) for one in bench.requests]
    assert [sum(one.values()) for one in sizes] == [PARTITIONS_AT_ONCE, PARTITIONS_AT_ONCE, 1000]
    sent: Counter[int] = Counter()
    for one in sizes:
        sent.update(one)
    assert sent == dict.fromkeys(range(7), 3000)
    assert sorted(one.producer_id for one in bench.completed) == list(range(7))


async def test_a_part_that_fails_is_sent_again_alone() -> None:
    """TXN-33: the other parts have their markers, and the end is complete when it has its own."""
    bench = Bench(*[OK] * (PARTITIONS_AT_ONCE + 1), ErrorCode.NOT_LEADER_OR_FOLLOWER)
    bench.node.partitions = {("t", index): 1 for index in range(PARTITIONS_AT_ONCE + 2)}
    bench.node.before_pause = lambda: bench.completed.append(ending("too early"))
    await bench.run(ending(count=PARTITIONS_AT_ONCE + 2))
    assert [sizes_of(one)[7] for one in bench.requests] == [PARTITIONS_AT_ONCE, 2, 1]
    assert [one.transactional_id for one in bench.completed] == ["too early", "a"]


async def test_a_bug_in_between_leaves_no_transaction_open() -> None:
    """It is reported, and everything is tried again (TXN-33)."""
    bench = Bench()

    async def fails(request: WriteTxnMarkersRequest, node: Any) -> WriteTxnMarkersResponse:
        if not bench.node.metrics.unexpected_errors:
            raise RuntimeError("a bug")
        return await bench.answer(request, node)

    with patch.object(marker_sender, "write_markers", fails):
        bench.sender.send(0, ending())
        await until(lambda: bench.completed)
    assert bench.node.metrics.unexpected_errors == 1
