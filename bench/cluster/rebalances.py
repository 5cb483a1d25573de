"""How long a group of three takes for its first assignment, and what the fourth member costs.

A producer writes to every partition at an even pace. Three members start together; the first figure
is from then until all partitions have owners. Then a fourth comes, once they have come to rest: the
longest time without a record in a partition that stays with its owner is the gap, beside the same
figure of the seconds before.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import time

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.config import ConsumerConfig

PARTITIONS = 12
PERIOD_S = 0.005
"""Between two rounds of records, one in each partition."""
QUIET_S = 2.0
"""How long each state is watched."""
LIMIT_S = 60.0
LOOK_S = 0.001

Arrivals = dict[TopicPartition, list[float]]


class Member:
    """A consumer in a task of its own, and when it got records of which partition."""

    def __init__(self, bootstrap: str, group_id: str, protocol: str, topic: str) -> None:
        config = ConsumerConfig(
            bootstrap_servers=bootstrap,
            group_id=group_id,
            group_protocol=protocol,
            partition_assignment_strategy=("cooperative-sticky",),
            auto_offset_reset="latest",
            fetch_max_wait_ms=100,
        )
        self.consumer = Consumer(topic, config=config)
        self.arrivals: Arrivals = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Join, and read from then on."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        async with self.consumer as consumer:
            while True:
                for where, records in (await consumer.getmany(timeout_ms=1_000)).items():
                    if records:
                        self.arrivals.setdefault(where, []).append(time.monotonic())

    def owned(self) -> set[TopicPartition]:
        """What it has by now; raises what its task ended with."""
        if self._task is not None and self._task.done():
            self._task.result()
        return set(self.consumer.assignment())

    async def stop(self) -> None:
        """Leave."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def shared(members: list[Member]) -> dict[TopicPartition, Member]:
    """Who has which partition, once each member has its share and each partition one owner."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        owned = [member.owned() for member in members]
        is_even = all(len(some) == PARTITIONS // len(members) for some in owned)
        if is_even and len(set().union(*owned)) == PARTITIONS:
            return {where: members[at] for at, some in enumerate(owned) for where in some}
        await asyncio.sleep(LOOK_S)
    raise TimeoutError(f"{len(members)} members did not share {PARTITIONS} partitions")


def longest_gap_ms(arrivals: list[float], began: float, ended: float) -> float:
    """The longest time between two arrivals of a window, its two ends counted as arrivals."""
    inside = [began, *(one for one in arrivals if began < one < ended), ended]
    return 1e3 * max(later - one for one, later in itertools.pairwise(inside))


async def measure(bootstrap: str, protocol: str) -> dict[str, float]:
    """One group through both changes; times in milliseconds."""
    topic = group_id = f"rebalances-{protocol}"
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.create_topics([NewTopic(topic, PARTITIONS, 3)])
    members = [Member(bootstrap, group_id, protocol, topic) for _ in range(4)]
    writing = asyncio.create_task(write(bootstrap, topic))
    try:
        for member in members[:3]:
            member.start()
        began = time.monotonic()
        before = await shared(members[:3])
        first_ms = 1e3 * (time.monotonic() - began)
        await asyncio.sleep(QUIET_S)
        joined = time.monotonic()
        members[3].start()
        after = await shared(members)
        settled_ms = 1e3 * (time.monotonic() - joined)
        await asyncio.sleep(QUIET_S)
        stays = [where for where, owner in before.items() if after[where] is owner]
        return {
            "first_assignment_ms": first_ms,
            "fourth_settled_ms": settled_ms,
            "stays": len(stays),
            "gap_ms": worst(stays, after, joined, time.monotonic()),
            "quiet_gap_ms": worst(stays, before, joined - QUIET_S / 2, joined),
        }
    finally:
        writing.cancel()
        await asyncio.gather(writing, *(each.stop() for each in members), return_exceptions=True)


def worst(
    partitions: list[TopicPartition],
    owners: dict[TopicPartition, Member],
    began: float,
    ended: float,
) -> float:
    """The longest gap of any of these partitions, in milliseconds."""
    return max(
        longest_gap_ms(owners[where].arrivals.get(where, []), began, ended) for where in partitions
    )


async def write(bootstrap: str, topic: str) -> None:
    """A record in each partition at an even pace, until cancelled."""
    async with Producer(bootstrap_servers=bootstrap, linger_ms=0) as producer:
        begun, rounds = time.monotonic(), 0
        while True:
            for partition in range(PARTITIONS):
                await producer.send(topic, b"x" * 100, partition=partition)
            rounds += 1
            await asyncio.sleep(max(0.0, begun + rounds * PERIOD_S - time.monotonic()))


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.rebalances", description=__doc__)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--protocol", choices=("classic", "consumer"), default="consumer")
    options = parser.parse_args()
    json.dump(asyncio.run(measure(options.bootstrap, options.protocol)), sys.stdout)


if __name__ == "__main__":
    main()
