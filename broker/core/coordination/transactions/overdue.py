"""What a shard does by itself: transactions that take too long are aborted, old ids forgotten.

A look is a write without records that sets one timer for each id that is due, so that each is
decided on its own state, and one that cannot be written does not hold back the others.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Final

from ..machine import Operation, Outcome
from .ending import fence_and_abort
from .stored import tombstone_of
from .table import Transactions
from .transaction import State, Transaction

LOOKED_AT_ONCE: Final = 1000
"""So many ids are looked at, and at most so many forgotten, in one step."""


def abort_overdue_regularly(transactions: Transactions) -> None:
    """Begin to look for open transactions whose time is up (TXN-22)."""
    around = transactions.around
    interval = around.config.transaction_abort_timed_out_transaction_cleanup_interval_ms
    around.timers.schedule("overdue", interval, partial(_abort_overdue, transactions))


def _abort_overdue(transactions: Transactions) -> Outcome[None]:
    around = transactions.around
    abort_overdue_regularly(transactions)
    for transactional_id in transactions.ongoing:
        if _is_overdue(transactions, transactional_id):
            abort: Operation[None] = partial(_abort, transactions, transactional_id)
            around.timers.schedule(("overdue", transactional_id), 0, abort)
    return Outcome(None)


def _is_overdue(transactions: Transactions, transactional_id: str) -> bool:
    one = transactions.by_id.get(transactional_id)
    return (
        one is not None
        and one.state is State.ONGOING
        and one.started_ms + one.timeout_ms < transactions.around.now_ms()
    )


def _abort(transactions: Transactions, transactional_id: str) -> Outcome[None]:
    if not _is_overdue(transactions, transactional_id):
        return Outcome(None)
    transactions.around.report(
        "a transaction took too long and is aborted", {"transactional_id": transactional_id}
    )
    return fence_and_abort(transactions, transactional_id, None)


def forget_old_regularly(transactions: Transactions) -> None:
    """Begin to look for ids that nobody has used for long (TXN-23)."""
    around = transactions.around
    interval = around.config.transaction_remove_expired_transaction_cleanup_interval_ms
    around.timers.schedule("expired", interval, partial(_begin_to_forget, transactions))


def _begin_to_forget(transactions: Transactions) -> Outcome[None]:
    forget_old_regularly(transactions)
    _forget_later(transactions, list(transactions.by_id), 0)
    return Outcome(None)


def _forget_later(transactions: Transactions, ids: list[str], start: int) -> None:
    if start < len(ids):
        forget = partial(_forget, transactions, ids, start)
        transactions.around.timers.schedule("forgotten", 0, forget)


def _forget(transactions: Transactions, ids: list[str], start: int) -> Outcome[None]:
    around = transactions.around
    before_ms = around.now_ms() - around.config.transactional_id_expiration_ms
    records = [
        tombstone_of(one)
        for one in islice(ids, start, start + LOOKED_AT_ONCE)
        if _is_old(transactions.by_id.get(one), before_ms)
    ]
    _forget_later(transactions, ids, start + LOOKED_AT_ONCE)
    return Outcome(None, records)


def _is_old(transaction: Transaction | None, before_ms: int) -> bool:
    return (
        transaction is not None
        and transaction.state.is_at_rest
        and transaction.updated_ms < before_ms
    )
