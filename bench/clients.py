"""Our client beside aiokafka on one broker: `python -m bench.clients`.

The same records of 100 bytes in both: produced one call each, and read by a consumer in a group,
batch by batch (`getmany`) and one by one (`async for`). The two clients take turns; prints JSON
with the median rate of each, and ours over theirs within a round.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable

import aiokafka

from barnabas.client import Consumer, Producer

from .figures import median
from .node import Barnabas
from .suite import create_topic

TOPIC = "clients"
PARTITIONS = 4
VALUE = b"x" * 100
LINGER_MS = 5

Step = Callable[[str, int, int], Awaitable[float]]
"""A step takes the address, the number of records and that of the round; it returns seconds: from
the first record on, so that joining a group is not part of them."""


async def produce_ours(bootstrap: str, records: int, round_number: int) -> float:
    """Our producer, idempotent."""
    async with Producer(bootstrap_servers=bootstrap, linger_ms=LINGER_MS) as producer:
        began = time.perf_counter()
        for _ in range(records):
            await producer.send(f"ours-{round_number}", VALUE)
        await producer.flush()
        return time.perf_counter() - began


async def produce_theirs(bootstrap: str, records: int, round_number: int) -> float:
    """aiokafka's, idempotent as ours."""
    producer = aiokafka.AIOKafkaProducer(
        bootstrap_servers=bootstrap, linger_ms=LINGER_MS, enable_idempotence=True, acks="all"
    )
    await producer.start()
    began = time.perf_counter()
    for _ in range(records):
        await producer.send(f"theirs-{round_number}", VALUE)
    await producer.flush()
    seconds = time.perf_counter() - began
    await producer.stop()
    return seconds


def ours(bootstrap: str, group_id: str) -> Consumer:
    """Our consumer in a group of its own, from the beginning."""
    return Consumer(
        TOPIC, bootstrap_servers=bootstrap, group_id=group_id, auto_offset_reset="earliest"
    )


def theirs(bootstrap: str, group_id: str) -> aiokafka.AIOKafkaConsumer:
    """aiokafka's likewise; it checks no checksums unless it is asked to, and ours does."""
    return aiokafka.AIOKafkaConsumer(
        TOPIC,
        bootstrap_servers=bootstrap,
        group_id=group_id,
        auto_offset_reset="earliest",
        check_crcs=True,
    )


async def getmany_ours(bootstrap: str, records: int, round_number: int) -> float:
    """Batches of ours."""
    async with ours(bootstrap, f"ours-many-{round_number}") as consumer:
        await consumer.getone()
        count, began = 1, time.perf_counter()
        while count < records:
            found = await consumer.getmany(timeout_ms=1_000, max_records=2_000)
            count += sum(map(len, found.values()))
        return time.perf_counter() - began


async def getmany_theirs(bootstrap: str, records: int, round_number: int) -> float:
    """Batches of theirs."""
    consumer = theirs(bootstrap, f"theirs-many-{round_number}")
    await consumer.start()
    await consumer.getone()
    count, began = 1, time.perf_counter()
    while count < records:
        found = await consumer.getmany(timeout_ms=1_000, max_records=2_000)
        count += sum(map(len, found.values()))
    seconds = time.perf_counter() - began
    await consumer.stop()
    return seconds


async def each_ours(bootstrap: str, records: int, round_number: int) -> float:
    """One by one, ours."""
    async with ours(bootstrap, f"ours-each-{round_number}") as consumer:
        await consumer.getone()
        count, began = 1, time.perf_counter()
        async for _ in consumer:
            count += 1
            if count == records:
                break
        return time.perf_counter() - began


async def each_theirs(bootstrap: str, records: int, round_number: int) -> float:
    """One by one, theirs."""
    consumer = theirs(bootstrap, f"theirs-each-{round_number}")
    await consumer.start()
    await consumer.getone()
    count, began = 1, time.perf_counter()
    async for _ in consumer:
        count += 1
        if count == records:
            break
    seconds = time.perf_counter() - began
    await consumer.stop()
    return seconds


STEPS: dict[str, tuple[Step, Step]] = {
    "produce": (produce_ours, produce_theirs),
    "getmany": (getmany_ours, getmany_theirs),
    "async_for": (each_ours, each_theirs),
}


async def fill(bootstrap: str, records: int) -> None:
    """What the consumers read."""
    async with Producer(bootstrap_servers=bootstrap, linger_ms=LINGER_MS) as producer:
        for _ in range(records):
            await producer.send(TOPIC, VALUE)
        await producer.flush()


async def measure(port: int, records: int, rounds: int) -> dict[str, float]:
    """Everything in turn, so many times."""
    bootstrap = f"127.0.0.1:{port}"
    await fill(bootstrap, records)
    rates: dict[str, list[float]] = {}
    for number in range(rounds):
        for name, steps in STEPS.items():
            for who, step in zip(("ours", "aiokafka"), steps, strict=True):
                seconds = await step(bootstrap, records, number)
                rates.setdefault(f"{name}.{who}", []).append(records / seconds)
    figures = {key: median(found) for key, found in rates.items()}
    for name in STEPS:
        pairs = zip(rates[f"{name}.ours"], rates[f"{name}.aiokafka"], strict=True)
        figures[f"{name}.ratio"] = median([mine / other for mine, other in pairs])
    return figures


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.clients", description=__doc__)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    broker = Barnabas(checkout=True)
    broker.start()
    try:
        create_topic(broker.port, TOPIC, PARTITIONS)
        found = asyncio.run(measure(broker.port, options.records, options.rounds))
    finally:
        broker.stop()
    json.dump(found, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
