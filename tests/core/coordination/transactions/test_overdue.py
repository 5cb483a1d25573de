"""Transactions that take too long, ids that nobody uses, and what is told of both."""

from __future__ import annotations

from functools import partial

import pytest
from kit.transaction_shards import BEFORE, BUMPS, ID, ONE, TransactionShard, code_of

from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.coordination.timeline import LATEST
from barnabas.broker.core.coordination.transactions.initialising import initialise
from barnabas.broker.core.coordination.transactions.telling import (
    STATES_BY_NAME,
    Wanted,
    describe,
    listed,
)
from barnabas.broker.core.coordination.transactions.transaction import State
from barnabas.protocol.errors import ErrorCode

DAY_MS = 24 * 60 * 60 * 1000


def overdue(version: int) -> tuple[TransactionShard, Producer]:
    shard = TransactionShard()
    producer = shard.init(timeout_ms=15_000).producer
    shard.add(producer, ONE, version)
    shard.shard.timers.advance(15_000)
    assert not shard.markers.sent
    shard.shard.timers.advance(10_000)
    assert [ending.is_commit for ending in shard.markers.sent] == [False]
    shard.complete()
    return shard, producer


def test_older_producers_are_fenced_by_time() -> None:
    """Whoever does not bump epochs gets 90 for both ends (TXN-22)."""
    shard, producer = overdue(BEFORE)
    for is_commit in (True, False):
        end = lambda: shard.end(producer, is_commit=is_commit, version=BEFORE)  # noqa: B023, E731
        assert code_of(end) is ErrorCode.PRODUCER_FENCED


def test_newer_producers_go_on_after_an_abort() -> None:
    """A commit is 48, an abort gives the new pair (TXN-22)."""
    shard, producer = overdue(BUMPS)
    assert code_of(lambda: shard.end(producer, is_commit=True)) is ErrorCode.INVALID_TXN_STATE
    following = shard.end(producer, is_commit=False)
    assert following == Producer(producer.producer_id, producer.epoch + 1)
    shard.add(following)


def test_ids_that_nobody_uses_are_forgotten() -> None:
    """After `transactional.id.expiration.ms` by a tombstone; their owner gets 49 (TXN-23)."""
    shard = TransactionShard()
    producer = shard.init().producer
    shard.shard.timers.advance(7 * DAY_MS)
    assert len(shard.transactions.by_id) == 1
    shard.shard.timers.advance(2 * 60 * 60 * 1000)
    assert len(shard.transactions.by_id) == 0
    assert shard.shard.log[-1].value is None
    assert code_of(lambda: shard.add(producer)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert len(TransactionShard(log=shard.shard.log).transactions.by_id) == 0


def test_markers_under_way_keep_an_id() -> None:
    """Only what is at rest is forgotten (TXN-23)."""
    shard = TransactionShard()
    producer = shard.init().producer
    shard.add(producer)
    shard.end(producer, is_commit=True)
    shard.shard.timers.advance(10 * DAY_MS)
    assert shard.now.state is State.PREPARE_COMMIT


def test_what_is_told() -> None:
    """Committed state, by filters that must all pass; ids without a transaction are as old as you
    like (TXN-24)."""
    shard = TransactionShard()
    shard.init()
    assert describe(shard.transactions, ID, LATEST).state is State.EMPTY
    unknown = code_of(lambda: describe(shard.transactions, "other", LATEST))
    assert unknown is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
    passes = [
        Wanted(None, None),
        Wanted(None, None, 10 * DAY_MS),
        Wanted(frozenset((State.EMPTY,)), frozenset((1000,))),
    ]
    fails = [Wanted(frozenset(), None), Wanted(frozenset((State.EMPTY,)), frozenset((1,)))]
    for wanted in passes:
        assert [one for one, _ in listed(shard.transactions, wanted, LATEST)] == [ID]
    for wanted in fails:
        assert not list(listed(shard.transactions, wanted, LATEST))


def test_open_transactions_by_their_age() -> None:
    """Longer than so many milliseconds, not as long (TXN-24)."""
    shard = TransactionShard()
    shard.add(shard.init().producer)
    shard.shard.timers.advance(1000)
    for longer_than, count in ((999, 1), (1000, 0), (-1, 1)):
        wanted = Wanted(None, None, longer_than)
        assert len(list(listed(shard.transactions, wanted, LATEST))) == count


def test_uncommitted_changes_are_not_told() -> None:
    """Reads end at the watermark (CRT-09)."""
    shard = TransactionShard()
    producer = shard.init().producer
    shard.shard.commits_at_once = False
    shard.add(producer)
    assert describe(shard.transactions, ID, shard.shard.committed).state is State.EMPTY
    assert describe(shard.transactions, ID, LATEST).state is State.ONGOING


@pytest.mark.parametrize(
    ("state", "name"),
    [(State.EMPTY, "Empty"), (State.PREPARE_COMMIT, "PrepareCommit"), (State.ONGOING, "Ongoing")],
)
def test_names_of_states(state: State, name: str) -> None:
    """As Kafka names them (TXN-24)."""
    assert STATES_BY_NAME[name] is state


def test_many_ids_are_forgotten_step_by_step() -> None:
    """A step looks at no more than so many ids (TXN-23)."""
    shard = TransactionShard()
    for number in range(2500):
        shard.write(partial(initialise, shard.transactions, str(number), 1, None))
    written = len(shard.shard.log)
    shard.shard.timers.advance(7 * DAY_MS + 60 * 60 * 1000)
    assert len(shard.shard.log) - written == 2500
    assert shard.shard.largest_step == 1000
