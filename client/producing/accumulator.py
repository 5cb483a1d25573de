"""Records on their way into batches: checked, counted against the buffer, and waited for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any  # what the serializers take

from ..arguments import as_bytes, checked_headers, checked_timestamp, checked_topic
from ..config import ProducerConfig
from ..env import ClientEnv
from ..errors import (
    BufferFullError,
    ClientClosedError,
    ClientTimeoutError,
    MessageTooLargeError,
    TopicNotLoadedError,
    TransactionStateError,
)
from ..serializing import serialized
from ..structs import Header, RecordMetadata
from ..transactions.machine import TransactionMachine
from ..wire.cluster import Cluster
from ..wire.metadata import TopicMetadata
from .batch import ProducerBatch
from .partition_queue import PartitionQueue
from .partitioner import StickyPartitions, check_partition, partition_for_key
from .sender import Sender

RECORD_OVERHEAD = 64
"""Bytes counted for each record on top of its key, value and headers."""

HEADER_OVERHEAD = 10
BATCH_OVERHEAD = 61


class Accumulator:
    """The records of one producer that are not acknowledged yet."""

    def __init__(self, cluster: Cluster, config: ProducerConfig, env: ClientEnv) -> None:
        self._cluster = cluster
        self._config = config
        self._env = env
        serializers = (config.key_serializer, config.value_serializer)
        self._has_serializers = serializers != (None, None)
        self._sticky = StickyPartitions(env.new_random())
        self._record_size_max = config.max_request_size - BATCH_OVERHEAD
        self._buffer_memory = config.buffer_memory
        self._incomplete: dict[ProducerBatch, None] = {}
        self._was_refused = False
        self._room_waiters: deque[asyncio.Future[None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.sender: Sender | None = None
        """What sends the batches; None while the producer is not running."""
        self.transaction: TransactionMachine | None = None
        """Records are taken while this has a transaction open; None: always."""
        self.buffered = 0
        """Bytes of all records that are not acknowledged."""
        self.since_yield = 0
        """Bytes since the event loop last had a turn."""

    def open(self, sender: Sender) -> None:
        """Records are taken from now on."""
        self._loop = asyncio.get_running_loop()
        self.sender = sender

    def close(self) -> None:
        """No records are taken any more; whoever waits for room is told."""
        self.sender = None
        self._wake_waiters()

    def append(
        self,
        topic: str,
        value: Any,
        key: Any,
        partition: int | None,
        timestamp_ms: int | None,
        headers: Sequence[Header],
        future: asyncio.Future[RecordMetadata] | None,
    ) -> ProducerBatch:
        """The one way of a record into a batch: all of it is checked before any of it counts."""
        sender = self.sender
        if sender is None or self.transaction is not None:
            sender = self._taking()
        if self._has_serializers:
            key = serialized(self._config.key_serializer, topic, key)
            value = serialized(self._config.value_serializer, topic, value)
        if value is not None and type(value) is not bytes:
            value = as_bytes("value", value)
        if key is not None and type(key) is not bytes:
            key = as_bytes("key", key)
        if headers != ():
            headers = checked_headers(headers)
        timestamp_ms = (
            self._env.wall_ms() if timestamp_ms is None else checked_timestamp(timestamp_ms)
        )
        info = self._cluster.metadata.topics.get(topic)
        if info is None:
            raise TopicNotLoadedError(f"await producer.ready({checked_topic(topic)!r}) first")
        size = record_size(value, key, headers)
        self._check_room(size)
        chosen = self._choose(info, key) if partition is None else check_partition(info, partition)
        queue = sender.queues.get((topic, chosen)) or sender.new_queue(topic, chosen)
        batch = queue.open_batch
        if batch is None or not batch.append(timestamp_ms, key, value, headers, future):
            if partition is None and key is None and self._config.partitioner is None:
                # KIP-480: a new batch is the moment to go on to another partition.
                count = len(info.partitions)
                chosen = self._sticky.move_on(topic, chosen, count, info.available)
                queue = sender.queues.get((topic, chosen)) or sender.new_queue(topic, chosen)
            batch = self._new_batch(queue, size)
            if not batch.append(timestamp_ms, key, value, headers, future):
                raise MessageTooLargeError(f"a record of {size} bytes does not fit into a batch")
            # Only now: a batch without a record would hold up its partition for good.
            queue.add(batch)
            self._incomplete[batch] = None
            self._count(batch, size)
            sender.added_batch(queue)  # with acks=0 it may be sent, and done, when this returns
            return batch
        self._count(batch, size)
        return batch

    def _count(self, batch: ProducerBatch, size: int) -> None:
        batch.record_bytes += size
        self.buffered += size
        self.since_yield += size

    def _taking(self) -> Sender:
        """The sender, if records are taken now."""
        if self.sender is None:
            raise ClientClosedError("the producer is not running: await producer.start() first")
        if self.transaction is not None:
            self.transaction.check_open("a record cannot be sent")
        return self.sender

    def _check_room(self, size: int) -> None:
        if size > self._record_size_max:
            raise MessageTooLargeError(
                f"a record of {size} bytes; max_request_size is {self._config.max_request_size}"
            )
        if self.buffered + size > self._buffer_memory and self.buffered:
            self._was_refused = True
            raise BufferFullError(f"{self.buffered} bytes wait to be sent")

    def _choose(self, info: TopicMetadata, key: bytes | None) -> int:
        partitioner = self._config.partitioner
        if partitioner is not None:
            return check_partition(info, partitioner(key, list(info.partitions), info.available))
        if key is not None:
            return partition_for_key(key, len(info.partitions))
        return self._sticky.current(info.name, len(info.partitions), info.available)

    def _new_batch(self, queue: PartitionQueue, size: int) -> ProducerBatch:
        """A batch that its queue does not have yet."""
        assert self._loop is not None
        size_max = max(self._config.batch_size, size + BATCH_OVERHEAD)
        batch = queue.new_batch(
            self._config.codec, self._config.compression_level, size_max, self._loop.time()
        )
        batch.when_done.append(self._batch_done)
        return batch

    # ------------------------------------------------------------ waiting

    async def ready(self, topic: str | None = None, deadline: float | None = None) -> float:
        """Wait until the topic is known, if one is given, and until there is room in the buffer.

        Returns the deadline, in seconds of the event loop, for whoever has to wait again for the
        same record: `max_block_ms` from now without one.

        Raises:
            ClientTimeoutError: not before the deadline.
        """
        if deadline is None:
            deadline = asyncio.get_running_loop().time() + self._config.max_block_ms / 1000
        number = self._number()
        await self._wait_for(topic, deadline)
        self._check_number(number)
        return deadline

    async def turn(self) -> None:
        """Give the event loop a turn."""
        number = self._number()
        self.since_yield = 0
        await asyncio.sleep(0)
        self._check_number(number)

    def _check_number(self, number: int) -> None:
        if self._number() != number:
            raise TransactionStateError(
                "a record cannot be sent: its transaction is over meanwhile"
            )

    def _number(self) -> int:
        return 0 if self.transaction is None else self.transaction.number

    async def _wait_for(self, topic: str | None, deadline: float) -> None:
        if topic is not None and topic not in self._cluster.metadata.topics:
            limit_s = max(deadline - asyncio.get_running_loop().time(), 0.0)
            await self._cluster.topic(topic, limit_s)
        if not self._is_full():
            await asyncio.sleep(0)
            return
        assert self._loop is not None
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._room_waiters.append(waiter)
        try:
            async with asyncio.timeout_at(deadline):
                await waiter
        except TimeoutError as error:
            raise ClientTimeoutError(
                f"no room in the buffer within {self._config.max_block_ms} ms:"
                f" {self.buffered} bytes wait to be sent"
            ) from error
        if self.sender is None:
            raise ClientClosedError("the producer was stopped")

    def _is_full(self) -> bool:
        # Half empty, so that a program which waits is not woken for each single batch.
        return self._was_refused or self.buffered > self._buffer_memory // 2

    async def flush(self, timeout_ms: int | None = None) -> None:
        """Wait until every record handed over so far is stored or has failed; nothing lingers.

        Raises:
            ClientTimeoutError: not within `timeout_ms`; the records go on being sent.
        """
        if self.sender is None or not self._incomplete or self._loop is None:
            return
        done: asyncio.Future[None] = self._loop.create_future()
        open_batches = set(self._incomplete)

        def one_done(batch: ProducerBatch, error: Exception | None, offset: int) -> None:
            del error, offset
            open_batches.discard(batch)
            if not open_batches and not done.done():
                done.set_result(None)

        for batch in open_batches:
            batch.is_closed = True
            batch.when_done.append(one_done)
        self.sender.schedule()
        try:
            async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                await done
        except TimeoutError as error:
            raise ClientTimeoutError(
                f"{len(open_batches)} batches are not acknowledged after {timeout_ms} ms"
            ) from error

    def _batch_done(self, batch: ProducerBatch, error: Exception | None, offset: int) -> None:
        del error, offset
        self._incomplete.pop(batch, None)
        self.buffered -= batch.record_bytes
        self._was_refused = False
        if self._room_waiters and not self._is_full():
            self._wake_waiters()

    def _wake_waiters(self) -> None:
        waiters, self._room_waiters = self._room_waiters, deque()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)


def record_size(value: bytes | None, key: bytes | None, headers: Sequence[Header]) -> int:
    """What a record counts for in batches and in the buffer."""
    size = RECORD_OVERHEAD
    if value is not None:
        size += len(value)
    if key is not None:
        size += len(key)
    for name, content in headers:
        size += len(name) + len(content or b"") + HEADER_OVERHEAD
    return size
