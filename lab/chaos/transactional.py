"""Brokers that die under transactions: P-28, judged by the checker that the simulator uses too."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from random import Random
from typing import Any

from barnabas.client import NewTopic, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.client.transactions.machine import Outcome
from barnabas.testing.anomalies.finding import find_anomalies
from barnabas.testing.simulation.checks.transactions.history import operations_of
from barnabas.testing.simulation.workload.transactions.attempts import (
    SOURCE,
    TARGET,
    TOPICS,
    Attempt,
    Attempts,
)
from barnabas.testing.simulation.workload.transactions.copier import Copier
from barnabas.testing.simulation.workload.transactions.readers import CommittedReader
from barnabas.testing.simulation.workload.transactions.writer import Writer

from .rows import Row
from .scene import Scene

PARTITIONS = 2
EACH = 2
"""Programs of each kind."""
DEATHS = 3
READ_WITHIN_S = 60.0


class Surroundings:
    """`Around` for clients of real processes."""

    session_ms = 6000
    fetch_bytes = 1 << 20

    def __init__(self, scene: Scene) -> None:
        self._bootstrap = scene.cluster.bootstrap
        self._now = scene.history.now_s
        self.is_over = False

    @property
    def now_s(self) -> float:
        """The clock of the whole history."""
        return self._now()

    def options(self, name: str) -> dict[str, Any]:
        """As clients are by default."""
        return {"bootstrap_servers": self._bootstrap, "client_id": name}

    def note(self, text: str) -> None:
        """Nobody reads along."""

    def track(self, name: str, client: object) -> None:
        """Nobody looks into a client."""


async def kill_under_transactions(scene: Scene) -> None:
    """P-28: what was committed is seen whole and once, by everybody, and nothing else is."""
    where = [TopicPartition(topic, number) for topic in TOPICS for number in range(PARTITIONS)]
    copies = len(scene.brokers)
    await scene.admin.create_topics([NewTopic(topic, PARTITIONS, copies) for topic in TOPICS])
    attempts = Attempts(lambda text: None)
    writing, reading = Surroundings(scene), Surroundings(scene)
    random = Random(scene.random.getrandbits(64))
    parts = {topic: [one for one in where if one.topic == topic] for topic in TOPICS}
    readers = [CommittedReader(reading, attempts, f"reader-{n}", where) for n in range(EACH)]
    writers: list[Coroutine[Any, Any, None]] = []
    others: list[Coroutine[Any, Any, None]] = [one.run() for one in readers]
    for number in range(EACH):
        own = Random(random.getrandbits(64))
        writers.append(Writer(writing, attempts, f"writer-{number}", parts[SOURCE], own).run())
        own = Random(random.getrandbits(64))
        name = f"copier-{number}"
        others.append(Copier(reading, attempts, name, "consumer", parts[TARGET], own).run())
    write_tasks = [asyncio.ensure_future(one) for one in writers]
    other_tasks = [asyncio.ensure_future(one) for one in others]
    try:
        await _kill_brokers(scene)
        writing.is_over = True
        await asyncio.wait(write_tasks, timeout=READ_WITHIN_S)
        await _until_read(scene, attempts, readers)
    finally:
        writing.is_over = reading.is_over = True
        await _end([*write_tasks, *other_tasks])
    committed = _committed(attempts)
    scene.measured("transactions", float(len(attempts.by_name)))
    scene.measured("committed", float(len(committed)))
    scene.require(bool(committed), "no transaction was committed")
    scene.broken += [str(one) for one in find_anomalies(operations_of(attempts))]


async def _kill_brokers(scene: Scene) -> None:
    """One after the other, each back before the next one goes."""
    for _ in range(DEATHS):
        await asyncio.sleep(scene.lengths.fault_s)
        node_id = scene.random.choice(scene.brokers)
        await scene.kill(node_id)
        await asyncio.sleep(scene.random.uniform(0.2, 1.0))
        await scene.start(node_id)
        await scene.until_back()
    await asyncio.sleep(scene.lengths.steady_s)


async def _until_read(scene: Scene, attempts: Attempts, readers: list[CommittedReader]) -> None:
    """Wait for it, and measure how long it takes."""

    async def is_read() -> bool:
        return _is_all_read(attempts, readers)

    took_s = await scene.until("not everything is copied and read", is_read, READ_WITHIN_S)
    scene.measured("read_s", took_s)


def _is_all_read(attempts: Attempts, readers: list[CommittedReader]) -> bool:
    """Whether each reader has all that was committed, the copies of the source among it."""
    committed = {value for one in _committed(attempts) for _, value in one.sent}
    seen: dict[str, set[bytes]] = {reader.name: set() for reader in readers}
    places: dict[str, set[tuple[TopicPartition, int]]] = {topic: set() for topic in TOPICS}
    for poll in attempts.polls:
        for one in poll.records:
            seen[poll.reader].add(one.value)
            places[one.where.topic].add((one.where, one.offset))
    is_copied = len(places[SOURCE]) == len(places[TARGET]) > 0
    return is_copied and all(committed <= values for values in seen.values())


def _committed(attempts: Attempts) -> list[Attempt]:
    """Transactions whose producers were told that they are committed."""
    return [one for one in attempts.by_name.values() if one.outcome is Outcome.COMMITTED]


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    _, left = await asyncio.wait(tasks, timeout=READ_WITHIN_S)
    for task in left:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, ClientError):
            await task


TRANSACTIONAL = (
    Row("P-28", "SIGKILL of brokers under transactions", kill_under_transactions, repeats=1),
)
"""Rows whose clients write in transactions."""
