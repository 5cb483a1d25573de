"""Copies a topic exactly once by aiokafka: BOOTSTRAP SOURCE TARGET NAME, ended by SIGTERM.

NAME is its group and its transactional id.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.errors import KafkaError

AT_ONCE = 20
POLL_MS = 200


async def go_back(consumer: AIOKafkaConsumer) -> None:
    """To what is committed, or the beginning (its `seek_to_committed` stays where nothing is)."""
    for at in consumer.assignment():
        offset = await consumer.committed(at)
        if offset is None:
            await consumer.seek_to_beginning(at)
        else:
            consumer.seek(at, offset)


async def copy(
    producer: AIOKafkaProducer, consumer: AIOKafkaConsumer, target: str, name: str
) -> None:
    """One transaction, if there is something to copy; after an abort it is read again."""
    found = await consumer.getmany(timeout_ms=POLL_MS, max_records=AT_ONCE)
    if not found:
        return
    try:
        async with producer.transaction():
            for records in found.values():
                for record in records:
                    await producer.send(target, record.value, partition=record.partition)
            offsets = {at: records[-1].offset + 1 for at, records in found.items()}
            await producer.send_offsets_to_transaction(offsets, name)
    except KafkaError as error:
        print(repr(error), flush=True)
        await go_back(consumer)


async def main() -> None:
    """Copy until SIGTERM."""
    bootstrap, source, target, name = sys.argv[1:]
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    consumer = AIOKafkaConsumer(
        source,
        bootstrap_servers=bootstrap,
        group_id=name,
        session_timeout_ms=6000,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
    )
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, transactional_id=name)
    await producer.start()
    await consumer.start()
    try:
        while not stopped.is_set():
            await copy(producer, consumer, target, name)
    finally:
        await consumer.stop()
        await producer.stop()


if __name__ == "__main__":
    asyncio.run(main())
