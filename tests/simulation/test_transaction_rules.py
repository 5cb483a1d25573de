"""Decisions about transactions compared with their rules: right ones pass, wrong ones are seen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.coordination.transactions.transaction import State, Transaction
from barnabas.broker.core.log.transaction_index import AbortedTransaction
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.testing.simulation.checks.reference import transactions as rules
from barnabas.testing.simulation.checks.reference.transactions import ENDED, ENDINGS

OPEN = Transaction(producer_id=7, epoch=4, timeout_ms=100, updated_ms=0, state=State.ONGOING)
PARTS = frozenset({("t", 0), ("t", 1)})
LATER = SimpleNamespace(is_set=lambda key: False)


def judged(rule: Any, answer: Any, *args: Any, **options: Any) -> str:
    """What the rule says of this answer; empty: it is right."""
    watching = rule(*args, **options)
    next(watching)
    try:
        watching.send(answer)
    except StopIteration:
        return ""
    except AssertionError as wrong:
        return str(wrong)
    raise RuntimeError("a rule looks twice only")


def ended(one: Transaction, epoch: int, *, is_commit: bool, answer: Any) -> str:
    around = SimpleNamespace(by_id={"id": one})
    return judged(rules.ended, answer, around, "id", Producer(7, epoch), is_commit)


def given(epoch: int) -> Any:
    return SimpleNamespace(answer=Producer(7, epoch))


@pytest.mark.parametrize(
    ("state", "epoch", "is_commit", "answer"),
    [
        (State.ONGOING, 4, True, given(5)),
        (State.ONGOING, 3, True, ErrorCode.PRODUCER_FENCED),
        (State.ONGOING, 5, False, ErrorCode.PRODUCER_FENCED),
        (State.PREPARE_COMMIT, 3, True, ErrorCode.CONCURRENT_TRANSACTIONS),
        (State.PREPARE_COMMIT, 3, False, ErrorCode.INVALID_TXN_STATE),
        (State.PREPARE_ABORT, 4, True, ErrorCode.CONCURRENT_TRANSACTIONS),
        (State.COMPLETE_COMMIT, 3, True, given(4)),
        (State.COMPLETE_ABORT, 3, True, ErrorCode.INVALID_TXN_STATE),
        (State.COMPLETE_ABORT, 4, False, given(5)),
        (State.COMPLETE_ABORT, 4, True, ErrorCode.INVALID_TXN_STATE),
    ],
)
def test_who_may_end_it(state: State, epoch: int, is_commit: bool, answer: Any) -> None:
    """TXN-13: the table of EndTxn 5, right and wrong."""
    one = Transaction(producer_id=7, epoch=4, timeout_ms=100, updated_ms=0, state=state)
    assert ended(one, epoch, is_commit=is_commit, answer=answer) == ""
    assert ended(one, epoch, is_commit=is_commit, answer=ErrorCode.UNKNOWN_SERVER_ERROR)
    assert ended(one, epoch, is_commit=is_commit, answer=given(9))


def test_who_takes_it_over_has_another_epoch() -> None:
    """TXN-01, TXN-03: nobody goes on with an epoch that somebody had."""
    args = (None, "id", OPEN, None)
    assert judged(rules.taken_over, OPEN.owned_from_now(7, 5, -1), *args) == ""
    assert judged(rules.taken_over, OPEN.owned_from_now(7, 4, -1), *args)
    around = SimpleNamespace(by_id={"id": OPEN})
    record = SimpleNamespace(value=SimpleNamespace(producer_epoch=5))
    assert judged(rules.fenced_off, SimpleNamespace(records=[record]), around, "id", None) == ""
    record.value.producer_epoch = 4
    assert judged(rules.fenced_off, SimpleNamespace(records=[record]), around, "id", None)


def test_what_is_open_for_too_long() -> None:
    """TXN-22: not at its last moment, and not when it is decided."""
    clock = SimpleNamespace(now_ms=lambda: 150)
    one = OPEN.with_partitions(PARTS, 2, 0)
    late = Transaction(7, 4, 100, 0, State.ONGOING, PARTS, started_ms=49)
    just = Transaction(7, 4, 100, 0, State.ONGOING, PARTS, started_ms=50)
    around = SimpleNamespace(around=clock, by_id={"late": late, "just": just, "other": one})
    assert rules.overdue_now(around, "late")
    assert not rules.overdue_now(around, "just")
    assert not rules.overdue_now(around, "nobody")


def test_nothing_is_forgotten_after_a_load() -> None:
    """TXN-22, TXN-34: timers, states and partitions."""
    machine = SimpleNamespace(transactions=SimpleNamespace(around=SimpleNamespace(timers=LATER)))
    assert "markers" in judged(rules.loaded, None, machine)
    assert judged(rules.looked_for, None, machine.transactions)
    schema = SimpleNamespace(partition_ids=[0, 1])
    value = SimpleNamespace(transaction_partitions=[schema], transaction_status=1)
    record = SimpleNamespace(value=value)
    assert judged(rules.read_back, OPEN.with_partitions(PARTS, 2, 0), record) == ""
    assert judged(rules.read_back, OPEN, record)
    value.transaction_status = 3
    assert judged(rules.read_back, OPEN.with_partitions(PARTS, 2, 0), record)


def test_partitions_stay() -> None:
    """TXN-10: what is added comes to what is there."""
    some, more = frozenset({("t", 0)}), frozenset({("t", 1)})
    one = OPEN.with_partitions(some, 2, 5)
    assert judged(rules.added, one.with_partitions(more, 2, 9), one, more, 2, 9) == ""
    assert judged(rules.added, OPEN.with_partitions(more, 2, 5), one, more, 2, 9)


def code_of(function: Any, *args: Any) -> ErrorCode:
    try:
        function(*args)
    except KafkaError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize(
    ("epoch", "coordinator", "version", "first", "code"),
    [
        (4, 3, 0, 9, ErrorCode.NONE),
        (3, 3, 0, 9, ErrorCode.INVALID_PRODUCER_EPOCH),
        (4, 2, 0, 9, ErrorCode.TRANSACTION_COORDINATOR_FENCED),
        (4, 3, 2, 9, ErrorCode.INVALID_PRODUCER_EPOCH),
        (4, 3, 2, -1, ErrorCode.NONE),
        (5, 3, 2, 9, ErrorCode.NONE),
    ],
)
def test_which_markers_fit(
    epoch: int, coordinator: int, version: int, first: int, code: ErrorCode
) -> None:
    """TXN-31: by the epochs of coordinator and producer."""
    entry = SimpleNamespace(epoch=4, coordinator_epoch=3, transaction_first_offset=first)
    producers = SimpleNamespace(by_id={7: entry})
    partition = SimpleNamespace(log=SimpleNamespace(producers=producers))
    marker = SimpleNamespace(
        producer_id=7, epoch=epoch, coordinator_epoch=coordinator, client_version=version
    )
    assert code_of(rules.marker_fits, partition, marker) == code


def test_which_aborted_transactions_are_told() -> None:
    """98-06: those with records in the range; later ones are looked for while there may be some."""
    entries = [AbortedTransaction(7, 2, 9, 4), AbortedTransaction(8, 5, 12, 13)]
    assert rules.told(entries, 4, 5) == ([entries[0]], True)
    assert rules.told(entries, 0, 6) == (entries, True)
    assert rules.told(entries, 10, 20) == ([entries[1]], False)


def test_markers_that_are_missing() -> None:
    """TXN-33, TXN-34: a partition is done when its marker is written, and so is a transaction."""
    ending = SimpleNamespace(transactional_id="id")
    one = SimpleNamespace(left={("t", 0)}, ending=ending, is_over=False)
    assert judged(rules.all_told, None, None, one)
    watching = rules.codes_heard(None, one, {("t", 0): ErrorCode.NOT_LEADER_OR_FOLLOWER})
    next(watching)
    one.left.clear()
    with pytest.raises(AssertionError):
        watching.send(None)


def test_the_ends_are_two_of_each() -> None:
    """Goal: the rules know the states by what they mean."""
    assert sorted(ENDINGS.values()) == sorted(ENDED.values()) == [False, True]
