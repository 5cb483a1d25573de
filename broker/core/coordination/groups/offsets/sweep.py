"""What removes offsets that nobody asks for any more: expiry, and deleted topics.

All groups of the shard are gone over in small operations, so that none takes long. An operation
that fails leaves its offsets to the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

_MINUTE_MS: Final = 60_000
_EXPIRY: Final = "offsets: expiry"
_DELETED: Final = "offsets: deleted topics"


class _Boundary:
    """What was found so far is to be applied before the sweep goes on."""


Steps = Iterator[Record | _Boundary | None]
"""A record to write, None for something that was looked at and stays, or a boundary."""


class Sweep:
    """The rounds over one shard's offsets."""

    __slots__ = ("_around", "_deleted", "_deleting", "_expiring", "_table", "_topics")

    def __init__(self, around: GroupSurroundings, table: OffsetTable) -> None:
        self._around = around
        self._table = table
        self._expiring: Steps | None = None
        self._deleting: Steps | None = None
        self._deleted: dict[str, bytes] = {}
        """Names and ids of topics that are to be gone over next."""
        self._topics: Mapping[str, bytes] = {}
        """Those that are gone over now."""

    def start(self) -> None:
        """The first round of expiry comes after one interval."""
        interval_ms = self._around.config.offsets_retention_check_interval_ms
        self._around.timers.schedule(_EXPIRY, interval_ms, self._expire)

    def add_deleted(self, topics: Mapping[str, bytes]) -> None:
        """These topics were deleted: remove their offsets soon (OFF-22)."""
        self._deleted.update(topics)
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
            yield from group.tombstones()  # OFF-32, OFF-33

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
            self._around.timers.schedule(_DELETED, 0, self._remove_deleted)
        return Outcome(None, records, on_appended=partial(self._on_removed, self._topics))

    def _on_removed(self, topics: Mapping[str, bytes], code: ErrorCode) -> None:
        if code is not ErrorCode.NONE:
            self.add_deleted({**topics, **self._deleted})  # once more, over all groups

    def _of_deleted(self, topics: Mapping[str, bytes]) -> Steps:
        for group_id in self._table.groups():
            yield None
            for partition in self._table.partitions(group_id):
                topic_id = topics.get(partition[0])
                if topic_id is None:
                    yield None
                    continue
                committed = self._table.get(group_id, partition)
                if committed is None or committed.topic_id in (ZERO_UUID, topic_id):
                    yield tombstone(group_id, partition)


def _some(steps: Steps) -> tuple[list[Record], bool]:
    """The records of some steps, and whether there are no more."""
    records: list[Record] = []
    for number, record in enumerate(steps, 1):
        if isinstance(record, Record):
            records.append(record)
        if number >= LOOKED_AT_ONCE or isinstance(record, _Boundary):
            return records, False
    return records, True
