"""Producer ids out of blocks of the controller, by many at once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.commands import ProducerIdBlock
from barnabas.broker.server.producer_ids import ProducerIds
from barnabas.protocol.errors import ErrorCode, KafkaError

NOBODY = KafkaError(ErrorCode.REQUEST_TIMED_OUT, "no controller answers")


class House:
    """A node whose controller answers each request for a block when it is let."""

    def __init__(self, block_size: int) -> None:
        self.asked: list[asyncio.Future[ProducerIdBlock]] = []
        self.log = ListLogger()
        self._block_size = block_size
        node = SimpleNamespace(
            node_id=1,
            image=SimpleNamespace(brokers={}),
            metadata=SimpleNamespace(submit=self._submit),
            env=SimpleNamespace(maybe=lambda point: False),
            log=self.log,
        )
        self.ids = ProducerIds(cast("Any", node))

    async def _submit(self, command: object) -> ProducerIdBlock:
        self.asked.append(asyncio.get_running_loop().create_future())
        return await self.asked[-1]

    def answer(self) -> None:
        """Give the block that is asked for."""
        first = self._block_size * (len(self.asked) - 1)
        self.asked[-1].set_result(ProducerIdBlock(first, self._block_size))

    def begin(self, count: int) -> list[asyncio.Task[int]]:
        return [asyncio.create_task(self.ids.take()) for _ in range(count)]


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_all_hear_at_once_that_there_is_none() -> None:
    """98-01: five who wait for a controller that does not answer wait once, not five times. They
    are told 14, as by Kafka: after 7 or 41 many producers would not try again."""
    house = House(1000)
    takers = house.begin(5)
    await turns()
    assert len(house.asked) == 1
    house.asked[0].set_exception(NOBODY)
    told = await asyncio.gather(*takers, return_exceptions=True)
    assert [one.code for one in told if isinstance(one, KafkaError)] == [
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    ] * 5
    assert [line[:2] for line in house.log.lines] == [("warning", "no producer ids can be had")]

    (taker,) = house.begin(1)
    await turns()
    house.answer()
    assert await taker == 1000


async def test_each_gets_one_of_its_own() -> None:
    """98-01: also where a block is too small for all who wait for it."""
    house = House(2)
    takers = house.begin(5)
    for _ in range(3):
        await turns()
        house.answer()
    assert sorted(await asyncio.gather(*takers)) == [0, 1, 2, 3, 4]
    assert len(house.asked) == 3


async def test_who_gives_up_takes_nothing_away() -> None:
    """98-01: a client that leaves while a block is fetched."""
    house = House(1000)
    leaver, stayer = house.begin(2)
    await turns()
    leaver.cancel()
    await turns()
    house.answer()
    assert await stayer == 0


async def test_a_stop_ends_the_wait() -> None:
    """98-01: nothing is left behind, and nothing is reported."""
    house = House(1000)
    with pytest.raises(KafkaError, match="no producer id is at hand"):
        house.ids.take_now()
    await turns()
    await house.ids.stop()
    assert house.asked[0].cancelled()
    assert house.log.lines == []
