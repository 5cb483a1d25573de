"""A hundred leaders move under load: what a producer feels of it, with and without hints.

The cluster of three runs on virtual time, so that both runs meet the very same network, and no
other program of the machine adds to a latency.
"""

from __future__ import annotations

import asyncio
import gc

import pytest

from barnabas.client import Admin, NewTopic, Producer, TopicPartition
from barnabas.testing.simulation.profile import QUIET

from .used_cluster import UsedCluster

pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 5
PARTITIONS = 100
ROUNDS = 20
"""Records for each partition."""
PAUSE_S = 0.1
"""Between two records for one partition."""
PROFILE = QUIET.replaced(partitions=PARTITIONS)


class Moving(UsedCluster):
    """One run: load, and half-way every partition gets another leader."""

    def __init__(self, *, leader_hints: bool) -> None:
        super().__init__(PROFILE, SEED, PARTITIONS)
        self.leader_hints = leader_hints
        self.latencies_ms: list[float] = []
        self.moved = 0

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", PARTITIONS, 3)])
            async with Producer(
                env=self.env, bootstrap_servers=self.bootstrap, leader_hints=self.leader_hints
            ) as producer:
                load = asyncio.create_task(self.load(producer))
                await asyncio.sleep(ROUNDS * PAUSE_S / 2)
                await self.move(admin)
                await load

    async def load(self, producer: Producer) -> None:
        sent: list[asyncio.Task[None]] = []
        for _ in range(ROUNDS):
            for where in self.where:
                sent.append(asyncio.create_task(self.send(producer, where)))
                await asyncio.sleep(PAUSE_S / PARTITIONS)
        await asyncio.gather(*sent)

    async def send(self, producer: Producer, where: TopicPartition) -> None:
        begun_s = self.loop.now
        await producer.send_and_wait(where.topic, b"v" * 100, partition=where.partition)
        self.latencies_ms.append((self.loop.now - begun_s) * 1000.0)

    async def move(self, admin: Admin) -> None:
        """Name another replica first, and elect those that are first."""
        image = self.machines.newest_image()
        assert image is not None
        partitions = image.topics_by_name["t"].partitions
        turned = {
            where: [*partitions[where.partition].replicas[1:], partitions[where.partition].leader]
            for where in self.where
        }
        await admin.alter_partition_reassignments(turned)
        self.moved = len(await admin.elect_leaders(partitions=self.where))

    @property
    def p999_ms(self) -> float:
        """Of all records, those before and after the move too."""
        ordered = sorted(self.latencies_ms)
        return ordered[int(len(ordered) * 0.999)]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_hints_shorten_what_a_move_costs() -> None:
    """951-09: p99.9 of a producer with hints is 88 % lower than that without them, as in the
    proposal's own experiment: a third is the least that may be asked for."""
    runs = {leader_hints: Moving(leader_hints=leader_hints) for leader_hints in (True, False)}
    for one in runs.values():
        one.run()
        gc.collect()  # what the dead left behind is no other test's business
        assert one.moved == PARTITIONS
        assert len(one.latencies_ms) == ROUNDS * PARTITIONS
    assert runs[True].p999_ms <= runs[False].p999_ms * 0.12
