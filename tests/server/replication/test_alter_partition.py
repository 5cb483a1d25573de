"""Changes of in-sync sets on their way to a controller that answers by script (497-02)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kit.waiting import until

from barnabas.broker.core.replication.isr_change import IsrAnswer, IsrChange
from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.broker.server.replication.alter_partition import IsrChanges
from barnabas.protocol.messages.alter_partition_request import AlterPartitionRequest
from barnabas.protocol.messages.alter_partition_response import (
    AlterPartitionResponse,
    PartitionData,
    TopicData,
)

from .nodes import NODE_ID, Services

TOPIC = b"t" * 16
OTHER = b"u" * 16


def change(index: int = 0, topic_id: bytes = TOPIC, epoch: int = 5) -> IsrChange:
    return IsrChange(topic_id, "t", index, 3, epoch, ((1, 70), (2, 80)), 0)


def granted(request: AlterPartitionRequest) -> AlterPartitionResponse:
    """All is done as asked."""
    return answered(request, lambda data: 0)


def answered(
    request: AlterPartitionRequest, code_of: Callable[[Any], int]
) -> AlterPartitionResponse:
    return AlterPartitionResponse(
        topics=[
            TopicData(
                topic_id=topic.topic_id,
                partitions=[
                    PartitionData(
                        partition_index=data.partition_index,
                        error_code=code_of(data),
                        leader_id=1,
                        leader_epoch=data.leader_epoch,
                        isr=[one.broker_id for one in data.new_isr_with_epochs],
                        partition_epoch=data.partition_epoch + 1,
                    )
                    for data in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


class Bench:
    """IsrChanges, and what was answered to whom."""

    def __init__(self) -> None:
        self.services = Services()
        self.controller = self.services.controllers
        self.changes = IsrChanges(self.services)
        self.answers: list[tuple[int, IsrAnswer]] = []

    def propose(self, *proposals: IsrChange) -> None:
        for one in proposals:
            self.changes.propose(one, partial(self.take, one))

    def take(self, one: IsrChange, answer: IsrAnswer) -> None:
        self.answers.append((one.index, answer))

    def indexes(self, request: int) -> list[int]:
        """Partitions of a request that was sent."""
        topics = self.controller.requests[request].topics
        return [data.partition_index for topic in topics for data in topic.partitions]


async def test_proposals_of_one_event_share_a_request() -> None:
    """497-02: one request for all of them; every partition hears its own answer."""
    bench = Bench()
    bench.controller.answers.append(granted)
    bench.propose(change(0), change(1), change(0, OTHER))
    assert not bench.answers, "done is never called from within propose"
    await until(lambda: len(bench.answers) == 3)
    (request,) = bench.controller.requests
    assert (request.broker_id, request.broker_epoch) == (NODE_ID, 70)
    assert [topic.topic_id for topic in request.topics] == [TOPIC, OTHER]
    assert bench.controller.versions == [(3, 3)]
    assert bench.answers[0] == (0, IsrAnswer(0, 1, 3, (1, 2), 0, 6))
    await bench.changes.stop()


async def test_one_request_in_flight() -> None:
    """497-02: what is proposed while a request is under way goes with the next one."""
    bench = Bench()
    bench.controller.answers += [granted, granted]
    bench.controller.is_open.clear()
    bench.propose(change(0))
    await until(lambda: bench.controller.requests)
    bench.propose(change(1), change(2))
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(bench.controller.requests) == 1
    bench.controller.is_open.set()
    await until(lambda: len(bench.answers) == 3)
    assert bench.indexes(1) == [1, 2]
    assert bench.controller.in_flight_max == 1
    await bench.changes.stop()


async def test_a_request_that_fails_is_sent_again_with_what_is_newer() -> None:
    """497-02: no controller, then one that refuses the whole: tried until it is answered."""
    bench = Bench()
    bench.controller.answers += [
        PeerUnavailableError("planted"),
        lambda request: AlterPartitionResponse(error_code=77),  # STALE_BROKER_EPOCH
        granted,
    ]
    bench.propose(change(0, epoch=5), change(1))
    await until(lambda: bench.controller.requests)
    bench.propose(change(0, epoch=9))
    bench.services.broker_epoch = 71
    await until(lambda: len(bench.answers) == 2)
    last = bench.controller.requests[-1]
    assert len(bench.controller.requests) == 3
    assert last.broker_epoch == 71, "the epoch of the moment, not that of the first try"
    epochs = {data.partition_index: data.partition_epoch for data in last.topics[0].partitions}
    assert epochs == {0: 9, 1: 5}
    assert len(bench.services.log.lines) == 1, "said once, not with every try"
    await bench.changes.stop()


async def test_a_partition_that_asks_again_waits_and_the_others_do_not() -> None:
    """497-02: 50 ms before the repeat; other partitions' proposals are not held up by it."""
    bench = Bench()
    loop = asyncio.get_running_loop()
    times: list[float] = []

    def refuse_first(request: AlterPartitionRequest) -> AlterPartitionResponse:
        return answered(request, lambda data: 41 if data.partition_index == 0 else 0)

    def again(answer: IsrAnswer) -> None:
        times.append(loop.time())
        bench.answers.append((0, answer))
        if answer.error_code:
            bench.changes.propose(change(0), again)

    bench.controller.answers += [refuse_first, granted, granted]
    bench.changes.propose(change(0), again)
    bench.propose(change(1))
    await until(lambda: len(bench.answers) == 2)
    bench.propose(change(2))
    await until(lambda: len(bench.answers) == 4)
    assert [bench.indexes(number) for number in range(3)] == [[0, 1], [2], [0]]
    assert times[1] - times[0] >= 0.049
    await bench.changes.stop()


async def test_an_answer_that_leaves_a_partition_out() -> None:
    """497-02: it hears an error that is worth another try, and does not hang."""
    bench = Bench()
    bench.controller.answers.append(lambda request: AlterPartitionResponse())
    bench.propose(change(0))
    await until(lambda: bench.answers)
    assert bench.answers == [(0, IsrAnswer(-1))]
    await bench.changes.stop()


async def test_relinquishing_goes_out_as_the_private_field() -> None:
    """C3: the flag is in the request, and the asked-for order of the set with it."""
    bench = Bench()
    bench.controller.answers.append(granted)
    bench.propose(replace(change(0), relinquish=True, isr=((2, 80), (1, 70))))
    await until(lambda: bench.answers)
    data = bench.controller.requests[0].topics[0].partitions[0]
    assert data.relinquish_leadership
    assert [one.broker_id for one in data.new_isr_with_epochs] == [2, 1]
    await bench.changes.stop()


async def test_stop_ends_the_request_under_way() -> None:
    """Goal: nothing is left running, and nothing is sent afterwards."""
    bench = Bench()
    bench.controller.is_open.clear()
    bench.propose(change(0))
    await until(lambda: bench.controller.requests)
    await bench.changes.stop()
    bench.propose(change(1))
    assert len(bench.changes) == 0
    assert not bench.answers
