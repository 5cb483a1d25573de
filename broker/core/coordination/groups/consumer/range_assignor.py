"""The assignor `range`: of each topic, members get contiguous partitions, in the order of members.

Topics with the same number of partitions and the same subscribers are divided alike, so that the
same numbers of all of them meet at one member, for joins (848-14).
"""

from __future__ import annotations

from collections.abc import Mapping

from ....reads import Steps
from .partitions import TopicPartition
from .subscriber import Assignment, PartitionCounts, Subscriber


def assign_ranges(members: Mapping[str, Subscriber], counts: PartitionCounts) -> Steps[Assignment]:
    """Divide each topic among its subscribers: static members first, by instance id."""
    given: dict[str, list[TopicPartition]] = {one: [] for one in members}
    order = sorted(members, key=lambda one: _place(one, members[one]))
    subscribers: dict[bytes, list[str]] = {}
    for member_id in order:
        yield None
        for topic_id in members[member_id].topics:
            subscribers.setdefault(topic_id, []).append(member_id)
    for topic_id, member_ids in subscribers.items():
        count = counts.get(topic_id, 0)
        share, more = divmod(count, len(member_ids))
        first = 0
        for number, member_id in enumerate(member_ids):
            end = first + share + (number < more)
            given[member_id] += [(topic_id, partition) for partition in range(first, end)]
            first = end
            yield None
    return {member_id: frozenset(partitions) for member_id, partitions in given.items()}


def _place(member_id: str, member: Subscriber) -> tuple[bool, str, str]:
    return member.instance_id is None, member.instance_id or "", member_id
