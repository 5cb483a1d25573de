"""The producer: takes records one by one, sends them in batches, tells where each was stored.

    async with Producer(bootstrap_servers="localhost:9092") as producer:
        sent = await producer.send("flights", b"value", key=b"UA")   # waits only for room
        print((await sent).offset)                                   # waits for the broker

For many records there are `send_nowait`, which never waits, and `send_many`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Unpack  # Any: what the serializers take

from ..arguments import as_bytes, checked_headers, checked_timestamp, checked_topic
from ..config import ProducerConfig, chosen_config
from ..env import REAL_ENV, ClientEnv
from ..errors import (
    BufferFullError,
    ClientClosedError,
    ClientTimeoutError,
    MessageTooLargeError,
    TopicNotLoadedError,
)
from ..options import ProducerOptions
from ..serializing import serialized
from ..startable import Startable
from ..structs import Header, ProducerRecord, RecordMetadata
from ..wire.cluster import Cluster
from ..wire.metadata import TopicMetadata
from .batch import ProducerBatch
from .many import ManyReport, SentRange
from .partition_queue import PartitionQueue
from .partitioner import StickyPartitions, check_partition, partition_for_key
from .sender import Sender

log = logging.getLogger("barnabas.client")

RECORD_OVERHEAD = 64
"""Bytes counted for each record on top of its key, value and headers."""

HEADER_OVERHEAD = 10
BATCH_OVERHEAD = 61
YIELD_BYTES = 256 * 1024
"""After so much, send() gives the event loop a turn even if there is room, so that answers and
other tasks are not held up by a loop that only sends."""


class Producer(Startable):
    """Sends records; idempotent and acknowledged by all in-sync replicas unless told otherwise."""

    def __init__(
        self,
        config: ProducerConfig | None = None,
        *,
        env: ClientEnv = REAL_ENV,
        **options: Unpack[ProducerOptions],
    ) -> None:
        self._config = chosen_config(ProducerConfig, config, options)
        self._env = env
        self._cluster = Cluster(self._config, env, may_create_topics=True)
        serializers = (self._config.key_serializer, self._config.value_serializer)
        self._has_serializers = serializers != (None, None)
        self._sender: Sender | None = None
        self._sticky = StickyPartitions(env.new_random())
        self._record_size_max = self._config.max_request_size - BATCH_OVERHEAD
        self._buffer_memory = self._config.buffer_memory
        self._incomplete: dict[ProducerBatch, None] = {}
        self._buffered = 0
        self._was_refused = False
        self._since_yield = 0
        self._room_waiters: deque[asyncio.Future[None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Connect and learn the cluster.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
        """
        self._loop = asyncio.get_running_loop()
        await self._cluster.start()
        self._sender = Sender(self._cluster, self._config)

    async def stop(self, timeout_ms: int | None = None) -> None:
        """Send what is waiting, then disconnect.

        What is not acknowledged in `timeout_ms` fails with ClientClosedError; without a limit of
        its own, `delivery_timeout_ms` bounds it.
        """
        try:
            await self.flush(timeout_ms)
        except ClientTimeoutError as error:
            log.warning("stopping with records unsent: %s", error)
        finally:
            sender, self._sender = self._sender, None
            if sender is not None:
                await sender.close()
            self._wake_waiters()
            await self._cluster.close()

    # ------------------------------------------------------------ sending

    async def send(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> asyncio.Future[RecordMetadata]:
        """Hand over one record; waits for metadata of a new topic and for room in the buffer only.

        The future that it returns gets the record's metadata when the record is stored, or the
        error why it is not.

        Raises:
            ClientTimeoutError: no room, or no metadata, within `max_block_ms`.
            MessageTooLargeError: larger than `max_request_size`.
            UnknownTopicOrPartitionError: there is no such partition.
            TypeError, ValueError: an argument that no record can hold, named; nothing is sent.
        """
        while True:
            try:
                future = self.send_nowait(topic, value, key, partition, timestamp_ms, headers)
            except (BufferFullError, TopicNotLoadedError):
                await self.ready(topic)
                continue
            if self._since_yield > YIELD_BYTES:
                self._since_yield = 0
                await asyncio.sleep(0)
            return future

    async def send_and_wait(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> RecordMetadata:
        """Send one record and wait until it is stored."""
        return await (await self.send(topic, value, key, partition, timestamp_ms, headers))

    def send_nowait(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> asyncio.Future[RecordMetadata]:
        """Hand over one record without ever waiting; the future is that of `send`.

        Raises:
            TopicNotLoadedError: `await producer.ready(topic)` first.
            BufferFullError: `await producer.ready()`, then again.
            MessageTooLargeError, UnknownTopicOrPartitionError, TypeError, ValueError: as `send`.
        """
        loop = self._loop
        if loop is None:
            raise ClientClosedError("await producer.start() first")
        future: asyncio.Future[RecordMetadata] = loop.create_future()
        self._append(topic, value, key, partition, timestamp_ms, headers, future)
        return future

    async def send_many(
        self,
        topic: str,
        records: Iterable[bytes | ProducerRecord],
        partition: int | None = None,
    ) -> asyncio.Future[list[SentRange]]:
        """Hand over many records at once, which is faster than one by one; waits for room.

        Records are values, or `ProducerRecord` with key, headers and timestamp. The future gets
        the offsets that they were stored at, or the first error; then some may be stored.

        Raises:
            TypeError, ValueError: a record that cannot be sent; those before it are.
        """
        report = ManyReport(asyncio.get_running_loop())
        for each in records:
            record = each if isinstance(each, ProducerRecord) else ProducerRecord(each)
            while True:
                try:
                    batch = self._append(
                        topic,
                        record.value,
                        record.key,
                        partition,
                        record.timestamp_ms,
                        record.headers,
                        None,
                    )
                    break
                except (BufferFullError, TopicNotLoadedError):
                    await self.ready(topic)
            report.note(batch)
            if self._since_yield > YIELD_BYTES:
                self._since_yield = 0
                await asyncio.sleep(0)
        report.close()
        return report.future

    def _append(
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
        sender = self._sender
        if sender is None:
            raise ClientClosedError("the producer is not running: await producer.start() first")
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
            sender.added_batch(queue)
        batch.record_bytes += size
        self._buffered += size
        self._since_yield += size
        return batch

    def _check_room(self, size: int) -> None:
        if size > self._record_size_max:
            raise MessageTooLargeError(
                f"a record of {size} bytes; max_request_size is {self._config.max_request_size}"
            )
        if self._buffered + size > self._buffer_memory and self._buffered:
            self._was_refused = True
            raise BufferFullError(f"{self._buffered} bytes wait to be sent")

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

    async def ready(self, topic: str | None = None) -> None:
        """Wait until the topic is known, if one is given, and until there is room in the buffer.

        Raises:
            ClientTimeoutError: not within `max_block_ms`.
        """
        limit_s = self._config.max_block_ms / 1000
        if topic is not None and topic not in self._cluster.metadata.topics:
            await self._cluster.topic(topic, limit_s)
        if not self._is_full():
            await asyncio.sleep(0)
            return
        assert self._loop is not None
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._room_waiters.append(waiter)
        try:
            async with asyncio.timeout(limit_s):
                await waiter
        except TimeoutError as error:
            raise ClientTimeoutError(
                f"no room in the buffer within {self._config.max_block_ms} ms:"
                f" {self._buffered} bytes wait to be sent"
            ) from error
        if self._sender is None:
            raise ClientClosedError("the producer was stopped")

    def _is_full(self) -> bool:
        # Half empty, so that a program which waits is not woken for each single batch.
        return self._was_refused or self._buffered > self._buffer_memory // 2

    async def flush(self, timeout_ms: int | None = None) -> None:
        """Wait until every record handed over so far is stored or has failed; nothing lingers.

        Raises:
            ClientTimeoutError: not within `timeout_ms`; the records go on being sent.
        """
        if self._sender is None or not self._incomplete or self._loop is None:
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
        self._sender.schedule()
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
        self._buffered -= batch.record_bytes
        self._was_refused = False
        if self._room_waiters and not self._is_full():
            self._wake_waiters()

    def _wake_waiters(self) -> None:
        waiters, self._room_waiters = self._room_waiters, deque()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def partitions_for(self, topic: str) -> set[int]:
        """The partitions of a topic, asked for if not known."""
        info = await self._cluster.topic(topic, self._config.max_block_ms / 1000)
        return set(info.partitions)


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
