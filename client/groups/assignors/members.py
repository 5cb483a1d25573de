"""What assignors are given and give back, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...structs import TopicPartition

Assignment = dict[str, list[TopicPartition]]
"""Member id -> its partitions. Every member is in it."""


class Member(NamedTuple):
    """One member as the one that assigns knows it."""

    member_id: str
    topics: frozenset[str]
    instance_id: str | None = None
    owned: tuple[TopicPartition, ...] = ()
    generation: int = -1
    """The generation in which it was given `owned`; -1 when unknown."""
    rack: str | None = None

    @property
    def order(self) -> tuple[bool, str]:
        """Static members first, each by name, so that restarts change nothing."""
        return self.instance_id is None, self.instance_id or self.member_id


class Partitions(NamedTuple):
    """How many partitions the topics have, and the racks of their replicas where known."""

    counts: Mapping[str, int]
    racks: Mapping[TopicPartition, frozenset[str]] = {}

    def of(self, topics: Iterable[str]) -> list[TopicPartition]:
        """All partitions of these topics, in order."""
        return [
            TopicPartition(topic, number)
            for topic in sorted(set(topics))
            for number in range(self.counts.get(topic, 0))
        ]


def in_order(members: Iterable[Member]) -> list[Member]:
    """The members in the order that all assignors go by."""
    return sorted(members, key=lambda each: each.order)
