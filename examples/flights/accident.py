"""The accident in the middle: the busiest leader is killed, brought back, and caught up with."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from barnabas.client import Admin, PartitionDescription
from barnabas.client.errors import ClientError
from barnabas.testing.process_cluster import ProcessCluster

from .timeline import Timeline

DOWN_S = 1.5
"""How long the node stays away at least."""
LOOK_S = 0.02
RESTORED_WITHIN_S = 60.0


class NotRestoredError(RuntimeError):
    """The in-sync sets were not whole again in time."""


class Accident:
    """Kills one leader, starts it again, and measures until every replica is in sync."""

    def __init__(
        self,
        cluster: ProcessCluster,
        topic: str,
        timeline: Timeline,
        say: Callable[[str], object],
    ) -> None:
        self._cluster = cluster
        self._topic = topic
        self._timeline = timeline
        self._say = say
        self.killed: int | None = None
        self.isr_restored_after_ms: float | None = None

    async def strike(self) -> None:
        """SIGKILL the broker that leads most partitions."""
        async with Admin(bootstrap_servers=self._cluster.bootstrap) as admin:
            partitions = await self._partitions(admin)
        led = Counter(one.leader for one in partitions if one.leader is not None)
        victim, count = led.most_common(1)[0]
        loop = asyncio.get_running_loop()
        moment = self._timeline.mark(f"node {victim} killed")
        await loop.run_in_executor(None, self._cluster.kill, victim)
        self.killed = victim
        self._say(f"{moment.at_s:6.2f} s  node {victim} killed; it led {count} partitions")

    async def bring_back(self) -> None:
        """Start it again and wait until every partition has all its replicas in sync.

        Raises NotRestoredError after a minute.
        """
        assert self.killed is not None, "strike first"
        await asyncio.sleep(DOWN_S)
        loop = asyncio.get_running_loop()
        began = self._timeline.mark(f"node {self.killed} started")
        await loop.run_in_executor(None, self._cluster.spawn, [self.killed])
        self._say(f"{began.at_s:6.2f} s  node {self.killed} started again")
        async with Admin(bootstrap_servers=self._cluster.bootstrap) as admin:
            while not await self._is_whole(admin):
                if self._timeline.now_s() - began.at_s > RESTORED_WITHIN_S:
                    raise NotRestoredError(
                        f"node {self.killed} is not in every in-sync set "
                        f"{RESTORED_WITHIN_S:.0f} s after its start; see "
                        f"{self._cluster.output_of(self.killed)}"
                    )
                await asyncio.sleep(LOOK_S)
        done = self._timeline.mark("all in sync")
        self.isr_restored_after_ms = (done.at_s - began.at_s) * 1000.0
        self._say(f"{done.at_s:6.2f} s  every replica in sync again")

    async def _is_whole(self, admin: Admin) -> bool:
        try:
            partitions = await self._partitions(admin)
        except (ClientError, OSError):
            return False
        return all(len(one.isr) == len(one.replicas) for one in partitions)

    async def _partitions(self, admin: Admin) -> tuple[PartitionDescription, ...]:
        found = await admin.describe_topics([self._topic])
        return found[self._topic].partitions
