"""How long groups take to form, on virtual time: real members, brokers and replication between."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import Admin, Consumer, NewTopic, TopicPartition
from barnabas.testing.simulation.profile import QUIET
from barnabas.testing.simulation.settings import session_ms

from .used_cluster import UsedCluster

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

PARTITIONS = 12
LOOK_S = 0.001
LIMIT_S = 30.0
REST_S = 30.0
MOMENT_S = 0.3
INTERVAL_S = session_ms(QUIET) / 3000
"""Between two heartbeats in a group at rest."""


class Settling(UsedCluster):
    """Three members join within `apart_s` of each other, and a fourth when the group is at rest."""

    def __init__(self, seed: int, apart_s: float) -> None:
        super().__init__(QUIET.replaced(partitions=PARTITIONS), seed, PARTITIONS)
        self.apart_s = apart_s
        self.first_s = self.fourth_s = 0.0

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", PARTITIONS, 3)])
        # The coordinator's topic is made for the first group that there is.
        async with self.member("before"):
            pass
        members = [self.member("g") for _ in range(4)]
        reading = []
        for member in members[:3]:
            reading.append(asyncio.create_task(self.read(member)))
            await asyncio.sleep(self.apart_s)
        joined_s = self.loop.now - self.apart_s
        await self.shared(members[:3])
        self.first_s = self.loop.now - joined_s
        await asyncio.sleep(REST_S)
        joined_s = self.loop.now
        reading.append(asyncio.create_task(self.read(members[3])))
        await self.shared(members)
        self.fourth_s = self.loop.now - joined_s
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    def member(self, group_id: str) -> Consumer:
        return Consumer(
            "t",
            env=self.env,
            bootstrap_servers=self.bootstrap,
            group_id=group_id,
            group_protocol="consumer",
        )

    @staticmethod
    async def read(member: Consumer) -> None:
        async with member:
            while True:
                await member.getmany(timeout_ms=1000)

    async def shared(self, members: list[Consumer]) -> None:
        """Wait until each partition is one member's, and each member has its share."""
        began_s = self.loop.now
        while self.loop.now - began_s < LIMIT_S:
            owned: list[set[TopicPartition]] = [set(member.assignment()) for member in members]
            sizes = {len(each) for each in owned}
            if sizes == {PARTITIONS // len(members)} and len(set().union(*owned)) == PARTITIONS:
                return
            await asyncio.sleep(LOOK_S)
        raise TimeoutError(f"{len(members)} members did not share {PARTITIONS} partitions")


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("seed", "apart_s"), [(1, 0.0), (2, 0.0), (3, 0.02), (4, 0.1)])
def test_three_members_share_a_topic_in_a_moment(seed: int, apart_s: float) -> None:
    """By the consumer protocol, 300 ms after the last of them came, where targets may be a second
    apart; a fourth waits for their next heartbeats, and little longer (848-12, 848-16)."""
    run = Settling(seed, apart_s)
    run.run()
    assert run.first_s < MOMENT_S
    assert run.fourth_s < 1.25 * INTERVAL_S + MOMENT_S
