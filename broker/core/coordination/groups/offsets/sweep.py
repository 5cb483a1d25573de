"""What removes offsets that nobody asks for any more: expiry, and deleted topics.

All groups of the shard are gone over in small operations, so that none takes long. An operation
that fails leaves its offsets to the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID

from ...machine import Outcome, Record
from ..group import Group
from ..surroundings import GroupSurroundings
from .committed import Committed, TopicPartition, tombstone
from .offset_table import OffsetTable

LOOKED_AT_ONCE: Final = 500
"""Offsets and groups that one operation looks at; about a millisecond."""

AGAIN_MS: Final = 500.0
"""Pause before offsets are gone over once more that could not be removed."""

_MINUTE_MS: Final = 60_000
_EXPIRY: Final = "offsets: expiry"
_DELETED: Final = "offsets: deleted topics"


class _Boundary:
    """What was found so far is to be applied before the sweep goes on."""


Steps = Iterator[Record | Sequence[Record] | _Boundary | None]
"""A record to write, records that one operation writes, None for something that was looked at and
stays, or a boundary."""


class Sweep:
    """The rounds over one shard's offsets."""

    __slots__ = ("_around", "_deleted", "_deleting", "_expiring", "_table", "_topics")

    def __init__(self, around: GroupSurroundings, table: OffsetTable) -> None:
        self._around = around
        self._table = table
        self._expiring: Steps | None = None
        self._deleting: Steps | None = None
        self._deleted: dict[str, set[bytes]] = {}
        """Names of topics that are to be gone over next, and the ids that each had."""
        self._topics: Mapping[str, set[bytes]] = {}
        """Those that are gone over now."""

    def start(self) -> None:
        """The first round of expiry comes after one interval."""
        interval_ms = self._around.config.offsets_retention_check_interval_ms
        self._around.timers.schedule(_EXPIRY, interval_ms, self._expire)

    def add_deleted(self, topics: Mapping[str, bytes]) -> None:
        """These topics were deleted: remove their offsets soon (OFF-22)."""
        for name, topic_id in topics.items():
            self._deleted.setdefault(name, set()).add(topic_id)
        if self._deleting is None:
            self._around.timers.schedule(_DELETED, 0, self._remove_deleted)

    # --- expiry (KIP-211) ---------------------------------------------------------------------

    def _expire(self) -> Outcome[None]:
        """One operation of a round; the next one follows, or the next round after the interval."""
        if self._expiring is None:
            self._expiring = self._expired()
        records, is_over = _some(self._expiring)
        if is_over:
            self._expiring = None
            self.start()
        else:
            self._around.timers.schedule(_EXPIRY, 0, self._expire)
        return Outcome(None, records)

    def _expired(self) -> Steps:
        for group_id in list(self._around.groups):
            yield None
            group = self._around.groups.get(group_id)
            if group is not None:
                yield from self._expired_of(group_id, group)

    def _expired_of(self, group_id: str, group: Group) -> Steps:
        partitions = self._table.partitions(group_id)
        for partition in partitions:
            committed = self._table.get(group_id, partition)
            if committed is not None and self._is_expired(group_id, group, partition, committed):
                yield tombstone(group_id, partition)
            else:
                yield None
        if partitions:
            yield _Boundary()
        is_left = bool(self._table.partitions(group_id))
        if not is_left and group.is_empty and self._around.groups.get(group_id) is group:
            yield group.tombstones()  # OFF-32, OFF-33; nobody may join between two of them

    def _is_expired(
        self, group_id: str, group: Group, partition: TopicPartition, committed: Committed
    ) -> bool:
        topic = partition[0]
        if self._table.is_staged(group_id, partition) or group.is_subscribed(topic):
            return False
        start_ms = group.expiry_starts_ms(topic, committed.commit_ms)
        if start_ms is None:
            return False
        now_ms = self._around.env.clock.wall_ms()
        if committed.expire_ms is not None:
            return now_ms >= committed.expire_ms  # OFF-31
        return now_ms - start_ms >= self._around.config.offsets_retention_minutes * _MINUTE_MS

    # --- deleted topics -----------------------------------------------------------------------

    def _remove_deleted(self) -> Outcome[None]:
        if self._deleting is None:
            self._topics, self._deleted = self._deleted, {}
            self._deleting = self._of_deleted(self._topics)
        records, is_over = _some(self._deleting)
        if is_over:
            self._deleting = None
        if not is_over or self._deleted:
            delay_ms = AGAIN_MS if is_over else 0
            self._around.timers.schedule(_DELETED, delay_ms, self._remove_deleted)
        return Outcome(None, records, on_appended=partial(self._on_removed, self._topics))

    def _on_removed(self, topics: Mapping[str, set[bytes]], code: ErrorCode) -> None:
        if code is not ErrorCode.NONE:
            for name, ids in topics.items():  # once more, over all groups
                self._deleted.setdefault(name, set()).update(ids)
            if self._deleting is None:
                self._around.timers.schedule(_DELETED, AGAIN_MS, self._remove_deleted)

    def _of_deleted(self, topics: Mapping[str, set[bytes]]) -> Steps:
        for group_id in self._table.groups():
            yield None
            for partition in self._table.partitions(group_id):
                ids = topics.get(partition[0])
                if ids is None:
                    yield None
                    continue
                committed = self._table.get(group_id, partition)
                topic_id = ZERO_UUID if committed is None else committed.topic_id
                is_gone = topic_id == ZERO_UUID or topic_id in ids
                yield tombstone(group_id, partition) if is_gone else None


def _some(steps: Steps) -> tuple[list[Record], bool]:
    """The records of some steps, and whether there are no more."""
    records: list[Record] = []
    for number, record in enumerate(steps, 1):
        if isinstance(record, Record):
            records.append(record)
        elif isinstance(record, Sequence):
            records += record
        if number >= LOOKED_AT_ONCE or isinstance(record, _Boundary):
            return records, False
    return records, True
