"""A client as a process of its own, to be killed (P-20).

`write BOOTSTRAP TOPIC JOURNAL` sends numbers from 0 on, to all partitions in turn, as fast as it
may; `read BOOTSTRAP TOPIC JOURNAL` reads all partitions, from where its journal ends. A journal has
one line for each acknowledged or delivered record: partition, offset, value. It is written with
the system call, so that SIGKILL takes away nothing that was told.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from barnabas.client import Consumer, Producer, RecordMetadata, TopicPartition

PARTITIONS = 3
_PAUSE_S = 0.001
_POLL_MS = 200


class Noted(NamedTuple):
    """One line of a journal."""

    partition: int
    offset: int
    value: str


class Journal:
    """A file that only grows."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def note(self, noted: Iterable[Noted]) -> None:
        """Write several lines by one call."""
        text = "".join(f"{one.partition} {one.offset} {one.value}\n" for one in noted)
        os.write(self._fd, text.encode())


def read_journal(path: Path) -> list[Noted]:
    """All complete lines; none if there is no such file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    lines = [line.split(" ") for line in text.split("\n")[:-1]]
    return [Noted(int(partition), int(offset), value) for partition, offset, value in lines]


async def write(bootstrap: str, topic: str, journal: str) -> None:
    """Never ends."""
    book = Journal(journal)
    name = Path(journal).stem

    def answered(value: str, done: asyncio.Future[RecordMetadata]) -> None:
        if not done.cancelled() and done.exception() is None:
            found = done.result()
            book.note([Noted(found.partition, found.offset, value)])

    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        number = 0
        while True:
            value = f"{name}:{number}"
            sent = await producer.send(topic, value.encode(), partition=number % PARTITIONS)
            sent.add_done_callback(partial(answered, value))
            number += 1
            await asyncio.sleep(_PAUSE_S)


async def read(bootstrap: str, topic: str, journal: str) -> None:
    """Never ends."""
    reached = dict.fromkeys((TopicPartition(topic, number) for number in range(PARTITIONS)), 0)
    for noted in read_journal(Path(journal)):
        reached[TopicPartition(topic, noted.partition)] = noted.offset + 1
    book = Journal(journal)
    async with Consumer(bootstrap_servers=bootstrap) as consumer:
        consumer.assign(list(reached))
        for where, offset in reached.items():
            consumer.seek(where, offset)
        while True:
            found = await consumer.getmany(timeout_ms=_POLL_MS)
            for where, records in found.items():
                book.note(
                    Noted(where.partition, one.offset, (one.value or b"").decode())
                    for one in records
                )


if __name__ == "__main__":
    asyncio.run({"write": write, "read": read}[sys.argv[1]](*sys.argv[2:5]))
