"""Transactions end: by their producer (EndTxn), another one, or time, and by their markers.

Once a Prepare record is committed the decision stands, and its markers are sent; the producer is
answered at the same moment (TXN-20). Nothing but the Complete record leads out of Prepare.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..machine import Outcome, Producer
from .surroundings import Ending
from .table import AnswerT, Transactions, fenced, still_ending, wrong_state
from .transaction import (
    EPOCH_BUMPS,
    EPOCH_MAX,
    LAST_GIVEN_EPOCH,
    NO_EPOCH,
    State,
    Transaction,
)


def end_transaction(
    transactions: Transactions,
    transactional_id: str,
    producer: Producer,
    *,
    is_commit: bool,
    client_version: int,
) -> Outcome[Producer]:
    """Commit or abort; the answer is the id and epoch that the producer uses next.

    Raises KafkaError: 49, 90, 51 and 48 by the tables of TXN-13.
    """
    if client_version >= EPOCH_BUMPS:
        return _end_with_next_epoch(transactions, transactional_id, producer, is_commit)
    current = transactions.owned(transactional_id, producer)
    state = current.state
    if state.is_ending:
        raise _asked_again(transactional_id, current, is_commit=is_commit)
    if state.is_complete and _was_commit(state) == is_commit:
        return Outcome(producer)
    if state is not State.ONGOING:
        raise wrong_state(transactional_id, current)
    after = transactions.decided(current, is_commit=is_commit, client_version=client_version)
    return _decide(transactions, transactional_id, after, producer)


def _end_with_next_epoch(
    transactions: Transactions, transactional_id: str, producer: Producer, is_commit: bool
) -> Outcome[Producer]:
    current = transactions.known(transactional_id)
    is_retry = _is_retry(current, producer)
    if producer.producer_id != current.producer_id and not is_retry:
        raise transactions.not_owner(transactional_id, current, producer)
    if producer.epoch != current.epoch and not is_retry:
        raise fenced(transactional_id, current, producer)
    state = current.state
    if state.is_ending:
        if is_retry:
            raise _asked_again(transactional_id, current, is_commit=is_commit)
        raise still_ending(transactional_id)  # it would end the transaction after this one
    if is_retry:
        return _retried(transactional_id, current, producer, is_commit=is_commit)
    if state is not State.ONGOING and is_commit:
        raise wrong_state(transactional_id, current)
    after = transactions.decided(current, is_commit=is_commit, client_version=EPOCH_BUMPS)
    after = transactions.with_next_epoch(transactional_id, after)
    return _decide(transactions, transactional_id, after, _next_of(after))


def _is_retry(current: Transaction, producer: Producer) -> bool:
    """Whether this request came before, and its producer has another epoch since."""
    if producer.producer_id == current.producer_id:
        return producer.epoch + 1 == current.epoch
    return (
        producer == Producer(current.previous_producer_id, LAST_GIVEN_EPOCH) and current.epoch == 0
    )


def _retried(
    transactional_id: str, current: Transaction, producer: Producer, *, is_commit: bool
) -> Outcome[Producer]:
    """The answer again, if that transaction is the last one and ended so."""
    if not current.state.is_complete or current.epoch == EPOCH_MAX:
        raise fenced(transactional_id, current, producer)
    if _was_commit(current.state) != is_commit:
        raise wrong_state(transactional_id, current)
    return Outcome(_next_of(current))


def _asked_again(transactional_id: str, current: Transaction, *, is_commit: bool) -> KafkaError:
    if (current.state is State.PREPARE_COMMIT) == is_commit:
        return still_ending(transactional_id)
    return wrong_state(transactional_id, current)


def _was_commit(state: State) -> bool:
    return state is State.COMPLETE_COMMIT


def _next_of(after: Transaction) -> Producer:
    if after.is_held_by_next:
        return Producer(after.next_producer_id, 0)
    return Producer(after.producer_id, after.epoch)


def fence_and_abort(
    transactions: Transactions, transactional_id: str, answer: AnswerT
) -> Outcome[AnswerT]:
    """Abort an open transaction against its producer, whose epoch is over then (TXN-03, TXN-22).

    It is one step and one record: if that cannot be written, no epoch was used up.
    """
    current = transactions.known(transactional_id)
    assert current.state is State.ONGOING
    version = current.client_version
    after = transactions.decided(current, is_commit=False, client_version=version)
    if version >= EPOCH_BUMPS:
        after = transactions.with_next_epoch(transactional_id, after)
    else:
        after = replace(after, epoch=min(current.epoch + 1, EPOCH_MAX), last_epoch=NO_EPOCH)
    return _decide(transactions, transactional_id, after, answer)


def complete(transactions: Transactions, ending: Ending) -> Outcome[None]:
    """All markers are written (TXN-34); no change if that transaction is no longer the one."""
    current = transactions.by_id.get(ending.transactional_id)
    if current is None or not current.state.is_ending:
        return Outcome(None)
    if transactions.ending_of(ending.transactional_id, current) != ending:
        return Outcome(None)
    after = current.completed(transactions.around.now_ms())
    return transactions.change(ending.transactional_id, after, None)


def _decide(
    transactions: Transactions, transactional_id: str, after: Transaction, answer: AnswerT
) -> Outcome[AnswerT]:
    ending = transactions.ending_of(transactional_id, after)
    return transactions.change(
        transactional_id, after, answer, on_appended=partial(_send, transactions, ending)
    )


def _send(transactions: Transactions, ending: Ending, reason: ErrorCode) -> None:
    if reason is ErrorCode.NONE:
        transactions.around.markers.send(ending)


def send_again(transactions: Transactions) -> Outcome[None]:
    """After a load: markers of all that is decided, once that is known to be committed (TXN-34)."""
    endings = [
        transactions.ending_of(transactional_id, transaction)
        for transactional_id, transaction in transactions.by_id.items()
        if transaction.state.is_ending
    ]

    def send(reason: ErrorCode) -> None:
        for ending in endings:
            _send(transactions, ending, reason)

    return Outcome(None, on_appended=send)
