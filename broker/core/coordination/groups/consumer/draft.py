"""What an operation has decided so far: records, and the group as it will be when they are applied.

An operation changes nothing itself. It reads the group through its draft, which shows what was
decided a moment ago, and notes the records in the order of REC-01.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...machine import Record
from . import group_records as records
from .group_state import GroupState
from .member import BORN, Current, Member
from .numbers import Numbers, Resolved
from .partitions import NO_PARTITIONS, Partitions, TopicPartition


class Draft:
    """Changes of one group that are not applied yet."""

    __slots__ = (
        "_currents",
        "_members",
        "_owners",
        "_patterns",
        "_targets",
        "group_id",
        "numbers",
        "records",
        "state",
    )

    def __init__(self, group_id: str, state: GroupState) -> None:
        self.group_id = group_id
        self.state = state
        self.records: list[Record] = []
        self.numbers: Numbers = state.numbers
        self._members: dict[str, Member | None] = {}
        self._currents: dict[str, Current] = {}
        self._targets: dict[str, Partitions | None] = {}
        self._patterns: dict[str, Resolved | None] = {}
        self._owners: dict[TopicPartition, str | None] = {}

    # --- reading --------------------------------------------------------------------------------

    def member(self, member_id: str) -> Member | None:
        """A member; None if there is none of that id."""
        if member_id in self._members:
            return self._members[member_id]
        return self.state.members.get(member_id)

    def holder_of(self, instance_id: str) -> Member | None:
        """The static member of that instance; None if there is none. A group that is converted in
        this operation has all of its members here (848-42)."""
        for member in self._members.values():
            if member is not None and member.instance_id == instance_id:
                return member
        holder_id = self.state.instances.get(instance_id)
        return None if holder_id is None else self.member(holder_id)

    def members(self) -> Iterator[Member]:
        """All members."""
        for member in self.state.members.values():
            if member.member_id not in self._members:
                yield member
        yield from (one for one in self._members.values() if one is not None)

    @property
    def size(self) -> int:
        """How many members there are."""
        known = self.state.members
        gone = sum(one is None and key in known for key, one in self._members.items())
        new = sum(one is not None and key not in known for key, one in self._members.items())
        return len(known) - gone + new

    def current(self, member_id: str) -> Current:
        """What a member has."""
        return self._currents.get(member_id) or self.state.current(member_id)

    def target(self, member_id: str) -> Partitions | None:
        """What a member shall have; None: that was not worked out yet."""
        if member_id in self._targets:
            return self._targets[member_id]
        return self.state.targets.get(member_id)

    def owner_of(self, partition: TopicPartition) -> str | None:
        """The member that has a partition or has yet to give it up (848-18)."""
        if partition in self._owners:
            return self._owners[partition]
        return self.state.owner_of(partition)

    def resolved(self, pattern: str) -> Resolved | None:
        """What a pattern was last found to stand for."""
        if pattern in self._patterns:
            return self._patterns[pattern]
        return self.state.patterns.get(pattern)

    def users_of(self, pattern: str) -> int:
        """How many members subscribe by a pattern."""
        count = self.state.pattern_users().get(pattern) or 0
        for member_id, member in self._members.items():
            before = self.state.members.get(member_id)
            count -= before is not None and before.pattern == pattern
            count += member is not None and member.pattern == pattern
        return count

    def patterns_in_use(self) -> list[str]:
        """Patterns that members subscribe by."""
        candidates = set(self.state.pattern_users())
        candidates.update(one.pattern for one in self._members.values() if one is not None)
        candidates.discard("")
        return sorted(one for one in candidates if self.users_of(one))

    def subscribed_topics(self) -> set[str]:
        """Names of all topics that members subscribe to, by name or by pattern."""
        lost: dict[str, int] = {}
        found: set[str] = set()
        for member_id, member in self._members.items():
            before = self.state.members.get(member_id)
            for name in before.topic_names if before is not None else ():
                lost[name] = lost.get(name, 0) + 1
            found.update(member.topic_names if member is not None else ())
        named = self.state.named_topics()
        if lost:
            found.update(name for name, count in named.items() if count > lost.get(name, 0))
        else:
            found.update(named)
        for pattern in self.patterns_in_use():
            if (resolved := self.resolved(pattern)) is not None:
                found.update(resolved.topics)
        return found

    # --- deciding -------------------------------------------------------------------------------

    def put_member(self, member: Member) -> None:
        """What a member says of itself changes."""
        self._members[member.member_id] = member
        self.records.append(records.member_record(self.group_id, member))

    def remove_member(self, member_id: str) -> None:
        """A member goes, and the pattern that it was the last to use."""
        member = self.member(member_id)
        self._set_current(member_id, BORN)
        self._targets[member_id] = None
        self._members[member_id] = None
        self.records += records.member_tombstones(self.group_id, member_id)
        if member is not None:
            self.drop_unused(member.pattern)

    def replace_member(self, old: Member, new_id: str, current: Current) -> Member:
        """A static member comes back under a new id: what it had and shall have goes along."""
        new = replace(old, member_id=new_id)
        target = target_or_none(self, old.member_id)
        self._set_current(old.member_id, BORN)
        self._members[old.member_id] = self._targets[old.member_id] = None
        self.records += records.member_tombstones(self.group_id, old.member_id)
        self.put_member(new)
        self.put_target(new_id, target)
        self.put_current(new_id, current)
        return new

    def drop_unused(self, pattern: str) -> None:
        """Remove what a pattern stands for, if nobody subscribes by it any more (848-23)."""
        if pattern and self.resolved(pattern) is not None and not self.users_of(pattern):
            self._patterns[pattern] = None
            self.records.append(records.pattern_tombstone(self.group_id, pattern))

    def put_pattern(self, pattern: str, resolved: Resolved) -> None:
        """A pattern was found to stand for these topics."""
        self._patterns[pattern] = resolved
        self.records.append(records.pattern_record(self.group_id, pattern, resolved))

    def put_epoch(self, epoch: int, metadata_hash: int) -> None:
        """The group has a new epoch."""
        if self.numbers.has_old_record:
            self.records.append(records.old_metadata_tombstone(self.group_id))
        self.numbers = replace(
            self.numbers, epoch=epoch, metadata_hash=metadata_hash, has_old_record=False
        )
        self.records.append(records.epoch_record(self.group_id, epoch, metadata_hash))

    def put_target(self, member_id: str, target: Partitions) -> None:
        """A member shall have this."""
        self._targets[member_id] = target
        self.records.append(records.target_record(self.group_id, member_id, target))

    def put_assignment_epoch(self, epoch: int, at_ms: int) -> None:
        """The targets are those of this epoch."""
        self.numbers = replace(self.numbers, assignment_epoch=epoch, assigned_at_ms=at_ms)
        self.records.append(records.assignment_epoch_record(self.group_id, epoch, at_ms))

    def put_current(self, member_id: str, current: Current) -> None:
        """A member has this."""
        self._set_current(member_id, current)
        self.records.append(records.current_record(self.group_id, member_id, current))

    def _set_current(self, member_id: str, current: Current) -> None:
        for one in self.current(member_id).held - current.held:
            if self.owner_of(one) == member_id:
                self._owners[one] = None
        for one in current.held:
            self._owners[one] = member_id
        self._currents[member_id] = current


def target_or_none(draft: Draft, member_id: str) -> Partitions:
    """What a member shall have; nothing, where that was not worked out yet."""
    return draft.target(member_id) or NO_PARTITIONS
