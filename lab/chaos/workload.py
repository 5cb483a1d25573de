"""The clients of a run: one idempotent producer, one consumer, and pollers of the latest offset."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self

from barnabas.client import Consumer, Producer, RecordMetadata, TopicPartition
from barnabas.client.errors import ClientError

from .history import History, Latest, Read, Send, value_of

TOPIC = "chaos"
POLLERS = 3
_TICK_S = 0.01
_POLL_MS = 200
_CALL_MS = 5_000
_LOOK_S = 0.02


class NotDrainedError(RuntimeError):
    """Sends stayed open, or the consumer did not reach the end; the text says which."""


class Workload:
    """Writes, reads and asks until it is drained; everything goes into the history."""

    def __init__(
        self,
        bootstrap: str,
        partitions: int,
        history: History,
        *,
        rate_per_s: int,
        poll_pause_s: float,
    ) -> None:
        self._bootstrap = bootstrap
        self._partitions = [TopicPartition(TOPIC, number) for number in range(partitions)]
        self._history = history
        self._rate_per_s = rate_per_s
        self._poll_pause_s = poll_pause_s
        self._producer = Producer(bootstrap_servers=bootstrap, acks="all")
        self._tasks: list[asyncio.Task[None]] = []
        self._writing: asyncio.Task[None] | None = None
        self._next = dict.fromkeys(range(partitions), 0)

    async def __aenter__(self) -> Self:
        await self._producer.start()
        loop = asyncio.get_running_loop()
        self._writing = loop.create_task(self._write())
        self._tasks = [loop.create_task(self._read())]
        self._tasks += [loop.create_task(self._ask(number)) for number in range(POLLERS)]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end_writing()
        for task in self._tasks:
            task.cancel()
        # A task that broke says so here, unless the run has failed already.
        results = await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._producer.stop(timeout_ms=1000)
        if error is None:
            for result in results:
                if isinstance(result, Exception):
                    raise result

    # --- the clients --------------------------------------------------------------------------

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        began, done = loop.time(), 0
        while True:
            due = int((loop.time() - began) * self._rate_per_s)
            while done < due:
                await self._send(len(self._history.sends))
                done += 1
            await asyncio.sleep(_TICK_S)

    async def _send(self, number: int) -> None:
        partition = number % len(self._partitions)
        send = Send(number, partition, self._history.now_s())
        self._history.sends.append(send)
        try:
            future = await self._producer.send(TOPIC, value_of(number), partition=partition)
        except ClientError as error:
            self._fail(send, error)
            return
        future.add_done_callback(lambda done: self._answered(send, done))

    def _answered(self, send: Send, done: asyncio.Future[RecordMetadata]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:
            self._fail(send, error)
            return
        send.acked_s = self._history.now_s()
        send.offset = done.result().offset

    def _fail(self, send: Send, error: BaseException) -> None:
        send.failed_s = self._history.now_s()
        send.error = type(error).__name__
        self._history.refused("producer", error)

    async def _read(self) -> None:
        async with Consumer(
            bootstrap_servers=self._bootstrap, auto_offset_reset="earliest"
        ) as consumer:
            consumer.assign(self._partitions)
            while True:
                try:
                    found = await consumer.getmany(timeout_ms=_POLL_MS)
                except ClientError as error:
                    self._history.refused("consumer", error)
                    await asyncio.sleep(_TICK_S)
                    continue
                now_s = self._history.now_s()
                for where, records in found.items():
                    self._history.reads += [
                        Read(now_s, where.partition, one.offset, bytes(one.value or b""))
                        for one in records
                    ]
                    if records:
                        self._next[where.partition] = records[-1].offset + 1

    async def _ask(self, poller: int) -> None:
        async with Consumer(
            bootstrap_servers=self._bootstrap,
            default_api_timeout_ms=_CALL_MS,
            request_timeout_ms=_CALL_MS,
        ) as consumer:
            while True:
                await asyncio.gather(
                    *(self._ask_one(consumer, poller, p) for p in self._partitions)
                )
                await asyncio.sleep(self._poll_pause_s)

    async def _ask_one(self, consumer: Consumer, poller: int, where: TopicPartition) -> None:
        """Each partition in a call of its own: one without a leader must not hide the others."""
        asked_s = self._history.now_s()
        try:
            found = await consumer.end_offsets([where])
        except ClientError as error:
            self._history.refused("latest", error)
            return
        answered_s = self._history.now_s()
        self._history.latest.append(
            Latest(asked_s, answered_s, where.partition, found[where], poller)
        )

    # --- the end ------------------------------------------------------------------------------

    async def _end_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writing
            self._writing = None

    async def drain(self, timeout_s: float) -> None:
        """Write no more; wait until every send has its answer and the consumer is at the end.

        Raises NotDrainedError.
        """
        await self._end_writing()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while missing := self._missing():
            self._check_tasks()
            if loop.time() > deadline:
                raise NotDrainedError(f"after {timeout_s:.0f} s {missing}")
            await asyncio.sleep(_LOOK_S)

    def _missing(self) -> str:
        if count := len(self._history.open):
            return f"{count} sends have no answer (L-4)"
        ends = dict.fromkeys(self._next, 0)
        for send in self._history.sends:
            if send.acked_s is not None:
                ends[send.partition] = max(ends[send.partition], send.offset + 1)
        behind = [f"{p}: {self._next[p]} of {ends[p]}" for p in ends if self._next[p] < ends[p]]
        return f"the consumer is behind in partition {', '.join(behind)} (L-4)" if behind else ""

    def _check_tasks(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()
