"""Our client beside aiokafka on one broker: `python -m bench.clients`.

The same records of 100 bytes in both: produced one call each, and read by a consumer in a group,
batch by batch (`getmany`) and one by one (`async for`). The two clients take turns, and each
begins every other round. Prints JSON: the installation that was measured, the median rate and CPU
time a record of each client, and ours beside theirs within a round. `ratio` is of rates and needs
an idle machine; `cpu_ratio` is of the CPU time of the client's process, theirs over ours, and
stays the same where other programs run.

It measures the `barnabas` that this interpreter imports: a checkout, which is pure Python, or, run
in an environment of its own, a wheel with compiled record codecs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

import aiokafka
from aiokafka.record.default_records import DefaultRecordBatch

from barnabas.build_info import build_info
from barnabas.client import Admin, Consumer, NewTopic, Producer

from .figures import median
from .node import Barnabas

TOPIC = "clients"
PARTITIONS = 4
VALUE = b"x" * 100
LINGER_MS = 5
BATCH_OF_READS = 2_000
WAIT_MS = 1_000
OURS, THEIRS = "ours", "aiokafka"

AnyConsumer: TypeAlias = Consumer | aiokafka.AIOKafkaConsumer
AnyProducer: TypeAlias = Producer | aiokafka.AIOKafkaProducer


class Taken(NamedTuple):
    """What so many records took: seconds on the clock, and of this process's CPU time."""

    seconds: float
    cpu_s: float


class Watch:
    """Measures from its creation on."""

    def __init__(self) -> None:
        self._began, self._cpu_began = time.perf_counter(), time.process_time()

    def taken(self) -> Taken:
        """Since then."""
        return Taken(time.perf_counter() - self._began, time.process_time() - self._cpu_began)


def new_producer(who: str, bootstrap: str) -> AnyProducer:
    """An idempotent one of either client."""
    if who == OURS:
        return Producer(bootstrap_servers=bootstrap, linger_ms=LINGER_MS)
    return aiokafka.AIOKafkaProducer(
        bootstrap_servers=bootstrap, linger_ms=LINGER_MS, enable_idempotence=True, acks="all"
    )


def new_consumer(who: str, bootstrap: str, group_id: str) -> AnyConsumer:
    """One of either client, in a group of its own, from the beginning; both check checksums."""
    kind = Consumer if who == OURS else aiokafka.AIOKafkaConsumer
    return kind(
        TOPIC,
        bootstrap_servers=bootstrap,
        group_id=group_id,
        auto_offset_reset="earliest",
        check_crcs=True,
    )


async def send_all(producer: AnyProducer, topic: str, records: int) -> None:
    """So many records, one call each, and the acknowledgement of all."""
    for _ in range(records):
        await producer.send(topic, VALUE)
    await producer.flush()


async def produce(who: str, bootstrap: str, records: int, number: int) -> Taken:
    """Into a topic of this round."""
    async with new_producer(who, bootstrap) as producer:
        watch = Watch()
        await send_all(producer, f"{who}-{number}", records)
        return watch.taken()


async def getmany(who: str, bootstrap: str, records: int, number: int) -> Taken:
    """Batch by batch, from the first record on, so that joining the group is no part of it."""
    async with new_consumer(who, bootstrap, f"{who}-many-{number}") as consumer:
        await consumer.getone()
        count, watch = 1, Watch()
        while count < records:
            found = await consumer.getmany(timeout_ms=WAIT_MS, max_records=BATCH_OF_READS)
            count += sum(map(len, found.values()))
        return watch.taken()


async def async_for(who: str, bootstrap: str, records: int, number: int) -> Taken:
    """One by one, from the first record on."""
    async with new_consumer(who, bootstrap, f"{who}-each-{number}") as consumer:
        await consumer.getone()
        count, watch = 1, Watch()
        async for _ in consumer:
            count += 1
            if count == records:
                break
        return watch.taken()


STEPS: tuple[Callable[[str, str, int, int], Awaitable[Taken]], ...] = (produce, getmany, async_for)
"""Each takes the client, the broker's address, the number of records and that of the round."""


async def prepare(bootstrap: str, records: int) -> None:
    """The topic that the consumers read."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)])
    async with new_producer(OURS, bootstrap) as producer:
        await send_all(producer, TOPIC, records)


async def measure(bootstrap: str, records: int, rounds: int) -> dict[str, float]:
    """Everything in turn, so many times."""
    await prepare(bootstrap, records)
    taken: dict[str, list[Taken]] = {}
    for number in range(rounds):
        for step in STEPS:
            for who in (OURS, THEIRS) if number % 2 == 0 else (THEIRS, OURS):
                found = await step(who, bootstrap, records, number)
                taken.setdefault(f"{step.__name__}.{who}", []).append(found)
    figures = {}
    for step in STEPS:
        name = step.__name__
        for who in (OURS, THEIRS):
            rows = taken[f"{name}.{who}"]
            figures[f"{name}.{who}_per_s"] = median([records / row.seconds for row in rows])
            figures[f"{name}.{who}_cpu_us"] = median([row.cpu_s / records * 1e6 for row in rows])
        pairs = list(zip(taken[f"{name}.{OURS}"], taken[f"{name}.{THEIRS}"], strict=True))
        figures[f"{name}.ratio"] = median([theirs.seconds / ours.seconds for ours, theirs in pairs])
        figures[f"{name}.cpu_ratio"] = median([theirs.cpu_s / ours.cpu_s for ours, theirs in pairs])
    return {name: round(value, 2) for name, value in figures.items()}


def installations() -> dict[str, str]:
    """What is measured: both versions, and whether records are decoded by compiled code."""
    ours = build_info()
    is_compiled = "_crecords" in DefaultRecordBatch.__module__
    return {
        "barnabas": f"{ours.version}, {ours.describe()}",
        "aiokafka": f"{aiokafka.__version__}, {'compiled' if is_compiled else 'pure Python'}",
    }


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.clients", description=__doc__)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    broker = Barnabas(checkout=True)
    broker.start()
    try:
        bootstrap = f"127.0.0.1:{broker.port}"
        found = asyncio.run(measure(bootstrap, options.records, options.rounds))
    finally:
        broker.stop()
    json.dump(installations() | found, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
