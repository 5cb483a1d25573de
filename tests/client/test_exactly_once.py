"""Goal: docs/transactions.md keeps its promise: each record of the input comes out exactly once,
whoever is killed or cancelled meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.markers import until_markers_are_written
from kit.transactional import at_level

from barnabas.broker.core.coordination.partition_of import partition_of
from barnabas.client import Admin, NewTopic, Outcome, Producer, Transaction
from barnabas.testing import Cluster
from examples import exactly_once as example

from .exactly_once import Source, check_once, committed, supervised, until_more

both = pytest.mark.parametrize("level", [1, 2])
ROOT = Path(__file__).resolve().parents[2]
PARTITIONS = 2
INTERNAL = {
    "offsets.topic.num.partitions": 3,
    "transaction.state.log.num.partitions": 3,
    "group.initial.rebalance.delay.ms": 0,
}
SHORT = {
    **INTERNAL,
    "min.insync.replicas": 2,
    "broker.session.timeout.ms": 1500,
    "broker.heartbeat.interval.ms": 300,
}


def test_the_page_shows_the_program_that_is_tested() -> None:
    """docs/transactions.md: its loop is the text of examples/exactly_once.py."""
    page = (ROOT / "docs" / "transactions.md").read_text(encoding="utf-8")
    assert inspect.getsource(example.transform) in page


@asynccontextmanager
async def topics(
    brokers: int, settings: dict[str, object], level: int
) -> AsyncIterator[tuple[Cluster, Source]]:
    """A cluster with empty topics `in` and `out`, at a level of `transaction.version`."""
    with at_level(level):
        planned = Cluster(brokers, settings=settings)
        await planned.start()
    async with planned as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            replicas = min(3, brokers)
            await admin.create_topics(
                [NewTopic("in", PARTITIONS, replicas), NewTopic("out", PARTITIONS, replicas)]
            )
        for topic in ("in", "out"):
            for number in range(PARTITIONS):
                await cluster.wait_for_leader(topic, number)
        yield cluster, Source(cluster.bootstrap, "in", PARTITIONS)


def copying(cluster: Cluster, name: str, restarts: list[BaseException]) -> asyncio.Task[None]:
    """One process of the example, which leaves values as they are."""

    async def work() -> None:
        await example.transform(cluster.bootstrap, "in", "out", "copy", name, lambda value: value)

    return asyncio.create_task(supervised(work, restarts))


async def stop(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.slow
@both
async def test_copiers_come_and_go(level: int) -> None:
    """KIP-447: at each rebalance and cancellation, what is in hand comes out once."""
    async with topics(1, dict(INTERNAL), level) as (cluster, source):
        restarts: list[BaseException] = []
        chance = random.Random(1)
        is_enough = asyncio.Event()
        flow = asyncio.create_task(source.flow(is_enough))
        tasks = [copying(cluster, f"copy-{number}", restarts) for number in range(2)]
        for _ in range(12):
            before = len(await committed(cluster.bootstrap, "out"))
            await until_more(cluster.bootstrap, "out", before)
            number = chance.randrange(len(tasks))
            await stop(tasks[number])
            tasks[number] = copying(cluster, f"copy-{number}", restarts)
        is_enough.set()
        await flow
        found = await until_more(cluster.bootstrap, "out", len(source.values) - 1)
        await stop(*tasks)
        check_once(found, source.values, PARTITIONS)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("level", "victim"),
    [(1, "transactions"), (1, "out"), (2, "transactions"), (2, "group"), (2, "out")],
)
async def test_a_killed_broker(level: int, victim: str) -> None:
    """P-20: the coordinator of the transaction, that of the group, or a leader is killed in the
    middle, again and again, and comes back."""
    async with topics(3, dict(SHORT), level) as (cluster, source):
        restarts: list[BaseException] = []
        is_enough = asyncio.Event()
        flow = asyncio.create_task(source.flow(is_enough))
        task = copying(cluster, "copy-0", restarts)
        topic, number = {
            "transactions": ("__transaction_state", partition_of("copy-0", 3)),
            "group": ("__consumer_offsets", partition_of("copy", 3)),
            "out": ("out", 0),
        }[victim]
        for _ in range(2):
            before = len(await until_more(cluster.bootstrap, "out", 0))
            await until_more(cluster.bootstrap, "out", before)
            killed = await cluster.wait_for_leader(topic, number)
            await cluster.kill(killed)
            await cluster.wait_for_leader(topic, number, not_=killed)
            await cluster.restart(killed)
            await cluster.wait_for_isr(topic, number, (1, 2, 3))
        is_enough.set()
        await flow
        found = await until_more(cluster.bootstrap, "out", len(source.values) - 1)
        await stop(task)
        check_once(found, source.values, PARTITIONS)


@pytest.mark.slow
@both
async def test_a_cancellation_at_any_turn_of_the_loop(level: int) -> None:
    """Both records of a transaction are seen, or none, as its outcome says."""
    async with topics(1, dict(INTERNAL), level) as (cluster, _):
        made: dict[int, Transaction] = {}
        async with Producer(
            bootstrap_servers=cluster.bootstrap, transactional_id="turns"
        ) as producer:

            async def work(number: int) -> None:
                async with producer.transaction() as transaction:
                    made[number] = transaction
                    for partition in range(PARTITIONS):
                        await producer.send("out", b"%07d" % number, partition=partition)

            await work(0)
            for turns in range(1, 60):
                task = asyncio.create_task(work(turns))
                for _ in range(turns):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await work(60)
        await until_markers_are_written(cluster.bootstrap)
        values = Counter(await committed(cluster.bootstrap, "out"))
        for number, transaction in made.items():
            expected = PARTITIONS if transaction.outcome is Outcome.COMMITTED else 0
            assert values[b"%07d" % number] == expected, number
            assert transaction.outcome is not Outcome.UNKNOWN
        outcomes = {each.outcome for each in made.values()}
        assert outcomes == {Outcome.COMMITTED, Outcome.ABORTED}, "it was cut at all places"
