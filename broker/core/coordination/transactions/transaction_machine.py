"""The state machine of one shard of the transaction coordinator.

A change is applied to the state at once and answered when it is committed (CRT-06), so there is no
time between in which an id is "pending": whoever asks meanwhile is decided on the newest state, and
answered later than that is committed. Only markers under way (the Prepare states) make others wait.
"""

from __future__ import annotations

from functools import partial

from ..machine import Producer, Record
from .ending import send_again
from .overdue import abort_overdue_regularly, forget_old_regularly
from .surroundings import TransactionSurroundings
from .table import Transactions


class TransactionMachine:
    """`Machine` over the records of one partition of `__transaction_state`."""

    __slots__ = ("transactions",)

    def __init__(self, around: TransactionSurroundings) -> None:
        self.transactions = Transactions(around)

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        """Apply one record. Raises ValueError for a state that there is not (CRT-21)."""
        del offset, producer
        self.transactions.replay(record)

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        """Nobody writes to this topic in a transaction: there is nothing to end."""

    def on_loaded(self) -> None:
        """Send the markers of all that is decided, and begin to look after time (CRT-17)."""
        transactions = self.transactions
        transactions.around.timers.schedule("markers", 0, partial(send_again, transactions))
        abort_overdue_regularly(transactions)
        forget_old_regularly(transactions)

    def on_unloaded(self) -> None:
        """Another coordinator sends the markers from now on."""
        self.transactions.around.markers.drop_all()
