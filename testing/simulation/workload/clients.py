"""The simulated programs: producers, consumers, pollers of LATEST, an admin who comes and goes.

Each runs on a host of its own with the real client, and writes down what it was told.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from barnabas.client import (
    Admin,
    Consumer,
    LogTruncation,
    NewTopic,
    PositionReset,
    Producer,
    RecordMetadata,
    TopicPartition,
)
from barnabas.client.env import ClientEnv
from barnabas.client.errors import ClientError
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.settings import (
    RACKS,
    bootstrap_of,
    session_ms,
    settings_of_topic,
)

from . import retrying
from .history import WEAK, History, Latest, Moved, Read, Send
from .retrying import RETRY_PAUSE_S, until_done

REQUEST_TIMEOUT_MS = 3000
DELIVERY_TIMEOUT_MS = 15_000
API_TIMEOUT_MS = 10_000
METADATA_AGE_MS = 5000
GETMANY_MS = 500


@dataclass(slots=True)
class Office:
    """What all clients of a run share."""

    loop: SimulatedLoop
    profile: Profile
    history: History
    bus: HookBus
    where: list[TopicPartition]
    """Partitions of the topics that stay."""
    env: ClientEnv
    is_over: bool = False
    """Set when producers and the rest shall end."""
    tracked: list[tuple[str, Any]] | None = None
    """Names and clients, for the checks of what clients know (I-25)."""

    @property
    def now_s(self) -> float:
        """Virtual time."""
        return self.loop.now

    @property
    def session_ms(self) -> int:
        """Time without a heartbeat after which a member of a group goes."""
        return session_ms(self.profile)

    @property
    def fetch_bytes(self) -> int:
        """Most bytes of a partition in an answer to a fetch."""
        return self.profile.fetch_bytes

    def note(self, text: str) -> None:
        """A line for the trace."""
        self.bus.note(text)

    def options(self, name: str) -> dict[str, Any]:
        """What every client is configured with."""
        return {
            "env": self.env,
            "bootstrap_servers": bootstrap_of(self.profile),
            "client_id": name,
            "request_timeout_ms": self.profile.request_timeout_ms,
            "default_api_timeout_ms": API_TIMEOUT_MS,
            "socket_connection_setup_timeout_ms": REQUEST_TIMEOUT_MS,
            "metadata_max_age_ms": self._metadata_age_ms(name),
        }

    def _metadata_age_ms(self, name: str) -> int:
        """Every other client looks often where the profile says so: the rest knows old leaders."""
        number = name.rpartition("-")[2]
        is_second = number.isdigit() and int(number) % 2 == 1
        return METADATA_AGE_MS if is_second else self.profile.metadata_age_ms

    def track(self, name: str, client: Any) -> None:
        """Let the checks look into this client."""
        if self.tracked is None:
            self.tracked = []
        self.tracked.append((f"{name}.{len(self.tracked)}", client))
        self.history.joined(self.tracked[-1][0], client)


async def started(office: Office, make: Callable[[], Any]) -> Any:
    """A started client; tries until the cluster lets it in, None when the run is over."""
    return await retrying.started(office, make, office.history.note_error)


async def produce(office: Office, name: str, random: Random, first: int = 1) -> None:
    """Send unique values, numbered from `first`, at random times; wait for no answer before the
    next.

    With `producer_life_s` one producer comes after the other, each with an id of its own.
    """
    weak = office.profile.weak_producers
    is_weak = int(name.rpartition("-")[2]) < weak if weak else random.random() >= 0.8
    acks: str | int = 1 if is_weak else "all"
    life_s = office.profile.producer_life_s
    numbers = itertools.count(first)
    while not office.is_over:
        until_s = office.loop.now + (random.expovariate(1 / life_s) if life_s else math.inf)
        await _produce_until(office, name, random, numbers, acks, until_s)


async def _produce_until(
    office: Office,
    name: str,
    random: Random,
    numbers: Iterator[int],
    acks: str | int,
    until_s: float,
) -> None:
    profile = office.profile
    producer = await started(
        office,
        lambda: Producer(
            acks=acks,
            delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
            max_block_ms=DELIVERY_TIMEOUT_MS,
            linger_ms=random.choice((0, 0, 5)),
            **office.options(name),
        ),
    )
    if producer is None:
        return
    office.track(name, producer)
    while not office.is_over and office.loop.now < until_s:
        await asyncio.sleep(random.expovariate(profile.sends_per_s))
        for _ in range(random.choice((1, 1, 1, 3))):
            number = next(numbers)
            padding = bytes(random.randrange(profile.value_bytes_max + 1))
            where = random.choice(office.where)
            value = (b"" if acks == "all" else WEAK) + f"{name}|{number}|".encode() + padding
            await _send(office, producer, name, number, where, value, -1 if acks == "all" else 1)
    await producer.stop()


async def _send(
    office: Office,
    producer: Producer,
    name: str,
    number: int,
    where: TopicPartition,
    value: bytes,
    acks: int,
) -> None:
    history, loop = office.history, office.loop
    # Waiting for metadata and room has a bound of its own before the delivery timeout begins.
    limit_s = (2 * DELIVERY_TIMEOUT_MS + 2 * REQUEST_TIMEOUT_MS) / 1000.0
    send = Send(name, number, where, value, acks, loop.now, limit_s)
    history.begin(send)
    try:
        future = await producer.send(where.topic, value, partition=where.partition)
    except ClientError as error:
        history.fail(send, error, loop.now)
        office.bus.note(f"{name} {number} refused {error!r}")
        return

    def ended(done: asyncio.Future[RecordMetadata]) -> None:
        error = done.exception()
        if error is not None:
            history.fail(send, error, loop.now)
            office.bus.note(f"{name} {number} failed {error!r}")
        else:
            offset = done.result().offset
            office.bus.note(f"{name} {number} acked {where}@{offset}")
            history.acknowledge(send, offset, loop.now)

    future.add_done_callback(ended)


async def consume(office: Office, name: str, number: int, positions: dict[Any, int]) -> None:
    """Read everything from the beginning, or from `positions`; note every record."""
    history = office.history

    def on_reset(reset: PositionReset) -> None:
        where = TopicPartition(*reset.topic_partition)
        positions[where] = reset.to_offset
        is_truncation = isinstance(reset, LogTruncation)
        history.moved(
            Moved(name, where, reset.from_offset, reset.to_offset, reset.reason, is_truncation)
        )

    consumer = await started(
        office,
        lambda: Consumer(
            auto_offset_reset="earliest",
            on_reset=on_reset,
            fetch_max_wait_ms=GETMANY_MS,
            max_partition_fetch_bytes=office.profile.fetch_bytes,
            fetch_max_bytes=2 * office.profile.fetch_bytes,
            client_rack=RACKS[number % len(RACKS)],
            **office.options(name),
        ),
    )
    if consumer is None:
        return
    office.track(name, consumer)
    consumer.assign(office.where)
    for where, offset in positions.items():
        consumer.seek(where, offset)
    while not office.is_over:
        try:
            found = await consumer.getmany(timeout_ms=GETMANY_MS)
        except ClientError as error:
            history.note_error(error)
            office.bus.note(f"{name} told {error!r}")
            await asyncio.sleep(RETRY_PAUSE_S)
            continue
        for where, records in found.items():
            for record in records:
                value = record.value or b""
                history.read(Read(name, where, record.offset, value, record.leader_epoch))
            positions[where] = records[-1].offset + 1
            office.bus.note(f"{name} read {where} to {records[-1].offset}")
    await consumer.stop()


async def poll_latest(office: Office, name: str, random: Random) -> None:
    """Ask for LATEST of all partitions again and again (I-18)."""
    admin = await started(office, lambda: Admin(**office.options(name)))
    if admin is None:
        return
    office.track(name, admin)
    while not office.is_over:
        await asyncio.sleep(random.expovariate(1.0 / office.profile.poll_pause_s))
        wanted = [random.choice(office.where)]
        asked_s = office.loop.now
        try:
            found = await admin.list_offsets(dict.fromkeys(wanted, -1))
        except ClientError as error:
            office.history.note_error(error)
            continue
        for where in wanted:
            offset = found[where].offset
            office.bus.note(f"{name} latest {where} {offset} asked {asked_s:.6f}")
            office.history.answered(Latest(name, where, offset, asked_s, office.loop.now))
    await admin.stop()


async def create_topics(office: Office) -> None:
    """Make the topics that stay; tries until they are there."""
    profile = office.profile
    admin = await started(office, lambda: Admin(**office.options("setup")))
    assert admin is not None
    for topic in sorted({where.topic for where in office.where}):
        new = NewTopic(
            topic,
            profile.partitions,
            profile.replication_factor,
            topic_configs=settings_of_topic(profile),
        )
        await until_done(partial(admin.create_topics, [new]), office.history.note_error)
    await admin.stop()
