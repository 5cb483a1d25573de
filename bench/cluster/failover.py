"""A leader ends under load: how long nothing is acknowledged, and whether anything is lost."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from confluent_kafka import Consumer, TopicPartition

from barnabas.client import Admin

from .. import paths
from .running import NODES, Cluster

BEFORE_S = 1.0
READ_TIMEOUT_S = 60.0
WRITER_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Failover:
    """One end of a leader."""

    gap_ms: float
    lost: int
    twice: int
    failed: int
    errors: dict[str, int]
    began_after_ms: float  # from the signal to the beginning of the longest gap
    end_s: float  # until the process was gone


def verdict(sent: int, failed: Iterable[int], found: Iterable[int]) -> tuple[int, int]:
    """How many acknowledged numbers are missing, and how many are there more than once."""
    counts = Counter(found)
    refused = set(failed)
    lost = sum(1 for number in range(sent) if number not in refused and not counts[number])
    return lost, sum(1 for count in counts.values() if count > 1)


def active_controller(cluster: Cluster) -> int:
    """The node that leads the metadata quorum."""

    async def ask() -> int:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            return (await admin.describe_quorum()).leader_id

    return asyncio.run(ask())


def read_back(cluster: Cluster, topic: str) -> list[int]:
    """All numbers in the topic's only partition."""
    consumer = Consumer(
        {
            "bootstrap.servers": cluster.bootstrap,
            "group.id": "bench",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "log_level": 2,
        }
    )
    consumer.assign([TopicPartition(topic, 0, 0)])
    found: list[int] = []
    deadline = time.monotonic() + READ_TIMEOUT_S
    try:
        while time.monotonic() < deadline:
            for message in consumer.consume(1000, 1.0):
                if message.error() is not None:  # the end, the only error that is told here
                    return found
                found.append(int(message.value() or b""))
    finally:
        consumer.close()
    raise TimeoutError(f"the end of {topic} was not reached in {READ_TIMEOUT_S:.0f} s")


def end_leader(
    cluster: Cluster,
    client: str,
    topic: str,
    number: signal.Signals,
    *,
    is_controller: bool,
    after_s: float,
) -> Failover:
    """Write to a topic whose leader then gets the signal; the node is back when this returns."""
    controller = active_controller(cluster)
    victim = controller if is_controller else next(one for one in NODES if one != controller)
    others = [one for one in NODES if one != victim]
    cluster.create_topic(topic, 1, [[victim, *others]])
    cluster.wait_for_leaders(topic, 1)
    command = [sys.executable, "-m", "bench.cluster.writer", "--client", client]
    command += ["--bootstrap", cluster.bootstrap, "--topic", topic]
    with subprocess.Popen(
        command, cwd=paths.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        try:
            writer.stdout.readline()
            time.sleep(BEFORE_S)
            told_s = time.monotonic()
            end_s = cluster.end(victim, number)
            time.sleep(after_s)
            output, _ = writer.communicate("\n", WRITER_TIMEOUT_S)
        except BaseException:
            writer.kill()
            raise
    found = json.loads(output)
    lost, twice = verdict(found["sent"], found["failed"], read_back(cluster, topic))
    cluster.bring_back(victim)
    return Failover(
        found["gap_ms"],
        lost,
        twice,
        len(found["failed"]),
        found["errors"],
        (found["gap_began_s"] - told_s) * 1e3,
        end_s,
    )
