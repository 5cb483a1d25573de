"""Sets of partitions as members are given them: by topic id, since names may be used again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

TopicPartition: TypeAlias = tuple[bytes, int]
"""Topic id and partition number."""

Partitions: TypeAlias = frozenset[TopicPartition]

NO_PARTITIONS: Final[Partitions] = frozenset()


def by_topic(partitions: Iterable[TopicPartition]) -> dict[bytes, list[int]]:
    """Topic id -> partition numbers, both in order: as messages and records list them."""
    found: dict[bytes, list[int]] = {}
    for topic_id, partition in sorted(partitions):
        found.setdefault(topic_id, []).append(partition)
    return found
