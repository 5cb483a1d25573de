"""A batch of one shard's log: being filled, or written and waiting for the high watermark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol

from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import (
    HEADER_SIZE,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
)
from barnabas.protocol.record_builder import RecordBatchBuilder, record_size_max

from .machine import AnswerT, Outcome, Producer
from .shard_ports import Cancellable

Encoded = tuple[bytes, bytes | None]
"""Key and value of a record, as they are stored."""

OVERHEAD: Final = HEADER_SIZE


def size_of(records: Sequence[Encoded]) -> int:
    """Most bytes that a batch of these records takes before compression."""
    return OVERHEAD + sum(record_size_max(key, value) for key, value in records)


class Parked(Generic[AnswerT]):
    """An operation whose records are not committed yet: it is answered once, and told once."""

    __slots__ = ("_give", "_is_answered", "_outcome", "_refuse", "_timer")

    def __init__(
        self,
        outcome: Outcome[AnswerT],
        give: Callable[[AnswerT], object],
        refuse: Callable[[KafkaError], object],
    ) -> None:
        self._outcome = outcome
        self._give = give
        self._refuse = refuse
        self._is_answered = False
        self._timer: Cancellable | None = None

    def limit(self, timer: Cancellable) -> None:
        """This timer calls `time_out`, unless it is committed, or fails, before."""
        self._timer = timer

    def time_out(self) -> None:
        """The client waits no longer; its records may still be committed (CRT-08)."""
        self._timer = None
        if not self._is_answered:
            self._is_answered = True
            self._refuse(KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE, "not replicated in time"))

    def succeed(self) -> None:
        """Its records, and all before them, are committed."""
        self._stop_timer()
        if self._outcome.on_appended is not None:
            self._outcome.on_appended(ErrorCode.NONE)
        if not self._is_answered:
            self._is_answered = True
            self._give(self._outcome.answer)

    def fail(self, error: KafkaError) -> None:
        """Its records never will be."""
        self._stop_timer()
        if self._outcome.on_appended is not None:
            self._outcome.on_appended(error.code)
        if not self._is_answered:
            self._is_answered = True
            self._refuse(error)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Awaiting(Protocol):
    """An operation of whatever answer that hears what became of its batch."""

    def succeed(self) -> None: ...

    def fail(self, error: KafkaError) -> None: ...


class ShardBatch:
    """One batch, and the operations that are answered when it is committed."""

    __slots__ = ("base_offset", "end_offset", "is_committed", "parked")

    def __init__(self, base_offset: int, end_offset: int) -> None:
        self.base_offset = base_offset
        self.end_offset = end_offset
        self.is_committed = False
        self.parked: list[Awaiting] = []


class OpenBatch(ShardBatch):
    """A batch that takes records until it is written."""

    __slots__ = ("_builder", "_max_bytes", "timer")

    def __init__(
        self, base_offset: int, max_bytes: int, codec: Codec, producer: Producer | None
    ) -> None:
        super().__init__(base_offset, base_offset)
        self._max_bytes = max_bytes
        self._builder = RecordBatchBuilder(
            codec=codec,
            max_bytes=max_bytes,
            producer_id=NO_PRODUCER_ID if producer is None else producer.producer_id,
            producer_epoch=NO_PRODUCER_EPOCH if producer is None else producer.epoch,
            base_sequence=NO_SEQUENCE if producer is None else 0,
            is_transactional=producer is not None,
        )
        self.timer: Cancellable | None = None
        """Has the batch written, unless it was before."""

    def has_room_for(self, records: Sequence[Encoded]) -> bool:
        """Whether all of these go in."""
        return self._builder.size + size_of(records) - OVERHEAD <= self._max_bytes

    def add(self, now_ms: int, record: Encoded) -> int | None:
        """The offset that this record will have; None: the batch is full."""
        if self._builder.append(now_ms, *record) is None:
            return None
        self.end_offset += 1
        return self.end_offset - 1

    def build(self) -> bytes:
        """The batch as it is stored; no timer will ask for it again."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        return self._builder.build()
