"""The two middle phases: send every flight with the producer, read all with the consumer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from barnabas.client import (
    Admin,
    Consumer,
    ConsumerRecord,
    NewTopic,
    Producer,
    RecordMetadata,
    TopicPartition,
)

from .dataset import Flights
from .ledger import ROW_HEADER, Ledger

OnProgress = Callable[[int], None]
"""Told how many records are done, now and then."""

CHUNK_RECORDS = 2_000
CHUNKS_IN_FLIGHT = 8
"""How many chunks may wait for their acknowledgement before the next one is sent."""

DELIVERY_TIMEOUT_MS = 30_000
"""Longer than a change of leaders takes; when a record is not stored by then, nobody will."""

POLL_MS = 1_000
STALL_POLLS_MAX = 60
"""Reading gives up when so many polls in a row bring nothing."""


class ReplayError(RuntimeError):
    """The replay could not go on; the text says where it stopped."""


async def create_topic(bootstrap: str, topic: str, partitions: int, replicas: int) -> None:
    """Make the topic. Its records carry dates of 2013, so it must not age out."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.create_topics(
            [NewTopic(topic, partitions, replicas, topic_configs={"retention.ms": "-1"})]
        )


async def produce(
    bootstrap: str, topic: str, flights: Flights, ledger: Ledger, on_progress: OnProgress
) -> None:
    """Send every flight with acks=all, idempotent, and note where each was stored."""
    waiting: deque[tuple[int, list[asyncio.Future[RecordMetadata]]]] = deque()

    async def settle() -> None:
        first, futures = waiting.popleft()
        for row, future in enumerate(futures, first):
            stored = future.result() if future.done() else await future
            ledger.acked(row, stored.partition, stored.offset)
        on_progress(ledger.produced)

    async with Producer(
        bootstrap_servers=bootstrap,
        client_id="flights-producer",
        acks="all",
        enable_idempotence=True,
        linger_ms=5,
        compression_type="lz4",
        delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
    ) as producer:
        for first in range(0, len(flights), CHUNK_RECORDS):
            rows = range(first, min(first + CHUNK_RECORDS, len(flights)))
            futures = [
                await producer.send(
                    topic,
                    flights.values[row],
                    key=flights.keys[row],
                    timestamp_ms=flights.timestamps_ms[row],
                    headers=((ROW_HEADER, b"%d" % row),),
                )
                for row in rows
            ]
            waiting.append((first, futures))
            if len(waiting) > CHUNKS_IN_FLIGHT:
                await settle()
        await producer.flush()
        while waiting:
            await settle()


async def consume(
    bootstrap: str, topic: str, partitions: int, ledger: Ledger, on_progress: OnProgress
) -> None:
    """Read the topic from its first to its last record, and compare each with the input.

    Raises:
        ReplayError: no record came for a minute before the end was reached.
    """
    assigned = [TopicPartition(topic, number) for number in range(partitions)]
    async with Consumer(
        bootstrap_servers=bootstrap,
        client_id="flights-consumer",
        auto_offset_reset="none",
    ) as consumer:
        consumer.assign(assigned)
        await consumer.seek_to_beginning(*assigned)
        ends = await consumer.end_offsets(assigned)
        unfinished = {at for at in assigned if await consumer.position(at) < ends[at]}
        while unfinished:
            batches = await _next_records(consumer)
            for records in batches.values():
                _check(records, ledger)
            unfinished -= {at for at in batches if await consumer.position(at) >= ends[at]}
            on_progress(ledger.consumed)


async def _next_records(consumer: Consumer) -> dict[TopicPartition, list[ConsumerRecord]]:
    for _ in range(STALL_POLLS_MAX):
        batches = await consumer.getmany(timeout_ms=POLL_MS)
        if batches:
            return batches
    raise ReplayError(
        f"the consumer got no record for {POLL_MS * STALL_POLLS_MAX / 1000:.0f} s "
        "before the end of the topic"
    )


def _check(records: list[ConsumerRecord], ledger: Ledger) -> None:
    for record in records:
        row = next((value for name, value in record.headers if name == ROW_HEADER), None)
        ledger.read(row, record.key, record.value, record.partition, record.offset)
