"""The assignors: balance, stickiness, nobody left out (848-13, 848-14)."""

from __future__ import annotations

import time
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from barnabas.broker.core.coordination.groups.consumer.assignors import ASSIGNORS, preferred
from barnabas.broker.core.coordination.groups.consumer.partitions import Partitions
from barnabas.broker.core.coordination.groups.consumer.range_assignor import assign_ranges
from barnabas.broker.core.coordination.groups.consumer.subscriber import (
    Assignment,
    PartitionCounts,
    Subscriber,
)
from barnabas.broker.core.coordination.groups.consumer.uniform_assignor import assign_uniformly
from barnabas.broker.core.reads import finish

TOPICS = [bytes([number]) * 16 for number in range(1, 6)]


@st.composite
def groups(draw: st.DrawFn, *, alike: bool) -> tuple[dict[str, Subscriber], dict[bytes, int]]:
    """Members with subscriptions and former targets, some of them stale or claimed twice."""
    counts = {topic: draw(st.integers(0, 7)) for topic in TOPICS}
    subscription = st.frozensets(st.sampled_from(TOPICS), max_size=5)
    common = draw(subscription)
    claims = st.frozensets(st.tuples(st.sampled_from(TOPICS), st.integers(0, 8)), max_size=12)
    members = {
        f"m{number}": Subscriber(
            common if alike else draw(subscription),
            draw(claims),
            draw(st.sampled_from([None, None, f"i{number}"])),
        )
        for number in range(draw(st.integers(1, 7)))
    }
    return members, {topic: count for topic, count in counts.items() if count}


def check_whole(found: Assignment, members: dict[str, Subscriber], counts: PartitionCounts) -> None:
    """Every partition of a subscribed topic has one owner, who subscribes to it."""
    assert found.keys() == members.keys()
    given_out = [one for partitions in found.values() for one in partitions]
    subscribed = {topic for member in members.values() for topic in member.topics}
    there = {(topic, number) for topic in subscribed for number in range(counts.get(topic, 0))}
    assert sorted(given_out) == sorted(there)
    for member_id, partitions in found.items():
        assert {topic for topic, _ in partitions} <= members[member_id].topics


def with_targets(members: dict[str, Subscriber], found: Assignment) -> dict[str, Subscriber]:
    return {
        name: Subscriber(one.topics, found.get(name, frozenset()), one.instance_id)
        for name, one in members.items()
    }


@given(groups(alike=True))
def test_uniform_is_balanced_within_one(
    group: tuple[dict[str, Subscriber], dict[bytes, int]],
) -> None:
    """With equal subscriptions nobody has two more than another (848-14)."""
    members, counts = group
    found = finish(assign_uniformly(members, counts))
    check_whole(found, members, counts)
    sizes = [len(partitions) for partitions in found.values()]
    assert max(sizes) - min(sizes) <= 1
    assert finish(assign_uniformly(members, counts)) == found


@given(groups(alike=True))
def test_uniform_moves_no_more_than_balance_demands(
    group: tuple[dict[str, Subscriber], dict[bytes, int]],
) -> None:
    """As few members lose partitions, and as few of them, as possible (848-14)."""
    members, counts = group
    before = finish(assign_uniformly(members, counts))  # whole and balanced
    again = with_targets(members, before)
    assert finish(assign_uniformly(again, counts)) == before
    gone = next(iter(again))
    del again[gone]
    if not again:
        return
    after = finish(assign_uniformly(again, counts))
    check_whole(after, again, counts)
    assert all(before[name] <= after[name] for name in again), "nobody loses when one leaves"
    joined = {**with_targets(again, after), "new": Subscriber(members[gone].topics)}
    last = finish(assign_uniformly(joined, counts))
    lost = sum(len(after[name] - last[name]) for name in again)
    assert lost == len(last["new"]), "what one loses is for the new one"


@given(groups(alike=False))
def test_uniform_with_mixed_subscriptions(
    group: tuple[dict[str, Subscriber], dict[bytes, int]],
) -> None:
    """Nothing could move to a subscriber that has two fewer; done again it stays (848-14)."""
    members, counts = group
    found = finish(assign_uniformly(members, counts))
    check_whole(found, members, counts)
    for name, partitions in found.items():
        for topic, _ in partitions:
            for other, subscriber in members.items():
                if topic in subscriber.topics:
                    assert len(partitions) - len(found[other]) <= 1, (name, other)
    assert finish(assign_uniformly(with_targets(members, found), counts)) == found


@given(groups(alike=False))
def test_ranges_are_contiguous_and_even(
    group: tuple[dict[str, Subscriber], dict[bytes, int]],
) -> None:
    """Of each topic, neighbours in the order of members have neighbouring partitions (848-14)."""
    members, counts = group
    found = finish(assign_ranges(members, counts))
    check_whole(found, members, counts)
    for topic, count in counts.items():
        subscribers = [one for one in members if topic in members[one].topics]
        sizes = []
        for name in subscribers:
            numbers = sorted(number for one, number in found[name] if one == topic)
            assert not numbers or numbers == list(range(numbers[0], numbers[-1] + 1))
            sizes.append(len(numbers))
        if subscribers:
            assert max(sizes) - min(sizes) <= 1
            assert sum(sizes) == count


def test_ranges_of_like_topics_meet_at_one_member() -> None:
    """Equal numbers of partitions are divided alike, static members first (848-14)."""
    one, two = TOPICS[:2]
    members = {
        "a": Subscriber(frozenset((one, two))),
        "b": Subscriber(frozenset((one, two)), instance_id="z"),
        "c": Subscriber(frozenset((one, two)), instance_id="y"),
    }
    found = finish(assign_ranges(members, {one: 7, two: 7}))
    assert numbers(found["c"], one) == numbers(found["c"], two) == [0, 1, 2]
    assert numbers(found["b"], one) == numbers(found["b"], two) == [3, 4]
    assert numbers(found["a"], one) == numbers(found["a"], two) == [5, 6]


def numbers(partitions: Partitions, topic: bytes) -> list[int]:
    return sorted(number for one, number in partitions if one == topic)


def test_nobody_and_nothing() -> None:
    """Groups without members and members without topics are assigned nothing (848-14)."""
    for assignor in ASSIGNORS.values():
        assert finish(assignor({}, {})) == {}
        assert finish(assignor({"a": Subscriber(frozenset())}, {})) == {"a": frozenset()}


def test_the_assignor_is_voted_for() -> None:
    """Most votes win, the order of the setting decides ties and silence (848-13)."""
    both = ("uniform", "range")
    assert preferred([None, None], both) == "uniform"
    assert preferred(["range", None], both) == "range"
    assert preferred(["range", "uniform"], both) == "uniform"
    assert preferred(["range", "uniform"], ("range", "uniform")) == "range"
    assert preferred(["uniform"], ("range",)) == "range"


@settings(max_examples=1, deadline=None)
@given(st.just(7))
def test_large_groups_are_assigned_in_reasonable_time(seed: int) -> None:
    """1,000 members and 10,000 partitions, alike and mixed: a bound far above what it takes
    (848-14)."""
    random = Random(seed)
    topics = [number.to_bytes(16, "big") for number in range(100)]
    counts = dict.fromkeys(topics, 100)
    for size in (100, 40):
        members = {
            f"m{number:04}": Subscriber(frozenset(random.sample(topics, size)))
            for number in range(1000)
        }
        start = time.perf_counter()
        found = finish(assign_uniformly(members, counts))
        finish(assign_uniformly(with_targets(members, found), counts))
        assert time.perf_counter() - start < 10
        check_whole(found, members, counts)
