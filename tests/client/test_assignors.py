"""Goal: every partition has one owner, members get as even a share as can be, and keep what they
had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.client import TopicPartition
from barnabas.client.groups.assignors.choice import (
    ASSIGNORS,
    Held,
    is_cooperative,
    member_of,
    metadata_for,
)
from barnabas.client.groups.assignors.members import Assignment, Member, Partitions
from barnabas.client.groups.assignors.range_assignor import assign_range
from barnabas.client.groups.assignors.roundrobin import assign_roundrobin
from barnabas.client.groups.assignors.sticky import assign_cooperative, assign_sticky, valid_owners

TOPICS = ("a", "b", "c")


def shown(assignment: Assignment) -> dict[str, list[str]]:
    return {member: [str(each) for each in mine] for member, mine in assignment.items()}


@st.composite
def groups(draw: st.DrawFn, *, same_topics: bool = False) -> tuple[list[Member], Partitions]:
    counts = {topic: draw(st.integers(0, 4)) for topic in TOPICS}
    everything = [TopicPartition(topic, n) for topic in TOPICS for n in range(5)]
    common = draw(st.frozensets(st.sampled_from((*TOPICS, "missing"))))
    members = []
    for number in range(draw(st.integers(1, 5))):
        topics = common if same_topics else draw(st.frozensets(st.sampled_from(TOPICS)))
        owned = tuple(draw(st.lists(st.sampled_from(everything), max_size=5)))
        members.append(
            Member(
                f"m{number}",
                topics,
                draw(st.sampled_from((None, f"i{number}"))),
                owned,
                draw(st.integers(-1, 3)),
                draw(st.sampled_from((None, "r1", "r2"))),
            )
        )
    choices = (frozenset({"r1"}), frozenset({"r2"}), frozenset({"r1", "r2"}), frozenset[str]())
    step = draw(st.integers(0, 3))
    racks = {each: choices[(at * step) % 4] for at, each in enumerate(everything)}
    return members, Partitions(counts, racks)


@pytest.mark.parametrize("name", ["range", "roundrobin", "sticky"])
@given(group=groups())
def test_each_partition_has_one_owner_that_wants_it(
    name: str, group: tuple[list[Member], Partitions]
) -> None:
    members, partitions = group
    found = ASSIGNORS[name].assign(members, partitions)
    assert found.keys() == {each.member_id for each in members}
    given_out = [where for mine in found.values() for where in mine]
    wanted = {topic for each in members for topic in each.topics}
    assert sorted(given_out) == partitions.of(wanted)
    for each in members:
        assert {where.topic for where in found[each.member_id]} <= each.topics
    assert found == ASSIGNORS[name].assign(members[::-1], partitions), "order does not matter"


@given(group=groups())
def test_sticky_is_balanced(group: tuple[list[Member], Partitions]) -> None:
    """CLI-09: nobody has two more than another member that could have one of them."""
    members, partitions = group
    found = assign_sticky(members, partitions)
    for rich in members:
        for poor in members:
            could = [one for one in found[rich.member_id] if one.topic in poor.topics]
            assert not could or len(found[rich.member_id]) - len(found[poor.member_id]) < 2


@given(group=groups(same_topics=True))
def test_sticky_moves_no_more_than_it_must(group: tuple[list[Member], Partitions]) -> None:
    """CLI-09: with equal subscriptions a member loses only what is above its share, and an
    assignment that was balanced stays as it is."""
    members, partitions = group
    found = assign_sticky(members, partitions)
    owners = valid_owners(members, partitions)
    sizes = [len(mine) for mine in found.values()]
    for each in members:
        valid = {where for where, owner in owners.items() if owner == each.member_id}
        kept = valid & set(found[each.member_id])
        assert len(kept) >= min(len(valid), *sizes)
    again = [each._replace(owned=tuple(found[each.member_id]), generation=9) for each in members]
    assert assign_sticky(again, partitions) == found


@given(group=groups())
def test_cooperative_never_gives_two_owners(group: tuple[list[Member], Partitions]) -> None:
    """CLI-10: what another member has is withheld; once it is given up, the rest follows."""
    members, partitions = group
    for _ in range(4):
        wanted = assign_sticky(members, partitions)
        found = assign_cooperative(members, partitions)
        for each in members:
            others = {one for other in members if other is not each for one in other.owned}
            assert not set(found[each.member_id]) & others
            assert set(found[each.member_id]) <= set(wanted[each.member_id])
        if found == wanted:
            return
        members = [
            each._replace(owned=tuple(found[each.member_id]), generation=10) for each in members
        ]
    raise AssertionError("no end in four rounds")


def test_range_cuts_each_topic() -> None:
    """Goal: Kafka's stretches: the first members get one more; static members come first."""
    members = [
        Member("z", frozenset("ab"), "i1"),
        Member("c", frozenset("ab")),
        Member("d", frozenset("b")),
    ]
    assert shown(assign_range(members, Partitions({"a": 3, "b": 4}))) == {
        "z": ["a-0", "a-1", "b-0", "b-1"],
        "c": ["a-2", "b-2"],
        "d": ["b-3"],
    }


def test_range_prefers_the_members_rack() -> None:
    """CLI-08: with racks known, members first get what has a replica near them (KIP-881)."""
    members = [Member("c", frozenset("a"), rack="r2"), Member("d", frozenset("a"), rack="r1")]
    racks = {TopicPartition("a", n): frozenset({"r1" if n < 2 else "r2"}) for n in range(4)}
    assert shown(assign_range(members, Partitions({"a": 4}, racks))) == {
        "c": ["a-2", "a-3"],
        "d": ["a-0", "a-1"],
    }


def test_range_keeps_numbers_together_where_racks_matter() -> None:
    """CLI-08: who joins topics by the number of their partitions has both, as with Kafka's; near
    is what is near in all of them."""
    members = [
        Member(name, frozenset("ab"), rack=rack) for name, rack in (("c", "r2"), ("d", "r1"))
    ]
    near = {"a": ("r1", "r2", "r1", "r2"), "b": ("r1", "r1", "r1", "r2"), "c": ("r2",) * 4}
    racks = {
        TopicPartition(topic, number): frozenset({rack})
        for topic, all_racks in near.items()
        for number, rack in enumerate(all_racks)
    }
    found = shown(assign_range(members, Partitions({"a": 4, "b": 4}, racks)))
    assert found == {"c": ["a-1", "a-3", "b-1", "b-3"], "d": ["a-0", "a-2", "b-0", "b-2"]}
    alone = Member("e", frozenset("c"), rack="r1")
    assert shown(assign_range([*members, alone], Partitions({"a": 4, "b": 4, "c": 4}, racks))) == {
        **found,
        "e": ["c-0", "c-1", "c-2", "c-3"],
    }


@given(group=groups(same_topics=True))
def test_range_cuts_topics_of_one_size_alike(group: tuple[list[Member], Partitions]) -> None:
    members, partitions = group
    same = Partitions(dict.fromkeys(partitions.counts, 4), partitions.racks)
    for mine in assign_range(members, same).values():
        numbers = {
            topic: [each.partition for each in mine if each.topic == topic] for topic in TOPICS
        }
        shares = [numbers[topic] for topic in members[0].topics if topic in TOPICS]
        assert all(share == shares[0] for share in shares)


def test_roundrobin_deals_in_turn() -> None:
    members = [Member("c", frozenset("ab")), Member("d", frozenset("b"))]
    assert shown(assign_roundrobin(members, Partitions({"a": 2, "b": 3}))) == {
        "c": ["a-0", "a-1", "b-1"],
        "d": ["b-0", "b-2"],
    }


def test_claims_of_an_older_generation_lose() -> None:
    """CLI-09: a later generation wins; the same one twice makes both claims void."""
    a0, a1 = TopicPartition("a", 0), TopicPartition("a", 1)
    members = [
        Member("c", frozenset("a"), owned=(a0, a1), generation=3),
        Member("d", frozenset("a"), owned=(a0,), generation=4),
        Member("e", frozenset("a"), owned=(a1,), generation=3),
    ]
    assert valid_owners(members, Partitions({"a": 2})) == {a0: "d"}


@pytest.mark.parametrize("name", list(ASSIGNORS))
def test_a_member_says_what_its_assignor_needs(name: str) -> None:
    """CLI-09: sticky tells partitions and generation as user data, cooperative-sticky in the
    subscription, the others neither."""
    held = Held(frozenset({TopicPartition("a", 1)}), 7)
    found = member_of(name, "m", "i", metadata_for(name, ["b", "a"], held, "r1"))
    assert (found.topics, found.rack, found.instance_id) == (frozenset("ab"), "r1", "i")
    is_sticky = name in ("sticky", "cooperative-sticky")
    assert found.owned == (tuple(held.partitions) if is_sticky else ())
    assert found.generation == (7 if is_sticky else -1)


@given(data=st.binary(max_size=60), name=st.sampled_from(list(ASSIGNORS)))
def test_bytes_of_hostile_members_are_no_error(data: bytes, name: str) -> None:
    """Goal: a member whose bytes make no sense wants nothing; it stops nobody."""
    found = member_of(name, "m", None, data)
    ASSIGNORS[name].assign([found, Member("n", frozenset("a"))], Partitions({"a": 2}))


def test_members_keep_partitions_only_if_all_assignors_allow_it() -> None:
    """CLI-10: with an eager assignor in the list, everything is given up before a join."""
    assert is_cooperative(["cooperative-sticky"])
    assert not is_cooperative(["cooperative-sticky", "range"])
