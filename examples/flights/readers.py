"""The readers: one consumer group with a member in each rack, one of which dies and comes back.

They commit after they have dealt with records. A member that dies in between is given again what
it had not committed: that is recognised by the offset, counted, and dealt with only once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from barnabas.client import CloseOption, Consumer, ConsumerRecord, TopicPartition
from barnabas.client.errors import CommitFailedError, RebalanceInProgressError

from .ledger import ROW_HEADER
from .replay import Replay, ReplayError

GROUP = "flights-readers"
POLL_MS = 200
STALL_POLLS_MAX = 300
"""Reading gives up when so many polls of one member bring nothing though records are left."""

AWAY_S = 1.5
"""How long the member that dies stays away: less than its session, so its place is kept."""


class Readers:
    """The members of the group, and what they did."""

    def __init__(self, replay: Replay, racks: Sequence[str], say: Callable[[str], object]) -> None:
        self._replay = replay
        self._racks = racks
        self._say = say
        self._dies_at = len(replay.flights) // 4
        """So many records are read by all when the first member dies."""
        self.died: str | None = None
        """Rack of the member that died and came back."""
        self.read_again = 0
        """Records that it had dealt with, and had not committed."""

    async def read(self, rack: str) -> None:
        """Be the member in this rack until the group has read everything.

        Raises:
            ReplayError: no record came for a minute though some are left.
        """
        while not await self._read_as_member(rack):
            moment = self._replay.timeline.mark(f"reader in {rack} died")
            self._say(f"{moment.at_s:6.2f} s  the reader in {rack} died without a last commit")
            await asyncio.sleep(AWAY_S)
            moment = self._replay.timeline.mark(f"reader in {rack} back")
            self._say(f"{moment.at_s:6.2f} s  the reader in {rack} is back")

    async def _read_as_member(self, rack: str) -> bool:
        """Whether everything was read; False: this member has died."""
        replay = self._replay
        consumer = Consumer(
            replay.topic,
            bootstrap_servers=replay.bootstrap,
            client_id=f"flights-reader-{rack}",
            client_rack=rack,
            group_id=GROUP,
            group_instance_id=f"reader-{rack}",
            partition_assignment_strategy=("cooperative-sticky",),
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        is_over = False
        await consumer.start()
        try:
            is_over = await self._read_all(consumer, rack)
        finally:
            for replica in consumer.bytes_read():
                name = "local" if replica.is_local else "remote"
                replay.bytes_by_replica[name] += replica.total_bytes
            # Who dies tells nobody: to the group the member is there until its session ends.
            option = CloseOption.LEAVE_GROUP if is_over else CloseOption.REMAIN_IN_GROUP
            await consumer.stop(option)
        return is_over

    async def _read_all(self, consumer: Consumer, rack: str) -> bool:
        silent = 0
        while not self._replay.is_all_read:
            batches = await consumer.getmany(timeout_ms=POLL_MS)
            for at, records in batches.items():
                self._deal_with(at, records)
            if batches and self._must_die(rack):
                return False
            if batches:
                await self._commit(consumer, batches)
            silent = 0 if batches or consumer.assignment() == set() else silent + 1
            if silent > STALL_POLLS_MAX and not self._has_read(consumer):
                waited_s = POLL_MS * STALL_POLLS_MAX / 1000
                text = f"the reader in {rack} got no record for {waited_s:.0f} s, and some are left"
                raise ReplayError(text)
        return True

    def _has_read(self, consumer: Consumer) -> bool:
        """Whether nothing is left of what this member has."""
        replay = self._replay
        return all(
            replay.read_to[at.partition] >= replay.stored_to[at.partition]
            for at in consumer.assignment()
        )

    def _must_die(self, rack: str) -> bool:
        """Once in a replay the member dies that reads when a quarter has been read."""
        if self.died is not None or self._replay.ledger.consumed < self._dies_at:
            return False
        self.died = rack
        return True

    async def _commit(
        self, consumer: Consumer, batches: dict[TopicPartition, list[ConsumerRecord]]
    ) -> None:
        # Otherwise the next commit covers it, or another member reads these records again.
        with contextlib.suppress(CommitFailedError, RebalanceInProgressError):
            await consumer.commit({at: rows[-1].offset + 1 for at, rows in batches.items()})

    def _deal_with(self, at: TopicPartition, records: Sequence[ConsumerRecord]) -> None:
        replay = self._replay
        for record in records:
            if record.offset < replay.read_to[at.partition]:
                self.read_again += 1
                continue
            row = next((value for name, value in record.headers if name == ROW_HEADER), None)
            replay.ledger.read(row, record.key, record.value, record.partition, record.offset)
            replay.read_to[at.partition] = record.offset + 1
        replay.timeline.read(replay.ledger.consumed)
