"""All that the log says of one consumer group, in parts that can be taken back (CRT-07).

The methods apply one record each. They accept what a log may hold that is compacted while it is
read: the end of a member that was never there, a target without its member, a partition of two
members for a while (CRT-16). The last record of each key decides, so the end is right.
"""

from __future__ import annotations

from dataclasses import replace

from ...timeline import Timeline, TimelineCell, TimelineDict
from ..classic.weights import TotalWeight
from .member import BORN, Current, Member
from .member_weights import GroupWeight, HeldWeight, weight_of
from .numbers import Numbers, Resolved
from .partitions import NO_PARTITIONS, Partitions, TopicPartition


class GroupState:
    """Members, targets, what members have, patterns and epochs; read the latest with no offset."""

    __slots__ = (
        "_names",
        "_numbers",
        "_owners",
        "_pattern_users",
        "_weights",
        "currents",
        "instances",
        "members",
        "patterns",
        "targets",
        "weight",
    )

    def __init__(self, timeline: Timeline, total: TotalWeight) -> None:
        """`total` is what the members of all groups of this broker take in memory."""
        self.members: TimelineDict[str, Member] = TimelineDict(timeline)
        self.currents: TimelineDict[str, Current] = TimelineDict(timeline)
        self.targets: TimelineDict[str, Partitions] = TimelineDict(timeline)
        self.instances: TimelineDict[str, str] = TimelineDict(timeline)
        """Instance id -> member id, of static members."""
        self.patterns: TimelineDict[str, Resolved] = TimelineDict(timeline)
        self._numbers = TimelineCell(timeline, Numbers())
        self._owners: TimelineDict[TopicPartition, str] = TimelineDict(timeline)
        self._names: TimelineDict[str, int] = TimelineDict(timeline)
        self._pattern_users: TimelineDict[str, int] = TimelineDict(timeline)
        self.weight = GroupWeight(total)
        self._weights: TimelineDict[str, HeldWeight] = TimelineDict(timeline)

    # --- reading --------------------------------------------------------------------------------

    @property
    def numbers(self) -> Numbers:
        """The latest epochs."""
        return self._numbers.value

    def numbers_at(self, offset: int) -> Numbers:
        """The epochs when the log ended at `offset`."""
        return self._numbers.at(offset)

    def current(self, member_id: str) -> Current:
        """What a member has now."""
        return self.currents.get(member_id) or BORN

    def target(self, member_id: str) -> Partitions:
        """What a member shall have."""
        return self.targets.get(member_id) or NO_PARTITIONS

    def owner_of(self, partition: TopicPartition) -> str | None:
        """The member that has a partition or has yet to give it up; None: it is free (848-18)."""
        owner = self._owners.get(partition)
        return owner if owner is not None and owner in self.members else None

    def named_topics(self) -> TimelineDict[str, int]:
        """Topics that members subscribe to by name, with the number of these members."""
        return self._names

    def pattern_users(self) -> TimelineDict[str, int]:
        """Patterns that members subscribe by, with the number of these members."""
        return self._pattern_users

    def is_subscribed(self, topic: str) -> bool:
        """Whether a member reads this topic, by name or by a pattern."""
        if topic in self._names:
            return True
        resolved = (self.patterns.get(one) for one in self._pattern_users)
        return any(one is not None and topic in one.topics for one in resolved)

    # --- applying records -----------------------------------------------------------------------

    def put_member(self, member: Member) -> None:
        """Key type 5."""
        self._forget_subscription(member.member_id)
        self.members[member.member_id] = member
        self._weights[member.member_id] = HeldWeight(self.weight, weight_of(member))
        if member.instance_id is not None:
            self.instances[member.instance_id] = member.member_id
        for name in member.topic_names:
            _count(self._names, name, 1)
        if member.pattern:
            _count(self._pattern_users, member.pattern, 1)

    def drop_member(self, member_id: str) -> None:
        """Tombstone of key type 5."""
        self._forget_subscription(member_id)
        self.members.pop(member_id)
        self._weights.pop(member_id)

    def put_target(self, member_id: str, target: Partitions) -> None:
        """Key type 7."""
        self.targets[member_id] = target

    def drop_target(self, member_id: str) -> None:
        """Tombstone of key type 7."""
        self.targets.pop(member_id)

    def put_current(self, member_id: str, current: Current) -> None:
        """Key type 8. Who gets a partition has it, whoever had it in an older record."""
        before, after = self.current(member_id).held, current.held
        self._release(member_id, before - after)
        for one in after:
            if self._owners.get(one) != member_id:
                self._owners[one] = member_id
        self.currents[member_id] = current

    def drop_current(self, member_id: str) -> None:
        """Tombstone of key type 8."""
        self._release(member_id, self.current(member_id).held)
        self.currents.pop(member_id)

    def put_epoch(self, epoch: int, metadata_hash: int) -> None:
        """Key type 3."""
        self._numbers.set(replace(self.numbers, epoch=epoch, metadata_hash=metadata_hash))

    def put_assignment_epoch(self, epoch: int, at_ms: int) -> None:
        """Key type 6; its tombstone has epoch 0."""
        self._numbers.set(replace(self.numbers, assignment_epoch=epoch, assigned_at_ms=at_ms))

    def note_old_record(self, *, is_there: bool) -> None:
        """Key type 4, or its tombstone."""
        if self.numbers.has_old_record != is_there:
            self._numbers.set(replace(self.numbers, has_old_record=is_there))

    def _release(self, member_id: str, partitions: Partitions) -> None:
        for one in partitions:
            if self._owners.get(one) == member_id:
                self._owners.pop(one)

    def _forget_subscription(self, member_id: str) -> None:
        member = self.members.get(member_id)
        if member is None:
            return
        if member.instance_id is not None and self.instances.get(member.instance_id) == member_id:
            self.instances.pop(member.instance_id)
        for name in member.topic_names:
            _count(self._names, name, -1)
        if member.pattern:
            _count(self._pattern_users, member.pattern, -1)


def _count(counts: TimelineDict[str, int], key: str, change: int) -> None:
    number = (counts.get(key) or 0) + change
    if number:
        counts[key] = number
    else:
        counts.pop(key)
