"""Goal: keys land where Java's producer puts them; keyless records stay, then move on (KIP-480)."""

from __future__ import annotations

import random

import pytest

from barnabas.client.producing.partitioner import StickyPartitions, murmur2, partition_for_key

# Computed by org.apache.kafka.common.utils.Utils.murmur2 (Java's int, so signed).
JAVA = {
    b"": 275646681,
    b"1": -1993445489,
    b"12": 126087238,
    b"123": -267702483,
    b"1234": -1614185708,
    b"12345": -1188365604,
    b"21": -973932308,
    b"abc": 479470107,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
}


@pytest.mark.parametrize(("key", "expected"), JAVA.items())
def test_murmur2_is_that_of_java(key: bytes, expected: int) -> None:
    assert murmur2(key) == expected & 0xFFFFFFFF


def test_partition_is_the_positive_hash_modulo_all_partitions() -> None:
    for key, expected in JAVA.items():
        for count in (1, 3, 12, 100):
            assert partition_for_key(key, count) == (expected & 0x7FFFFFFF) % count


def test_long_keys_are_not_kept() -> None:
    """A cache of megabyte keys would be a leak."""
    key = b"x" * 1000
    assert partition_for_key(key, 7) == (murmur2(key) & 0x7FFFFFFF) % 7


def test_sticky_stays_until_its_batch_is_done() -> None:
    sticky = StickyPartitions(random.Random(1))
    first = sticky.current("t", 4, [0, 1, 2, 3])
    assert all(sticky.current("t", 4, [0, 1, 2, 3]) == first for _ in range(100))
    second = sticky.move_on("t", first, 4, [0, 1, 2, 3])
    assert second != first
    # Whoever noticed the old batch's end too must not move on a second time.
    assert sticky.move_on("t", first, 4, [0, 1, 2, 3]) == second


def test_sticky_prefers_partitions_with_a_leader() -> None:
    sticky = StickyPartitions(random.Random(2))
    chosen = {
        sticky.move_on("t", -1 if turn == 0 else sticky.current("t", 4, [1, 3]), 4, [1, 3])
        for turn in range(50)
    }
    assert chosen == {1, 3}
    assert StickyPartitions(random.Random(4)).current("t", 2, []) in (0, 1)


def test_sticky_reaches_every_partition_evenly() -> None:
    sticky = StickyPartitions(random.Random(3))
    counts = dict.fromkeys(range(5), 0)
    for _ in range(5000):
        counts[sticky.move_on("t", sticky.current("t", 5, range(5)), 5, range(5))] += 1
    assert min(counts.values()) > 800
