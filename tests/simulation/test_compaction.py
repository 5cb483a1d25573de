"""A compacted topic in a simulated cluster whose nodes lose power while their logs are cleaned."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from barnabas.client import Admin, Consumer, NewTopic, Producer
from barnabas.testing.simulation.checks.committed import Committed
from barnabas.testing.simulation.checks.durability import Durability
from barnabas.testing.simulation.checks.log_state import LogState
from barnabas.testing.simulation.checks.replica_logs import ReplicaLogs
from barnabas.testing.simulation.profile import QUIET

from .used_cluster import UsedCluster

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow, pytest.mark.timeout(300)]

KEYS = 8
RECORDS = 260
PROFILE = QUIET.replaced(
    timeouts_divisor=10.0, flush_messages=1, min_insync_replicas=2, replication_factor=3
)
TOPIC = {
    "cleanup.policy": "compact",
    "internal.segment.bytes": "700",
    "min.cleanable.dirty.ratio": "0.01",
}


class Compacts(UsedCluster):
    """One run: values of a few keys, and nodes that go down and come back."""

    def __init__(self, seed: int) -> None:
        super().__init__(PROFILE, seed, 1)
        self.random = Random(seed)
        bus = self.bus = self.machines.bus
        logs = ReplicaLogs(bus)
        Committed(bus, logs, acked_means_flushed=True, is_recovering=lambda node, partition: False)
        LogState(bus)
        Durability(bus, self.machines.disk_of, acked_means_flushed=True, voters=PROFILE.voters)
        self.acked: dict[bytes, int] = {}
        """Number of the last value of each key that was acknowledged."""
        self.read: dict[bytes, int] = {}

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 3, topic_configs=TOPIC)])
        trouble = asyncio.create_task(self.make_trouble())
        async with Producer(env=self.env, bootstrap_servers=self.bootstrap, acks="all") as producer:
            for number in range(RECORDS):
                key = b"key %d" % self.random.randrange(KEYS)
                sent = await producer.send("t", b"%d" % number, key=key, partition=0)
                await sent
                self.acked[key] = number
                await asyncio.sleep(0.05)
        trouble.cancel()
        self.machines.start_all()
        await asyncio.sleep(5.0)
        await self.read_all()

    async def make_trouble(self) -> None:
        while True:
            await asyncio.sleep(self.random.uniform(1.0, 2.5))
            machine = self.random.choice(list(self.machines))
            if self.random.random() < 0.6:
                machine.lose_power()
            else:
                machine.kill()
            await asyncio.sleep(self.random.uniform(0.1, 0.6))
            machine.start()
            await self.machines.wait_for(self.machines.has_full_isrs, 10.0)

    async def read_all(self) -> None:
        async with Consumer(env=self.env, bootstrap_servers=self.bootstrap) as consumer:
            consumer.assign(self.where)
            await consumer.seek_to_beginning()
            (end,) = (await consumer.end_offsets(self.where)).values()
            while await consumer.position(self.where[0]) < end:
                record = await consumer.getone()
                self.read[record.key or b""] = int(record.value or b"-1")


@pytest.mark.parametrize("seed", range(3))
def test_the_last_values_survive(seed: int) -> None:
    """CMP-04, CMP-22, I-2 to I-5: on whichever replica, through kills and losses of power."""
    life = Compacts(seed)
    life.run()
    assert life.loop.violation is None, life.loop.violation
    assert life.bus.counts["compacted"] > 5
    assert life.read == life.acked
