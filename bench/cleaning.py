"""Compaction of one topic by a whole broker, beside Apache Kafka's: `python -m bench.cleaning`.

A compacted topic of one partition is filled while nothing may be compacted yet; then
`min.compaction.lag.ms` is lowered, and the time is taken until the broker's checkpoint says that
all but the active segment is clean. Both brokers use one cleaner thread and their defaults, but
look for work every tenth of a second. The brokers take turns. Prints JSON: megabytes a second of
each (medians), ours over Kafka's, and the longest wait of another client of ours meanwhile; on a
machine with nothing else to do that is the longest stall of the event loop.

`python -m bench.compaction` measures the same work without a broker.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from barnabas.client import Admin, AlterConfig, ConfigResource, NewTopic
from barnabas.protocol.record_builder import RecordBatchBuilder

from . import procfs
from .figures import median
from .kafka import Kafka
from .node import Barnabas
from .open_transactions import exchange
from .pings import Pings
from .running import Broker
from .wire import Wire, produce_request

TOPIC = "cleaned"
BATCH_BYTES = 16_384
SEGMENT_BYTES = 32 * 2**20
PREPARED_BYTES = 64 * 2**20
"""Of different batches; they are sent again until the topic is full."""
NOW_MS = 1_780_000_000_000
NEVER_MS = 10**12
BACKOFF = {"log.cleaner.backoff.ms": "100"}
LOOK_S = 0.01
LIMIT_S = 900.0
CALM_S = 1.0


class Cleaned(NamedTuple):
    """What one broker did."""

    mb_per_s: float
    bytes_before: int
    bytes_after: int
    cpu_s: float
    longest_ping_ms: float
    longest_ping_idle_ms: float


def batches(value_bytes: int, keys: int) -> list[bytes]:
    """Keyed batches with keys drawn at random."""
    random = Random(1)
    value = random.randbytes(value_bytes)
    found, size = [], 0
    while size < PREPARED_BYTES:
        builder = RecordBatchBuilder()
        for number in range(max(BATCH_BYTES // (value_bytes + 30), 1)):
            builder.append(NOW_MS + number, b"key-%012d" % random.randrange(keys), value, ())
        found.append(bytes(builder.build()))
        size += len(found[-1])
    return found


def fill(port: int, prepared: list[bytes], wanted_bytes: int) -> None:
    """So many bytes into the topic."""

    def requests() -> Iterator[bytes]:
        sent = 0
        while True:
            for batch in prepared:
                if sent >= wanted_bytes:
                    return
                sent += len(batch)
                yield produce_request(TOPIC, 0, batch, 1)

    with Wire(port, LIMIT_S) as connection:
        for _ in exchange(connection, requests()):
            pass


class Folder:
    """The partition's files, as both brokers lay them out."""

    def __init__(self, broker: Broker) -> None:
        self._data = broker.directory / "data"

    @property
    def segments(self) -> list[Path]:
        """In the order of their offsets."""
        return sorted((self._data / f"{TOPIC}-0").glob("*.log"))

    @property
    def closed_bytes(self) -> int:
        """Of all segments but the active one."""
        return sum(one.stat().st_size for one in self.segments[:-1] if one.exists())

    @property
    def clean_until(self) -> int:
        """By the cleaner's checkpoint; 0 if it says nothing."""
        try:
            lines = (self._data / "cleaner-offset-checkpoint").read_text().splitlines()
        except FileNotFoundError:
            return 0
        rows = [line.split() for line in lines[2:]]
        return max((int(offset) for topic, _, offset in rows if topic == TOPIC), default=0)


async def create(bootstrap: str) -> None:
    """The topic, in which nothing is old enough to be compacted."""
    configs = {
        "cleanup.policy": "compact",
        "segment.bytes": str(SEGMENT_BYTES),
        "min.cleanable.dirty.ratio": "0.01",
        "min.compaction.lag.ms": str(NEVER_MS),
    }
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.create_topics([NewTopic(TOPIC, 1, 1, topic_configs=configs)])


async def allow(bootstrap: str) -> None:
    """From now on everything may be."""
    change = AlterConfig("min.compaction.lag.ms", "0")
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.incremental_alter_configs({ConfigResource.topic(TOPIC): [change]})


def clean(broker: Broker, prepared: list[bytes], megabytes: int) -> Cleaned:
    """One start, one round of compaction."""
    broker.settings = BACKOFF
    broker.start()
    bootstrap = f"127.0.0.1:{broker.port}"
    try:
        asyncio.run(create(bootstrap))
        fill(broker.port, prepared, megabytes * 2**20)
        folder = Folder(broker)
        before, end = folder.closed_bytes, int(folder.segments[-1].stem)
        with Pings(broker.port) as idle:
            time.sleep(CALM_S)
        cpu_s = procfs.cpu_seconds(broker.pid)
        with Pings(broker.port) as pings:
            began = time.monotonic()
            asyncio.run(allow(bootstrap))
            while folder.clean_until < end:
                if time.monotonic() > began + LIMIT_S:
                    raise TimeoutError(f"{broker.title} is not done after {LIMIT_S:g} s")
                time.sleep(LOOK_S)
            took_s = time.monotonic() - began
        return Cleaned(
            before / took_s / 1e6,
            before,
            folder.closed_bytes,
            procfs.cpu_seconds(broker.pid) - cpu_s,
            pings.found["longest_ping_ms"],
            idle.found["longest_ping_ms"],
        )
    finally:
        broker.kill()


def measure(options: argparse.Namespace) -> dict[str, object]:
    """All rounds, in turn."""
    brokers: list[Broker] = [Barnabas(checkout=options.checkout)]
    if not options.no_kafka:
        brokers.append(Kafka())
    for broker in brokers:
        broker.prepare()
    prepared = batches(options.value, options.keys)
    found: dict[str, list[Cleaned]] = {broker.name: [] for broker in brokers}
    for number in range(options.rounds):
        for broker in brokers if number % 2 == 0 else brokers[::-1]:
            found[broker.name].append(clean(broker, prepared, options.megabytes))
    rates = {name: median([one.mb_per_s for one in rounds]) for name, rounds in found.items()}
    ours, theirs = found["barnabas"], found.get("kafka")
    return {
        "megabytes": options.megabytes,
        "value_bytes": options.value,
        "mb_per_s": rates,
        "ratio": None
        if theirs is None
        else median([one.mb_per_s / two.mb_per_s for one, two in zip(ours, theirs, strict=True)]),
        "rounds": {name: [one._asdict() for one in rounds] for name, rounds in found.items()},
    }


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cleaning", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1_024)
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--value", type=int, default=1_000, help="bytes of each record's value")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--checkout", action="store_true", help="no wheel is built")
    parser.add_argument("--no-kafka", action="store_true")
    json.dump(measure(parser.parse_args()), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
