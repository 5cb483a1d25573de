"""All clients of a run together: started, ended, audited."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from barnabas.client import TopicPartition
from barnabas.testing.simulation.incarnation import Incarnation

from . import clients
from .churn import Churn
from .clients import Office
from .history import History

if TYPE_CHECKING:
    from barnabas.testing.simulation.machines import Machines


class Workload:
    """All clients of a run."""

    def __init__(self, machines: Machines, seed: int) -> None:
        profile = machines.profile
        self._loop = machines.loop
        self._random = Random(f"workload {seed}")
        self.history = History()
        where = [
            TopicPartition(f"topic-{topic}", index)
            for topic in range(profile.topics)
            for index in range(profile.partitions)
        ]
        self.office = Office(machines.loop, profile, self.history, machines.bus, where)
        self.positions: dict[str, dict[TopicPartition, int]] = {}
        self._reading = Office(machines.loop, profile, self.history, machines.bus, where)
        """Consumers go on when the others have ended."""
        self._reading.tracked = self.office.tracked = []
        self._tasks: list[asyncio.Task[None]] = []
        self._readers: list[asyncio.Task[None]] = []

    @property
    def client_names(self) -> list[str]:
        """Hosts of the clients, for cuts."""
        profile = self.office.profile
        return (
            [f"producer-{n}" for n in range(profile.producers)]
            + [f"consumer-{n}" for n in range(profile.consumers)]
            + [f"poller-{n}" for n in range(profile.pollers)]
        )

    async def create_topics(self) -> None:
        """Make the topics; ends when they are there."""
        await self._spawn("setup", clients.create_topics(self.office))

    def start(self) -> None:
        """Let all clients begin."""
        profile = self.office.profile
        for n in range(profile.producers):
            work = clients.produce(self.office, f"producer-{n}", self._fork())
            self._tasks.append(self._spawn(f"producer-{n}", work))
        for n in range(profile.pollers):
            poll = clients.poll_latest(self.office, f"poller-{n}", self._fork())
            self._tasks.append(self._spawn(f"poller-{n}", poll))
        if profile.churns_topics:
            self._tasks.append(
                self._spawn("admin", Churn(self.office, "admin", self._fork()).run())
            )
        for n in range(profile.consumers):
            self._readers.append(self._start_reader(f"consumer-{n}", n))

    def _start_reader(self, name: str, number: int) -> asyncio.Task[None]:
        positions = self.positions.setdefault(name, {})
        return self._spawn(name, clients.consume(self._reading, name, number, positions))

    async def stop_writing(self) -> None:
        """End producers, pollers and the admin; every call ends with them."""
        self.office.is_over = True
        if self._tasks:
            await asyncio.gather(*self._tasks)

    def audit(self) -> None:
        """A reader that begins now, at the beginning of everything."""
        self._readers.append(self._start_reader("auditor", 0))

    async def stop_reading(self) -> None:
        """End the consumers."""
        self._reading.is_over = True
        if self._readers:
            await asyncio.gather(*self._readers)

    def has_read_up_to(self, ends: dict[TopicPartition, int]) -> bool:
        """Whether every consumer has handed out all that lies below these offsets."""
        return all(
            positions.get(where, 0) >= end
            for positions in self.positions.values()
            for where, end in ends.items()
        )

    def _fork(self) -> Random:
        return Random(self._random.getrandbits(64))

    def _spawn(self, name: str, work: Any) -> asyncio.Task[None]:
        return self._loop.spawn(Incarnation(name, 1), work)
