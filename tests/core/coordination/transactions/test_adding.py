"""AddPartitionsToTxn, as clients and as brokers ask."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kit.transaction_shards import BEFORE, BUMPS, ID, ONE, TWO, TransactionShard, code_of

from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.coordination.transactions.adding import verify_partitions
from barnabas.broker.core.coordination.transactions.transaction import State
from barnabas.protocol.errors import ErrorCode

CONCURRENT = ErrorCode.CONCURRENT_TRANSACTIONS
MAPPING = ErrorCode.INVALID_PRODUCER_ID_MAPPING
FENCED = ErrorCode.PRODUCER_FENCED


def verify(shard: TransactionShard, producer: Producer) -> Mapping[tuple[str, int], ErrorCode]:
    return shard.write(lambda: verify_partitions(shard.transactions, ID, producer, TWO))


def begun() -> tuple[TransactionShard, Producer]:
    shard = TransactionShard()
    return shard, shard.init().producer


def test_the_first_partitions_begin_a_transaction() -> None:
    """Ongoing since now; more partitions do not change when it began (TXN-10)."""
    shard, producer = begun()
    shard.add(producer)
    began = shard.now.started_ms
    assert began == shard.clock.wall_ms()
    shard.clock.now_ms += 5
    shard.add(producer, TWO)
    assert shard.now.partitions == TWO
    assert shard.now.state is State.ONGOING
    assert shard.now.started_ms == began


def test_partitions_that_are_in_it_are_not_written_again() -> None:
    """0 without a record (TXN-10)."""
    shard, producer = begun()
    shard.add(producer, TWO)
    before = len(shard.shard.log)
    shard.add(producer, ONE)
    assert len(shard.shard.log) == before


@pytest.mark.parametrize("is_commit", [True, False])
@pytest.mark.parametrize("version", [BEFORE, BUMPS])
def test_the_next_transaction_waits_for_the_last(version: int, is_commit: bool) -> None:
    """51 while markers are under way, and then it begins with its own partitions (TXN-20)."""
    shard, producer = begun()
    shard.add(producer, TWO, version)
    following = shard.end(producer, is_commit=is_commit, version=version)
    assert code_of(lambda: shard.add(following, ONE, version)) is CONCURRENT
    shard.complete()
    shard.add(following, ONE, version)
    assert shard.now.partitions == ONE


def test_who_is_not_the_owner() -> None:
    """49 for an unknown id or another producer id, 90 for any other epoch (TXN-10)."""
    shard = TransactionShard()
    assert code_of(lambda: shard.add(Producer(1, 0))) is MAPPING
    given = shard.init().producer
    pid = given.producer_id
    assert code_of(lambda: shard.add(Producer(pid + 1, 0))) is MAPPING
    assert code_of(lambda: shard.add(Producer(pid, 1))) is FENCED
    shard.init()
    assert code_of(lambda: shard.add(given)) is FENCED
    assert code_of(lambda: verify(shard, given)) is FENCED


def test_a_producer_that_changed_its_id_waits_too() -> None:
    """The next id is told 51, not 49, until it counts (TXN-10)."""
    shard, producer = begun()
    shard.change(epoch=32766)
    last = Producer(producer.producer_id, 32766)
    shard.add(last)
    following = shard.end(last, is_commit=True)
    assert following == Producer(producer.producer_id + 1, 0)
    assert code_of(lambda: shard.add(following)) is CONCURRENT
    assert code_of(lambda: verify(shard, following)) is CONCURRENT
    shard.complete()
    shard.add(following)


def test_leaders_ask_what_is_in_it() -> None:
    """0 or 120 for each partition; 51 only while it is ending (TXN-11)."""
    shard, producer = begun()
    none = dict.fromkeys(TWO, ErrorCode.TRANSACTION_ABORTABLE)
    assert verify(shard, producer) == none
    shard.add(producer, ONE, BEFORE)
    assert verify(shard, producer) == {**none, ("topic", 0): ErrorCode.NONE}
    shard.end(producer, is_commit=True, version=BEFORE)
    assert code_of(lambda: verify(shard, producer)) is CONCURRENT
    shard.complete()
    assert verify(shard, producer) == none
    assert code_of(lambda: verify(shard, Producer(5, 0))) is MAPPING


def test_an_addition_that_was_not_written_is_taken_back() -> None:
    """Later requests see what is in the log (CRT-07)."""
    shard, producer = begun()
    shard.shard.commits_at_once = False
    shard.add(producer)
    shard.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    assert shard.now.state is State.EMPTY
    assert len(shard.transactions.ongoing) == 0
