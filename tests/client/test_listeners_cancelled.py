"""Callbacks that let a cancellation out: of something of theirs, or of the member itself."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import GroupState, TopicPartition

from .grouping import Noted, becomes, grouping, topic_of


class Careless(Noted):
    """Cancels a task of its own, and waits for it without catching that it was cancelled."""

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        worker = asyncio.create_task(asyncio.Event().wait())
        worker.cancel()
        await worker


async def test_a_callback_that_lets_the_cancellation_of_another_task_out_is_no_silent_end() -> None:
    """Goal: the program hears of it by its next call, and the group of the member's end."""
    async with topic_of(1) as (cluster, groups), grouping(cluster) as consumer:
        consumer.subscribe("t", listener=Careless())
        async with asyncio.timeout(10):
            with pytest.raises(RuntimeError, match="on_partitions_assigned let the cancellation"):
                await consumer.getone()
        assert consumer.state.state is GroupState.DEAD
        await becomes(lambda: not groups["g"].members)
