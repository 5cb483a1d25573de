"""The part of a shard that keeps offsets: commits, fetches, deletion (OFF-01 to OFF-22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.legacy_offset_commit_key import LegacyOffsetCommitKey
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue
from barnabas.protocol.primitives import ZERO_UUID

from ...machine import Outcome, Producer, Record
from ...timeline import LATEST
from ..group import Committer
from ..surroundings import GroupSurroundings
from .committed import Committed, TopicPartition, tombstone
from .offset_table import OffsetTable
from .sweep import Sweep

REMOVED_AT_ONCE: Final = 1000
"""Offsets that one operation removes; a group with more is deleted by several."""

_NO_GENERATION_SINCE: Final = 9
"""From this version of OffsetCommit on, a group that is unknown has an error of its own."""

_TIME_MAX: Final = 2**63 - 1
"""A retention may be so long that its end has no place in a record."""

OffsetKey = OffsetCommitKey | LegacyOffsetCommitKey


@dataclass(frozen=True, slots=True)
class Wanted:
    """One offset that is to be committed."""

    partition: TopicPartition
    offset: int
    leader_epoch: int = -1
    metadata: str | None = None
    topic_id: bytes = ZERO_UUID


class GroupOffsets:
    """The offsets of one shard's groups."""

    __slots__ = ("_around", "_new_simple_group", "_sweep", "table")

    def __init__(
        self, around: GroupSurroundings, new_simple_group: Callable[[str], object]
    ) -> None:
        """`new_simple_group`: puts a group without members into the table (GRP-26)."""
        self._around = around
        self._new_simple_group = new_simple_group
        self.table = OffsetTable(around.timeline)
        self._sweep = Sweep(around, self.table)

    # --- commits ------------------------------------------------------------------------------

    def commit(
        self,
        group_id: str,
        committer: Committer,
        wanted: Sequence[Wanted],
        *,
        retention_ms: int = -1,
        producer: Producer | None = None,
    ) -> Outcome[list[ErrorCode]]:
        """Commit offsets; a code for each, in order: NONE, or 12 for metadata that is too long.

        `retention_ms`: of requests 2 to 4; -1 leaves it to the broker (OFF-31). `producer`: whose
        transaction the commit is part of. Raises KafkaError: what the group says (OFF-03, OFF-04).
        """
        self._check_commit(group_id, committer, [one.partition for one in wanted])
        now = self._around.env.clock.wall_ms()
        expire_ms = None if retention_ms < 0 else min(now + retention_ms, _TIME_MAX)
        codes: list[ErrorCode] = []
        records: list[Record] = []
        longest = self._around.config.offset_metadata_max_bytes
        for one in wanted:
            metadata = one.metadata or ""
            if _utf16_units(metadata, longest) > longest:
                codes.append(ErrorCode.OFFSET_METADATA_TOO_LARGE)
                continue
            committed = Committed(
                one.offset, one.leader_epoch, metadata, now, expire_ms, one.topic_id
            )
            records.append(committed.record(group_id, one.partition))
            codes.append(ErrorCode.NONE)
        return Outcome(codes, records, producer=producer)

    def _check_commit(
        self, group_id: str, committer: Committer, partitions: Sequence[TopicPartition]
    ) -> None:
        group = self._around.groups.get(group_id)
        if group is not None:
            group.check_commit(committer, partitions)
        elif committer.epoch >= 0:
            is_old = committer.is_transactional or committer.api_version < _NO_GENERATION_SINCE
            code = ErrorCode.ILLEGAL_GENERATION if is_old else ErrorCode.GROUP_ID_NOT_FOUND
            raise KafkaError(code, f"group {group_id} is not known")

    # --- fetches ------------------------------------------------------------------------------

    def check_fetch(self, group_id: str, committer: Committer | None, at: int = LATEST) -> None:
        """Raise KafkaError if who asks is not who the group knows (OFF-07).

        An unknown group is no error; None: nobody said who asks.
        """
        group = self._around.groups.at(group_id, at)
        if group is not None and committer is not None:
            group.check_fetch(committer, at)

    def fetch(
        self,
        group_id: str,
        partitions: Sequence[TopicPartition],
        topic_id: bytes | None = None,
        at: int = LATEST,
        *,
        is_stable: bool = False,
    ) -> list[Committed | ErrorCode | None]:
        """The committed offset of each partition; None: there is none.

        With `topic_id` an offset of another topic of that name is none (OFF-05). With `is_stable`
        UNSTABLE_OFFSET_COMMIT stands for a partition about which a transaction is open (OFF-08).
        """
        return [self._fetch(group_id, one, topic_id, at, is_stable) for one in partitions]

    def _fetch(
        self,
        group_id: str,
        partition: TopicPartition,
        topic_id: bytes | None,
        at: int,
        is_stable: bool,
    ) -> Committed | ErrorCode | None:
        if is_stable and self.table.is_staged(group_id, partition):
            return ErrorCode.UNSTABLE_OFFSET_COMMIT
        found = self.table.get(group_id, partition, at)
        if found is None or topic_id is None or found.topic_id in (ZERO_UUID, topic_id):
            return found
        return None

    def partitions(self, group_id: str, at: int = LATEST) -> list[TopicPartition]:
        """All partitions with a committed offset."""
        return [partition for partition, _ in self.table.of_group(group_id, at)]

    # --- deletion -----------------------------------------------------------------------------

    def delete(
        self, group_id: str, partitions: Sequence[TopicPartition]
    ) -> Outcome[list[ErrorCode]]:
        """Delete offsets (OFF-20); a code for each: NONE, or 86 for a topic that is subscribed.

        Raises KafkaError: 69 for an unknown group, 68 if nothing of this group may be deleted.
        """
        group = self._around.groups.get(group_id)
        if group is None:
            raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"group {group_id} is not known")
        group.check_offset_delete()
        codes: list[ErrorCode] = []
        records: list[Record] = []
        for partition in partitions:
            if group.is_subscribed(partition[0]):
                codes.append(ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC)
                continue
            codes.append(ErrorCode.NONE)
            if self._knows(group_id, partition):
                records.append(tombstone(group_id, partition))
        return Outcome(codes, records)

    def _knows(self, group_id: str, partition: TopicPartition) -> bool:
        is_committed = self.table.get(group_id, partition) is not None
        return is_committed or self.table.is_staged(group_id, partition)

    def delete_group(self, group_id: str) -> Outcome[bool]:
        """Delete a group with all of its offsets (OFF-21); False: call again for the rest.

        Raises KafkaError: 69 for an unknown group, 68 for one with members.
        """
        group = self._around.groups.get(group_id)
        if group is None:
            raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"group {group_id} is not known")
        group.check_delete()
        partitions = self.table.partitions(group_id)
        records = [tombstone(group_id, one) for one in islice(partitions, REMOVED_AT_ONCE)]
        if len(partitions) > REMOVED_AT_ONCE:
            return Outcome(False, records)
        return Outcome(True, [*records, *group.tombstones()])

    def on_topics_deleted(self, topics: Mapping[str, bytes]) -> None:
        """Remove the offsets of these topics, by and by, in all groups (OFF-22)."""
        self._sweep.add_deleted(topics)

    # --- the log ------------------------------------------------------------------------------

    def replay(
        self,
        key: OffsetKey,
        value: OffsetCommitValue | LegacyOffsetCommitValue | None,
        offset: int,
        producer: Producer | None,
    ) -> None:
        """Apply a record of a committed offset."""
        partition = (key.topic, key.partition)
        if value is None:
            self.table.remove(key.group, partition)
            return
        self._ensure_group(key.group)
        committed = Committed.of(value, offset)
        if producer is None:
            self.table.commit(key.group, partition, committed)
        else:
            self.table.stage(key.group, partition, committed, producer)

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        """Apply the end of a producer's transaction, whatever the groups' states (OFF-10)."""
        for group_id in self.table.end(producer, is_commit=is_commit):
            self._ensure_group(group_id)

    def _ensure_group(self, group_id: str) -> None:
        if group_id not in self._around.groups:
            self._new_simple_group(group_id)

    def on_loaded(self) -> None:
        """Offsets expire from now on."""
        self._sweep.start()

    def all_partitions(self) -> Iterator[tuple[str, TopicPartition]]:
        """Every group and partition with an offset, for figures and tests."""
        for group_id in self.table.groups():
            for partition in self.table.partitions(group_id):
                yield group_id, partition


def _utf16_units(text: str, enough: int) -> int:
    """Length of a text as Java counts it (OFF-02)."""
    if len(text) * 2 <= enough or len(text) > enough:
        return len(text)
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)
