"""A program that writes transactions over several partitions: whole, aborted, too long, or twice.

Now and then another producer takes its transactional id while it is in a transaction, and the old
one goes on as if nothing had happened.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from barnabas.client import Producer, TopicPartition
from barnabas.client.errors import ClientError

from .around import Around
from .attempts import Attempt, Attempts
from .transactor import TIMEOUT_MS, DecidedToAbortError, Transactor, is_of_use

PAUSE_S = 0.25
"""Mean time between two transactions."""

LIFE_S = 3.0
"""Mean time after which a producer stops in good order, and another one comes."""

RECORDS_MAX = 5

ABORTS, LASTS_TOO_LONG, IS_REPLACED = 0.2, 0.06, 0.12
"""Shares of transactions that end otherwise than by a commit in good time."""


class Writer:
    """One transactional id that writes to partitions by itself."""

    def __init__(
        self,
        around: Around,
        attempts: Attempts,
        name: str,
        where: list[TopicPartition],
        random: Random,
    ) -> None:
        self._transactor = Transactor(around, attempts, name, random)
        self._around = around
        self._where = where
        self._random = random
        self.rests = False
        """Set when nothing shall go wrong on purpose any more."""

    async def run(self) -> None:
        """Until the writers shall end."""
        await self._transactor.live(self._live)

    async def _live(self, producer: Producer, life: int) -> None:
        """One producer, from start to stop."""
        around, random = self._around, self._random
        until_s = around.now_s + random.expovariate(1.0 / LIFE_S)
        try:
            while not around.is_over and around.now_s < until_s:
                await asyncio.sleep(random.expovariate(1.0 / PAUSE_S))
                if not self.rests and random.random() < IS_REPLACED:
                    await self._with_two(producer, life)
                    return
                try:
                    await self._transactor.transact(producer, life, self._fill(producer))
                except ClientError as error:
                    self._transactor.told(error)
                    if not is_of_use(producer):
                        return
        finally:
            await producer.stop()

    def _fill(self, producer: Producer, hold_s: float = 0.0) -> Any:
        random = self._random
        chance = 1.0 if self.rests else random.random()
        if ABORTS <= chance < ABORTS + LASTS_TOO_LONG:
            hold_s = TIMEOUT_MS / 1000 * random.uniform(1.0, 2.0)

        async def fill(attempt: Attempt, transaction: Any) -> None:
            del transaction
            await self._send_some(producer, attempt)
            if hold_s:
                await asyncio.sleep(hold_s)
                await self._send_some(producer, attempt)
            if chance < ABORTS:
                raise DecidedToAbortError

        return fill

    async def _send_some(self, producer: Producer, attempt: Attempt) -> None:
        for _ in range(self._random.randint(1, RECORDS_MAX)):
            await self._transactor.send(producer, attempt, self._random.choice(self._where))
            if self._random.random() < 0.3:
                await asyncio.sleep(self._random.expovariate(1.0 / 0.02))

    async def _with_two(self, old: Producer, life: int) -> None:
        """Another producer takes the id; both go on for a while."""
        self._transactor.attempts.count("zombies")
        goes_on = asyncio.ensure_future(self._go_on_as_before(old, life))
        try:
            await asyncio.sleep(self._random.expovariate(1.0 / 0.1))
            begun = await self._transactor.started()
            if begun is None:
                return
            new, number = begun
            try:
                for _ in range(self._random.randint(1, 4)):
                    await self._transactor.transact(new, number, self._fill(new))
            finally:
                await new.stop()
        finally:
            await goes_on

    async def _go_on_as_before(self, old: Producer, life: int) -> None:
        """Transactions of a producer that may have lost its id, until it is told so."""
        try:
            for _ in range(4):
                fill = self._fill(old, hold_s=self._random.choice((0.0, 0.1, 0.3)))
                await self._transactor.transact(old, life, fill)
        except ClientError as error:
            self._transactor.told(error)
