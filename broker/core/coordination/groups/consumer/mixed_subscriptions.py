"""The assignor `uniform`, where members subscribe to different topics.

No partition can move to a member that has two fewer and subscribes to its topic. Members keep what
they have unless that needs to change.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heapreplace
from typing import Final

from .partitions import TopicPartition
from .subscriber import Assignment, PartitionCounts, Subscriber

ROUNDS_MAX: Final = 100
"""Rounds over all topics. Each move makes the loads more alike, so that they end by themselves;
a bound all the same, as an assignment that is a little uneven harms nobody."""


def assign_mixed(members: Mapping[str, Subscriber], counts: PartitionCounts) -> Assignment:
    """Keep what may stay, give the rest to those who have least, then even out."""
    shares = _Shares(members, counts)
    topics = sorted(shares.subscribers, key=lambda one: (len(shares.subscribers[one]), one))
    for topic_id in topics:  # topics with few subscribers first: they leave no choice
        shares.give_rest(topic_id, counts.get(topic_id, 0))
    rounds = 0
    while rounds < ROUNDS_MAX and any([shares.even_out(one) for one in topics]):
        rounds += 1
    return shares.result()


class _Shares:
    """Who has which partitions, by topic."""

    __slots__ = ("_given", "_loads", "_members", "_topics", "subscribers")

    def __init__(self, members: Mapping[str, Subscriber], counts: PartitionCounts) -> None:
        self._members = sorted(members)
        self._loads = dict.fromkeys(self._members, 0)
        self.subscribers: dict[bytes, list[str]] = {}
        self._given: dict[bytes, dict[str, list[int]]] = {}
        for member_id in self._members:
            for topic_id in members[member_id].topics:
                self.subscribers.setdefault(topic_id, []).append(member_id)
                self._given.setdefault(topic_id, {})[member_id] = []
        self._topics: dict[bytes, set[int]] = {one: set() for one in self.subscribers}
        for member_id in self._members:
            self._keep(member_id, members[member_id], counts)

    def _keep(self, member_id: str, member: Subscriber, counts: PartitionCounts) -> None:
        for topic_id, partition in sorted(member.target):
            if topic_id not in member.topics or partition >= counts.get(topic_id, 0):
                continue
            if partition not in self._topics[topic_id]:
                self._topics[topic_id].add(partition)
                self._given[topic_id][member_id].append(partition)
                self._loads[member_id] += 1

    def give_rest(self, topic_id: bytes, count: int) -> None:
        """Partitions that nobody has go, one by one, to the subscriber that has least."""
        taken = self._topics[topic_id]
        if len(taken) == count:
            return
        heap = [(self._loads[one], one) for one in self.subscribers[topic_id]]
        heapify(heap)
        for partition in range(count):
            if partition not in taken:
                load, member_id = heap[0]
                self._given[topic_id][member_id].append(partition)
                self._loads[member_id] = load + 1
                heapreplace(heap, (load + 1, member_id))

    def even_out(self, topic_id: bytes) -> int:
        """Move partitions of a topic to subscribers that have two fewer; how many moved."""
        given, loads = self._given[topic_id], self._loads
        least = min(loads[one] for one in given)
        if all(loads[one] - least < 2 for one, partitions in given.items() if partitions):
            return 0
        takers = [(loads[one], one) for one in given]
        givers = [(-loads[one], one) for one, partitions in given.items() if partitions]
        heapify(takers)
        heapify(givers)
        moved = 0
        while givers:
            _, giver = givers[0]
            load, taker = takers[0]
            if loads[taker] != load:
                heapreplace(takers, (loads[taker], taker))
            elif not given[giver] or loads[giver] - load < 2:
                # The giver that has most is asked first: what it cannot give, nobody can,
                # unless it has nothing of this topic left.
                if given[giver]:
                    break
                heappop(givers)
            else:
                given[taker].append(given[giver].pop())
                loads[giver] -= 1
                loads[taker] += 1
                moved += 1
                heapreplace(takers, (loads[taker], taker))
                heapreplace(givers, (-loads[giver], giver))
        return moved

    def result(self) -> Assignment:
        """Member id -> partitions."""
        found: dict[str, list[TopicPartition]] = {one: [] for one in self._members}
        for topic_id, given in self._given.items():
            for member_id, partitions in given.items():
                found[member_id] += [(topic_id, one) for one in partitions]
        return {member_id: frozenset(partitions) for member_id, partitions in found.items()}
