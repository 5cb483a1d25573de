"""One transaction, as `async with producer.transaction()` gives it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from ..errors import AbortableTransactionError, ClientError, FatalTransactionError
from ..groups.given_offsets import GivenOffset, checked_offsets
from ..groups.values import GroupMetadata
from ..structs import TopicPartition
from ..transactions.machine import Outcome, Phase
from ..transactions.offsets import HasOffsets, source_of
from ..transactions.prepared import PreparedTransaction
from .transactions import Transactions

log = logging.getLogger("barnabas.client")


class Transaction:
    """Commits at the end of its block, unless it was prepared; aborts if an exception, a
    cancellation among them, leaves it. What was sent in it is seen as a whole by read_committed
    consumers, or not at all."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._number = -1
        self._outcome = Outcome.OPEN

    @property
    def outcome(self) -> Outcome:
        """What became of it; also after a cancellation, which may have come too late to abort."""
        machine = self._transactions.machine
        if machine.number == self._number:
            self._outcome = machine.outcome
        return self._outcome

    async def __aenter__(self) -> Self:
        await self._transactions.begin()
        self._number = self._transactions.machine.number
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._is_over():
                return
            if error is not None:
                await self._undo(error)
            elif self._transactions.machine.phase is not Phase.PREPARED:
                await self._commit()
        finally:
            self._outcome = self.outcome  # the producer goes on, and has another one

    async def _commit(self) -> None:
        try:
            await self._transactions.commit()
        except (AbortableTransactionError, asyncio.CancelledError) as failed:
            await self._undo(failed)
            raise

    def _is_over(self) -> bool:
        machine = self._transactions.machine
        return machine.number != self._number or machine.phase is Phase.READY

    async def send_offsets(
        self,
        group: HasOffsets | GroupMetadata,
        offsets: Mapping[TopicPartition, GivenOffset] | None = None,
    ) -> None:
        """See `Producer.send_offsets_to_transaction`."""
        self._check("offsets cannot be sent")
        wanted = None if offsets is None else checked_offsets(offsets)
        await self._transactions.send_offsets(source_of(group), wanted)

    async def commit(self, timeout_ms: int | None = None) -> None:
        """Commit it before the end of the block; see `Producer.commit_transaction`."""
        self._check("the transaction cannot be committed")
        await self._transactions.commit(timeout_ms)

    async def prepare(self, timeout_ms: int | None = None) -> PreparedTransaction:
        """Hand its end over, at the end of the block; see `Producer.prepare_transaction`."""
        self._check("the transaction cannot be prepared")
        return await self._transactions.prepare(timeout_ms)

    async def abort(self, timeout_ms: int | None = None) -> None:
        """Abort it before the end of the block; see `Producer.abort_transaction`."""
        self._check("there is nothing to abort")
        await self._transactions.abort(timeout_ms)

    def _check(self, what: str) -> None:
        if self._is_over():
            raise self._transactions.machine.refusal(what)

    async def _undo(self, error: BaseException) -> None:
        """Abort because of this; what goes wrong with that is noted beside it.

        Raises FatalTransactionError: the abort told that the producer is of no use any more, where
        the error said that it is.
        """
        try:
            await self._transactions.until_whole()
        except FatalTransactionError as fatal:
            if isinstance(error, AbortableTransactionError):
                raise fatal from error
            error.add_note(f"its transaction was not aborted in good order: {fatal}")
        except ClientError as failed:
            log.warning("a transaction was not aborted in good order: %s", failed)
            error.add_note(f"its transaction was not aborted in good order: {failed}")
