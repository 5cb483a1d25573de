"""Who owns a transactional id from now on (InitProducerId, TXN-01): earlier owners are fenced."""

from __future__ import annotations

from dataclasses import dataclass, replace

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..machine import Outcome, Producer
from .ending import fence_and_abort
from .table import Transactions, fenced, still_ending
from .transaction import LAST_GIVEN_EPOCH, NO_EPOCH, NO_PRODUCER_ID, State, Transaction


@dataclass(frozen=True, slots=True)
class Given:
    """The producer's id and epoch, or why it has to ask again."""

    producer: Producer
    error: ErrorCode = ErrorCode.NONE


NOTHING_GIVEN = Producer(NO_PRODUCER_ID, NO_EPOCH)


def check_timeout(timeout_ms: int, longest_ms: int) -> None:
    """Raise KafkaError 50 for a time that transactions may not take."""
    if not 0 < timeout_ms <= longest_ms:
        raise KafkaError(
            ErrorCode.INVALID_TRANSACTION_TIMEOUT,
            f"a transaction's timeout is 1 to {longest_ms} ms, not {timeout_ms}",
        )


def initialise(
    transactions: Transactions,
    transactional_id: str,
    timeout_ms: int,
    expected: Producer | None,
) -> Outcome[Given]:
    """Give the id to whoever asks, or to the producer that says what it has (KIP-360).

    An open transaction is aborted first, and the answer is 51: the epoch in between is given to
    nobody. Raises KafkaError: 51, 90, and 14 if there is no producer id at hand.
    """
    current = transactions.by_id.get(transactional_id)
    if current is None:
        return _given(transactions, transactional_id, _new(transactions), timeout_ms)
    if expected is not None and not _may_be(current, expected):
        raise fenced(transactional_id, current, expected)
    if current.state.is_ending:
        raise still_ending(transactional_id)
    if current.state is State.ONGOING:
        if expected is not None and expected.epoch != current.epoch:
            raise fenced(transactional_id, current, expected)
        again = Given(NOTHING_GIVEN, ErrorCode.CONCURRENT_TRANSACTIONS)
        return fence_and_abort(transactions, transactional_id, again)
    after = _bumped(transactions, transactional_id, current, expected)
    return _given(transactions, transactional_id, after, timeout_ms)


def _may_be(current: Transaction, expected: Producer) -> bool:
    """Whether this could be the owner's producer id: the present one, the one before, the next."""
    if expected.producer_id == current.producer_id:
        return True
    if current.is_held_by_next and expected.producer_id == current.next_producer_id:
        return True
    return (
        expected.producer_id == current.previous_producer_id and expected.epoch >= LAST_GIVEN_EPOCH
    )


def _new(transactions: Transactions) -> Transaction:
    return Transaction(
        producer_id=transactions.around.producer_ids.take_now(),
        epoch=0,
        timeout_ms=0,
        updated_ms=0,
    )


def _bumped(
    transactions: Transactions,
    transactional_id: str,
    current: Transaction,
    expected: Producer | None,
) -> Transaction:
    if current.is_exhausted and (expected is None or expected.epoch == current.epoch):
        last = NO_EPOCH if expected is None else current.epoch
        return current.owned_from_now(transactions.around.producer_ids.take_now(), 0, last)
    producer_id, epoch = current.producer_id, current.epoch
    if expected is None:
        return current.owned_from_now(producer_id, epoch + 1, NO_EPOCH)
    if expected.epoch == epoch and expected.producer_id == producer_id:
        return current.owned_from_now(producer_id, epoch + 1, epoch)
    if expected.epoch == current.last_epoch and epoch <= LAST_GIVEN_EPOCH:
        # It asked before, and did not get the answer.
        return current.owned_from_now(producer_id, epoch, current.last_epoch)
    raise fenced(transactional_id, current, expected)


def _given(
    transactions: Transactions, transactional_id: str, after: Transaction, timeout_ms: int
) -> Outcome[Given]:
    after = replace(after, timeout_ms=timeout_ms, updated_ms=transactions.around.now_ms())
    return transactions.change(
        transactional_id, after, Given(Producer(after.producer_id, after.epoch))
    )
