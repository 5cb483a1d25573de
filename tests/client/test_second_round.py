"""Goal: no partition stays without an owner because who had to give it up came back otherwise."""

from __future__ import annotations

import asyncio

from barnabas.client.groups.second_round import SecondRound
from barnabas.client.options import ConsumerOptions

from .grouping import grouping, numbers, topic_of


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
    second.begun(is_last=False)
    async with asyncio.timeout(10):
        await group.asked.wait()
    assert len(group.reasons) == 1


async def test_a_generation_that_has_everything_needs_no_second_round() -> None:
    """CLI-10: all partitions are given, so nothing is waited for."""
    loop = asyncio.get_running_loop()
    group = Rejoining()
    second = SecondRound(0.0, group.rejoin)
    second.begun(is_last=True)
    passed = loop.create_future()
    loop.call_later(0.001, passed.set_result, None)
    await passed
    assert group.reasons == []


async def test_the_next_generation_ends_the_wait() -> None:
    """CLI-10: the owners have joined again, and the second round is under way."""
    loop = asyncio.get_running_loop()
    group = Rejoining()
    second = SecondRound(0.0, group.rejoin)
    second.begun(is_last=False)
    second.ended()
    passed = loop.create_future()
    loop.call_later(0.001, passed.set_result, None)
    await passed
    assert group.reasons == []


async def test_a_static_leader_that_starts_anew_takes_it_that_something_is_kept_back() -> None:
    """CLI-10, CLI-11: nobody told it, so the group is assigned anew, after a rebalance's time."""
    options: ConsumerOptions = {
        "group_instance_id": "i",
        "partition_assignment_strategy": ("cooperative-sticky",),
        "max_poll_interval_ms": 100,
    }
    async with topic_of(2) as (cluster, groups):
        async with grouping(cluster, "t", **options):
            pass
        async with grouping(cluster, "t", **options) as consumer:
            assert numbers(consumer) == [0, 1]
            assert consumer.state.generation == 1
            async with asyncio.timeout(10):
                while groups["g"].generation == 1:
                    await consumer.getmany(timeout_ms=10)
            assert numbers(consumer) == [0, 1]
