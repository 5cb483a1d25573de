"""A transactional program: a producer whose transactions are written down, and its next lives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from barnabas.client import Producer, TopicPartition
from barnabas.client.errors import ClientError, CommitUnknownError
from barnabas.client.transactions.machine import Outcome, TransactionMachine
from barnabas.testing.simulation.workload.retrying import RETRY_PAUSE_S, started

from .around import Around
from .attempts import Attempt, Attempts, Owned

TIMEOUT_MS = 1200
"""Longest time of a transaction."""

CALL_MS = 6000
"""Longest time of a question to a coordinator."""

COMMIT_TRIES = 3


class DecidedToAbortError(Exception):
    """Raised inside of a transaction by the program itself."""


class Transactor:
    """One transactional id, and the producers that have it one after the other."""

    def __init__(self, around: Around, attempts: Attempts, name: str, random: Random) -> None:
        self.around = around
        self.attempts = attempts
        self.name = name
        self.random = random

    async def started(self) -> tuple[Producer, int] | None:
        """A producer that has the id, and its number; None when the run is over."""
        around = self.around
        options: dict[str, Any] = {
            **around.options(self.name),
            "default_api_timeout_ms": CALL_MS,
            "max_block_ms": CALL_MS,
            "delivery_timeout_ms": CALL_MS,
        }
        asked_s = 0.0

        def make() -> Producer:
            nonlocal asked_s
            asked_s = around.now_s
            self.attempts.claims(self.name)
            return Producer(
                transactional_id=self.name,
                transaction_timeout_ms=TIMEOUT_MS,
                linger_ms=self.random.choice((0, 0, 5)),
                **options,
            )

        producer = await started(around, make, self.told)
        if producer is None:
            return None
        life = self.attempts.next_life()
        given = _machine_of(producer).identity
        self.attempts.owned(Owned(self.name, life, *given, asked_s), around.now_s)
        around.track(self.name, producer)
        return producer, life

    async def live(self, life: Callable[[Producer, int], Awaitable[None]]) -> None:
        """One producer after the other, each with its number, until the run is over."""
        while not self.around.is_over:
            begun = await self.started()
            if begun is None:
                return
            try:
                await life(*begun)
            except ClientError as error:
                self.told(error)
                await asyncio.sleep(RETRY_PAUSE_S)

    def told(self, error: BaseException) -> None:
        """A call failed."""
        self.attempts.note_error(error)
        self.around.note(f"{self.name} told {error!r}")

    async def transact(
        self, producer: Producer, life: int, work: Callable[[Attempt, Any], Awaitable[None]]
    ) -> Outcome:
        """One transaction of this producer; `work` fills it. What its producer says of it is noted.

        Raises ClientError: the producer is of no use any more.
        """
        number = _machine_of(producer).number + 1
        now_s = self.around.now_s
        transaction = producer.transaction()
        attempt = Attempt(self.name, life, number, now_s, transaction=transaction)
        self.attempts.begin(attempt)
        try:
            async with transaction:
                await work(attempt, transaction)
                self.attempts.asks(attempt, self.around.now_s)
        except CommitUnknownError as error:
            self.told(error)
            await self._ask_again(producer)
        except DecidedToAbortError:
            pass
        finally:
            self.attempts.ends(attempt, transaction.outcome, self.around.now_s)
        return transaction.outcome

    async def _ask_again(self, producer: Producer) -> None:
        """Whether it is committed, which nobody said in time."""
        for _ in range(COMMIT_TRIES):
            try:
                await producer.commit_transaction()
            except CommitUnknownError as error:
                self.told(error)
            else:
                return
        raise ClientError("nobody says whether it is committed")

    async def send(
        self, producer: Producer, attempt: Attempt, where: TopicPartition, extra: str = ""
    ) -> None:
        """One record of the transaction; its answer is not waited for."""
        value = attempt.value(extra)
        attempt.sent.append((where, value))
        future = await producer.send(where.topic, value, partition=where.partition)

        def ended(done: asyncio.Future[Any]) -> None:
            if not done.cancelled() and done.exception() is None:
                attempt.stored[value] = done.result().offset

        future.add_done_callback(ended)


def is_of_use(producer: Producer) -> bool:
    """Whether it may begin another transaction: no error has ended it for good."""
    return _machine_of(producer).error is None


def _machine_of(producer: Producer) -> TransactionMachine:
    assert producer._transactions is not None, "it has a transactional id, and was not stopped"
    return producer._transactions.machine
