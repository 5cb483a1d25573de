"""Three brokers on one loop: transactions across partitions, and coordinators that die."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest.mock import patch

import pytest
from kit.transactional import TransactionalProducer, at_level, committed
from kit.waiting import eventually

from barnabas.broker.server.coordinators.marker_queue import MarkerQueue
from barnabas.client import Admin, NewTopic
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.cluster import Cluster

pytestmark = pytest.mark.slow

PARTITIONS = [("t", number) for number in range(3)]


class Three:
    """A cluster, its addresses, and what readers of committed records see."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def where(self) -> list[tuple[str, int]]:
        pairs = (one.rpartition(":") for one in self.cluster.bootstrap.split(","))
        return [(host, int(port)) for host, _, port in pairs]

    async def leader(self, topic: str, index: int) -> tuple[str, int]:
        """Address of the partition's leader."""
        number = await self.cluster.wait_for_leader(topic, index)
        node = self.cluster.layout.node(number)
        return "127.0.0.1", node.port

    def producer(self, name: str, *, bumps: bool = False) -> TransactionalProducer:
        return TransactionalProducer(self.where, name, bumps=bumps)

    async def write(self, producer: TransactionalProducer, value: bytes) -> None:
        """One record into each partition of a new transaction, to which leaders add the partitions
        of those whose transactions have their own epochs (TXN-50)."""
        if not producer.bumps:
            assert await producer.add(*PARTITIONS) == 0
        for topic, index in PARTITIONS:
            leader = await self.leader(topic, index)
            code = await producer.write(leader, topic, index, value)
            assert code == ErrorCode.NONE

    async def read(self) -> list[list[bytes]]:
        """Of each partition what is committed."""
        return [
            await committed(await self.leader(topic, index), topic, index)
            for topic, index in PARTITIONS
        ]

    async def sees(self, *values: bytes) -> None:
        """Wait until readers of all partitions see exactly these."""
        await eventually(self.read, lambda found: found == [list(values)] * len(PARTITIONS))


@asynccontextmanager
async def three(level: int = 1) -> AsyncIterator[Three]:
    settings = {"transaction.state.log.num.partitions": 3, "min.insync.replicas": 2}
    with at_level(level):
        async with Cluster(brokers=3, settings=settings) as cluster:
            async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
                await admin.create_topics([NewTopic("t", len(PARTITIONS), 3)])
            yield Three(cluster)


@pytest.mark.parametrize("bumps", [False, True])
async def test_readers_of_all_partitions_see_the_same(bumps: bool) -> None:
    """Commits and aborts of one producer reach every partition (TXN-30, TXN-55)."""
    async with three(2 if bumps else 1) as on:
        producer = on.producer("p", bumps=bumps)
        assert await producer.init() == 0
        kept = []
        for number in range(4):
            value = b"%d" % number
            await on.write(producer, value)
            assert await producer.end(commit=number % 2 == 0) == 0
            if number % 2 == 0:
                kept.append(value)
        await on.sees(*kept)


@pytest.mark.parametrize("commit", [True, False])
async def test_a_decision_outlives_its_coordinator(commit: bool) -> None:
    """Killed between Prepare and Complete: the next coordinator sends the markers (TXN-34), and
    the producer goes on (TXN-20)."""
    async with three(2) as on:
        producer = on.producer("p", bumps=True)
        assert await producer.init() == 0
        await on.write(producer, b"first")
        with patch.object(MarkerQueue, "add", lambda self, one, partitions: None):
            assert await producer.end(commit=commit) == 0
            found = await producer.find()
            assert found is not None
            assert await on.read() == [[], [], []]
            await on.cluster.kill(found[0])
        kept = [b"first"] if commit else []
        await on.sees(*kept)
        await on.write(producer, b"second")
        assert await producer.end(commit=True) == 0
        await on.sees(*kept, b"second")


async def test_an_open_transaction_outlives_its_coordinator() -> None:
    """Partitions that were added are known to the next coordinator (CRT-14), which fences an older
    life (98-05)."""
    async with three() as on:
        first = on.producer("p")
        assert await first.init() == 0
        await on.write(first, b"lost")
        found = await first.find()
        assert found is not None
        await on.cluster.kill(found[0])
        second = on.producer("p")
        assert await second.init() == 0
        assert second.producer_id == first.producer_id
        assert await first.end(commit=True) == ErrorCode.PRODUCER_FENCED
        await on.write(second, b"kept")
        assert await second.end(commit=True) == 0
        await on.sees(b"kept")


async def test_many_producers_at_once() -> None:
    """Each transaction is whole in all partitions, whoever else writes (TXN-55)."""
    async with three(2) as on:

        async def run(number: int) -> bytes:
            producer = on.producer(f"p{number}", bumps=number % 2 == 0)
            assert await producer.init() == 0
            value = b"%d" % number
            await on.write(producer, value)
            assert await producer.end(commit=number % 3 != 0) == 0
            return value

        values = await asyncio.gather(*(run(number) for number in range(6)))
        kept = sorted(value for number, value in enumerate(values) if number % 3 != 0)

        def is_so(found: list[list[bytes]]) -> bool:
            return all(sorted(one) == kept for one in found)

        await eventually(on.read, is_so)


@pytest.mark.parametrize("commit", [True, False])
async def test_a_transaction_outlives_a_leader(commit: bool) -> None:
    """Killed in the middle: the next leader goes on, in the same transaction, which the producer
    ends (TXN-33, TXN-50)."""
    async with three() as on:
        producer = on.producer("p")
        assert await producer.init() == 0
        await on.write(producer, b"first")
        found = await producer.find()
        assert found is not None
        leaders = [await on.cluster.wait_for_leader(*one) for one in PARTITIONS]
        await on.cluster.kill(next(one for one in leaders if one != found[0]))
        for topic, index in PARTITIONS:
            leader = await on.leader(topic, index)
            assert await producer.write(leader, topic, index, b"second") == 0
        assert await producer.end(commit=commit) == 0
        kept = [b"first", b"second"] if commit else []
        await on.sees(*kept)
        await on.write(producer, b"third")
        assert await producer.end(commit=True) == 0
        await on.sees(*kept, b"third")


async def test_leaders_elsewhere_ask_for_transactions() -> None:
    """Each leader asks the one coordinator, whichever broker that is (TXN-50, TXN-51)."""
    async with three() as on:
        producer = on.producer("p")
        assert await producer.init() == 0
        assert await producer.add(PARTITIONS[0]) == 0
        leaders = [await on.leader(*one) for one in PARTITIONS]
        assert len(set(leaders)) == len(PARTITIONS)
        codes = [
            await producer.write(leader, topic, index, b"x", version=version)
            for version in (10, 11)
            for leader, (topic, index) in zip(leaders, PARTITIONS, strict=True)
        ]
        assert codes == [0, 48, 48, 0, 120, 120]
        assert await producer.end(commit=True) == 0
        await eventually(on.read, lambda found: found == [[b"x", b"x"], [], []])
