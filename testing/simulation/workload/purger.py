"""An administrator who deletes records from the beginning of the logs again and again (KIP-107).

Stream processors do so all the time with records that they have read. Most of the deletions end
within a batch, since batches hold several records; some ask for more than there is.
"""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random

from barnabas.client import Admin, TopicPartition
from barnabas.client.errors import ClientError, OffsetOutOfRangeError

from .clients import Office, started
from .retrying import until_done

PAUSE_S = 0.4
CALL_MS = 3000
LATEST = -1
ALL = -1
"""Everything that is committed."""


class Purger:
    """One administrator, and how far it has deleted each partition."""

    def __init__(self, office: Office, name: str, random: Random) -> None:
        self._office = office
        self._name = name
        self._random = random
        self._deleted: dict[TopicPartition, int] = {}
        """How far, as it was told."""

    async def run(self) -> None:
        """Until the run is over."""
        office = self._office
        admin = await started(office, lambda: Admin(**office.options(self._name)))
        if admin is None:
            return
        office.track(self._name, admin)
        while not office.is_over:
            await asyncio.sleep(self._random.expovariate(1.0 / PAUSE_S))
            where = self._random.choice(office.where)
            try:
                await self._purge(admin, where)
            except ClientError as error:
                office.history.note_error(error)
                office.bus.note(f"{self._name} {where} told {error!r}")
        await admin.stop()

    async def purge_once(self) -> None:
        """Delete about half of what is left in each partition; ends when that is done."""
        office = self._office
        admin = await started(office, lambda: Admin(**office.options(f"{self._name}-last")))
        if admin is None:
            return
        for where in office.where:
            await until_done(partial(self._halve, admin, where), office.history.note_error)
        await admin.stop()

    async def _halve(self, admin: Admin, where: TopicPartition) -> None:
        end = (await admin.list_offsets({where: LATEST}))[where].offset
        begin = min(self._deleted.get(where, 0), end)
        await self._delete_below(admin, where, begin + (end - begin) // 2)

    async def _delete_below(self, admin: Admin, where: TopicPartition, offset: int) -> None:
        low = (await admin.delete_records({where: offset}, timeout_ms=CALL_MS))[where]
        self._office.bus.note(f"{self._name} deleted {where} below {offset}, first is {low}")
        if low < offset:
            self._office.history.wrong(
                "I-38", f"{where}: told that {low} is the first left, asked for {offset}", where
            )
        self._deleted[where] = max(self._deleted.get(where, 0), low)
        self._office.history.deletions += 1

    async def _purge(self, admin: Admin, where: TopicPartition) -> None:
        random = self._random
        end = (await admin.list_offsets({where: LATEST}))[where].offset
        drawn = random.random()
        if drawn < 0.1:
            await self._delete_below(admin, where, ALL)
        elif drawn < 0.2:
            await self._ask_for_too_much(admin, where, end)
        else:
            begin = self._deleted.get(where, 0)
            offset = begin + int((end - begin) * random.random() ** 2)
            await self._delete_below(admin, where, offset)

    async def _ask_for_too_much(self, admin: Admin, where: TopicPartition, end: int) -> None:
        try:
            low = (await admin.delete_records({where: end + 1000}, timeout_ms=CALL_MS))[where]
        except OffsetOutOfRangeError:
            return
        text = f"{where} ends at {end}; asked for 1000 more, told that {low} is the first left"
        self._office.history.wrong("107-01", text, where)
