"""The transactional ids of one shard, and the checks that every request about one begins with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Final, TypeVar

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.transaction_log_key import TransactionLogKey

from ..machine import Outcome, Producer, Record
from ..timeline import TimelineDict
from .stored import record_of, transaction_of
from .surroundings import Ending, TransactionSurroundings
from .transaction import (
    EPOCH_MAX,
    MAY_BECOME,
    NO_PRODUCER_ID,
    State,
    Transaction,
)

AnswerT = TypeVar("AnswerT")

_ENDINGS: Final = {State.PREPARE_COMMIT: True, State.PREPARE_ABORT: False}


class Transactions:
    """What is known of the transactional ids of one partition of `__transaction_state`."""

    __slots__ = ("_decisions", "around", "by_id", "ongoing")

    def __init__(self, around: TransactionSurroundings) -> None:
        self.around = around
        self._decisions = count(1)
        self.by_id: TimelineDict[str, Transaction] = TimelineDict(around.timeline)
        self.ongoing: TimelineDict[str, None] = TimelineDict(around.timeline)
        """Ids with an open transaction: those whose time can be up (TXN-22)."""

    # --- records ------------------------------------------------------------------------------

    def replay(self, record: Record) -> None:
        """Apply one record. Raises ValueError for a state that there is not (CRT-21)."""
        key = record.key
        assert isinstance(key, TransactionLogKey)
        transactional_id = key.transactional_id
        transaction = None if record.value is None else transaction_of(record)
        if transaction is None or transaction.state is State.DEAD:
            self.by_id.pop(transactional_id)
            self.ongoing.pop(transactional_id)
            return
        self.by_id[transactional_id] = transaction
        if transaction.state is not State.ONGOING:
            self.ongoing.pop(transactional_id)
        elif transactional_id not in self.ongoing:
            self.ongoing[transactional_id] = None

    def change(
        self,
        transactional_id: str,
        after: Transaction,
        answer: AnswerT,
        on_appended: Callable[[ErrorCode], object] | None = None,
    ) -> Outcome[AnswerT]:
        """The id becomes what `after` says."""
        before = self.by_id.get(transactional_id)
        if before is not None:
            assert after.state in MAY_BECOME[before.state], f"{before.state} to {after.state}"
        record = record_of(transactional_id, after, self.around.feature_level())
        return Outcome(answer, (record,), on_appended=on_appended)

    # --- whose request ------------------------------------------------------------------------

    def known(self, transactional_id: str) -> Transaction:
        """What is known of this id. Raises KafkaError 49 if nothing is."""
        found = self.by_id.get(transactional_id)
        if found is None:
            raise KafkaError(
                ErrorCode.INVALID_PRODUCER_ID_MAPPING,
                f"no producer has the transactional id {transactional_id}",
            )
        return found

    def owned(self, transactional_id: str, producer: Producer) -> Transaction:
        """The same, for a request of its producer.

        Raises KafkaError: 49 for another producer id, 90 for another epoch. A producer whose next
        id counts only from Complete on is told 51 until then (TXN-10).
        """
        found = self.known(transactional_id)
        if producer.producer_id != found.producer_id:
            raise self.not_owner(transactional_id, found, producer)
        if producer.epoch != found.epoch:
            raise fenced(transactional_id, found, producer)
        return found

    def not_owner(
        self, transactional_id: str, found: Transaction, producer: Producer
    ) -> KafkaError:
        """Why this producer id is refused: 49, or 51 if it will be the right one shortly."""
        if found.is_held_by_next and producer == Producer(found.next_producer_id, 0):
            return still_ending(transactional_id)
        return KafkaError(
            ErrorCode.INVALID_PRODUCER_ID_MAPPING,
            f"transactional id {transactional_id} belongs to producer {found.producer_id}, "
            f"not to {producer.producer_id}",
        )

    # --- epochs -------------------------------------------------------------------------------

    def with_next_epoch(self, transactional_id: str, transaction: Transaction) -> Transaction:
        """With an epoch of its own for what its producer does after this transaction (KIP-890).

        When epochs have run out the markers have the last one, and another producer id takes over
        with Complete. Raises KafkaError 14 if there is none at hand.
        """
        epoch = transaction.epoch
        if epoch >= EPOCH_MAX:
            raise fenced(transactional_id, transaction, Producer(transaction.producer_id, epoch))
        next_id = NO_PRODUCER_ID
        if transaction.is_exhausted:
            next_id = self.around.producer_ids.take_now()
        return replace(transaction, epoch=epoch + 1, last_epoch=epoch, next_producer_id=next_id)

    def decided(
        self, transaction: Transaction, *, is_commit: bool, client_version: int
    ) -> Transaction:
        """Its end is decided, with the epoch as it is."""
        return transaction.ending(
            next(self._decisions),
            is_commit=is_commit,
            client_version=client_version,
            now_ms=self.around.now_ms(),
        )

    def ending_of(self, transactional_id: str, transaction: Transaction) -> Ending:
        """What the partitions of a decided transaction are to be told."""
        return Ending(
            transactional_id=transactional_id,
            producer_id=transaction.producer_id,
            epoch=transaction.epoch,
            coordinator_epoch=self.around.coordinator_epoch,
            is_commit=_ENDINGS[transaction.state],
            partitions=transaction.partitions,
            client_version=transaction.client_version,
            decision=transaction.decision,
        )


def fenced(transactional_id: str, found: Transaction, producer: Producer) -> KafkaError:
    """90: there was, or is, a newer producer with this transactional id."""
    return KafkaError(
        ErrorCode.PRODUCER_FENCED,
        f"producer {producer.producer_id} of {transactional_id} comes with epoch "
        f"{producer.epoch}, not {found.epoch}",
    )


def still_ending(transactional_id: str) -> KafkaError:
    """51: markers of its last transaction are under way."""
    return KafkaError(
        ErrorCode.CONCURRENT_TRANSACTIONS,
        f"the last transaction of {transactional_id} is still being ended",
    )


def wrong_state(transactional_id: str, found: Transaction) -> KafkaError:
    """48: not in the state that the transaction is in."""
    return KafkaError(
        ErrorCode.INVALID_TXN_STATE,
        f"the transaction of {transactional_id} is {found.state.shown}",
    )
