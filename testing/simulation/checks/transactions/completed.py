"""I-34: when a coordinator writes that a transaction is complete, all of its markers are committed.

Until then its producer waits, and nobody else gets its transactional id (TXN-34).
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.broker.core.cluster.topic_image import TRANSACTIONS_TOPIC
from barnabas.broker.core.coordination.loaded_batch import TRANSACTION_RECORDS, decode_slice
from barnabas.broker.core.coordination.transactions.transaction import State
from barnabas.protocol.messages.transaction_log_value import TransactionLogValue
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .decided import DecidedPartitions

COMPLETE = (State.COMPLETE_COMMIT, State.COMPLETE_ABORT)


class Completed:
    """Looks at what leaders of the coordinator's topic append, once."""

    def __init__(
        self, bus: HookBus, decided: DecidedPartitions, is_off: Callable[[], bool]
    ) -> None:
        self._decided = decided
        self._is_off = is_off
        self._newest = (-1, -1)
        """Leader epoch and offset of the last batch that was looked at: what a leader appends that
        was replaced, and what followers copy, is none of it."""
        bus.listen("append", self._on_append)

    def _on_append(self, event: Event) -> None:
        if event.fields["log"].topic != TRANSACTIONS_TOPIC or self._is_off():
            return
        data = memoryview(event.fields["batches"])
        for at, header in iter_batch_headers(data):
            place = header.partition_leader_epoch, header.base_offset
            if place > self._newest:
                self._newest = place
                self._look(bytes(data[at : at + header.size]))

    def _look(self, batch: bytes) -> None:
        for loaded in decode_slice(batch, TRANSACTION_RECORDS).batches:
            for record, offset in loaded.records:
                value = record.value
                if not isinstance(value, TransactionLogValue):
                    continue
                if value.transaction_status not in COMPLETE:
                    continue
                epoch = value.producer_epoch
                if left := self._decided.open_before(value.producer_id, epoch + 1):
                    raise InvariantError(
                        "I-34",
                        f"a transaction of producer {value.producer_id} is complete at"
                        f" {TRANSACTIONS_TOPIC}@{offset}; there is no marker for {left}",
                    )
