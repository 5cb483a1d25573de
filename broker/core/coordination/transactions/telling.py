"""What transactions there are, as administrators ask (TXN-24): committed state only (CRT-09)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from barnabas.protocol.errors import ErrorCode, KafkaError

from .table import Transactions
from .transaction import State, Transaction

STATES_BY_NAME = {state.shown: state for state in State if state is not State.DEAD}
"""As filters and answers name them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which transactions are listed: those that pass each filter that is set."""

    states: frozenset[State] | None
    producer_ids: frozenset[int] | None
    longer_than_ms: int = -1
    """Only those that began so long ago; negative: all. Ids without a transaction pass."""

    def includes(self, transaction: Transaction, now_ms: int) -> bool:
        """Whether this one passes."""
        if self.states is not None and transaction.state not in self.states:
            return False
        if self.producer_ids is not None and transaction.producer_id not in self.producer_ids:
            return False
        return self.longer_than_ms < 0 or now_ms - transaction.started_ms > self.longer_than_ms


def describe(transactions: Transactions, transactional_id: str, offset: int) -> Transaction:
    """One id as committed. Raises KafkaError 105 if nothing is known of it."""
    found = transactions.by_id.at(transactional_id, offset)
    if found is None:
        raise KafkaError(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
    return found


def listed(
    transactions: Transactions, wanted: Wanted, offset: int
) -> Iterator[tuple[str, Transaction]]:
    """Those of the shard that pass the filters."""
    now = transactions.around.now_ms()
    for transactional_id, transaction in transactions.by_id.items_at(offset):
        if wanted.includes(transaction, now):
            yield transactional_id, transaction
