"""Kafka Streams with exactly_once_v2: words are counted right though brokers, and one of its own
processes, die meanwhile."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KAFKA_VERSION, fetched

from barnabas.client import Admin
from barnabas.testing.process_cluster import ProcessCluster

from .java_processes import committed, create, killed, leader_of, running, until, write
from .leader_kill import new_cluster

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

SOURCE = str(Path(__file__).with_name("WordCount.java"))
ARTIFACTS = (
    ("org.apache.kafka", "kafka-streams", KAFKA_VERSION),
    ("org.slf4j", "slf4j-nop", "1.7.36"),
)
APPLICATION = "words"
WORDS = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu")
LINES = 600
"""In each part, with two words a line."""
PARTS = 4


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ProcessCluster]:
    with new_cluster(tmp_path / "cluster") as started:
        yield started


def lines(part: int) -> list[bytes]:
    """Every word in turn."""
    count = len(WORDS)
    return [
        f"{WORDS[number % count]} {WORDS[(number // count + part) % count]}".encode()
        for number in range(LINES)
    ]


def expected() -> dict[str, list[int]]:
    """Each word's counts: 1, 2, 3, ..."""
    found: dict[str, int] = defaultdict(int)
    for part in range(PARTS):
        for line in lines(part):
            for word in line.decode().split():
                found[word] += 1
    return {word: list(range(1, count + 1)) for word, count in found.items()}


def counted(bootstrap: str) -> dict[str, list[int]]:
    """The counts of each word, as the application has committed them, in their order."""
    found: dict[str, list[int]] = defaultdict(list)
    for key, value in asyncio.run(committed(bootstrap, "counts")):
        found[(key or b"").decode()].append(int(value))
    return dict(found)


def total(bootstrap: str) -> int:
    """How many words are counted."""
    return sum(map(len, counted(bootstrap).values()))


async def group_coordinator(bootstrap: str) -> int:
    async with Admin(bootstrap_servers=bootstrap) as admin:
        return (await admin.describe_groups([APPLICATION]))[APPLICATION].coordinator_id


def test_word_count(cluster: ProcessCluster, tmp_path: Path) -> None:
    """KIP-447, TXN-54: a leader is killed, then the coordinator of the application's group, then
    the process that has counted so far: another one restores the counts from their changelog."""
    jars = fetched("kafka-streams", ARTIFACTS)
    bootstrap = cluster.bootstrap
    asyncio.run(create(cluster, "lines", "counts"))
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", SOURCE]
    command += [bootstrap, APPLICATION, "lines", "counts"]
    with running([*command, str(tmp_path / "state")], tmp_path / "words.txt") as words:
        until(lambda: "running" in words.text, words, "running")
        asyncio.run(write(bootstrap, "lines", lines(0)))
        until(lambda: total(bootstrap) > 0, words, "the first count")
        with killed(cluster, asyncio.run(leader_of(bootstrap, "lines"))):
            asyncio.run(write(bootstrap, "lines", lines(1)))
            until(lambda: total(bootstrap) > 2 * LINES, words, "counts without the leader")
        with killed(cluster, asyncio.run(group_coordinator(bootstrap))):
            asyncio.run(write(bootstrap, "lines", lines(2)))
            until(lambda: total(bootstrap) > 4 * LINES, words, "counts without the coordinator")
        words.kill()
    with running([*command, str(tmp_path / "other")], tmp_path / "others.txt") as others:
        asyncio.run(write(bootstrap, "lines", lines(3)))
        until(lambda: total(bootstrap) >= 2 * PARTS * LINES, others, "counts by another process")
        assert others.ended().endswith("all ok\n")
    assert counted(bootstrap) == expected()
