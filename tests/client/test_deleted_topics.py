"""Goal: a topic that is deleted stays so, unless somebody sends to it."""

from __future__ import annotations

import asyncio

from kit.waiting import eventually

from barnabas.client import Admin, Producer

from .brokers import create, partitions_of


async def delete(admin: Admin, topic: str) -> None:
    await admin.delete_topics([topic])
    await eventually(lambda: partitions_of(admin, topic), lambda count: count == 0)


async def test_a_producer_that_is_idle_does_not_bring_it_back(address: str, topic: str) -> None:
    await create(address, topic)
    async with (
        Admin(bootstrap_servers=address) as admin,
        Producer(bootstrap_servers=address) as producer,
    ):
        await producer.send_and_wait(topic, b"old")
        await delete(admin, topic)
        for number in range(2):
            # The producer asks for the topics that it knows as well.
            await producer.send_and_wait(f"{topic}-{number}", b"x")
        assert await partitions_of(admin, topic) == 0


async def test_who_sends_to_it_has_it_made_anew(address: str, topic: str) -> None:
    await create(address, topic)
    async with (
        Admin(bootstrap_servers=address) as admin,
        Producer(bootstrap_servers=address) as producer,
    ):
        for value in (b"old", b"new"):
            async with asyncio.timeout(30):
                assert (await producer.send_and_wait(topic, value)).offset == 0
            await delete(admin, topic)
