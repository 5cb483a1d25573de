"""Java programs beside the test, and brokers that are killed and come back meanwhile."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.testing.process_cluster import ProcessCluster

PATIENCE_S = 150.0
"""A program that is not done by then hangs; these are Java's, on a machine with few cores."""


class JavaProcess:
    """A program that runs, with what it prints in a file."""

    def __init__(self, command: Sequence[str], output: Path) -> None:
        self._output = output
        with output.open("wb") as file:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT
            )

    @property
    def text(self) -> str:
        """What it has printed so far."""
        return self._output.read_text()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ended(self) -> str:
        """Wait until it ends by itself, well; what it printed. Its standard input ends now."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            status = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"it hangs: {self.text[-3000:]}") from error
        assert status == 0, self.text[-3000:]
        return self.text

    def stop(self) -> None:
        """SIGTERM, upon which it ends well."""
        self._process.terminate()
        self.ended()

    def kill(self) -> None:
        """Whatever it is doing."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()


@contextmanager
def running(command: Sequence[str], output: Path) -> Iterator[JavaProcess]:
    """The program; killed at the end of the block if it is still there."""
    process = JavaProcess(command, output)
    try:
        yield process
    finally:
        if process.is_running:
            process.kill()


def until(condition: Callable[[], bool], process: JavaProcess, what: str) -> None:
    """Wait for what the program does; it must not end before."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.is_running, f"it ended before {what}: {process.text[-3000:]}"
        assert time.monotonic() < deadline, f"{what} takes too long: {process.text[-3000:]}"
        time.sleep(0.05)  # another process: there is nothing to wait on


@contextmanager
def killed(cluster: ProcessCluster, node_id: int) -> Iterator[None]:
    """SIGKILL for a broker; it is back, and ready, after the block."""
    cluster.kill(node_id)
    try:
        yield
    finally:
        cluster.spawn([node_id])
        asyncio.run(cluster.wait_until_ready())


async def create(cluster: ProcessCluster, *topics: str, partitions: int = 3) -> None:
    """Topics with a replica on each broker."""
    replicas = len(cluster.layout.brokers)
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        await admin.create_topics([NewTopic(name, partitions, replicas) for name in topics])


async def write(bootstrap: str, topic: str, values: Sequence[bytes], partitions: int = 3) -> None:
    """All of them, acknowledged, in turn to each partition."""
    async with Producer(bootstrap_servers=bootstrap) as producer:
        sent = [
            await producer.send(topic, value, partition=number % partitions)
            for number, value in enumerate(values)
        ]
        await asyncio.gather(*sent)


async def committed(bootstrap: str, topic: str) -> list[tuple[bytes | None, bytes]]:
    """Key and value of what read_committed consumers see now, each partition in its order."""
    found: list[tuple[bytes | None, bytes]] = []
    async with Consumer(
        bootstrap_servers=bootstrap, isolation_level="read_committed", auto_offset_reset="earliest"
    ) as consumer:
        partitions = sorted(await consumer.all_partitions(topic))
        ends = await consumer.end_offsets(partitions)
        consumer.assign(partitions)
        async with asyncio.timeout(60):
            for at in partitions:
                while await consumer.position(at) < ends[at]:
                    for records in (await consumer.getmany(at, timeout_ms=200)).values():
                        found += [(each.key, bytes(each.value or b"")) for each in records]
    return found


async def leader_of(bootstrap: str, topic: str) -> int:
    """Of partition 0."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        described = await admin.describe_topics([topic])
    leader = described[topic].partitions[0].leader
    assert leader is not None
    return leader


async def coordinator_of(bootstrap: str, transactional_id: str) -> int:
    """The broker that decides about its transactions."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = await admin.describe_transactions([transactional_id])
    return found[transactional_id].coordinator_id


async def size_of(bootstrap: str, topic: str, partitions: int = 3) -> int:
    """Offsets up to the last stable ones, markers among them."""
    ends = {TopicPartition(topic, number): -1 for number in range(partitions)}
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = await admin.list_offsets(ends, isolation=1)
    return sum(each.offset for each in found.values())
