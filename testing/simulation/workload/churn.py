"""An admin who creates and deletes topics under few names, and who writes and reads them (I-27)."""

from __future__ import annotations

import asyncio
from random import Random

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.errors import (
    ClientError,
    TopicAlreadyExistsError,
    UnknownTopicOrPartitionError,
)

from .clients import DELIVERY_TIMEOUT_MS, GETMANY_MS, Office, started

PAUSE_S = 1.5
PARTITIONS = 2
VALUES = 4
"""Written to each topic that was made."""

UNKNOWN = -1
"""The generation of a topic that was there although this admin had not been told so."""


class Churn:
    """Each topic that it makes has a number, which all values written to it begin with."""

    def __init__(self, office: Office, name: str, random: Random) -> None:
        self._office = office
        self._name = name
        self._random = random
        self._generations: dict[str, int] = {}
        """Topics that are there, as far as this admin knows."""
        self._ids: dict[int, bytes] = {}
        """Number of a topic -> the id that it was created with."""
        self._last = 0
        self._late: dict[int, None] = {}
        """Generations with a write of unknown outcome: it names its topic, not the topic's id, and
        may come when another one has the name."""

    async def run(self) -> None:
        """Until the run is over."""
        office, name = self._office, self._name
        admin = await started(office, lambda: Admin(**office.options(name)))
        if admin is None:
            return
        while not office.is_over:
            await asyncio.sleep(self._random.expovariate(1.0 / PAUSE_S))
            topic = f"churn-{self._random.randrange(3)}"
            try:
                if topic in self._generations:
                    await self._delete(admin, topic)
                else:
                    await self._create(admin, topic)
            except ClientError as error:
                office.history.note_error(error)
                office.bus.note(f"{name} {topic} told {error!r}")
                # The outcome is unknown: the next round finds out.
                if isinstance(error, TopicAlreadyExistsError):
                    self._generations[topic] = UNKNOWN
                elif isinstance(error, UnknownTopicOrPartitionError):
                    self._generations.pop(topic, None)
        await admin.stop()

    async def _create(self, admin: Admin, topic: str) -> None:
        created = await admin.create_topics([NewTopic(topic, PARTITIONS, -1)])
        self._last += 1
        self._ids[self._last] = created[topic].topic_id
        self._generations[topic] = self._last
        self._office.history.topics_created += 1
        await self._write(topic, self._last)

    async def _delete(self, admin: Admin, topic: str) -> None:
        if self._generations[topic] != UNKNOWN:
            await self._read(topic, self._generations[topic])
        await admin.delete_topics([topic])
        del self._generations[topic]
        self._office.history.topics_deleted += 1

    async def _write(self, topic: str, generation: int) -> None:
        office = self._office
        producer = Producer(
            delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
            max_block_ms=DELIVERY_TIMEOUT_MS,
            **office.options(f"{self._name}-writer"),
        )
        self._late[generation] = None
        try:
            await producer.start()
            for number in range(VALUES):
                value = f"{generation}|{number}".encode()
                await producer.send_and_wait(topic, value, partition=number % PARTITIONS)
        finally:
            await producer.stop()
        del self._late[generation]

    async def _read(self, topic: str, generation: int) -> None:
        """Everything that one poll gives; it is all right if there is nothing."""
        office = self._office
        consumer = Consumer(
            auto_offset_reset="earliest",
            fetch_max_wait_ms=GETMANY_MS,
            **office.options(f"{self._name}-reader"),
        )
        try:
            await consumer.start()
            consumer.assign([TopicPartition(topic, number) for number in range(PARTITIONS)])
            found = await consumer.getmany(timeout_ms=GETMANY_MS)
            ids = {where: consumer.topic_id(where) for where in found}
        finally:
            await consumer.stop()
        for where, records in found.items():
            if ids[where] != self._ids[generation]:
                continue  # a broker that is cut off has not heard of the new topic
            for record in records:
                office.history.churned += 1
                written = int((record.value or b"0").partition(b"|")[0])
                if written != generation and written not in self._late:
                    office.history.foreign(
                        f"{where}@{record.offset} holds what was written to topic number"
                        f" {written} of that name; it is number {generation}"
                    )
