"""A simulated cluster that a test uses for a while, from its start to its stop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from barnabas.client import TopicPartition
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.machines import Machines
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.settings import bootstrap_of
from barnabas.testing.simulation.world import simulated_world


class UsedCluster(ABC):
    """One run: all nodes start, a client uses them, all stop."""

    def __init__(self, profile: Profile, seed: int, partitions: int) -> None:
        self.seed = seed
        self.loop = SimulatedLoop(Random(seed))
        self.machines = Machines(profile, seed, self.loop, HookBus(self.loop))
        self.env = self.machines.client_env
        self.bootstrap = bootstrap_of(profile)
        self.where = [TopicPartition("t", number) for number in range(partitions)]

    @abstractmethod
    async def use(self) -> None:
        """What the client does, on a machine of its own."""

    def run(self) -> None:
        """The whole of it."""
        with simulated_world(self.seed):
            self.loop.run_until_complete(self._main())
        self.loop.close()

    async def _main(self) -> None:
        machines = self.machines
        machines.start_all()
        is_there = machines.are_all_started, machines.are_all_unfenced
        assert await machines.wait_for(lambda: all(each() for each in is_there), 60.0)
        await self.loop.spawn(Incarnation("client", 1), self.use())
        for machine in machines:
            await machine.stop()
