"""Which partition a record goes to: murmur2 of its key as in Java, or one that stays a while."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from ..arguments import as_index
from ..errors import UnknownTopicOrPartitionError
from ..wire.metadata import TopicMetadata

MURMUR2_SEED = 0x9747B28C
MURMUR2_M = 0x5BD1E995
MASK = 0xFFFFFFFF
HASHED_KEYS_MAX = 16_384
"""Hashes kept, since keys repeat and hashing in Python costs more than finding."""

HASHED_KEY_BYTES_MAX = 128
"""Longer keys are hashed each time, so that the kept ones take a few MB at most."""


def murmur2(data: bytes) -> int:
    """Hash of a key as an unsigned 32-bit number; the bits are those of Java's producer."""
    length = len(data)
    value = (MURMUR2_SEED ^ length) & MASK
    whole = length & ~3
    for at in range(0, whole, 4):
        word = int.from_bytes(data[at : at + 4], "little")
        word = (word * MURMUR2_M) & MASK
        word ^= word >> 24
        word = (word * MURMUR2_M) & MASK
        value = ((value * MURMUR2_M) & MASK) ^ word
    if whole != length:
        value ^= int.from_bytes(data[whole:], "little")
        value = (value * MURMUR2_M) & MASK
    value ^= value >> 13
    value = (value * MURMUR2_M) & MASK
    return value ^ (value >> 15)


@lru_cache(maxsize=HASHED_KEYS_MAX)
def positive_hash(key: bytes) -> int:
    """murmur2 without its sign bit; modulo the number of partitions it gives the partition."""
    return murmur2(key) & 0x7FFFFFFF


def partition_for_key(key: bytes, partition_count: int) -> int:
    """The partition of a key among all partitions, with a leader or without (KIP-480 keeps it)."""
    if len(key) > HASHED_KEY_BYTES_MAX:
        return (murmur2(key) & 0x7FFFFFFF) % partition_count
    return positive_hash(key) % partition_count


class StickyPartitions:
    """For records without a key: one partition of a topic until its batch is done (KIP-480).

    Many records then share a batch, and over time every partition gets its share.
    """

    def __init__(self, randomness: random.Random) -> None:
        self._random = randomness
        self._current: dict[str, int] = {}

    def current(self, topic: str, partition_count: int, available: Sequence[int]) -> int:
        """The partition that records of the topic go to now."""
        chosen = self._current.get(topic, -1)
        if 0 <= chosen < partition_count:
            return chosen
        return self.move_on(topic, -1, partition_count, available)

    def move_on(
        self, topic: str, previous: int, partition_count: int, available: Sequence[int]
    ) -> int:
        """A new batch is about to start: leave `previous` for another partition with a leader."""
        chosen = self._current.get(topic, -1)
        if chosen not in (previous, -1) and chosen < partition_count:
            return chosen  # somebody moved on since `previous` was read
        candidates = [one for one in available if one != previous] or list(available)
        if not candidates:
            candidates = list(range(partition_count))
        self._current[topic] = chosen = self._random.choice(candidates)
        return chosen


def check_partition(info: TopicMetadata, partition: int) -> int:
    """The partition, if the topic has it."""
    if type(partition) is not int:
        partition = as_index("partition", partition)
    if partition not in info.partitions:
        raise UnknownTopicOrPartitionError(
            f"{info.name}-{partition}: the topic has {len(info.partitions)} partitions"
        )
    return partition
