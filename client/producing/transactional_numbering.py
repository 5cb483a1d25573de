"""A transactional producer towards its sender: batches wait until their partition is added."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..errors import ClientClosedError, ClientError
from ..transactions.coordination import PRODUCE_VERSION_IMPLICIT, Coordination
from ..transactions.machine import Phase, TransactionMachine
from .batch import NO_SEQUENCE, ProducerBatch
from .numbering import PRODUCE_VERSION_MAX, FailWaiting, Versions
from .partition_queue import PartitionQueue

BY_REQUEST = Versions(highest=PRODUCE_VERSION_IMPLICIT - 1)
"""A partition is added by a request to the coordinator, before its first batch."""
IMPLICIT = Versions(lowest=PRODUCE_VERSION_IMPLICIT, highest=PRODUCE_VERSION_MAX)
"""Its leader adds it (KIP-890)."""

GOING_ON = frozenset({Phase.OPEN, Phase.FLUSHING})
"""Phases in which batches of a transaction are sent."""

Refused = Callable[[Exception], None]


class TransactionalNumbering:
    """One producer's; `when_refused` is told what the coordinator refused, `when_lost` what became
    of a batch that was not stored."""

    def __init__(
        self,
        machine: TransactionMachine,
        coordination: Coordination,
        transactional_id: str,
        timeout_s: float,
        when_refused: Refused,
        when_lost: Refused,
    ) -> None:
        self.transactional_id = transactional_id
        self._machine = machine
        self._coordination = coordination
        self._timeout_s = timeout_s
        self._when_refused = when_refused
        self._when_lost = when_lost
        self._when_given: Callable[[], None] | None = None
        self._adding: asyncio.Task[None] | None = None
        self.fail_waiting: FailWaiting | None = None
        """Fails every batch that waits to be sent; None before there is a sender."""

    @property
    def versions(self) -> Versions:
        """By what the open transaction is."""
        return IMPLICIT if self._machine.adds_implicitly else BY_REQUEST

    @property
    def gives_up(self) -> bool:
        """Whether nothing of the transaction will be seen anyway."""
        return self._machine.phase not in GOING_ON

    def attach(self, when_given: Callable[[], None], fail_waiting: FailWaiting) -> None:
        """The sender to tell when more may be sent, and which can fail all that was not sent."""
        self._when_given, self.fail_waiting = when_given, fail_waiting

    def admits(self, queue: PartitionQueue) -> bool:
        """Whether the partition is in the transaction; if not, the coordinator is asked."""
        machine = self._machine
        if machine.phase not in GOING_ON:
            return False
        if (queue.producer_id, queue.producer_epoch) != machine.identity:
            if queue.in_flight:
                return False
            queue.set_identity(*machine.identity)
        if machine.is_added(queue.topic_partition):
            return True
        if self._adding is None:
            self._adding = asyncio.get_running_loop().create_task(self._add())
        return False

    async def _add(self) -> None:
        machine = self._machine
        try:
            # A turn of the loop, so that one request has all partitions of this turn.
            await asyncio.sleep(0)
            while (wanted := machine.wanted()) and machine.phase in GOING_ON:
                machine.sent()
                await self._coordination.add_partitions(machine.identity, wanted, self._timeout_s)
                machine.added(wanted)
                if self._when_given is not None:
                    self._when_given()
        except ClientClosedError:
            return
        except ClientError as error:
            self._when_refused(error)
        finally:
            self._adding = None

    async def landed(self) -> None:
        """Wait until no request to add partitions is on its way."""
        while self._adding is not None:
            await asyncio.wait([self._adding])

    def sending(self) -> None:
        """From here on a leader may have added a partition."""
        self._machine.sent()

    def acknowledged(self) -> None:
        """The transaction has a record, surely."""
        self._machine.told()

    def renew(self) -> None:
        """A new epoch comes with the end of the transaction."""

    def failed(self, batch: ProducerBatch, error: Exception) -> None:
        """The transaction cannot be committed without it."""
        if batch.base_sequence != NO_SEQUENCE:
            # Its numbers are used up, or its answer is unknown: later ones must not follow them.
            self._machine.lost_track()
        if self._machine.phase in GOING_ON:
            self._when_lost(error)

    async def close(self) -> None:
        """Stop asking."""
        if self._adding is not None:
            self._adding.cancel()
            await asyncio.gather(self._adding, return_exceptions=True)
