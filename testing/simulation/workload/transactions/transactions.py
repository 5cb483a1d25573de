"""All transactional programs of a run: who there is, who dies, and what must have come about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Protocol

from barnabas.broker.core.cluster.topic_image import TRANSACTIONS_TOPIC
from barnabas.client import Admin, FeatureUpdate, NewTopic, TopicPartition, UpgradeType
from barnabas.client.errors import ClientError
from barnabas.testing.simulation.settings import settings_of_topic
from barnabas.testing.simulation.workload.clients import Office, started
from barnabas.testing.simulation.workload.retrying import until_done

from .attempts import SOURCE, TARGET, TOPICS, Attempt, Attempts
from .copier import Copier
from .readers import CommittedReader, Onlooker
from .transactor import Transactor
from .writer import Writer

PARTITIONS = 2
WRITERS = 2
COPIERS = 2
READERS = 2
DEATHS_EVERY_S = 2.5
"""Mean time between two deaths of programs, besides those that the schedule has."""
AWAY_S = 0.4
FEATURE = "transaction.version"
EPOCH_BUMPS = 2
"""`transaction.version` of clusters whose transactions each have an epoch (KIP-890)."""


class Program(Protocol):
    """One that may die and come back."""

    def run(self) -> Coroutine[Any, Any, None]:
        """A life of it."""
        ...


class Transactions:
    """The transactional programs by name, and what happened to them."""

    def __init__(
        self, writing: Office, reading: Office, coordinator_id: Callable[[], int], seed: int
    ) -> None:
        """Copiers and readers go on when `writing` is over, until `reading` is."""
        self._writing = writing
        self._random = random = Random(f"transactions {seed}")
        self.attempts = Attempts(writing.bus.note)
        self.where = [TopicPartition(topic, n) for topic in TOPICS for n in range(PARTITIONS)]
        self.writers: dict[str, Writer] = {}
        self.copiers: dict[str, Copier] = {}
        self.readers: dict[str, CommittedReader] = {}
        self._settled = asyncio.Event()
        self.onlooker = Onlooker(
            writing,
            self.attempts,
            self.where,
            coordinator_id,
            Random(random.getrandbits(64)),
        )
        self.version = random.choice((EPOCH_BUMPS, EPOCH_BUMPS, 0, 1))
        if not writing.profile.transactions:
            return
        protocol = random.choice(("classic", "consumer"))
        for number in range(WRITERS):
            name = f"txn-writer-{number}"
            own = Random(random.getrandbits(64))
            self.writers[name] = Writer(writing, self.attempts, name, self._of(SOURCE), own)
        for number in range(COPIERS):
            name = f"txn-copier-{number}"
            own = Random(random.getrandbits(64))
            self.copiers[name] = Copier(
                reading, self.attempts, name, protocol, self._of(TARGET), own
            )
        for number in range(READERS):
            name = f"txn-reader-{number}"
            self.readers[name] = CommittedReader(reading, self.attempts, name, self.where)

    def _of(self, topic: str) -> list[TopicPartition]:
        return [where for where in self.where if where.topic == topic]

    @property
    def are_there(self) -> bool:
        """Whether this run has any."""
        return bool(self.writers)

    @property
    def names(self) -> list[str]:
        """Of the programs that may die."""
        return [*self.writers, *self.copiers, *self.readers]

    def goes_on_reading(self, name: str) -> bool:
        """Whether this program runs until the readers shall end."""
        return name in self.copiers or name in self.readers

    def program(self, name: str) -> Coroutine[Any, Any, None]:
        """A life of a program."""
        programs: dict[str, Program] = {**self.writers, **self.copiers, **self.readers}
        return programs[name].run()

    def settle(self) -> None:
        """From now on nothing goes wrong on purpose."""
        self._settled.set()
        for writer in self.writers.values():
            writer.rests = True
        for copier in self.copiers.values():
            copier.rests = True

    async def reap(self, crash: Callable[..., None], start_again: Callable[[str], None]) -> None:
        """Have programs die at odd moments and come back, until the writers shall end."""
        random = Random(self._random.getrandbits(64))
        while not (self._writing.is_over or self._settled.is_set()):
            with suppress(TimeoutError):
                async with asyncio.timeout(random.expovariate(1.0 / DEATHS_EVERY_S)):
                    await self._settled.wait()
            name = random.choice(self.names)
            if self._settled.is_set():
                return
            crash(name, silently=random.random() < 0.25)
            await asyncio.sleep(random.expovariate(1.0 / AWAY_S))
            start_again(name)

    async def abandon(self, name: str) -> str:
        """Begin a transaction that nobody will ever end; its name. Raises ClientError.

        What is refused, since clocks may be further apart than brokers allow, is no reason to stop:
        the others of its partitions are in the transaction.
        """
        transactor = Transactor(self._writing, self.attempts, name, self._random)
        begun = await transactor.started()
        assert begun is not None, "the run is not over"
        producer, life = begun
        await producer.begin_transaction()
        attempt = self.attempts.begin(Attempt(name, life, 1, self._writing.now_s))
        for where in self._of(SOURCE):
            value = attempt.value()
            attempt.sent.append((where, value))
            try:
                await producer.send_and_wait(where.topic, value, partition=where.partition)
            except ClientError as error:
                transactor.told(error)
        return attempt.name

    async def create_topics(self) -> None:
        """Make the topics, and let the cluster have the version of transactions that was drawn;
        tries until all is as wanted."""
        office = self._writing
        kept = settings_of_topic(office.profile) | {"retention.ms": "-1", "retention.bytes": "-1"}
        cleaned = settings_of_topic(office.profile) | {
            "cleanup.policy": "compact",
            "min.cleanable.dirty.ratio": self._random.choice(("0.01", "0.5")),
        }
        admin = await started(office, lambda: Admin(**office.options("setup")))
        told, copies = office.history.note_error, office.profile.replication_factor
        for name, count, settings in (
            (SOURCE, PARTITIONS, kept),
            (TARGET, PARTITIONS, kept),
            (TRANSACTIONS_TOPIC, 1, cleaned),
        ):
            new = NewTopic(name, count, copies, topic_configs=settings)
            await until_done(partial(admin.create_topics, [new]), told)
        if self.version != EPOCH_BUMPS:
            level = FeatureUpdate(self.version, UpgradeType.SAFE_DOWNGRADE)
            await until_done(partial(admin.update_features, {FEATURE: level}), told)
        await admin.stop()
