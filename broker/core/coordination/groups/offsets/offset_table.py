"""All offsets of a shard: committed ones by group, and those that open transactions have staged."""

from __future__ import annotations

from collections.abc import Iterator

from ...machine import Producer
from ...timeline import LATEST, Timeline, TimelineDict
from .committed import Committed, TopicPartition

OffsetsOfGroup = TimelineDict[TopicPartition, Committed]
_Staged = TimelineDict[tuple[str, TopicPartition], Committed]


class OffsetTable:
    """Offsets by group and partition, versioned; a group without any has no entry."""

    __slots__ = ("_committed", "_openers", "_staged", "_timeline")

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._committed: TimelineDict[str, OffsetsOfGroup] = TimelineDict(timeline)
        self._staged: TimelineDict[int, _Staged] = TimelineDict(timeline)
        """By producer id: what becomes committed with its transaction (OFF-09)."""
        self._openers: TimelineDict[str, TimelineDict[TopicPartition, frozenset[int]]] = (
            TimelineDict(timeline)
        )
        """By group and partition: the producers with staged offsets."""

    # --- reading ------------------------------------------------------------------------------

    def get(self, group_id: str, partition: TopicPartition, at: int = LATEST) -> Committed | None:
        """The committed offset when the log ended at `at`."""
        found = self._committed.at(group_id, at)
        return None if found is None else found.at(partition, at)

    def of_group(
        self, group_id: str, at: int = LATEST
    ) -> Iterator[tuple[TopicPartition, Committed]]:
        """All committed offsets of a group when the log ended at `at`."""
        found = self._committed.at(group_id, at)
        return iter(()) if found is None else found.items_at(at)

    def is_staged(self, group_id: str, partition: TopicPartition) -> bool:
        """Whether an open transaction has an offset for this partition."""
        found = self._openers.get(group_id)
        return found is not None and partition in found

    def partitions(self, group_id: str) -> list[TopicPartition]:
        """All partitions with a committed or a staged offset."""
        committed = self._committed.get(group_id)
        openers = self._openers.get(group_id)
        found = dict.fromkeys(() if committed is None else committed)
        found.update(dict.fromkeys(() if openers is None else openers))
        return list(found)

    def count(self, group_id: str) -> int:
        """How many offsets are committed for a group."""
        found = self._committed.get(group_id)
        return 0 if found is None else len(found)

    def groups(self) -> list[str]:
        """All groups with a committed or a staged offset."""
        return list(dict.fromkeys((*self._committed, *self._openers)))

    # --- replaying ----------------------------------------------------------------------------

    def commit(self, group_id: str, partition: TopicPartition, committed: Committed) -> None:
        """An offset counts from now on."""
        of_group = self._committed.get(group_id)
        if of_group is None:
            of_group = self._committed[group_id] = TimelineDict(self._timeline)
        of_group[partition] = committed

    def stage(
        self,
        group_id: str,
        partition: TopicPartition,
        committed: Committed,
        producer: Producer,
    ) -> None:
        """An offset counts once the producer's transaction is committed."""
        producer_id = producer.producer_id
        staged = self._staged.get(producer_id)
        if staged is None:
            staged = self._staged[producer_id] = TimelineDict(self._timeline)
        staged[group_id, partition] = committed
        openers = self._openers.get(group_id)
        if openers is None:
            openers = self._openers[group_id] = TimelineDict(self._timeline)
        openers[partition] = (openers.get(partition) or frozenset()) | {producer_id}

    def remove(self, group_id: str, partition: TopicPartition) -> None:
        """Forget an offset, also what transactions would have made of it (OFF-10)."""
        of_group = self._committed.get(group_id)
        if of_group is not None:
            of_group.pop(partition)
            if not len(of_group):
                self._committed.pop(group_id)
        openers = self._openers.get(group_id)
        for producer_id in () if openers is None else openers.get(partition) or ():
            self._unstage(producer_id, group_id, partition)

    def end(self, producer: Producer, *, is_commit: bool) -> list[str]:
        """A producer's transaction ends: what it staged counts, or never was.

        An offset that was committed by a later record than the staged one stays (OFF-09). Returns
        the groups that have got offsets.
        """
        staged = self._staged.get(producer.producer_id)
        if staged is None:
            return []
        changed: dict[str, None] = {}
        for (group_id, partition), found in list(staged.items()):
            self._unstage(producer.producer_id, group_id, partition)
            if not is_commit:
                continue
            known = self.get(group_id, partition)
            if known is None or known.record_offset < found.record_offset:
                self.commit(group_id, partition, found)
                changed[group_id] = None
        return list(changed)

    def _unstage(self, producer_id: int, group_id: str, partition: TopicPartition) -> None:
        staged = self._staged[producer_id]
        staged.pop((group_id, partition))
        if not len(staged):
            self._staged.pop(producer_id)
        openers = self._openers[group_id]
        left = openers[partition] - {producer_id}
        if left:
            openers[partition] = left
            return
        openers.pop(partition)
        if not len(openers):
            self._openers.pop(group_id)
