"""Programs that look at what was committed: readers of records, and one who asks for offsets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from barnabas.client import Admin, Consumer, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.client.groups.committed import CommittedOffsets
from barnabas.client.groups.coordinator import Coordinator
from barnabas.testing.simulation.settings import RACKS
from barnabas.testing.simulation.workload.group_history import node_of
from barnabas.testing.simulation.workload.retrying import RETRY_PAUSE_S, started

from .around import Around
from .attempts import Attempts, FoundOffsets, Stable
from .copier import GROUP

LOOK_S = 5.0
LOOK_PAUSE_S = 0.25
"""Mean time between two questions."""

READ_COMMITTED = 1
GETMANY_MS = 500


class CommittedReader:
    """Reads all partitions from the beginning, at its own rack where it may."""

    def __init__(
        self, around: Around, attempts: Attempts, name: str, where: list[TopicPartition]
    ) -> None:
        self._around = around
        self._attempts = attempts
        self.name = name
        self._where = where
        self.positions: dict[TopicPartition, int] = {}
        """Of the records that it was handed; a next life goes on there."""
        self._epochs: dict[TopicPartition, int] = {}
        """Of the records before: without them a leader of long ago could call a position out of
        range, and be believed (320-01)."""
        self._goes_on = False

    async def run(self) -> None:
        """Until the readers shall end."""
        around = self._around
        number = int(self.name.rpartition("-")[2])
        consumer = await started(
            around,
            lambda: Consumer(
                auto_offset_reset="earliest",
                isolation_level="read_committed",
                fetch_max_wait_ms=GETMANY_MS,
                max_partition_fetch_bytes=around.fetch_bytes,
                fetch_max_bytes=2 * around.fetch_bytes,
                client_rack=RACKS[number % len(RACKS)],
                **around.options(self.name),
            ),
            self._attempts.note_error,
        )
        if consumer is None:
            return
        around.track(self.name, consumer)
        consumer.assign(self._where)
        for where, offset in self.positions.items():
            consumer.seek(where, offset, self._epochs[where])
        while not around.is_over:
            try:
                found = await consumer.getmany(timeout_ms=GETMANY_MS)
            except ClientError as error:
                self._attempts.note_error(error)
                around.note(f"{self.name} told {error!r}")
                await asyncio.sleep(RETRY_PAUSE_S)
                continue
            if found:
                self._attempts.reads(self.name, found, around.now_s, goes_on=self._goes_on)
                self._goes_on = True
            for where, records in found.items():
                self.positions[where] = records[-1].offset + 1
                self._epochs[where] = records[-1].leader_epoch
        await consumer.stop()


class Onlooker:
    """Asks what the group has committed, and where partitions end for readers."""

    def __init__(
        self,
        around: Around,
        attempts: Attempts,
        where: Iterable[TopicPartition],
        coordinator_id: Callable[[], int],
        random: Random,
    ) -> None:
        """`coordinator_id`: of the group, as the newest metadata says."""
        self._around = around
        self._attempts = attempts
        self._where = list(where)
        self._coordinator_id = coordinator_id
        self._random = random

    async def run(self) -> None:
        """Until the writers shall end."""
        around, random = self._around, self._random
        admin = await started(
            around, lambda: Admin(**around.options("txn-onlooker")), self._attempts.note_error
        )
        if admin is None:
            return
        while not around.is_over:
            await asyncio.sleep(random.expovariate(1.0 / LOOK_PAUSE_S))
            try:
                if random.random() < 0.5:
                    await self._look(admin, is_stable=random.random() < 0.5)
                else:
                    await self._ask_for_end(admin, random.choice(self._where))
            except ClientError as error:
                self._attempts.note_error(error)
        await admin.stop()

    async def look(self) -> None:
        """What is committed in the end. Raises ClientError."""
        async with Admin(**self._around.options("txn-onlooker")) as admin:
            await self._look(admin, is_stable=True)

    async def _look(self, admin: Admin, *, is_stable: bool) -> None:
        asked_s, before = self._around.now_s, self._coordinator_id()
        coordinator: Any = Coordinator(admin._cluster, GROUP)
        committed = CommittedOffsets(admin._cluster, coordinator, require_stable=is_stable)
        # Of "all" partitions one is left out that has nothing but an offset of an open transaction,
        # even if stable offsets are asked for: an answer about it waits only if it is named.
        wanted = self._where if is_stable else None
        found = await committed.fetch(None, wanted, LOOK_S)
        is_current = before == self._coordinator_id() == node_of(coordinator)
        offsets = {where: one.offset for where, one in found.items()}
        self._attempts.found(
            FoundOffsets(offsets, asked_s, self._around.now_s, is_current, is_stable)
        )

    async def _ask_for_end(self, admin: Admin, where: TopicPartition) -> None:
        asked_s = self._around.now_s
        found = await admin.list_offsets({where: -1}, isolation=READ_COMMITTED)
        offset = found[where].offset
        self._attempts.stable(Stable(where, offset, asked_s, self._around.now_s))
