"""How soon groups go on when the broker that coordinates them is killed:
`python -m bench.cluster.takeovers`.

Three brokers from this environment; so many groups that one of them coordinates, half of either
protocol, each with one member of our client that commits again and again. Then that broker gets
SIGKILL. Prints one JSON object: the longest time that any group had no commit acknowledged, the
median over the groups, and how many committed offsets went back.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import time

from barnabas.client import Admin, Consumer, NewTopic, TopicPartition
from barnabas.client.config import ConsumerConfig
from barnabas.client.errors import ClientError

from ..figures import median, percentile
from .commits import coordinator_port
from .ours import Barnabas
from .running import NODES

TOPIC = "takeovers"
PROTOCOLS = ("classic", "consumer")
PAUSE_S = 0.02
BEFORE_S, AFTER_S = 2.0, 8.0
COMMIT_MS = 5_000
ASSIGNED_S = 60.0


class Committer:
    """A group's only member: it commits a higher offset each time."""

    def __init__(self, bootstrap: str, group_id: str, protocol: str) -> None:
        config = ConsumerConfig(
            bootstrap_servers=bootstrap,
            group_id=group_id,
            group_protocol=protocol,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        self.group_id = group_id
        self.acknowledged = 0
        """The highest offset that was."""
        self.at: list[float] = []
        """When commits were acknowledged."""
        self.has_begun = asyncio.Event()
        self.consumer = Consumer(TOPIC, config=config)

    async def run(self) -> None:
        """Until it is cancelled; a commit that fails is followed by the next."""
        async with self.consumer as consumer:
            for offset in itertools.count(1):
                await consumer.getmany(timeout_ms=1)
                try:
                    await consumer.commit({TopicPartition(TOPIC, 0): offset}, timeout_ms=COMMIT_MS)
                except ClientError:
                    pass
                else:
                    self.acknowledged = offset
                    self.at.append(time.monotonic())
                    self.has_begun.set()
                await asyncio.sleep(PAUSE_S)

    def gap_ms(self, killed: float) -> float:
        """The longest time without an acknowledgement around the kill."""
        near = [at for at in self.at if at > killed - 1]
        near.append(time.monotonic())
        return 1e3 * max(later - one for one, later in itertools.pairwise(near))


def groups_of_one(cluster: Barnabas, count: int) -> tuple[int, list[str]]:
    """A broker, and the names of so many groups that it coordinates."""
    port = coordinator_port(cluster.ports[1], "takeover-0")
    (victim,) = (node for node in NODES if cluster.ports[node] == port)
    names = (f"takeover-{number}" for number in itertools.count())
    of_victim = (name for name in names if coordinator_port(port, name) == port)
    return victim, list(itertools.islice(of_victim, count))


async def watched(cluster: Barnabas, victim: int, groups: list[str]) -> dict[str, float]:
    """The kill, and what the groups saw of it."""
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        await admin.create_topics([NewTopic(TOPIC, 1, 3)])
    members = [
        Committer(cluster.bootstrap, name, protocol)
        for name, protocol in zip(groups, itertools.cycle(PROTOCOLS), strict=False)
    ]
    running = [asyncio.create_task(one.run()) for one in members]
    try:
        async with asyncio.timeout(ASSIGNED_S):
            for one in members:
                await one.has_begun.wait()
        await asyncio.sleep(BEFORE_S)
        killed = time.monotonic()
        cluster.processes[victim].kill()
        await asyncio.sleep(AFTER_S)
        gaps = sorted(one.gap_ms(killed) for one in members)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return {
        "groups": len(groups),
        "longest_gap_ms": gaps[-1],
        "median_gap_ms": median(gaps),
        "p90_gap_ms": percentile(gaps, 90),
        "gone_back": await gone_back(cluster, members),
    }


async def gone_back(cluster: Barnabas, members: list[Committer]) -> int:
    """How many groups are told an offset below one that was acknowledged."""
    where, found = TopicPartition(TOPIC, 0), 0
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        for one in members:
            told = (await admin.list_group_offsets(one.group_id, [where]))[where].offset
            found += told is None or told < one.acknowledged
    return found


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.takeovers", description=__doc__)
    parser.add_argument("--groups", type=int, default=20)
    options = parser.parse_args()
    cluster = Barnabas(checkout=True)
    cluster.prepare()
    try:
        cluster.start()
        victim, groups = groups_of_one(cluster, options.groups)
        json.dump(asyncio.run(watched(cluster, victim, groups)), sys.stdout, indent=2)
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
