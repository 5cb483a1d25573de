"""A client that keeps a table in a compacted topic, and at the end reads it back (CMP-04, CMP-22).

One value at a time is written, and its answer waited for. So of each key a reader of everything
must find the last value that was acknowledged, or one whose outcome nobody knows.
"""

from __future__ import annotations

import asyncio
from random import Random

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.errors import ClientError, TopicAlreadyExistsError

from .clients import DELIVERY_TIMEOUT_MS, Office, started
from .retrying import RETRY_PAUSE_S

TOPIC = "table"
WHERE = TopicPartition(TOPIC, 0)
KEYS = 6
PAUSE_S = 0.04
LIFE_PUTS_MAX = 40
READ_TRIES = 20

Value = bytes | None
"""None: the key was deleted."""


class Table:
    """One compacted topic of small segments, and what was written to it."""

    def __init__(self, office: Office, name: str, seed: int) -> None:
        self._office = office
        self._name = name
        self._random = Random(f"table {seed}")
        self._acked: dict[bytes, Value] = {}
        self._unsure: dict[bytes, set[Value]] = {}
        """Of each key what may have been written or not."""
        self._number = 0

    async def run(self) -> None:
        """Until the run is over; then all of it is read once."""
        if not await self._create():
            return
        office = self._office
        while not office.is_over:
            producer = await started(office, self._producer)
            if producer is not None:
                await self._write(producer)
                await producer.stop()
        for _ in range(READ_TRIES):
            try:
                self._compare(await self._read())
            except ClientError as error:
                office.history.note_error(error)
                await asyncio.sleep(RETRY_PAUSE_S)
            else:
                return

    async def _write(self, producer: Producer) -> None:
        """For as long as this producer lives; what it wrote last must stay known (CMP-09)."""
        self._office.track(self._name, producer)
        for _ in range(self._random.randrange(LIFE_PUTS_MAX)):
            if self._office.is_over:
                return
            await asyncio.sleep(self._random.expovariate(1.0 / PAUSE_S))
            await self._put(producer)

    def _producer(self) -> Producer:
        return Producer(
            acks="all",
            delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
            max_block_ms=DELIVERY_TIMEOUT_MS,
            **self._office.options(self._name),
        )

    async def _create(self) -> bool:
        """Make the topic; False if the run ended before."""
        office = self._office
        admin = await started(office, lambda: Admin(**office.options(f"{self._name}-setup")))
        if admin is None:
            return False
        settings = {
            "cleanup.policy": "compact",
            "internal.segment.bytes": self._random.choice(("400", "700", "1500")),
            "min.cleanable.dirty.ratio": "0.01",
            "delete.retention.ms": self._random.choice(("1000", "86400000")),
        }
        topic = NewTopic(TOPIC, 1, office.profile.replication_factor, topic_configs=settings)
        is_made = False
        while not (is_made or office.is_over):
            try:
                await admin.create_topics([topic])
                is_made = True
            except TopicAlreadyExistsError:
                is_made = True
            except ClientError as error:
                office.history.note_error(error)
                await asyncio.sleep(RETRY_PAUSE_S)
        await admin.stop()
        return is_made

    async def _put(self, producer: Producer) -> None:
        key = b"key %d" % self._random.randrange(KEYS)
        self._number += 1
        value = None if self._random.random() < 0.2 else b"%d" % self._number
        unsure = self._unsure.setdefault(key, set())
        try:
            await producer.send_and_wait(TOPIC, value, key=key, partition=0)
        except ClientError as error:
            self._office.history.note_error(error)
            unsure.add(value)
        else:
            self._acked[key] = value

    async def _read(self) -> dict[bytes, Value]:
        """The table as a reader of everything has it in the end."""
        consumer = Consumer(
            auto_offset_reset="earliest", **self._office.options(f"{self._name}-reader")
        )
        found: dict[bytes, Value] = {}
        try:
            await consumer.start()
            consumer.assign([WHERE])
            await consumer.seek_to_beginning(WHERE)
            (end,) = (await consumer.end_offsets([WHERE])).values()
            while await consumer.position(WHERE) < end:
                for records in (await consumer.getmany(timeout_ms=500)).values():
                    for record in records:
                        found[record.key or b""] = record.value
        finally:
            await consumer.stop()
        return found

    def _compare(self, found: dict[bytes, Value]) -> None:
        history = self._office.history
        history.tabled += len(found)
        for key in sorted(self._unsure):
            allowed = {*self._unsure[key], self._acked.get(key)}
            if found.get(key) not in allowed:
                history.changed(
                    WHERE, f"{key!r} is {found.get(key)!r}; acknowledged: {self._acked.get(key)!r}"
                )
