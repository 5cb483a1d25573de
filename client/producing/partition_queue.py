"""The batches of one partition, in order whatever fails: filling, waiting, in flight, retried.

    open --full, or lingered--> waiting --take--> in flight --answer--> done
                                   ^                  |
                                   +---- put back ----+   (retriable error)

Rules:
- Batches are sent in the order in which they were filled. One that is put back goes to its old
  place, and nothing of the partition is sent until all that is in flight has been answered. Then
  it goes alone: its first attempt may have been stored, and the broker recognises it only while
  it is among the last five that were (98-02).
- Without idempotence one batch is in flight, so that a retry cannot overtake. With it up to five
  are: the broker takes them in the order of their sequences only (98-02, 98-03). But as long as it
  knows nothing of the producer it takes any sequence as the first, so that a second batch could
  overtake a first that failed: until the first is acknowledged, it goes alone.
- A gap in the sequences is found by the broker: it refuses the next batch with
  OUT_OF_ORDER_SEQUENCE_NUMBER or UNKNOWN_PRODUCER_ID. If every earlier batch of the partition has
  been answered, the gap is real: the epoch is raised, and waiting batches are numbered from 0
  again; but a batch that was sent before fails, because it may be stored already. If an earlier
  batch is unanswered, the refused one is sent again unchanged. In a transaction a real gap fails
  the batch: the epoch is the coordinator's, and an abort gives the next one (KIP-360).
- A batch that is larger than the topic takes is sent in halves, in its place and with its numbers.
"""

from __future__ import annotations

import enum
from collections import deque

from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import RETRIABLE, ErrorCode

from ..structs import TopicPartition
from .batch import NO_SEQUENCE, SEQUENCE_MAX, ProducerBatch, new_batch

PRODUCER_EPOCH_MAX = 32_767
IN_FLIGHT_IDEMPOTENT_MAX = 5

GAP_ERRORS = frozenset({ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID})
IDENTITY_ERRORS = frozenset(
    {
        ErrorCode.INVALID_PRODUCER_EPOCH,
        ErrorCode.PRODUCER_FENCED,
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    }
)


class Verdict(enum.Enum):
    """What becomes of a batch after an answer."""

    DONE = enum.auto()
    RETRY = enum.auto()
    RENUMBER = enum.auto()
    SPLIT = enum.auto()
    FAIL = enum.auto()


class PartitionQueue:
    """The batches and sequence numbers of one partition; does no I/O."""

    __slots__ = (
        "_in_flight_max",
        "_is_idempotent",
        "_is_transactional",
        "in_flight",
        "is_known_to_broker",
        "is_retrying",
        "must_renumber",
        "next_sequence",
        "not_before",
        "open_batch",
        "producer_epoch",
        "producer_id",
        "topic_partition",
        "tried_epoch",
        "waiting",
    )

    def __init__(
        self,
        topic_partition: TopicPartition,
        *,
        is_idempotent: bool,
        in_flight_max: int,
        is_transactional: bool = False,
    ) -> None:
        self.topic_partition = topic_partition
        self.waiting: deque[ProducerBatch] = deque()
        self.open_batch: ProducerBatch | None = None
        """The newest batch; `ProducerBatch.append` says whether it takes more records."""
        self.in_flight: list[ProducerBatch] = []
        self.is_known_to_broker = False
        """A batch of the current producer id and epoch was acknowledged."""
        self.is_retrying = False
        self.must_renumber = False
        self.not_before = 0.0
        self.tried_epoch = -1
        """The leader epoch in which the last attempt was made, or that had no leader."""
        self.producer_id = -1
        self.producer_epoch = -1
        self.next_sequence = 0
        self._is_idempotent = is_idempotent
        self._is_transactional = is_transactional
        limit = min(in_flight_max, IN_FLIGHT_IDEMPOTENT_MAX)
        self._in_flight_max = limit if is_idempotent else 1

    @property
    def is_idle(self) -> bool:
        return not self.waiting and not self.in_flight

    def new_batch(
        self, codec: Codec, level: int | None, size_max: int, now: float
    ) -> ProducerBatch:
        """A batch for records of up to `size_max` bytes before compression; `add` puts it at the
        end of this queue when it has its first record."""
        last = self.open_batch
        order = 0 if last is None else last.order + last.record_count
        return new_batch(
            self.topic_partition,
            order,
            now,
            codec,
            level,
            size_max,
            is_transactional=self._is_transactional,
        )

    def add(self, batch: ProducerBatch) -> None:
        """The last batch that `new_batch` made is the open one now, and waits to be sent."""
        assert batch.record_count
        if self.open_batch is not None:
            self.open_batch.is_closed = True
        self.open_batch = batch
        self.waiting.append(batch)

    def ready_at(self, linger_s: float) -> float | None:
        """When the first waiting batch may be sent (loop time); None: after the next answer."""
        room = self._in_flight_max if self.is_known_to_broker else 1
        if not self.waiting or len(self.in_flight) >= room:
            return None
        if self.in_flight and (self.is_retrying or self.in_flight[-1].attempts > 1):
            return None
        head = self.waiting[0]
        if len(self.waiting) > 1 or head.is_closed:
            return self.not_before
        return max(self.not_before, head.created_at + linger_s)

    def is_due(self, now: float, linger_s: float) -> bool:
        """Whether the first waiting batch may be sent now."""
        ready_at = self.ready_at(linger_s)
        return ready_at is not None and ready_at <= now

    def take(self) -> ProducerBatch:
        """The next batch, sealed and numbered; it is in flight now."""
        batch = self.waiting.popleft()
        batch.seal()
        self.is_retrying = False
        if self._is_idempotent and (batch.base_sequence == NO_SEQUENCE or self.must_renumber):
            if self.must_renumber:
                self._renumber()
            batch.stamp(self.producer_id, self.producer_epoch, self.next_sequence)
            self.next_sequence = (self.next_sequence + batch.record_count) & SEQUENCE_MAX
        batch.attempts += 1
        self.in_flight.append(batch)
        return batch

    def needs_identity(self) -> bool:
        """Whether the next batch cannot be numbered before a producer id was given."""
        exhausted = self.must_renumber and self.producer_epoch >= PRODUCER_EPOCH_MAX
        return self._is_idempotent and (self.producer_id < 0 or exhausted)

    def set_identity(self, producer_id: int, producer_epoch: int) -> None:
        """Number from 0 under a new producer id."""
        assert not self.in_flight
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.next_sequence = 0
        self.must_renumber = False
        self.is_known_to_broker = False
        for batch in self.waiting:
            batch.base_sequence = NO_SEQUENCE

    def forget_identity(self) -> None:
        """The broker refuses the producer id: another is needed before anything is sent."""
        self.producer_id = -1
        self.is_retrying = True

    def _renumber(self) -> None:
        # Nothing is in flight: `ready_at` held everything back since the gap was found. The epoch
        # is the broker's for this partition alone, so no other partition has to follow.
        assert not self.in_flight
        assert self.producer_epoch < PRODUCER_EPOCH_MAX
        self.set_identity(self.producer_id, self.producer_epoch + 1)

    def judge(self, batch: ProducerBatch, code: ErrorCode) -> Verdict:
        """What to do with a batch that is in flight, given the error code of its answer."""
        if code in (ErrorCode.NONE, ErrorCode.DUPLICATE_SEQUENCE_NUMBER):
            return Verdict.DONE
        if self._is_idempotent and code in GAP_ERRORS:
            if not self._is_first(batch):
                batch.out_of_turn += 1
                return Verdict.RETRY
            # An earlier attempt may have been stored, and the broker may have forgotten it since:
            # under another epoch it would be stored twice. Kafka's producer fails it, too.
            may_renumber = batch.attempts - batch.out_of_turn == 1 and not self._is_transactional
            return Verdict.RENUMBER if may_renumber else Verdict.FAIL
        if code is ErrorCode.MESSAGE_TOO_LARGE and batch.record_count > 1:
            return Verdict.SPLIT
        return Verdict.RETRY if code in RETRIABLE else Verdict.FAIL

    def _is_first(self, batch: ProducerBatch) -> bool:
        earlier = [*self.in_flight, *self.waiting]
        return not any(
            each.order < batch.order and each.base_sequence != NO_SEQUENCE for each in earlier
        )

    def acknowledged(self, batch: ProducerBatch) -> None:
        """The broker has stored this batch."""
        self.is_known_to_broker = True
        self.in_flight.remove(batch)

    def answered(self, batch: ProducerBatch) -> None:
        """This batch is no longer in flight, and will not be sent again."""
        self.in_flight.remove(batch)

    def rejected(self, batch: ProducerBatch) -> None:
        """The broker refused this batch for good. Its sequence numbers are free again if no later
        batch was numbered, and no earlier attempt can have stored it."""
        self.in_flight.remove(batch)
        following = (batch.last_sequence + 1) & SEQUENCE_MAX
        if (
            self._is_idempotent
            and batch.attempts == 1
            and following == self.next_sequence
            and not any(each.base_sequence != NO_SEQUENCE for each in self.waiting)
        ):
            self.next_sequence = batch.base_sequence

    def put_back(self, batch: ProducerBatch, not_before: float, *, renumber: bool = False) -> None:
        """Send this batch again, not before `not_before`, and after every earlier batch."""
        self._return([batch], batch)
        self.must_renumber = self.must_renumber or renumber
        self.not_before = max(self.not_before, not_before)

    def split(self, batch: ProducerBatch) -> None:
        """Send this batch in halves: it is larger than the topic takes."""
        self._return(batch.split(), batch)

    def _return(self, batches: list[ProducerBatch], sent: ProducerBatch) -> None:
        """Have these wait where `sent` was, which is in flight no more."""
        self.in_flight.remove(sent)
        at = 0
        while at < len(self.waiting) and self.waiting[at].order < sent.order:
            at += 1
        for batch in reversed(batches):
            self.waiting.insert(at, batch)
        self.is_retrying = True

    def has_older_than(self, created_before: float) -> bool:
        """Whether `drop_older_than` has anything to look at; both lines are in order of age."""
        in_flight, waiting = self.in_flight, self.waiting
        return (bool(in_flight) and in_flight[0].created_at <= created_before) or (
            bool(waiting) and waiting[0].created_at <= created_before
        )

    def drop_older_than(self, created_before: float) -> list[ProducerBatch]:
        """Batches whose delivery timeout is over; the caller fails them. Those in flight stay until
        their answer comes, so that nothing is sent in their place."""
        expired = [each for each in self.in_flight if each.created_at <= created_before]
        while self.waiting and self.waiting[0].created_at <= created_before:
            expired.append(self.waiting.popleft())
        return [each for each in expired if not each.is_done]
