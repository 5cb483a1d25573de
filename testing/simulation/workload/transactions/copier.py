"""A member of a group that makes of each committed record one more, exactly once.

What it writes and the offsets of what it has read are one transaction (docs/transactions.md).
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from barnabas.client import Consumer, Producer, TopicPartition
from barnabas.client.errors import AbortableTransactionError

from .around import Around
from .attempts import SOURCE, Attempt, Attempts
from .transactor import DecidedToAbortError, Transactor

GROUP = "copiers"
LIFE_S = 4.0
"""Mean time after which a member leaves in good order, and comes back."""

ABORTS = 0.15
GETMANY_MS = 250
RECORDS_MAX = 8
"""Of one transaction."""


class Copier:
    """One transactional id, and a place in the group."""

    def __init__(
        self,
        around: Around,
        attempts: Attempts,
        name: str,
        protocol: str,
        where: list[TopicPartition],
        random: Random,
    ) -> None:
        """`where`: partitions that it writes to."""
        self._transactor = Transactor(around, attempts, name, random)
        self._around = around
        self._protocol = protocol
        self._where = where
        self._random = random
        self._last_was_kept = True
        self.rests = False
        """Set when nobody leaves and nothing is aborted on purpose any more."""

    async def run(self) -> None:
        """Until the readers shall end."""
        await self._transactor.live(self._live)

    async def _live(self, producer: Producer, life: int) -> None:
        around = self._around
        consumer = Consumer(SOURCE, **self._options())
        until_s = around.now_s + self._random.expovariate(1.0 / LIFE_S)
        try:
            await consumer.start()
            around.track(self._transactor.name, consumer)
            while not around.is_over and (self.rests or around.now_s < until_s):
                await self._copy_some(producer, life, consumer)
        finally:
            await producer.stop()
            await consumer.stop()

    async def _copy_some(self, producer: Producer, life: int, consumer: Consumer) -> None:
        found = await consumer.getmany(timeout_ms=GETMANY_MS, max_records=RECORDS_MAX)
        if not found:
            return
        try:
            await self._transactor.transact(
                producer, life, self._copying(producer, consumer, found)
            )
        except AbortableTransactionError as error:
            self._transactor.told(error)
        else:
            if self._last_was_kept:
                return
        await consumer.seek_to_committed()

    def _copying(self, producer: Producer, consumer: Consumer, found: Any) -> Any:
        changes_its_mind = not self.rests and self._random.random() < ABORTS
        self._last_was_kept = not changes_its_mind

        async def copy(attempt: Attempt, transaction: Any) -> None:
            for where, records in found.items():
                attempt.read += [(where, one.offset, one.value or b"") for one in records]
                for record in records:
                    target = self._random.choice(self._where)
                    extra = f"{where.partition}@{record.offset}"
                    await self._transactor.send(producer, attempt, target, extra)
            if self._random.random() < 0.2:
                await asyncio.sleep(self._random.expovariate(1.0 / 0.1))
            handed_out = consumer.offset_source().handed_out()
            attempt.offsets = {where: one.offset for where, one in handed_out.items()}
            await transaction.send_offsets(consumer)
            if changes_its_mind:
                raise DecidedToAbortError

        return copy

    def _options(self) -> dict[str, Any]:
        limit_ms = self._around.session_ms
        return {
            "group_id": GROUP,
            "group_protocol": self._protocol,
            "isolation_level": "read_committed",
            "enable_auto_commit": False,
            "auto_offset_reset": "earliest",
            "session_timeout_ms": limit_ms,
            "heartbeat_interval_ms": limit_ms // 3,
            "max_poll_interval_ms": 8 * limit_ms,
            "close_timeout_ms": 1000,
            "fetch_max_wait_ms": 2 * GETMANY_MS,
            **self._around.options(self._transactor.name),
        }
