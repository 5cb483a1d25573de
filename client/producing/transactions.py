"""The transactions of one producer: begun, filled, committed or aborted, each in a bounded time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

from barnabas.protocol.errors import ErrorCode

from ..config import ProducerConfig
from ..errors import (
    AbortableTransactionError,
    AbortTimedOutError,
    BrokerError,
    ClientError,
    CommitUnknownError,
    FatalTransactionError,
    TransactionAbortedError,
    TransactionError,
)
from ..transactions.coordination import Coordination
from ..transactions.machine import (
    CAN_BE_ABORTED,
    UNDER_WAY,
    Phase,
    ProducerIdAndEpoch,
    TransactionMachine,
)
from ..transactions.offsets import Offsets, OffsetSource
from ..transactions.prepared import PreparedTransaction
from ..transactions.verdicts import (
    AFTER_FENCING,
    AFTER_TIMEOUT,
    caused,
    of_coordinator,
    of_leader,
    timed_out,
)
from ..wire.cluster import Cluster
from .sender import Sender
from .transaction_offsets import TransactionOffsets, retrieve
from .transactional_numbering import GOING_ON, TransactionalNumbering

log = logging.getLogger("barnabas.client")

Flush = Callable[[int | None], Awaitable[None]]
"""Waits until every record is stored or has failed, at most so many milliseconds."""


class Transactions:
    """Drives the machine; requests that end a transaction run in a task of their own, so that
    whoever waits for them can be cancelled, and the transaction is whole all the same."""

    def __init__(self, cluster: Cluster, config: ProducerConfig) -> None:
        assert config.transactional_id is not None, "a transactional producer has an id"
        self._config = config
        self._limit_s = config.default_api_timeout_ms / 1000
        self._loop = asyncio.get_running_loop()
        self.machine = TransactionMachine()
        self._coordination = Coordination(
            cluster,
            config.transactional_id,
            config.transaction_timeout_ms,
            lambda: self.machine.phase in GOING_ON,
        )
        self.numbering = TransactionalNumbering(
            self.machine,
            self._coordination,
            config.transactional_id,
            self._limit_s,
            self._refused,
            self._lost,
        )
        self._sender: Sender | None = None
        self._flush: Flush | None = None
        self._begun_at = 0.0
        self._ending: asyncio.Task[None] | None = None
        self._offsets = TransactionOffsets(
            self.machine, self._coordination, self._limit_s, self._failed
        )

    # ------------------------------------------------------------ begin

    async def start(self) -> None:
        """Fence other producers with this id, and end what they left open.

        Raises:
            TransactionalIdAuthorizationError, InvalidTransactionTimeoutError, …: as the broker
                told it.
            TransactionsNotSupportedError: there is no coordinator of transactions.
        """
        self.machine.started(await self._coordination.initialise(None, self._limit_s))

    def attach(self, sender: Sender, flush: Flush) -> None:
        """What sends its records."""
        self._sender, self._flush = sender, flush

    async def begin(self) -> None:
        """Begin one; an abort that was not confirmed is brought to its end first.

        Raises:
            TransactionStateError: one is open, or not decided.
            FatalTransactionError: this producer is of no use any more.
        """
        if self.machine.phase is Phase.ABORTING:
            await self.abort()
        if self.machine.phase is not Phase.READY:
            raise self.machine.refusal("a transaction cannot be begun")
        adds_implicitly = await self._coordination.adds_implicitly(self._limit_s)
        self.machine.begin(adds_implicitly=adds_implicitly)
        self._begun_at = self._loop.time()
        self._offsets.begin()

    # ------------------------------------------------------------ what goes wrong in one

    def _lost(self, error: Exception) -> None:
        """A record was not stored."""
        self._fail(of_leader(error))

    def _refused(self, error: Exception) -> None:
        """A coordinator refused to add a partition, or nobody answered in time."""
        self._failed(error, "adding to the transaction")

    def _failed(self, error: Exception, what: str) -> TransactionError:
        """What went wrong with a part of it means this for the whole."""
        verdict = self._verdict(error, what)
        self._fail(verdict)
        return verdict

    def _verdict(self, error: Exception, what: str) -> TransactionError:
        if timed_out(error):
            return caused(AbortableTransactionError(f"{what} took too long: {error}"), error)
        if isinstance(error, TransactionAbortedError):
            return caused(AbortableTransactionError(str(error)), self.machine.error or error)
        return of_coordinator(error, what, self._why_fenced())

    def _why_fenced(self) -> str:
        age_s = self._loop.time() - self._begun_at
        if age_s * 1000 <= self._config.transaction_timeout_ms:
            return AFTER_FENCING
        return AFTER_TIMEOUT.format(age_s=age_s, limit_ms=self._config.transaction_timeout_ms)

    def _fail(self, error: TransactionError) -> None:
        if isinstance(error, FatalTransactionError):
            log.error("%s: %s", self._config.transactional_id, error)
            self.machine.die(error)
        elif self.machine.phase in (*GOING_ON, Phase.COMMITTING):
            log.warning("%s: the transaction failed: %s", self._config.transactional_id, error)
            self.machine.fail(error)
        # Later: the sender is in the middle of its batches.
        self._loop.call_soon(self._fail_waiting)

    def _fail_waiting(self) -> None:
        if self.numbering.fail_waiting is not None and self.machine.phase not in GOING_ON:
            why = self.machine.error or "it is aborted"
            self.numbering.fail_waiting(
                TransactionAbortedError(f"not sent, since its transaction failed: {why}")
            )

    def check_failed(self) -> None:
        """Raise what the open transaction failed of."""
        if self.machine.phase in (Phase.FAILED, Phase.DEAD):
            raise self.machine.refusal("the transaction cannot be committed")

    async def send_offsets(self, source: OffsetSource, offsets: Offsets | None) -> None:
        """See `TransactionOffsets.send`."""
        await self._offsets.send(source, offsets)

    # ------------------------------------------------------------ commit

    async def commit(self, timeout_ms: int | None = None) -> None:
        """Commit what is open or prepared; after CommitUnknownError, ask again whether it is."""
        limit_s = self._limit_s if timeout_ms is None else timeout_ms / 1000
        deadline = self._loop.time() + limit_s
        if self.machine.phase is not Phase.COMMITTING:
            if self.machine.phase is not Phase.PREPARED:
                await self._flushed(timeout_ms)
            self.machine.commit()
            if timeout_ms is None:
                deadline = self._loop.time() + limit_s
        await self._end(lambda: self._commit(max(0.001, deadline - self._loop.time())))

    async def prepare(self, timeout_ms: int | None = None) -> PreparedTransaction:
        """Have everything stored, and leave the end to whoever gets what this returns."""
        machine = self.machine
        if machine.phase is not Phase.PREPARED:
            await self._flushed(timeout_ms)
            machine.prepare()
        assert self._config.transactional_id is not None
        return PreparedTransaction(
            self._config.transactional_id,
            *machine.identity,
            adds_implicitly=machine.adds_implicitly,
            is_empty=not machine.has_begun,
        )

    async def _flushed(self, timeout_ms: int | None) -> None:
        """Wait until all of it is stored; then the machine has it in FLUSHING, which the caller
        goes on from at once."""
        assert self._flush is not None
        self.check_failed()
        self.machine.flush()
        try:
            await self._flush(timeout_ms)
            await self._offsets.landed()
        finally:
            self.machine.reopen()
        self.check_failed()
        self.machine.flush()

    async def _commit(self, timeout_s: float) -> None:
        machine = self.machine
        identity = None
        try:
            if machine.has_begun:
                identity = await self._ended(timeout_s, is_commit=True)
        except ClientError as error:
            if timed_out(error):
                raise CommitUnknownError(
                    f"no coordinator said within {timeout_s:g} s whether the transaction is"
                    f" committed: {error}"
                ) from error
            verdict = of_coordinator(error, "committing", self._why_fenced())
            self._fail(verdict)
            raise verdict from error
        machine.ended(identity)
        self._offsets.committed()

    async def _ended(self, timeout_s: float, *, is_commit: bool) -> ProducerIdAndEpoch | None:
        machine = self.machine
        return await self._coordination.end(
            machine.identity, timeout_s, is_commit=is_commit, implicitly=machine.adds_implicitly
        )

    # ------------------------------------------------------------ abort

    async def abort(self, timeout_ms: int | None = None) -> None:
        """Abort what is open; after AbortTimedOutError, go on with that."""
        limit_s = self._limit_s if timeout_ms is None else timeout_ms / 1000
        self.machine.abort()
        await self._end(lambda: self._abort(limit_s))

    async def _abort(self, limit_s: float) -> None:
        try:
            async with asyncio.timeout(limit_s):
                await self._landed()
                await self._abort_at_coordinator(limit_s)
        except TimeoutError as error:
            raise AbortTimedOutError(f"not confirmed within {limit_s:g} s: {error}") from error
        except ClientError as error:
            if timed_out(error):
                raise AbortTimedOutError(f"not confirmed: {error}") from error
            verdict = of_coordinator(error, "aborting", self._why_fenced())
            if not isinstance(verdict, FatalTransactionError):
                verdict = caused(FatalTransactionError(f"aborting: {error}"), error)
            self._fail(verdict)
            raise verdict from error

    async def _landed(self) -> None:
        """Nothing of the transaction is on its way any more: what came after its end would begin
        another one."""
        assert self._sender is not None
        self._fail_waiting()
        await self._sender.landed()
        await self.numbering.landed()
        await self._offsets.landed()

    async def _abort_at_coordinator(self, limit_s: float) -> None:
        machine = self.machine
        if machine.has_begun:
            identity = None
            try:
                identity = await self._ended(limit_s, is_commit=False)
            except BrokerError as error:
                # It never came to know of the transaction, or of the one before it only.
                if error.code is not ErrorCode.INVALID_TXN_STATE or not machine.is_uncertain:
                    raise
            machine.aborted(identity)
        if machine.needs_epoch:
            machine.ended(await self._coordination.initialise(machine.identity, limit_s))
        else:
            machine.ended(None)

    # ------------------------------------------------------------ the end of one

    async def _end(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Join what is under way already, or begin it."""
        task = self._ending
        if task is None or task.done():
            task = self._ending = self._loop.create_task(work())
            task.add_done_callback(self._is_over)
        await asyncio.shield(task)

    def _is_over(self, task: asyncio.Task[None]) -> None:
        if self._ending is task:
            self._ending = None
        retrieve(task)

    async def until_whole(self) -> None:
        """Have an open or prepared transaction aborted, after the end that is under way, if there
        is one. This is bounded in time, and a cancellation does not cut it short: it is raised
        afterwards.

        Raises:
            ClientError: how that ended, if not well.
        """
        is_cancelled = False
        while True:
            if self._ending is not None and not self._ending.done():
                ending = self._ending
            elif self.machine.phase in CAN_BE_ABORTED:
                ending = self._loop.create_task(self.abort())
            else:
                break
            while not ending.done():
                try:
                    await asyncio.wait([ending])
                except asyncio.CancelledError:
                    is_cancelled = True
            error = None if ending.cancelled() else ending.exception()
            if error is not None and self.machine.phase not in CAN_BE_ABORTED and not is_cancelled:
                raise error
        if is_cancelled:
            raise asyncio.CancelledError

    async def close(self, timeout_ms: int | None) -> None:
        """Abort what is open, within the time, and stop; what is prepared stays so."""
        limit_s = self._limit_s if timeout_ms is None else timeout_ms / 1000
        try:
            async with asyncio.timeout(limit_s):
                if self.machine.phase in UNDER_WAY or self.machine.phase is Phase.ABORTING:
                    await self.abort(timeout_ms)
                elif self._ending is not None:
                    await asyncio.shield(self._ending)
        except (ClientError, TimeoutError) as error:
            log.warning(
                "%s: stopped with a transaction that is not known to be over; its coordinator ends"
                " it after transaction_timeout_ms: %s",
                self._config.transactional_id,
                error,
            )
        await self._offsets.close()
        if self._ending is not None:
            self._ending.cancel()
            await asyncio.gather(self._ending, return_exceptions=True)
