"""`range`: each topic is cut into one stretch for each of its members."""

from __future__ import annotations

from collections.abc import Iterable

from ...structs import TopicPartition
from .members import Assignment, Member, Partitions, in_order


def assign_range(members: Iterable[Member], partitions: Partitions) -> Assignment:
    """Contiguous stretches in the order of members; the first ones get one more where it does not
    come out even. Topics of one size and with the same members are cut alike, so that partitions
    of one number are together. Where racks matter, each member first gets partitions that have a
    replica in its rack, as many as its stretch is long (KIP-881)."""
    ordered = in_order(members)
    found: Assignment = {each.member_id: [] for each in ordered}
    for topic in sorted({topic for each in ordered for topic in each.topics}):
        subscribed = [each for each in ordered if topic in each.topics]
        for member, numbers in _cut(topic, subscribed, partitions):
            found[member.member_id] += [TopicPartition(topic, number) for number in numbers]
    return found


def _cut(
    topic: str, members: list[Member], partitions: Partitions
) -> list[tuple[Member, list[int]]]:
    count = partitions.counts.get(topic, 0)
    each, over = divmod(count, len(members))
    quotas = [each + (at < over) for at in range(len(members))]
    near = _near(topic, count, members, partitions)
    left = dict.fromkeys(range(count))
    taken: list[list[int]] = []
    for member, quota in zip(members, quotas, strict=True):
        mine = [number for number in left if (member.rack, number) in near][:quota]
        for number in mine:
            del left[number]
        taken.append(mine)
    rest = iter(list(left))
    for mine, quota in zip(taken, quotas, strict=True):
        mine += [next(rest) for _ in range(quota - len(mine))]
    return [(member, sorted(mine)) for member, mine in zip(members, taken, strict=True)]


def _near(
    topic: str, count: int, members: list[Member], partitions: Partitions
) -> set[tuple[str | None, int]]:
    """(rack, partition) where the partition has a replica there; empty when racks change nothing:
    no member has one, or all partitions are in all of the members' racks."""
    racks = {each.rack for each in members} - {None}
    near: set[tuple[str | None, int]] = {
        (rack, number)
        for number in range(count)
        for rack in partitions.racks.get(TopicPartition(topic, number), frozenset())
        if rack in racks
    }
    return near if len(near) < len(racks) * count else set()
