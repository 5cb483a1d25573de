"""Topics for the tests, filled by the bundled client."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import TypeVar

from barnabas.client import Admin, NewTopic, Producer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sent:
    """A record as it was sent; its offset is its place in the list of its partition."""

    key: bytes | None = None
    value: bytes | None = None
    timestamp_ms: int = 1_700_000_000_000
    headers: tuple[tuple[str, bytes | None], ...] = ()


def wait_for(work: Coroutine[None, None, T]) -> T:
    """Run client code from a test that is not asynchronous, for Spark is not."""
    return asyncio.run(work)


def fill(bootstrap: str, topic: str, partitions: Sequence[Sequence[Sent]]) -> None:
    """Create a topic, and send each list to the partition of its place."""
    wait_for(_create(bootstrap, topic, len(partitions)))
    wait_for(_send(bootstrap, topic, partitions))


def append(bootstrap: str, topic: str, partitions: Sequence[Sequence[Sent]]) -> None:
    """Send more to a topic that exists."""
    wait_for(_send(bootstrap, topic, partitions))


async def _create(bootstrap: str, topic: str, partitions: int) -> None:
    async with Admin(bootstrap_servers=bootstrap) as admin:
        new = NewTopic(topic, partitions, 1, topic_configs={"retention.ms": "-1"})
        await admin.create_topics([new])


async def _send(bootstrap: str, topic: str, partitions: Sequence[Sequence[Sent]]) -> None:
    async with Producer(bootstrap_servers=bootstrap) as producer:
        for partition, records in enumerate(partitions):
            for each in records:
                await producer.send(
                    topic,
                    each.value,
                    each.key,
                    partition=partition,
                    timestamp_ms=each.timestamp_ms,
                    headers=each.headers,
                )
        await producer.flush()


def numbered(count: int, prefix: str = "v") -> list[Sent]:
    """Records with values `v0`, `v1`, ... a second apart."""
    return [
        Sent(
            key=b"k%d" % (number % 3),
            value=f"{prefix}{number}".encode(),
            timestamp_ms=1_700_000_000_000 + 1_000 * number,
        )
        for number in range(count)
    ]
