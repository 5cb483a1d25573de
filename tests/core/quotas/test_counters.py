"""How many counters there are at most, and for how long."""

from __future__ import annotations

from barnabas.broker.core.quotas.counters import EXPIRY_MS, Counters


def test_invented_names_share_one_counter() -> None:
    """ATK-40, QTA-03: ten thousand client ids make no more counters than the bound and one."""
    counters: Counters[list[int]] = Counters(list, 10)
    for number in range(10_000):
        counters.get(("eve", f"c{number}"), "eve", 0.0).append(1)
    assert len(counters) == 11
    assert counters.get(("eve", "c3"), "eve", 0.0) == [1]
    assert len(counters.get(("eve", "another"), "eve", 0.0)) == 9990
    assert counters.get(("alice", "c3"), "alice", 0.0) == []


def test_unused_counters_are_forgotten() -> None:
    """QTA-18: after an hour, and their owner has room again."""
    counters: Counters[list[int]] = Counters(list, 2)
    first = counters.get(("a", "x"), "a", 0.0)
    counters.get(("a", "y"), "a", 0.0)
    assert counters.get(("a", "x"), "a", EXPIRY_MS / 2) is first
    counters.get(("a", "z"), "a", EXPIRY_MS)
    assert len(counters) == 2  # y is gone, so that z has a counter of its own
    assert counters.get(("a", "x"), "a", EXPIRY_MS) is first


def test_the_oldest_address_makes_way() -> None:
    """ATK-40: addresses belong to nobody who could be blamed for having many."""
    counters: Counters[list[int]] = Counters(list, 3)
    first = counters.recent("10.0.0.1", 0.0)
    for number in range(2, 6):
        assert counters.recent("10.0.0.1", number) is first
        counters.recent(f"10.0.0.{number}", number)
    assert len(counters) == 3
    assert counters.recent("10.0.0.1", 9.0) is first
