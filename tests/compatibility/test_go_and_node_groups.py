"""Groups of three by sarama (Go) and by KafkaJS (Node.js) go on while their coordinator is killed.

Every acknowledged record is read, and the group commits all of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from kit.foreign_clients import kafkajs_member, sarama_member

from barnabas.client import Admin, TopicPartition

from .coordinator_kill import GroupAccident, Journal, wait_until
from .leader_kill import PARTITIONS, PATIENCE_S, new_cluster

pytestmark = pytest.mark.slow

ROUND = 300
"""So many records are written before, at and after the kill."""
Command = tuple[Sequence[str], dict[str, str]]


@pytest.fixture
def accident(tmp_path: Path) -> Iterator[GroupAccident]:
    with new_cluster(tmp_path / "cluster") as running:
        yield GroupAccident(running)


class Member:
    """One of the programs in `members/`, and what it says that it does."""

    def __init__(self, run: Command, accident: GroupAccident, journal: Journal) -> None:
        command, environment = run
        self.assigned: set[int] = set()
        self.events: list[dict[str, Any]] = []
        self._journal = journal
        self._process = subprocess.Popen(
            [*command, accident.bootstrap, accident.topic, accident.group],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
        )
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        match event["name"]:
            case "assigned":
                self.assigned = set(event["partitions"])
            case "read":
                partition = event["partition"]
                self._journal.read(
                    (partition, offset, value.encode()) for offset, value in event["records"]
                )
                return  # the rest is kept, for whoever looks at a failure
            case "committed":
                self._journal.committed({event["partition"]: event["offset"]})
        self.events.append(event)

    def stop(self) -> None:
        """SIGTERM: it leaves the group."""
        self._process.terminate()
        try:
            assert self._process.wait(PATIENCE_S) == 0
            self._thread.join(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()


async def _committed(accident: GroupAccident) -> dict[int, int]:
    wanted = [TopicPartition(accident.topic, index) for index in range(PARTITIONS)]
    async with Admin(bootstrap_servers=accident.bootstrap) as admin:
        found = await admin.list_group_offsets(accident.group, wanted)
    return {place.partition: each.offset for place, each in found.items()}


def write(accident: GroupAccident, name: str) -> set[bytes]:
    """A round of records, as many to each partition, acknowledged."""
    producer = Producer({"bootstrap.servers": accident.bootstrap, "enable.idempotence": True})
    values = [b"%s-%d" % (name.encode(), number) for number in range(ROUND)]
    for number, value in enumerate(values):
        producer.produce(accident.topic, value, partition=number % PARTITIONS)
    assert producer.flush(PATIENCE_S) == 0
    return set(values)


@pytest.mark.parametrize("member", [kafkajs_member, sarama_member])
def test_coordinator_dies(accident: GroupAccident, member: Callable[[], Command]) -> None:
    """Goal: three members go on when their coordinator is killed: every record is read, none again
    that a member knew to be committed (sarama tells of none), and all is committed in the end
    (GRP-22, REC-01)."""
    run, journal = member(), Journal()
    members = [Member(run, accident, journal) for _ in range(3)]
    try:
        wait_until(lambda: sorted(len(one.assigned) for one in members) == [1, 1, 1], "sharing")
        accident.find_victim()
        written = write(accident, "before")
        accident.happen()
        written |= write(accident, "meanwhile")
        wait_until(lambda: journal.values >= written, "reading everything")
        written |= write(accident, "after")
        wait_until(lambda: journal.values >= written, "reading on")
        whole = dict.fromkeys(range(PARTITIONS), 3 * ROUND // PARTITIONS)
        wait_until(lambda: asyncio.run(_committed(accident)) == whole, "committing")
    finally:
        for one in members:
            one.stop()
    assert journal.values == written
    assert journal.reads_after_commit == [], [one.events for one in members]
