"""The assignor `uniform`: all members get as many partitions, and keep what they have if they may.

If all subscribe to the same topics, nobody has two partitions more than another, and as few
partitions move as that allows (848-14). Racks play no part, as in Kafka 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from ....reads import Steps
from .mixed_subscriptions import assign_mixed
from .partitions import TopicPartition
from .subscriber import Assignment, PartitionCounts, Subscriber


def assign_uniformly(
    members: Mapping[str, Subscriber], counts: PartitionCounts
) -> Steps[Assignment]:
    """Balance first, then stickiness; the result depends on nothing but the arguments."""
    if not members:
        return {}
    first = next(iter(members.values())).topics
    if any(one.topics != first for one in members.values()):
        return (yield from assign_mixed(members, counts))
    return (yield from _assign_alike(members, {topic: counts.get(topic, 0) for topic in first}))


def _assign_alike(members: Mapping[str, Subscriber], counts: PartitionCounts) -> Steps[Assignment]:
    """For members that all subscribe to the topics of `counts`."""
    quota, extra = divmod(sum(counts.values()), len(members))
    taken: set[TopicPartition] = set()
    had: dict[str, list[TopicPartition]] = {}
    for member_id in sorted(members):
        had[member_id] = _still_there(members[member_id], counts, taken)
        taken.update(had[member_id])
        yield None
    # One more than the quota is for those who have it already, as long as there are such places.
    keeps_more = [one for one, partitions in had.items() if len(partitions) > quota][:extra]
    places = {member_id: quota for member_id in had}
    places.update(dict.fromkeys(keeps_more, quota + 1))
    others = [one for one in had if places[one] == quota]
    others.sort(key=lambda one: -len(had[one]))  # those who lose least by it: stable, so by id
    places.update(dict.fromkeys(others[: extra - len(keeps_more)], quota + 1))
    for member_id, partitions in had.items():
        taken.difference_update(partitions[places[member_id] :])
        del partitions[places[member_id] :]
    free = _free(counts, taken)
    found: Assignment = {}
    for member_id, partitions in had.items():
        yield None
        partitions += islice(free, places[member_id] - len(partitions))
        found[member_id] = frozenset(partitions)
    return found


def _still_there(
    member: Subscriber, counts: PartitionCounts, taken: set[TopicPartition]
) -> list[TopicPartition]:
    """What a member was to have, is there, and no member before it has: in order."""
    return sorted(
        one for one in member.target if one[1] < counts.get(one[0], 0) and one not in taken
    )


def _free(counts: PartitionCounts, taken: set[TopicPartition]) -> Iterator[TopicPartition]:
    """Partitions that nobody keeps, in order."""
    for topic_id in sorted(counts):
        for partition in range(counts[topic_id]):
            if (topic_id, partition) not in taken:
                yield topic_id, partition
