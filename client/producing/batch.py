"""One batch of records on its way to one partition: filled, sealed, sent, answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

from barnabas.protocol.compression import Codec
from barnabas.protocol.messages.produce_response import PartitionProduceResponse
from barnabas.protocol.record_batch import read_batch_header, set_producer
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

from ..errors import DeliveryTimedOutError
from ..structs import (
    TIMESTAMP_CREATE,
    TIMESTAMP_LOG_APPEND,
    Header,
    RecordMetadata,
    TopicPartition,
)

NO_SEQUENCE = -1
SEQUENCE_MAX = 2**31 - 1


class ProducerBatch:
    """Records of one partition that are stored together, and the futures that wait for them."""

    __slots__ = (
        "_builder",
        "_futures",
        "_parts",
        "_timestamps",
        "attempts",
        "base_offset",
        "base_sequence",
        "created_at",
        "encoded",
        "error",
        "is_closed",
        "is_done",
        "order",
        "out_of_turn",
        "record_bytes",
        "topic_partition",
        "when_done",
    )

    def __init__(
        self,
        topic_partition: TopicPartition,
        order: int,
        created_at: float,
        builder: RecordBatchBuilder,
    ) -> None:
        self.topic_partition = topic_partition
        self.order = order
        """How many records of its partition came before it; retries keep this order."""
        self.created_at = created_at
        self.attempts = 0
        self.out_of_turn = 0
        """Attempts that stored nothing, since the batch before this one was missing."""
        self.base_sequence = NO_SEQUENCE
        self.encoded: bytes | None = None
        self.is_closed = False
        """Takes no more records: full, on its way, or failed."""
        self.is_done = False
        self.error: Exception | None = None
        """Why it failed, once it is done."""
        self.base_offset = -1
        """Where it was stored, once it is done; -1 if nobody said so."""
        self.record_bytes = 0
        """The bytes of `buffer_memory` that this batch takes."""
        self.when_done: list[Callable[[ProducerBatch, Exception | None, int], None]] = []
        self._builder = builder
        self._parts: list[ProducerBatch] = []
        """What is sent instead of it, if it was too large."""
        self._futures: list[asyncio.Future[RecordMetadata] | None] = []
        self._timestamps: list[int] = []

    @property
    def record_count(self) -> int:
        return len(self._timestamps)

    @property
    def last_sequence(self) -> int:
        """Sequence of the last record; the counter wraps at 2^31 (98-03)."""
        return (self.base_sequence + self.record_count - 1) & SEQUENCE_MAX

    def append(
        self,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[Header],
        future: asyncio.Future[RecordMetadata] | None,
    ) -> bool:
        """Add a record; False when the batch is full and the record belongs into the next."""
        if self.is_closed:
            return False
        if self._builder.append(timestamp, key, value, headers) is None:
            self.is_closed = True
            return False
        self._timestamps.append(timestamp)
        self._futures.append(future)
        return True

    def seal(self) -> bytes:
        """End the batch and encode it, once."""
        self.is_closed = True
        if self.encoded is None:
            self.encoded = self._builder.build()
        return self.encoded

    def stamp(self, producer_id: int, producer_epoch: int, base_sequence: int) -> None:
        """Set producer id, epoch and first sequence; a sealed batch may be stamped again."""
        self.base_sequence = base_sequence
        batch = bytearray(self.seal())
        set_producer(batch, 0, producer_id, producer_epoch, base_sequence)
        self.encoded = bytes(batch)

    def split(self) -> list[ProducerBatch]:
        """Two halves, to be sent instead of this batch, which is done when both are.

        It was refused, so they have its sequence numbers.
        """
        data = self.seal()
        header, records = read_batch_header(data), decode_batch(data, limit=SEQUENCE_MAX)
        middle = len(records) // 2
        for start, end in ((0, middle), (middle, len(records))):
            part = ProducerBatch(
                self.topic_partition, self.order + start, self.created_at, self._builder.another()
            )
            for index in range(start, end):
                one, future = records[index], self._futures[index]
                part.append(self._timestamps[index], one.key, one.value, one.headers, future)
            # The attempt that was refused stored nothing, and does not count.
            part.attempts, part.out_of_turn = self.attempts - 1, self.out_of_turn
            if self.base_sequence != NO_SEQUENCE:
                first = (self.base_sequence + start) & SEQUENCE_MAX
                part.stamp(header.producer_id, header.producer_epoch, first)
            part.is_closed = True
            part.when_done.append(self._part_done)
            self._parts.append(part)
        self.encoded = None
        return self._parts

    def _part_done(self, part: ProducerBatch, error: Exception | None, base_offset: int) -> None:
        del part, error, base_offset
        if all(each.is_done for each in self._parts):
            self.is_done = True
            errors = [each.error for each in self._parts if each.error is not None]
            self._finish(errors[0] if errors else None, self._parts[0].base_offset)

    def places(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        """Where so many records from index `first` on were stored: offsets that are first, -1 if
        nobody said so, and how many follow each other from there."""
        if not self._parts:
            yield (self.base_offset + first if self.base_offset >= 0 else -1), count
            return
        for part in self._parts:
            here = min(count, part.record_count - first)
            if here > 0:
                yield from part.places(first, here)
                count -= here
            first = max(0, first - part.record_count)

    def complete(self, base_offset: int, append_time: int, log_start_offset: int) -> None:
        """The broker stored the batch (`append_time` -1: the records keep their own times)."""
        if self.is_done:
            return
        self.is_done = True
        topic, partition = self.topic_partition
        kind = TIMESTAMP_CREATE if append_time < 0 else TIMESTAMP_LOG_APPEND
        for index, future in enumerate(self._futures):
            if future is not None and not future.done():
                future.set_result(
                    RecordMetadata(
                        topic,
                        partition,
                        base_offset + index if base_offset >= 0 else -1,
                        self._timestamps[index] if append_time < 0 else append_time,
                        kind,
                        log_start_offset,
                    )
                )
        self._finish(None, base_offset)

    def fail(self, error: Exception) -> None:
        """The batch was not stored, or that is unknown: every future that waits gets the error."""
        if self.is_done:
            return
        self.is_done = True
        for future in self._futures:
            if future is not None and not future.done():
                future.set_exception(error)
                # Marks it as seen: the producer logs one line a batch, where asyncio would log
                # one for each record whose future nobody awaits.
                future.exception()
        self._finish(error, -1)

    def timed_out(self, limit_ms: int) -> DeliveryTimedOutError:
        """The error of a batch whose time is over."""
        return DeliveryTimedOutError(
            f"{self.topic_partition}: {self.record_count} records were not acknowledged"
            f" within {limit_ms} ms ({self.attempts} attempts)"
        )

    def text_of_refusal(self, refusal: PartitionProduceResponse) -> str:
        """Why the broker did not take it, with the first of the records at fault."""
        texts = [refusal.error_message or ""] + [
            f"record {each.batch_index}: {each.batch_index_error_message}"
            for each in refusal.record_errors[:3]
        ]
        message = "; ".join(text for text in texts if text)
        size = len(self.encoded or b"")
        prefix = f"{self.topic_partition}, {self.record_count} records in {size} bytes"
        return f"{prefix}: {message}".rstrip(": ")

    def _finish(self, error: Exception | None, base_offset: int) -> None:
        self.is_closed = True
        self.error, self.base_offset = error, base_offset
        self._futures = []
        for tell in self.when_done:
            tell(self, error, base_offset)
        self.when_done = []


def new_batch(
    topic_partition: TopicPartition,
    order: int,
    created_at: float,
    codec: Codec,
    level: int | None,
    size_max: int,
    *,
    is_transactional: bool = False,
) -> ProducerBatch:
    """An empty batch that takes records up to `size_max` bytes before compression."""
    builder = RecordBatchBuilder(
        codec=codec, level=level, max_bytes=size_max, is_transactional=is_transactional
    )
    return ProducerBatch(topic_partition, order, created_at, builder)
