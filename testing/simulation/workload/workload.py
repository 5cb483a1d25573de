"""All clients of a run together: started, ended, audited."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from barnabas.client import TopicPartition
from barnabas.testing.simulation.incarnation import Incarnation

from . import clients
from .churn import Churn
from .clients import Office
from .groups import Groups
from .history import History
from .hoarder import Hoarder, Look, create_topic
from .prober import Prober
from .purger import Purger
from .table import Table
from .transactions.transactions import Transactions

if TYPE_CHECKING:
    from barnabas.testing.simulation.machines import Machines

T = TypeVar("T")

LIFE_SENDS_MAX = 1_000_000
"""More records than a producer sends before it crashes: numbers never come again."""


class Workload:
    """All clients of a run."""

    def __init__(self, machines: Machines, seed: int, look: Look = lambda _: None) -> None:
        """`look` is told which node hoarders have just filled."""
        profile = machines.profile
        self._loop = machines.loop
        self._random = Random(f"workload {seed}")
        self.history = History()
        where = [
            TopicPartition(f"topic-{topic}", index)
            for topic in range(profile.topics)
            for index in range(profile.partitions)
        ]
        env = machines.client_env
        self.office = Office(machines.loop, profile, self.history, machines.bus, where, env)
        self.positions: dict[str, dict[TopicPartition, int]] = {}
        self._reading = Office(machines.loop, profile, self.history, machines.bus, where, env)
        """Consumers go on when the others have ended."""
        self._reading.tracked = self.office.tracked = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._lives: dict[str, Incarnation] = {}
        self._dead: dict[str, None] = {}
        """Clients that have crashed and were not started again."""
        self._network = machines.network
        self._hoarding = Office(machines.loop, profile, self.history, machines.bus, where, env)
        """Hoarders end when the run is healed."""
        self._look = look
        self._table = Table(self.office, "table", seed)
        self._purger = Purger(self.office, "purger", Random(f"purger {seed}"))
        self.groups = Groups(self.office, self._reading, machines.groups_coordinator, seed)
        self.transactions = Transactions(
            self.office, self._reading, machines.groups_coordinator, seed
        )

    @property
    def client_names(self) -> list[str]:
        """Hosts of the clients, for cuts."""
        profile = self.office.profile
        return (
            [f"producer-{n}" for n in range(profile.producers)]
            + [f"consumer-{n}" for n in range(profile.consumers)]
            + [f"poller-{n}" for n in range(profile.pollers)]
            + [f"prober-{n}" for n in range(profile.probers)]
            + list(self.groups.members)
            + self.transactions.names
        )

    async def create_topics(self) -> None:
        """Make the topics; ends when they are there."""
        await self._spawn("setup", clients.create_topics(self.office))
        if self.groups.members:
            await self._spawn("setup", self.groups.create_topics())
        if self.transactions.are_there:
            await self._spawn("setup", self.transactions.create_topics())
        if self.office.profile.hoarders:
            await self._spawn("setup", create_topic(self.office))

    def start(self) -> None:
        """Let all clients begin."""
        profile = self.office.profile
        for n in range(profile.producers):
            self._start_producer(f"producer-{n}")
        for n in range(profile.pollers):
            poll = clients.poll_latest(self.office, f"poller-{n}", self._fork())
            self._tasks[f"poller-{n}"] = self._spawn(f"poller-{n}", poll)
        for n in range(profile.probers):
            probe = Prober(self.office, f"prober-{n}", self._fork()).run()
            self._tasks[f"prober-{n}"] = self._spawn(f"prober-{n}", probe)
        self._start_administrators()
        for n in range(profile.consumers):
            self._start_reader(f"consumer-{n}")
        if self.groups.members:
            self._tasks["group-producer"] = self._spawn("group-producer", self.groups.write())
            self._tasks["group-admin"] = self._spawn("group-admin", self.groups.watch_offsets())
        for name in self.groups.members:
            self._start_member(name)
        if self.transactions.are_there:
            self._start_transactions()
        self._start_hoarders()

    def _start_administrators(self) -> None:
        profile = self.office.profile
        if profile.churns_topics:
            churn = Churn(self.office, "admin", self._fork())
            self._tasks["admin"] = self._spawn("admin", churn.run())
        if profile.compacts:
            self._tasks["table"] = self._spawn("table", self._table.run())
        if profile.purges:
            self._tasks["purger"] = self._spawn("purger", self._purger.run())

    def _start_hoarders(self) -> None:
        for n in range(self.office.profile.hoarders):
            hoarder = Hoarder(self._hoarding, f"hoarder-{n}", self._fork(), self._look)
            self._tasks[f"hoarder-{n}"] = self._spawn(f"hoarder-{n}", hoarder.run())

    def _start_transactions(self) -> None:
        transactions = self.transactions
        for name in transactions.names:
            self._start_transactional(name)
        look = self._spawn("txn-onlooker", transactions.onlooker.run())
        self._tasks["txn-onlooker"] = look
        reap = self._spawn("txn-reaper", transactions.reap(self.crash, self.start_again))
        self._tasks["txn-reaper"] = reap

    def _start_transactional(self, name: str) -> None:
        tasks = self._readers if self.transactions.goes_on_reading(name) else self._tasks
        tasks[name] = self._spawn(name, self.transactions.program(name))

    def _start_producer(self, name: str) -> None:
        life = self._lives[name].number + 1 if name in self._lives else 1
        first = (life - 1) * LIFE_SENDS_MAX + 1
        work = clients.produce(self.office, name, self._fork(), first)
        self._tasks[name] = self._spawn(name, work)

    def _start_reader(self, name: str) -> None:
        positions = self.positions.setdefault(name, {})
        number = int(name.rpartition("-")[2]) if "-" in name else 0
        work = clients.consume(self._reading, name, number, positions)
        self._readers[name] = self._spawn(name, work)

    def _start_member(self, name: str) -> None:
        self._readers[name] = self._spawn(name, self.groups.members[name].run())

    # --- clients that die ---------------------------------------------------------------------

    @property
    def crashable(self) -> list[str]:
        """Clients that may die: those who write and those who read."""
        profile = self.office.profile
        return (
            [f"producer-{n}" for n in range(profile.producers)]
            + [f"consumer-{n}" for n in range(profile.consumers)]
            + list(self.groups.members)
            + self.transactions.names
        )

    def crash(self, name: str, *, silently: bool) -> None:
        """Nothing of this client runs any more; what it sent may be stored or not."""
        if name in self._dead:
            return
        incarnation = self._lives[name]
        self._dead[name] = None
        self._loop.crash(incarnation)
        self._network.reset_all_of(incarnation, silently=silently)
        if name in self.groups.members:
            self.groups.members[name].died()
        self.history.abandon(name, self._loop.now)

    def start_again(self, name: str) -> None:
        """A producer gets another id; a consumer goes on where it had read to."""
        if name not in self._dead:
            return
        del self._dead[name]
        if name in self.groups.members:
            self._start_member(name)
        elif name in self.transactions.names:
            self._start_transactional(name)
        elif name.startswith("producer"):
            self._start_producer(name)
        else:
            self._start_reader(name)

    def heal(self) -> None:
        """All clients run again, no member of a group leaves any more, and nobody hoards."""
        self._hoarding.is_over = True
        self.groups.settle()
        self.transactions.settle()
        for name in list(self._dead):
            self.start_again(name)

    async def stop_writing(self) -> None:
        """End producers, pollers and the admin; every call ends with them."""
        self.office.is_over = True
        if self._tasks:
            await asyncio.gather(*self._tasks.values())

    async def look_at_offsets(self) -> None:
        """Have an operator see what groups have committed."""
        await self._spawn("group-admin", self.groups.look_at_offsets())

    async def purge_once(self) -> None:
        """Have the administrator delete some of each partition; ends when that is done."""
        await self._spawn("purger-last", self._purger.purge_once())

    async def abandon_transaction(self) -> str:
        """Have a program begin a transaction and die; the transaction's name."""
        host = "txn-abandoned"
        name = await self._spawn(host, self.transactions.abandon(host))
        self._loop.crash(self._lives[host])
        self._network.reset_all_of(self._lives[host], silently=True)
        return name

    async def look_at_copiers(self) -> None:
        """Have somebody see what the group that copies has committed."""
        await self._spawn("txn-onlooker", self.transactions.onlooker.look())

    def audit(self) -> None:
        """A reader that begins now, at the beginning of everything."""
        self._start_reader("auditor")

    async def stop_reading(self) -> None:
        """End the consumers."""
        self._reading.is_over = True
        if self._readers:
            await asyncio.gather(*self._readers.values())

    def has_read_up_to(self, ends: dict[TopicPartition, int]) -> bool:
        """Whether every consumer has handed out all that lies below these offsets."""
        return all(
            positions.get(where, 0) >= end
            for positions in self.positions.values()
            for where, end in ends.items()
        )

    def _fork(self) -> Random:
        return Random(self._random.getrandbits(64))

    def _spawn(self, name: str, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        before = self._lives.get(name)
        incarnation = Incarnation(name, 1 if before is None else before.number + 1)
        self._lives[name] = incarnation
        return self._loop.spawn(incarnation, work)
