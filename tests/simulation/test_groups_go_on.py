"""How soon members go on when the coordinator of their groups is killed, on virtual time."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from barnabas.client import Admin, Consumer, NewTopic, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.testing.simulation.profile import QUIET

from .used_cluster import UsedCluster

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

BROKERS = 3
GROUP_IDS = [f"group-{number}" for number in range(20)]
PAUSE_S = 0.02
BEFORE_S, AFTER_S = 1.5, 2.5
GOES_ON_S = 1.0
WHERE = TopicPartition("t", 0)
OFFSETS = TopicPartition("__consumer_offsets", 0)
"""Its only partition here."""


class Committing:
    """A group of one member, which commits a higher offset each time."""

    def __init__(self, member: Consumer, group_id: str) -> None:
        self.member = member
        self.group_id = group_id
        self.acknowledged = 0
        self.at_s: list[float] = []

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        async with self.member:
            for offset in itertools.count(1):
                await self.member.getmany(timeout_ms=1)
                try:
                    await self.member.commit({WHERE: offset}, timeout_ms=5000)
                except ClientError:
                    pass
                else:
                    self.acknowledged = offset
                    self.at_s.append(loop.time())
                await asyncio.sleep(PAUSE_S)


class Takeover(UsedCluster):
    """Twenty groups that one broker coordinates, and the end of that broker."""

    def __init__(self, seed: int, *, is_controller: bool) -> None:
        super().__init__(QUIET.replaced(partitions=1), seed, 1)
        self.is_controller = is_controller
        self.gaps_s: list[float] = []
        self.gone_back: list[str] = []

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 3)])
            async with self.member("before", "classic"):
                pass  # the coordinator's topic is made for the first group that there is
            victim = await self.choose(admin)
            groups = [
                Committing(self.member(name, protocol), name)
                for name, protocol in zip(
                    GROUP_IDS, itertools.cycle(("classic", "consumer")), strict=False
                )
            ]
            running = [asyncio.create_task(one.run()) for one in groups]
            await asyncio.sleep(BEFORE_S)
            assert all(one.at_s for one in groups), "a group has no member yet"
            killed_s = self.loop.now
            next(one for one in self.machines if one.node_id == victim).kill()
            await asyncio.sleep(AFTER_S)
            for one in groups:
                near = [at for at in one.at_s if at > killed_s - 1.0] + [self.loop.now]
                self.gaps_s.append(max(b - a for a, b in itertools.pairwise(near)))
                acknowledged = one.acknowledged  # it commits on while the question is answered
                told = (await admin.list_group_offsets(one.group_id, [WHERE]))[WHERE].offset
                if told < acknowledged:
                    self.gone_back.append(one.group_id)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def choose(self, admin: Admin) -> int:
        """The active controller, or another broker; from then on it coordinates all groups."""
        active = (await admin.describe_quorum()).leader_id
        victim = active if self.is_controller else active % BROKERS + 1
        replicas = [victim, *(node for node in range(1, BROKERS + 1) if node != victim)]
        await admin.alter_partition_reassignments({OFFSETS: replicas})
        await admin.elect_leaders(partitions=[OFFSETS])
        return victim

    def member(self, group_id: str, protocol: str) -> Consumer:
        return Consumer(
            "t",
            env=self.env,
            bootstrap_servers=self.bootstrap,
            group_id=group_id,
            group_protocol=protocol,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("seed", "is_controller"), [(1, False), (3, True)])
def test_members_go_on_within_a_second(seed: int, is_controller: bool) -> None:
    """Goal: each of twenty groups, of both protocols, has its next commit acknowledged by the next
    coordinator within a second, and no offset that was goes back (GRP-22, CRT-13)."""
    run = Takeover(seed, is_controller=is_controller)
    run.run()
    assert run.gone_back == []
    assert max(run.gaps_s) < GOES_ON_S, sorted(run.gaps_s)
