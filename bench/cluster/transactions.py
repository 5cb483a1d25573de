"""Transactions of ten records in two partitions, each producer's one after the other; and what a
reader of committed records pays for them.

Runs as a process of its own, `python -m bench.cluster.transactions`, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition

from ..figures import percentile

PARTITIONS = 12
RECORDS = 10
RECORD_BYTES = 100
BATCH_OF_READS = 5_000


class Worker:
    """One producer; how long each commit took, from the call to the answer."""

    def __init__(self, bootstrap: str, topic: str, number: int) -> None:
        name = f"{topic}-{number}"
        self.topic = topic
        self.producer = Producer(bootstrap_servers=bootstrap, transactional_id=name, linger_ms=0)
        self.partitions = (number % PARTITIONS, (number + 1) % PARTITIONS)
        self.commits: list[tuple[float, float]] = []
        """When each was over, on a clock that never goes back, and its milliseconds."""

    async def run(self) -> None:
        """Transactions until cancelled, which aborts the last."""
        value = b"x" * RECORD_BYTES
        while True:
            await self.producer.begin_transaction()
            for number in range(RECORDS):
                where = self.partitions[number % 2]
                await self.producer.send(self.topic, value, partition=where)
            began = time.monotonic()
            await self.producer.commit_transaction()
            ended = time.monotonic()
            self.commits.append((ended, 1e3 * (ended - began)))


async def transact(options: argparse.Namespace) -> dict[str, float]:
    """So many producers for so long; what was committed in the timed window."""
    workers = [
        Worker(options.bootstrap, options.topic, number) for number in range(options.producers)
    ]
    await asyncio.gather(*(each.producer.start() for each in workers))
    running = [asyncio.create_task(each.run()) for each in workers]
    await asyncio.sleep(options.warm_up)
    began = time.monotonic()
    done, _ = await asyncio.wait(
        running, timeout=options.seconds, return_when=asyncio.FIRST_EXCEPTION
    )
    ended = time.monotonic()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for task in done:
        task.result()
    await asyncio.gather(*(each.producer.stop() for each in workers))
    took_ms = sorted(ms for each in workers for at, ms in each.commits if began <= at <= ended)
    return {
        "transactions": len(took_ms),
        "transactions_in_all": sum(len(each.commits) for each in workers),
        "per_s": len(took_ms) / (ended - began),
        "p50_ms": percentile(took_ms, 50),
        "p99_ms": percentile(took_ms, 99),
    }


async def read(bootstrap: str, topic: str, isolation_level: str) -> float:
    """Records a second, all of them read once, from the beginning to the end of all partitions."""
    partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    async with Consumer(
        bootstrap_servers=bootstrap,
        isolation_level=isolation_level,
        auto_offset_reset="earliest",
    ) as consumer:
        ends = await consumer.end_offsets(partitions)
        consumer.assign(partitions)
        count, began = 0, time.monotonic()
        left = {where for where, end in ends.items() if end}
        while left:
            for records in (await consumer.getmany(max_records=BATCH_OF_READS)).values():
                count += len(records)
            for where in list(left):
                if await consumer.position(where) >= ends[where]:
                    left.discard(where)
        return count / (time.monotonic() - began)


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """Transactions, then both kinds of reading, three times in turn, the best of each."""
    async with Admin(bootstrap_servers=options.bootstrap) as admin:
        await admin.create_topics([NewTopic(options.topic, PARTITIONS, 3)])
    figures = await transact(options)
    rates: dict[str, list[float]] = {"read_committed": [], "read_uncommitted": []}
    for _ in range(3):
        for level, found in rates.items():
            found.append(await read(options.bootstrap, options.topic, level))
    best = {f"{level}_per_s": max(found) for level, found in rates.items()}
    share = best["read_committed_per_s"] / best["read_uncommitted_per_s"]
    return figures | best | {"read_share": share}


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.cluster.transactions", description=__doc__
    )
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", default="transactions")
    parser.add_argument("--producers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--warm-up", type=float, default=2.0)
    json.dump(asyncio.run(measure(parser.parse_args())), sys.stdout)


if __name__ == "__main__":
    main()
