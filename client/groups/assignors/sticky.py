"""`sticky` and `cooperative-sticky`: as even as can be, and else as before.

Of partitions that members say they own only those count that exist, that the member still
subscribes to, and that nobody claims with a later generation; one claimed twice in one generation
belongs to nobody (CLI-09).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from ...structs import TopicPartition
from .members import Assignment, Member, Partitions, in_order


def assign_sticky(members: Iterable[Member], partitions: Partitions) -> Assignment:
    """No member has two partitions more than another one that could have one of them, and each
    keeps what it had as far as that allows."""
    ordered = in_order(members)
    owners = valid_owners(ordered, partitions)
    kept: Assignment = {each.member_id: [] for each in ordered}
    everything = partitions.of(topic for each in ordered for topic in each.topics)
    for where in everything:
        if where in owners:
            kept[owners[where]].append(where)
    left = [where for where in everything if where not in owners]
    if len({each.topics for each in ordered}) <= 1:
        _even_out(kept, left)
    else:
        _Balance(ordered, kept, owners).run(left)
    return {member: sorted(mine) for member, mine in kept.items()}


def assign_cooperative(members: Iterable[Member], partitions: Partitions) -> Assignment:
    """The same without partitions that another member still owns: their owners give them up first,
    and the next rebalance grants them (CLI-10)."""
    members = list(members)
    wanted = assign_sticky(members, partitions)
    holders: dict[TopicPartition, set[str]] = {}
    for each in members:
        for where in each.owned:
            holders.setdefault(where, set()).add(each.member_id)
    return {
        member: [where for where in mine if holders.get(where, set()) <= {member}]
        for member, mine in wanted.items()
    }


def valid_owners(members: Iterable[Member], partitions: Partitions) -> dict[TopicPartition, str]:
    """Partition -> the member whose claim counts."""
    best: dict[TopicPartition, tuple[int, str | None]] = {}
    for member in members:
        for where in dict.fromkeys(member.owned):
            known = best.get(where)
            if known is None or member.generation > known[0]:
                best[where] = member.generation, member.member_id
            elif member.generation == known[0]:
                best[where] = member.generation, None
    topics = {each.member_id: each.topics for each in members}
    return {
        where: owner
        for where, (_, owner) in best.items()
        if owner is not None
        and where.topic in topics[owner]
        and 0 <= where.partition < partitions.counts.get(where.topic, 0)
    }


def _even_out(kept: Assignment, left: list[TopicPartition]) -> None:
    """Members that subscribe to the same topics: each gets the same number, some one more. Those
    that have most keep the one more."""
    if not kept:
        return
    total = sum(map(len, kept.values())) + len(left)
    low, over = divmod(total, len(kept))
    free = deque(left)
    for member in sorted(kept, key=lambda each: -len(kept[each])):
        quota = low + (over > 0 and len(kept[member]) > low)
        over -= quota > low
        mine = kept[member]
        free.extend(mine[quota:])
        del mine[quota:]
    for mine in kept.values():
        while free and len(mine) < low:
            mine.append(free.popleft())
    for mine in kept.values():
        if free and len(mine) == low:
            mine.append(free.popleft())


class _Balance:
    """Members with different subscriptions: fill up the poorest, then move one by one.

    Each move is from a member to one that has at least two fewer, so the sum of squares falls and
    there is an end.
    """

    def __init__(
        self, members: list[Member], kept: Assignment, owners: dict[TopicPartition, str]
    ) -> None:
        self._kept = kept
        self._owners = owners
        self._order = {each.member_id: at for at, each in enumerate(members)}
        self._by_topic: dict[str, list[str]] = {}
        for each in members:
            for topic in each.topics:
                self._by_topic.setdefault(topic, []).append(each.member_id)

    def run(self, left: list[TopicPartition]) -> None:
        """Give out what nobody owns, then even out."""
        for where in sorted(left, key=lambda one: (len(self._by_topic[one.topic]), one)):
            self._kept[self._poorest(where.topic)].append(where)
        has_moved = True
        while has_moved:
            has_moved = False
            for member in sorted(self._kept, key=lambda one: -len(self._kept[one])):
                has_moved = self._relieve(member) or has_moved

    def _poorest(self, topic: str) -> str:
        return min(self._by_topic[topic], key=lambda one: (len(self._kept[one]), self._order[one]))

    def _relieve(self, member: str) -> bool:
        """Move partitions away from a member; those that it did not own before go first."""
        mine = self._kept[member]
        has_moved = False
        for where in sorted(mine, key=lambda one: self._owners.get(one) == member):
            other = self._poorest(where.topic)
            if len(mine) - len(self._kept[other]) >= 2:
                mine.remove(where)
                self._kept[other].append(where)
                has_moved = True
        return has_moved
