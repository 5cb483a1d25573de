"""Leaderships move under load (KIP-951): what producers notice, with and without leader hints.

Each round turns the replicas of all partitions by one place and elects the preferred leaders, so
that every partition gets another leader and no data moves.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence

from barnabas.client import Admin, ElectionType, NewTopic, Producer, TopicPartition
from barnabas.client.errors import ClientError

from ..figures import percentile

PARTITIONS = 100
NODES = (1, 2, 3)
ROUND_S = 2.0
RECORDS_PER_S = 500
SETTLE_S = 1.0


def turned(partition: int, round_number: int) -> list[int]:
    """The replicas of a partition in a round, the preferred leader first."""
    first = (partition + round_number) % len(NODES)
    return [NODES[(first + place) % len(NODES)] for place in range(len(NODES))]


class Load:
    """Records at an even pace, round all partitions; latencies by when they were sent."""

    def __init__(self, producer: Producer, topic: str) -> None:
        self.producer = producer
        self.topic = topic
        self.latencies_ms: list[tuple[float, float]] = []
        self.failures = 0
        self.is_over = False

    async def run(self) -> None:
        """Until `is_over`."""
        begun, sent, waiting = time.monotonic(), 0, []
        while not self.is_over:
            waiting.append(asyncio.ensure_future(self._one(sent % PARTITIONS)))
            sent += 1
            await asyncio.sleep(max(0.0, begun + sent / RECORDS_PER_S - time.monotonic()))
        await asyncio.gather(*waiting)

    async def _one(self, partition: int) -> None:
        began = time.monotonic()
        try:
            await self.producer.send_and_wait(self.topic, b"x" * 100, partition=partition)
        except ClientError:
            self.failures += 1
        else:
            self.latencies_ms.append((began, (time.monotonic() - began) * 1e3))


async def move(admin: Admin, topic: str, round_number: int) -> None:
    """Give every partition its next leader; when this returns they have it."""
    partitions = [TopicPartition(topic, partition) for partition in range(PARTITIONS)]
    await admin.alter_partition_reassignments(
        {one: turned(one.partition, round_number) for one in partitions}
    )
    await admin.elect_leaders(ElectionType.PREFERRED, partitions)


async def measure(bootstrap: str, *, hints: bool, rounds: int) -> dict[str, float]:
    """Latencies of what was sent while leaderships moved, in milliseconds."""
    topic = f"moves-{'with' if hints else 'without'}-hints"
    async with Admin(bootstrap_servers=bootstrap) as admin:
        assignment = {partition: turned(partition, 0) for partition in range(PARTITIONS)}
        await admin.create_topics([NewTopic(topic, replica_assignments=assignment)])
        async with Producer(bootstrap_servers=bootstrap, acks="all", leader_hints=hints) as one:
            load = Load(one, topic)
            running = asyncio.ensure_future(load.run())
            await move(admin, topic, 1)  # not counted: code that runs for the first time is read
            await asyncio.sleep(SETTLE_S)
            began = time.monotonic()
            moved_s = 0.0
            for number in range(2, rounds + 2):
                moving = time.monotonic()
                await move(admin, topic, number)
                moved_s = max(moved_s, time.monotonic() - moving)
                await asyncio.sleep(ROUND_S)
            ended = time.monotonic()
            load.is_over = True
            await running
    return summary(load.latencies_ms, began, ended) | {
        "failures": load.failures,
        "moved_ms": moved_s * 1e3,
    }


def summary(
    latencies_ms: Sequence[tuple[float, float]], began: float, ended: float
) -> dict[str, float]:
    """Percentiles of what was sent between two times."""
    ordered = sorted(one for sent, one in latencies_ms if began <= sent <= ended)
    return {
        "records": len(ordered),
        "p50_ms": percentile(ordered, 50),
        "p99_ms": percentile(ordered, 99),
        "p999_ms": percentile(ordered, 99.9),
        "max_ms": ordered[-1],
    }


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.moves", description=__doc__)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--hints", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found = asyncio.run(measure(options.bootstrap, hints=options.hints, rounds=options.rounds))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
