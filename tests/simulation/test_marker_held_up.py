"""A marker that cannot be written for a minute: nothing else waits for it, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc

import pytest
from kit.waiting import eventually

from barnabas.broker.core.coordination.partition_of import partition_of
from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.errors import ClientError, TransactionError
from barnabas.testing.simulation.machine import Machine
from barnabas.testing.simulation.profile import QUIET

from .used_cluster import UsedCluster

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SEED = 7
OUTAGE_S = 60.0
NAME = "p"
GONES, THERE = TopicPartition("t", 0), TopicPartition("t", 1)
STATE = "__transaction_state"


class HeldUp(UsedCluster):
    """One run: a broker dies before the markers of a decision are written, and comes back."""

    def __init__(self) -> None:
        super().__init__(QUIET.replaced(partitions=2), SEED, 2)
        self.states: list[str] = []
        """Of the held-up transaction: during the outage, and after it."""
        self.others_s: list[float] = []
        """How long other transactions took meanwhile."""
        self.complete_after_s = 0.0
        self.seen: list[list[bytes]] = []
        """What readers of committed records found: during the outage, and after it."""
        self.refused = ""

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            async with self.producer(NAME):
                coordinator = await self.coordinator(admin)
            gone = next(one for one in self.machines.brokers if one.config.node_id != coordinator)
            placed = {GONES.partition: [gone.config.node_id], THERE.partition: [coordinator]}
            await admin.create_topics([NewTopic("t", replica_assignments=placed)])
            await self.hold_up(admin, gone)

    def producer(self, name: str, default_api_timeout_ms: int = 60_000) -> Producer:
        return Producer(
            env=self.env,
            bootstrap_servers=self.bootstrap,
            transactional_id=name,
            default_api_timeout_ms=default_api_timeout_ms,
        )

    async def coordinator(self, admin: Admin) -> int:
        """The broker that decides about `NAME`."""
        described = (await admin.describe_topics([STATE]))[STATE].partitions
        leader = described[partition_of(NAME, len(described))].leader
        assert leader is not None
        return leader

    async def hold_up(self, admin: Admin, gone: Machine) -> None:
        async with self.producer(NAME) as producer:
            await producer.begin_transaction()
            for where in (GONES, THERE):
                await producer.send("t", b"held up", partition=where.partition)
            prepared = await producer.prepare_transaction()
        gone.kill()
        died_s = self.loop.now
        await admin.commit_prepared_transaction(prepared)
        while self.loop.now < died_s + OUTAGE_S:
            await self.transact_elsewhere()
            await asyncio.sleep(5.0)
        self.states.append(await self.state(admin))
        self.seen.append(await self.committed([THERE]))
        await self.begin_anew()
        gone.start()
        back_s = self.loop.now
        self.states.append(
            await eventually(lambda: self.state(admin), lambda state: state != "PrepareCommit")
        )
        self.complete_after_s = self.loop.now - back_s
        self.seen.append(await self.committed([GONES, THERE]))

    async def transact_elsewhere(self) -> None:
        begun_s = self.loop.now
        async with self.producer("other") as other, other.transaction():
            await other.send("t", b"other", partition=THERE.partition)
        self.others_s.append(self.loop.now - begun_s)

    async def begin_anew(self) -> None:
        """The same id has to wait until its last transaction is complete."""
        try:
            async with self.producer(NAME, default_api_timeout_ms=3000):
                self.refused = "no"
        except (ClientError, TransactionError) as error:
            self.refused = str(error)

    async def state(self, admin: Admin) -> str:
        return (await admin.describe_transactions([NAME]))[NAME].state

    async def committed(self, partitions: list[TopicPartition]) -> list[bytes]:
        found: list[bytes] = []
        async with Consumer(
            env=self.env,
            bootstrap_servers=self.bootstrap,
            isolation_level="read_committed",
            auto_offset_reset="earliest",
        ) as consumer:
            ends = await consumer.end_offsets(partitions)
            consumer.assign(partitions)
            for at in partitions:
                while await consumer.position(at) < ends[at]:
                    for records in (await consumer.getmany(at, timeout_ms=200)).values():
                        found += [bytes(each.value or b"") for each in records]
        return found


@pytest.mark.timeout(240)
def test_a_marker_that_cannot_be_written_for_a_minute() -> None:
    """TXN-33: the decision stands, others go on, and the marker comes when its broker is back."""
    run = HeldUp()
    run.run()
    gc.collect()  # what the dead left behind is no other test's business
    assert run.states == ["PrepareCommit", "CompleteCommit"]
    assert max(run.others_s) < 2.0, "other producers, also those of the same partitions"
    assert "CONCURRENT_TRANSACTIONS" in run.refused or "51" in run.refused, run.refused
    assert run.complete_after_s < 10.0
    during, after = run.seen
    others = [b"other"] * len(run.others_s)
    assert sorted(during) == sorted([b"held up", *others])
    assert sorted(after) == sorted([*during, b"held up"])
