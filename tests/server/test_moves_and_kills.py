"""A real node is killed while a replica moves between its directories, again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

HERE = TopicPartition("t", 0)
KILLS = 6
RECORDS = 400
PATIENCE_S = 60.0


async def where(node: NodeProcess) -> dict[str, tuple[bool, int]]:
    """Directory -> is a copy there that moves, and how far it is behind."""
    async with Admin(bootstrap_servers=node.bootstrap) as admin:
        return {
            one.path: (replica.is_future, replica.offset_lag)
            for one in await admin.describe_log_dirs([1], [HERE])
            for replica in one.replicas
        }


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():
            pass


async def offsets(node: NodeProcess, count: int) -> list[int]:
    found: list[int] = []
    async with Consumer(bootstrap_servers=node.bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign([HERE])
        while len(found) < count:
            got = await consumer.getmany(timeout_ms=1000)
            found += [int(one.value.rstrip(b"x")) for one in got.get(HERE, ())]
    return found


async def test_nothing_is_lost(tmp_path: Path) -> None:
    """KIP-113: each move comes to its end in the next life; all that was told is there."""
    random = Random(5)
    paths = [f"{tmp_path}/a", f"{tmp_path}/b"]
    with NodeProcess(tmp_path, settings={"log.dirs": ",".join(paths)}) as node:
        async with Admin(bootstrap_servers=node.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 1)])
        for life in range(KILLS):
            (here,) = await where(node)
            (there,) = {*paths} - {here}
            async with (
                Producer(bootstrap_servers=node.bootstrap, acks="all") as producer,
                Admin(bootstrap_servers=node.bootstrap) as admin,
            ):
                first = life * RECORDS
                sent = [
                    await producer.send("t", b"%d" % number + b"x" * 3000, partition=0)
                    for number in range(first, first + RECORDS)
                ]
                await admin.alter_replica_log_dirs(1, {HERE: there})
                await asyncio.gather(*sent)
            limit = random.randrange(-1, RECORDS)

            async def is_so_far(there: str = there, limit: int = limit) -> bool:
                is_future, lag = (await where(node)).get(there, (True, RECORDS))
                return not is_future or lag <= limit

            await until(is_so_far)
            node.kill()
            node.start()

            async def is_there(there: str = there) -> bool:
                return await where(node) == {there: (False, 0)}

            await until(is_there)
            count = (life + 1) * RECORDS
            assert await offsets(node, count) == list(range(count))
