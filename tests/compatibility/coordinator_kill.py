"""What members of a group read and committed, and the broker of theirs that is killed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Mapping

from confluent_kafka import Producer

from barnabas.client import Admin, TopicPartition

from .leader_kill import PARTITIONS, PATIENCE_S, Accident

ROUND = 300
"""So many records are written before, at and after a kill."""


def wait_until(condition: Callable[[], bool], doing: str) -> None:
    """Wait for clients on threads or in processes of their own."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"{doing} takes longer than {PATIENCE_S:g} s"
        time.sleep(0.02)  # other threads and programs: there is nothing to wait on


class GroupAccident(Accident):
    """One topic and one group, and the death of the broker that coordinates the group."""

    @property
    def group(self) -> str:
        """The group's name."""
        return f"group-of-{self.topic}"

    def find_victim(self) -> None:
        """Choose who dies, once the group is there."""
        self.victim = asyncio.run(self._coordinator())

    async def _coordinator(self) -> int:
        async with Admin(bootstrap_servers=self.bootstrap) as admin:
            described = await admin.describe_groups([self.group])
        return described[self.group].coordinator_id

    def write(self, name: str) -> set[bytes]:
        """A round of records, as many to each partition, acknowledged."""
        producer = Producer({"bootstrap.servers": self.bootstrap, "enable.idempotence": True})
        values = [b"%s-%d" % (name.encode(), number) for number in range(ROUND)]
        for number, value in enumerate(values):
            producer.produce(self.topic, value, partition=number % PARTITIONS)
        assert producer.flush(PATIENCE_S) == 0
        return set(values)

    def committed(self) -> dict[int, int]:
        """The group's offsets by partition, as its coordinator tells them now."""
        return asyncio.run(self._committed())

    async def _committed(self) -> dict[int, int]:
        wanted = [TopicPartition(self.topic, index) for index in range(PARTITIONS)]
        async with Admin(bootstrap_servers=self.bootstrap) as admin:
            found = await admin.list_group_offsets(self.group, wanted)
        return {place.partition: each.offset for place, each in found.items()}


class Journal:
    """What all members of a group read and committed, in the order in which they told it."""

    def __init__(self) -> None:
        self.values: set[bytes] = set()
        self.reads_after_commit: list[tuple[int, int]] = []
        """Partition and offset of what was read again though a commit had covered it."""
        self._committed: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._lock = threading.Lock()

    def read(self, found: Iterable[tuple[int, int, bytes]]) -> None:
        """A member was given these: partition, offset, value."""
        with self._lock:
            for partition, offset, value in found:
                self.values.add(value)
                self._ends[partition] = max(self._ends.get(partition, 0), offset + 1)
                if offset < self._committed.get(partition, 0):
                    self.reads_after_commit.append((partition, offset))

    def committed(self, offsets: Mapping[int, int]) -> None:
        """A member's commit was stored."""
        with self._lock:
            for partition, offset in offsets.items():
                self._committed[partition] = max(self._committed.get(partition, 0), offset)

    def is_all_committed(self) -> bool:
        """No partition was read further than it is committed."""
        with self._lock:
            return self._ends == self._committed
