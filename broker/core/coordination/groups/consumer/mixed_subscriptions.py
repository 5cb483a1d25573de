"""The assignor `uniform`, where members subscribe to different topics.

No partition can move to a member that has two fewer and subscribes to its topic. Members keep what
they have unless that needs to change.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heapreplace
from typing import Final

from ....reads import Steps
from .partitions import TopicPartition
from .subscriber import PARTITIONS_AT_ONCE, Assignment, PartitionCounts, Subscriber

ROUNDS_MAX: Final = 100
"""Rounds over all topics. Each move makes the loads more alike, so that they end by themselves;
a bound all the same, as an assignment that is a little uneven harms nobody."""


def assign_mixed(members: Mapping[str, Subscriber], counts: PartitionCounts) -> Steps[Assignment]:
    """Keep what may stay, give the rest to those who have least, then even out."""
    shares = _Shares()
    for member_id in sorted(members):
        shares.keep(member_id, members[member_id], counts)
        yield None
    topics = sorted(shares.subscribers, key=lambda one: (len(shares.subscribers[one]), one))
    for topic_id in topics:  # topics with few subscribers first: they leave no choice
        yield from shares.give_rest(topic_id, counts.get(topic_id, 0))
    for _ in range(ROUNDS_MAX):
        moved = 0
        for topic_id in topics:
            moved += yield from shares.even_out(topic_id)
        if not moved:
            break
    return (yield from shares.result())


class _Shares:
    """Who has which partitions, by topic."""

    __slots__ = ("_given", "_loads", "_topics", "subscribers")

    def __init__(self) -> None:
        self._loads: dict[str, int] = {}
        self.subscribers: dict[bytes, list[str]] = {}
        self._given: dict[bytes, dict[str, list[int]]] = {}
        self._topics: dict[bytes, set[int]] = {}

    def keep(self, member_id: str, member: Subscriber, counts: PartitionCounts) -> None:
        """The next member, in the order of ids, and what it has that nobody before it has."""
        self._loads[member_id] = 0
        for topic_id in member.topics:
            self.subscribers.setdefault(topic_id, []).append(member_id)
            self._given.setdefault(topic_id, {})[member_id] = []
            self._topics.setdefault(topic_id, set())
        for topic_id, partition in sorted(member.target):
            if topic_id not in member.topics or partition >= counts.get(topic_id, 0):
                continue
            if partition not in self._topics[topic_id]:
                self._topics[topic_id].add(partition)
                self._given[topic_id][member_id].append(partition)
                self._loads[member_id] += 1

    def give_rest(self, topic_id: bytes, count: int) -> Steps[None]:
        """Partitions that nobody has go, one by one, to the subscriber that has least."""
        taken = self._topics[topic_id]
        if len(taken) == count:
            return
        heap = [(self._loads[one], one) for one in self.subscribers[topic_id]]
        heapify(heap)
        for partition in range(count):
            if partition % PARTITIONS_AT_ONCE == 0:
                yield None
            if partition not in taken:
                load, member_id = heap[0]
                self._given[topic_id][member_id].append(partition)
                self._loads[member_id] = load + 1
                heapreplace(heap, (load + 1, member_id))

    def even_out(self, topic_id: bytes) -> Steps[int]:
        """Move partitions of a topic to subscribers that have two fewer; how many moved."""
        yield None
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
                if moved % PARTITIONS_AT_ONCE == 0:
                    yield None
                heapreplace(takers, (loads[taker], taker))
                heapreplace(givers, (-loads[giver], giver))
        return moved

    def result(self) -> Steps[Assignment]:
        """Member id -> partitions."""
        found: dict[str, list[TopicPartition]] = {one: [] for one in self._loads}
        for topic_id, given in self._given.items():
            for member_id, partitions in given.items():
                found[member_id] += [(topic_id, one) for one in partitions]
                yield None
        return {member_id: frozenset(partitions) for member_id, partitions in found.items()}
