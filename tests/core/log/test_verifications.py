"""Batches that wait for their coordinator, and what voids its answer (TXN-50, TXN-52)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.log.producers import COMMIT_MARKER, Producers
from barnabas.broker.core.log.verifications import (
    UNVERIFIED_MAX,
    Verifications,
    VerifiedBatch,
)
from barnabas.protocol.errors import ErrorCode, KafkaError

PID = 7


def producers() -> Producers:
    return Producers("t-0", 1000)


def begun(state: Producers, *, epoch: int = 0) -> None:
    state.add_batch(PID, epoch, 0, 5, 5, 0, txn=True)


def ended(state: Producers, *, pid: int = PID, epoch: int = 0) -> None:
    state.add_marker(pid, epoch, COMMIT_MARKER, 0, 6, 0)


def refusal(state: Producers, sequence: int, verified: VerifiedBatch | None) -> ErrorCode:
    with pytest.raises(KafkaError) as raised:
        state.check_begin(PID, 0, sequence, verified)
    return raised.value.code


def test_which_batches_begin_a_transaction() -> None:
    """The first of an epoch and of a transaction; no repeated one, nor one of an older epoch."""
    state = producers()
    assert state.begins_transaction(PID, 0, 0, 0)
    begun(state)
    assert not state.begins_transaction(PID, 0, 1, 1)
    ended(state)
    assert state.begins_transaction(PID, 0, 1, 1)
    assert not state.begins_transaction(PID, 0, 0, 0)  # it is there already
    ended(state, epoch=3)
    assert not state.begins_transaction(PID, 2, 0, 0)
    assert state.begins_transaction(PID, 4, 0, 0)


def test_a_batch_needs_a_confirmed_transaction() -> None:
    """48 where nobody confirmed it, and once the confirmation is used (TXN-51)."""
    state = producers()
    assert refusal(state, 0, None) == ErrorCode.INVALID_TXN_STATE
    one = state.verifications.ask(PID, 0, 0)
    state.check_begin(PID, 0, 0, one)
    state.verifications.close(PID, one)
    assert refusal(state, 0, one) == ErrorCode.INVALID_TXN_STATE


def test_a_marker_voids_what_is_being_asked() -> None:
    """Each question of this producer; those of others stand."""
    state = producers()
    first, second = (state.verifications.ask(PID, 0, 0) for _ in range(2))
    other = state.verifications.ask(PID + 1, 0, 0)
    ended(state)
    assert (first.is_void, second.is_void, other.is_void) == (True, True, False)
    state.clear(0)
    assert other.is_void


def test_the_marker_before_an_epoch_of_its_own_voids_nothing() -> None:
    """A marker has the epoch of the next transaction, which has begun already (TXN-53, KIP-890)."""
    state = producers()
    begun(state, epoch=4)
    one = state.verifications.ask(PID, 5, 0, has_own_epoch=True)
    ended(state, epoch=5)
    assert not one.is_void
    state.check_begin(PID, 5, 0, one, is_first_known=True)
    ended(state, epoch=6)
    assert one.is_void


def test_an_earlier_sequence_must_come_first() -> None:
    """45 until it has come, while nothing of the producer is known (TXN-52)."""
    state = producers()
    state.verifications.close(PID, state.verifications.ask(PID, 0, 3))
    later = state.verifications.ask(PID, 0, 5)
    assert refusal(state, 5, later) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    state.check_begin(PID, 0, 3, later)
    state.verifications.forget(PID)
    state.check_begin(PID, 0, 5, later)


def test_what_is_remembered_is_bounded() -> None:
    """The oldest missing sequence is forgotten, and another epoch replaces the one before."""
    asked = Verifications()
    for pid in range(UNVERIFIED_MAX + 1):
        asked.close(pid, asked.ask(pid, 0, 9))
    assert (asked.lowest(0, 0), asked.lowest(1, 0)) == (None, 9)
    asked.close(1, asked.ask(1, 1, 20))
    assert (asked.lowest(1, 0), asked.lowest(1, 1)) == (None, 20)
