"""A producer that writes all the time, and keeps what was acknowledged to it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import partial
from types import TracebackType
from typing import Final, Self

from barnabas.client import Consumer, Producer, RecordMetadata

from .engine import CheckFailedError

PAUSE_S: Final = 0.02
READ_TIMEOUT_S: Final = 60.0


class Ledger:
    """Writes numbers to `topic`, with acks=all, from `async with` on until `close`."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        self.acked: dict[int, tuple[int, int]] = {}
        """Number written -> partition and offset that the broker told."""
        self.failures: list[str] = []
        self._bootstrap = bootstrap
        self._topic = topic
        self._producer = Producer(bootstrap_servers=bootstrap, acks="all")
        self._task: asyncio.Task[None] | None = None
        self._last_ack_s = 0.0
        self._gap_s = 0.0

    async def __aenter__(self) -> Self:
        await self._producer.start()
        self._last_ack_s = time.monotonic()
        self._task = asyncio.get_running_loop().create_task(self._write())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._producer.stop(timeout_ms=1000)

    async def _write(self) -> None:
        number = 0
        while True:
            sent = await self._producer.send(self._topic, str(number).encode())
            sent.add_done_callback(partial(self._on_done, number))
            number += 1
            await asyncio.sleep(PAUSE_S)

    def _on_done(self, number: int, done: asyncio.Future[RecordMetadata]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:
            self.failures.append(f"record {number}: {error}")
            return
        stored = done.result()
        self.acked[number] = (stored.partition, stored.offset)
        now_s = time.monotonic()
        self._gap_s = max(self._gap_s, now_s - self._last_ack_s)
        self._last_ack_s = now_s

    def take_gap_s(self) -> float:
        """The longest time without an acknowledgement since this was asked last."""
        gap_s = max(self._gap_s, time.monotonic() - self._last_ack_s)
        self._gap_s = 0.0
        return gap_s

    async def close(self) -> str:
        """Write no more, read all from the beginning, and compare. Raises CheckFailedError."""
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._producer.flush()
        found = await self._read()
        numbers = Counter(found.values())
        lost = [number for number, place in self.acked.items() if found.get(place) != number]
        twice = [number for number, count in numbers.items() if count > 1]
        if lost or twice or self.failures:
            raise CheckFailedError(
                f"{len(lost)} lost {lost[:5]}, {len(twice)} twice {twice[:5]}, "
                f"{len(self.failures)} not sent {self.failures[:2]}"
            )
        return f"{len(self.acked)} acknowledged, all there, none twice"

    async def _read(self) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        async with Consumer(bootstrap_servers=self._bootstrap) as consumer:
            partitions = await consumer.all_partitions(self._topic)
            ends = await consumer.end_offsets(partitions)
            consumer.assign(partitions)
            await consumer.seek_to_beginning()
            total = sum(ends.values())
            try:
                async with asyncio.timeout(READ_TIMEOUT_S):
                    while len(found) < total:
                        record = await consumer.getone()
                        assert record.value is not None
                        found[record.partition, record.offset] = int(record.value)
            except TimeoutError:
                raise CheckFailedError(f"read {len(found)} of {total} records") from None
        return found
