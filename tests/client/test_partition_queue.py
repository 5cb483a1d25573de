"""Goal: whatever fails on the way, a partition stores each record once and in order (98-02, 98-03).

The queue is driven against the idempotence rules of a broker; answers come late, are lost after the
broker stored the batch, or are retriable errors, as Hypothesis chooses.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barnabas.client.producing.batch import ProducerBatch
from barnabas.client.producing.partition_queue import PartitionQueue, Verdict
from barnabas.client.structs import TopicPartition
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.records import decode_batch

from .fake_log import FakePartition

HERE = TopicPartition("t", 0)


def queue_of(*, idempotent: bool = True, in_flight: int = 5, known: bool = True) -> PartitionQueue:
    queue = PartitionQueue(HERE, is_idempotent=idempotent, in_flight_max=in_flight)
    if idempotent:
        queue.set_identity(7, 0)
    queue.is_known_to_broker = known
    return queue


def begin(queue: PartitionQueue, first: int, count: int, now: float) -> ProducerBatch:
    batch = queue.new_batch(Codec.NONE, None, 1000, now)
    for number in range(first, first + count):
        assert batch.append(0, None, b"%d" % number, (), None)
    queue.add(batch)
    return batch


def fill(queue: PartitionQueue, first: int, count: int) -> ProducerBatch:
    batch = begin(queue, first, count, 0.0)
    batch.is_closed = True
    return batch


def stored(partition: FakePartition) -> list[int]:
    return [
        int(record.value or b"")
        for _, _, data in partition.batches
        for record in decode_batch(data, 0)
    ]


class Run:
    """A queue and a broker, with requests between them that may go wrong."""

    def __init__(self, idempotent: bool) -> None:
        self.queue = queue_of(idempotent=idempotent, known=False)
        self.log = FakePartition(1)
        self.wire: list[tuple[ProducerBatch, bytes]] = []

    def send(self) -> bool:
        if not self.queue.is_due(0.0, 0.0):
            return False
        if self.queue.needs_identity():
            self.queue.set_identity(self.queue.producer_id + 1, 0)
        batch = self.queue.take()
        assert batch.encoded is not None
        self.wire.append((batch, batch.encoded))
        return True

    def arrive(self, fate: str) -> None:
        """The oldest request reaches the broker, or its connection breaks."""
        batch, data = self.wire.pop(0)
        if fate == "lost":  # nothing behind it on this connection arrives either
            for each, _ in [(batch, data), *self.wire]:
                self.queue.put_back(each, 0.0)
            self.wire = []
            return
        if fate == "refused":
            self.queue.put_back(batch, 0.0)
            return
        code, _ = self.log.append(data)
        if fate == "stored but unanswered":
            self.queue.put_back(batch, 0.0)
            return
        verdict = self.queue.judge(batch, ErrorCode(code))
        if verdict is Verdict.DONE:
            self.queue.acknowledged(batch)
        else:
            assert verdict is not Verdict.FAIL
            self.queue.put_back(batch, 0.0, renumber=verdict is Verdict.RENUMBER)


FATES = st.sampled_from(["fine", "fine", "fine", "refused", "lost", "stored but unanswered"])


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), FATES, st.integers(1, 5)), max_size=30))
def test_every_record_once_and_in_order(rounds: list[tuple[int, str, int]]) -> None:
    """At most five batches are unanswered, so the broker knows each that may come again."""
    run = Run(idempotent=True)
    total = 0
    for count, fate, sends in rounds:
        fill(run.queue, total, count)
        total += count
        for _ in range(sends):
            run.send()
        if run.wire:
            run.arrive(fate)
    while not run.queue.is_idle:
        while run.send():
            pass
        run.arrive("fine")
    assert stored(run.log) == list(range(total))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), FATES), max_size=30))
def test_without_idempotence_order_holds_too(rounds: list[tuple[int, str]]) -> None:
    """Twice is possible then, another order is not."""
    run = Run(idempotent=False)
    total = 0
    for count, fate in rounds:
        fill(run.queue, total, count)
        total += count
        run.send()
        assert len(run.wire) <= 1
        if run.wire:
            run.arrive(fate)
    while not run.queue.is_idle:
        run.send()
        run.arrive("fine")
    found = stored(run.log)
    assert list(dict.fromkeys(found)) == list(range(total))


def test_a_batch_that_is_put_back_goes_to_its_old_place() -> None:
    queue = queue_of()
    batches = [fill(queue, number, 1) for number in range(4)]
    taken = [queue.take() for _ in range(3)]
    assert taken == batches[:3]
    queue.put_back(taken[1], 5.0)
    assert queue.ready_at(0.0) is None  # two are still in flight
    queue.put_back(taken[0], 5.0)
    queue.answered(taken[2])
    assert queue.ready_at(0.0) == 5.0
    assert list(queue.waiting) == [batches[0], batches[1], batches[3]]


def test_the_first_batch_of_all_goes_alone() -> None:
    """98-03: a broker without state takes any sequence as the first."""
    queue = queue_of(known=False)
    first = fill(queue, 0, 1)
    fill(queue, 1, 1)
    queue.take()
    assert queue.ready_at(0.0) is None
    queue.acknowledged(first)
    assert queue.ready_at(0.0) == 0.0


def test_a_gap_raises_the_epoch_and_numbers_from_zero() -> None:
    """98-03: the broker lost or never had what came before; a new epoch must begin at 0."""
    queue = queue_of()
    first = fill(queue, 0, 3)
    second = fill(queue, 3, 2)
    queue.take()
    queue.answered(first)
    queue.take()
    assert second.base_sequence == 3
    verdict = queue.judge(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    assert verdict is Verdict.RENUMBER
    queue.put_back(second, 0.0, renumber=True)
    assert queue.take() is second
    assert (queue.producer_epoch, second.base_sequence) == (1, 0)
    assert queue.next_sequence == 2


def test_a_batch_that_may_be_stored_is_never_numbered_anew() -> None:
    """98-02: a broker that was started again remembers the last batch alone; the one before it
    would be stored twice under a new epoch."""
    queue = queue_of()
    fill(queue, 0, 1)
    fill(queue, 1, 1)
    first, second = queue.take(), queue.take()
    queue.put_back(second, 0.0)  # the answers were lost with the connection
    queue.put_back(first, 0.0)
    assert queue.take() is first
    assert queue.judge(first, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.FAIL


def test_a_gap_behind_an_unanswered_batch_is_only_order() -> None:
    queue = queue_of()
    fill(queue, 0, 1)
    second = fill(queue, 1, 1)
    queue.take()
    queue.take()
    assert queue.judge(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) is Verdict.RETRY
    assert queue.judge(second, ErrorCode.UNKNOWN_PRODUCER_ID) is Verdict.RETRY


def test_a_used_up_epoch_needs_another_producer_id() -> None:
    queue = queue_of()
    queue.producer_epoch = 32_767
    batch = fill(queue, 0, 1)
    queue.take()
    queue.put_back(batch, 0.0, renumber=True)
    assert queue.needs_identity()
    queue.set_identity(8, 0)
    assert queue.take() is batch
    assert (queue.producer_id, queue.producer_epoch, batch.base_sequence) == (8, 0, 0)


def test_numbers_of_a_refused_batch_are_used_again() -> None:
    queue = queue_of()
    batch = fill(queue, 0, 4)
    queue.take()
    queue.rejected(batch)
    assert queue.next_sequence == 0
    retried = fill(queue, 0, 4)
    queue.take()
    queue.put_back(retried, 0.0)
    queue.take()
    queue.rejected(retried)  # its first attempt may have been stored: never reuse those numbers
    assert queue.next_sequence == 4


def test_sequences_wrap() -> None:
    """98-03: after 2^31-1 comes 0."""
    queue = queue_of()
    queue.next_sequence = 2**31 - 2
    batch = fill(queue, 0, 3)
    queue.take()
    assert (batch.base_sequence, batch.last_sequence) == (2**31 - 2, 0)
    assert queue.next_sequence == 1


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (ErrorCode.NONE, Verdict.DONE),
        (ErrorCode.DUPLICATE_SEQUENCE_NUMBER, Verdict.DONE),
        (ErrorCode.NOT_LEADER_OR_FOLLOWER, Verdict.RETRY),
        (ErrorCode.NOT_ENOUGH_REPLICAS, Verdict.RETRY),
        (ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND, Verdict.RETRY),
        (ErrorCode.MESSAGE_TOO_LARGE, Verdict.FAIL),
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, Verdict.FAIL),
        (ErrorCode.INVALID_PRODUCER_EPOCH, Verdict.FAIL),
    ],
)
def test_what_becomes_of_a_batch(code: ErrorCode, verdict: Verdict) -> None:
    queue = queue_of()
    batch = fill(queue, 0, 1)
    queue.take()
    assert queue.judge(batch, code) is verdict


def test_lingering() -> None:
    queue = queue_of()
    begin(queue, 0, 1, 10.0)
    assert queue.ready_at(0.5) == 10.5
    begin(queue, 1, 1, 10.1)
    assert queue.ready_at(0.5) == 0.0  # the first is full


def test_batches_have_their_time() -> None:
    queue = queue_of()
    old = begin(queue, 0, 1, 1.0)
    queue.take()
    waiting = begin(queue, 1, 1, 2.0)
    young = begin(queue, 2, 1, 9.0)
    assert queue.drop_older_than(5.0) == [old, waiting]
    assert list(queue.waiting) == [young]
    assert queue.in_flight == [old]  # nothing goes in its place until it was answered


def test_too_old_is_found_where_it_waits_and_where_it_is_in_flight() -> None:
    """The look that comes before each send says no only where nothing would be dropped."""
    queue = queue_of()
    assert not queue.has_older_than(5.0)
    fill(queue, 0, 1)
    assert not queue.has_older_than(-1.0)
    assert queue.has_older_than(0.0), "what was begun just then counts, as in drop_older_than"
    batch = queue.take()
    assert queue.has_older_than(0.0)
    assert queue.drop_older_than(0.0) == [batch]
    queue.acknowledged(batch)
    assert not queue.has_older_than(5.0)
