"""Goal: no partition stays without an owner because who had to give it up came back otherwise."""

from __future__ import annotations

import asyncio

from barnabas.client import TopicPartition
from barnabas.client.groups.second_round import SecondRound

ALL = [TopicPartition("t", number) for number in range(3)]


class Rejoining:
    """Notes the reasons for which it is asked to have the group assigned anew."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.asked = asyncio.Event()

    def rejoin(self, reason: str) -> None:
        self.reasons.append(reason)
        self.asked.set()


async def test_what_was_kept_back_is_assigned_anew() -> None:
    """CLI-10: its owner, a static member that started anew, has not joined again by itself."""
    group = Rejoining()
    second = SecondRound(0.001, group.rejoin)
    second.begun({"a": ALL[:1], "b": ALL[1:2]}, ALL)
    async with asyncio.timeout(10):
        await group.asked.wait()
    assert len(group.reasons) == 1


async def test_a_generation_that_has_everything_needs_no_second_round() -> None:
    """CLI-10: all partitions are given, so nothing is waited for."""
    loop = asyncio.get_running_loop()
    group = Rejoining()
    second = SecondRound(0.0, group.rejoin)
    second.begun({"a": ALL[:1], "b": ALL[1:]}, ALL)
    passed = loop.create_future()
    loop.call_later(0.001, passed.set_result, None)
    await passed
    assert group.reasons == []


async def test_the_next_generation_ends_the_wait() -> None:
    """CLI-10: the owners have joined again, and the second round is under way."""
    loop = asyncio.get_running_loop()
    group = Rejoining()
    second = SecondRound(0.0, group.rejoin)
    second.begun({"a": ALL[:2]}, ALL)
    second.ended()
    passed = loop.create_future()
    loop.call_later(0.001, passed.set_result, None)
    await passed
    assert group.reasons == []
