"""`range`: each topic is cut into one stretch for each of its members."""

from __future__ import annotations

from collections.abc import Iterable

from ...structs import TopicPartition
from .members import Assignment, Member, Partitions, in_order


def assign_range(members: Iterable[Member], partitions: Partitions) -> Assignment:
    """Contiguous stretches in the order of members; the first ones get one more where it does not
    come out even. Topics of one size and with the same members are cut alike, so that partitions
    of one number are together. Where racks matter, each member first gets partitions that have a
    replica in its rack, as many as its stretch is long (KIP-881); of topics that are cut alike
    those that have one in all of them."""
    ordered = in_order(members)
    found: Assignment = {each.member_id: [] for each in ordered}
    alike: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for topic in sorted({topic for each in ordered for topic in each.topics}):
        subscribed = tuple(each.member_id for each in ordered if topic in each.topics)
        alike.setdefault((subscribed, partitions.counts.get(topic, 0)), []).append(topic)
    by_id = {each.member_id: each for each in ordered}
    for (subscribed, count), topics in alike.items():
        cut = _cut(topics, count, [by_id[each] for each in subscribed], partitions)
        for member_id, numbers in zip(subscribed, cut, strict=True):
            found[member_id] += [TopicPartition(topic, n) for topic in topics for n in numbers]
    return {member_id: sorted(mine) for member_id, mine in found.items()}


def _cut(
    topics: list[str], count: int, members: list[Member], partitions: Partitions
) -> list[list[int]]:
    """For each member the numbers of its partitions of each of the topics."""
    each, over = divmod(count, len(members))
    quotas = [each + (at < over) for at in range(len(members))]
    near = _near(topics, count, members, partitions)
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
    return taken


def _near(
    topics: list[str], count: int, members: list[Member], partitions: Partitions
) -> set[tuple[str | None, int]]:
    """(rack, number) where the partitions of that number have replicas there; empty when racks
    change nothing: no member has one, or all partitions are in all of the members' racks."""
    racks = {each.rack for each in members} - {None}
    everywhere: set[tuple[str | None, int]] = {
        (rack, number) for rack in racks for number in range(count)
    }
    near = {
        (rack, number)
        for rack, number in everywhere
        if all(
            rack in partitions.racks.get(TopicPartition(topic, number), frozenset())
            for topic in topics
        )
    }
    return near if near != everywhere else set()
