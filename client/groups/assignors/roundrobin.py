"""`roundrobin`: all partitions of all topics are dealt out to the members in turn."""

from __future__ import annotations

from collections.abc import Iterable

from .members import Assignment, Member, Partitions, in_order


def assign_roundrobin(members: Iterable[Member], partitions: Partitions) -> Assignment:
    """Each partition goes to the next member that subscribes to its topic."""
    ordered = in_order(members)
    found: Assignment = {each.member_id: [] for each in ordered}
    at = 0
    for where in partitions.of(topic for each in ordered for topic in each.topics):
        while where.topic not in ordered[at % len(ordered)].topics:
            at += 1
        found[ordered[at % len(ordered)].member_id].append(where)
        at += 1
    return found
