"""Consumer offsets that the transaction of a producer commits (KIP-447)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..errors import AbortableTransactionError, ClientError, TransactionError
from ..transactions.coordination import Coordination
from ..transactions.machine import TransactionMachine
from ..transactions.offsets import Claim, Offsets, OffsetSource
from ..transactions.verdicts import caused

Failed = Callable[[Exception, str], TransactionError]
"""Fails the transaction because of an error, and says what is raised for it."""


class TransactionOffsets:
    """Sends offsets to the coordinators of their groups, each call in a task of its own: who waits
    for it can be cancelled, and the end of the transaction waits for what is on its way."""

    def __init__(
        self,
        machine: TransactionMachine,
        coordination: Coordination,
        limit_s: float,
        failed: Failed,
    ) -> None:
        self._machine = machine
        self._coordination = coordination
        self._limit_s = limit_s
        self._failed = failed
        self._sending: set[asyncio.Task[None]] = set()
        self._sent: list[Claim] = []
        """What the open transaction commits."""

    def begin(self) -> None:
        """A transaction begins."""
        self._sent = []

    async def send(self, source: OffsetSource, offsets: Offsets | None) -> None:
        """Have these committed with the open transaction; None for all that was handed out.

        Raises:
            AbortableTransactionError: not done, so the transaction must be aborted.
            FatalTransactionError: this producer is of no use any more.
        """
        self._machine.check_open("offsets cannot be sent")
        try:
            wanted = source.handed_out() if offsets is None else offsets
            claim = source.claim(wanted)
            claim.metadata()
        except ClientError as error:
            refused = AbortableTransactionError(f"committing offsets: {error}")
            raise self._failed(caused(refused, error), "committing offsets") from error
        if not wanted:
            return
        task = asyncio.get_running_loop().create_task(self._send(source.group_id, claim, wanted))
        self._sending.add(task)
        task.add_done_callback(self._is_over)
        await asyncio.shield(task)

    def _is_over(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        retrieve(task)

    async def _send(self, group_id: str, claim: Claim, offsets: Offsets) -> None:
        machine = self._machine
        try:
            machine.sent()
            if not machine.adds_implicitly:
                await self._coordination.add_offsets(machine.identity, group_id, self._limit_s)
                machine.told()
            await self._coordination.commit_offsets(
                machine.identity,
                group_id,
                claim,
                offsets,
                self._limit_s,
                implicitly=machine.adds_implicitly,
            )
        except ClientError as error:
            machine.lost_track()
            raise self._failed(error, "committing offsets") from error
        machine.told()
        self._sent.append(claim)

    async def landed(self) -> None:
        """Wait until no request is on its way."""
        if self._sending:
            await asyncio.wait(self._sending)

    def committed(self) -> None:
        """The transaction is: consumers are told."""
        for claim in self._sent:
            claim.committed()
        self._sent = []

    async def close(self) -> None:
        """Stop sending."""
        tasks = list(self._sending)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def retrieve(task: asyncio.Task[None]) -> None:
    """Whoever awaits the task gets its error; after a cancellation nobody may be left to."""
    if not task.cancelled():
        task.exception()
