"""The middle of the job: one producer sends every flight; `readers.py` has who reads them."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from barnabas.client import Admin, NewTopic, Producer, RecordMetadata

from .dataset import Flights
from .ledger import ROW_HEADER, Ledger
from .timeline import Timeline

CHUNK_RECORDS = 2_000
CHUNKS_IN_FLIGHT = 8
"""How many chunks may wait for their acknowledgement before the next one is sent."""

DELIVERY_TIMEOUT_MS = 30_000
"""Longer than a change of leaders takes; when a record is not stored by then, nobody will."""


class ReplayError(RuntimeError):
    """The replay could not go on; the text says where it stopped."""


@dataclass(slots=True)
class Replay:
    """One replay: where it goes, its books, and how far it is."""

    bootstrap: str
    topic: str
    partitions: int
    flights: Flights
    ledger: Ledger
    timeline: Timeline
    bytes_by_replica: Counter[str] = field(default_factory=Counter)
    """Record bytes read from a replica in the reader's own rack ("local"), and from others."""
    stored_to: Counter[int] = field(default_factory=Counter)
    """Partition -> end of what is acknowledged."""
    read_to: Counter[int] = field(default_factory=Counter)
    """Partition -> end of what was read."""
    _all_sent: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_all_read(self) -> bool:
        """Whether every record is sent, acknowledged and read."""
        return self._all_sent.is_set() and all(
            self.read_to[number] >= end for number, end in self.stored_to.items()
        )

    async def create_topic(self, replicas: int, min_in_sync: int) -> None:
        """Make the topic. Its records carry dates of 2013, so it must not age out."""
        configs = {"retention.ms": "-1", "min.insync.replicas": str(min_in_sync)}
        async with Admin(bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics(
                [NewTopic(self.topic, self.partitions, replicas, topic_configs=configs)]
            )

    # --- sending ------------------------------------------------------------------------------

    async def produce(self, in_the_middle: Callable[[], Awaitable[None]]) -> None:
        """Send every flight with acks=all, idempotent, and note where each was stored.

        `in_the_middle` is called when half of them are sent and many of these not yet stored.
        """
        flights = self.flights
        waiting: deque[tuple[int, list[asyncio.Future[RecordMetadata]]]] = deque()
        middle = len(flights) // 2 // CHUNK_RECORDS * CHUNK_RECORDS
        async with self._producer() as producer:
            for first in range(0, len(flights), CHUNK_RECORDS):
                rows = range(first, min(first + CHUNK_RECORDS, len(flights)))
                waiting.append((first, [await self._send(producer, row) for row in rows]))
                if first == middle:
                    await in_the_middle()
                if len(waiting) > CHUNKS_IN_FLIGHT:
                    await self._settle(*waiting.popleft())
            await producer.flush()
            while waiting:
                await self._settle(*waiting.popleft())
        self._all_sent.set()

    def _producer(self) -> Producer:
        return Producer(
            bootstrap_servers=self.bootstrap,
            client_id="flights-producer",
            acks="all",
            enable_idempotence=True,
            linger_ms=5,
            compression_type="lz4",
            delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
        )

    async def _send(self, producer: Producer, row: int) -> asyncio.Future[RecordMetadata]:
        flights = self.flights
        return await producer.send(
            self.topic,
            flights.values[row],
            key=flights.keys[row],
            timestamp_ms=flights.timestamps_ms[row],
            headers=((ROW_HEADER, b"%d" % row),),
        )

    async def _settle(self, first: int, futures: list[asyncio.Future[RecordMetadata]]) -> None:
        for row, future in enumerate(futures, first):
            stored = future.result() if future.done() else await future
            self.ledger.acked(row, stored.partition, stored.offset)
            if stored.offset >= self.stored_to[stored.partition]:
                self.stored_to[stored.partition] = stored.offset + 1
        self.timeline.acked(self.ledger.produced)
