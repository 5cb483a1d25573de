"""A program of the installed wheel: writes to a topic and reads it, until its input ends.

`traffic.py BOOTSTRAP TOPIC PARTITIONS`. It prints how many records were acknowledged and how many
were read, now and then and at the end, when everything that was acknowledged has been read. Records
are so large that brokers answer a fetch from more than a few pages.
"""

from __future__ import annotations

import asyncio
import json
import sys

import barnabas
from barnabas.client import Consumer, Producer, TopicPartition

VALUE_BYTES = 1024
RECORDS_A_ROUND = 20
TOLD_EVERY = 200
END_TIMEOUT_S = 60


class Traffic:
    """What was acknowledged, and what was read, by partition and offset."""

    def __init__(self, bootstrap: str, topic: str, partitions: int) -> None:
        self.bootstrap = bootstrap
        self.topic = topic
        self.partitions = range(partitions)
        self.acked: dict[tuple[int, int], bytes] = {}
        self.read: dict[tuple[int, int], bytes | None] = {}
        self.is_over = asyncio.Event()
        self.is_all_acked = False
        self.has_all = asyncio.Event()

    async def run(self) -> None:
        """Write and read side by side until the input ends, then read the rest."""
        until_told = asyncio.to_thread(sys.stdin.read)
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self.consume())
            writing = group.create_task(self.produce())
            await until_told
            self.is_over.set()
            await writing
            self.is_all_acked = True
            self.look()
            async with asyncio.timeout(END_TIMEOUT_S):
                await self.has_all.wait()
            reading.cancel()
        self.tell()

    async def produce(self) -> None:
        """Rounds of some records to each partition; a round is acknowledged before the next."""
        async with Producer(bootstrap_servers=self.bootstrap, linger_ms=2) as producer:
            number = 0
            while not self.is_over.is_set():
                number += 1
                value = str(number).encode().ljust(VALUE_BYTES, b".")
                sent = [
                    await producer.send(self.topic, value, partition=partition)
                    for partition in self.partitions
                    for _ in range(RECORDS_A_ROUND)
                ]
                for stored in await asyncio.gather(*sent):
                    self.acked[stored.partition, stored.offset] = value

    async def consume(self) -> None:
        """All partitions from the start, in one fetch session a broker."""
        async with Consumer(bootstrap_servers=self.bootstrap) as consumer:
            assigned = [TopicPartition(self.topic, one) for one in self.partitions]
            consumer.assign(assigned)
            await consumer.seek_to_beginning(*assigned)
            due = dict.fromkeys(self.partitions, 0)
            async for record in consumer:
                assert record.offset == due[record.partition], (record.offset, due)
                due[record.partition] += 1
                self.read[record.partition, record.offset] = record.value or b""
                if len(self.read) % TOLD_EVERY == 0:
                    print(
                        json.dumps({"acked": len(self.acked), "read": len(self.read)}), flush=True
                    )
                    self.look()
                elif self.is_all_acked:
                    self.look()

    def tell(self) -> None:
        """How far both are."""
        print(json.dumps({"acked": len(self.acked), "read": len(self.read)}), flush=True)

    def look(self) -> None:
        """Whether all that was acknowledged has been read as it was written."""
        if self.is_all_acked and self.acked.keys() <= self.read.keys():
            assert all(self.read[at] == value for at, value in self.acked.items())
            self.has_all.set()


if __name__ == "__main__":
    assert "site-packages" in barnabas.__file__, barnabas.__file__
    asyncio.run(Traffic(sys.argv[1], sys.argv[2], int(sys.argv[3])).run())
