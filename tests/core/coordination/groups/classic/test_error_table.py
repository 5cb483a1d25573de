"""Errors by the state of the group: the whole table, each cell asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from kit.classic_groups import Scene, answer_of, code_of

STATES = ("Empty", "PreparingRebalance", "CompletingRebalance", "Stable")


@dataclass(frozen=True)
class Asker:
    """Who asks: a member of the group, in whatever state that is."""

    member_id: str
    generation: int
    instance_id: str | None = None


def group_in(state: str) -> tuple[Scene, Asker]:
    """A group of two in this state, and the static follower `i1`; in Empty it has left."""
    scene = Scene()
    ids = scene.stable(2, static=True)
    roster = scene.group().roster
    asker = Asker(next(one for one in ids if one == roster.static_id("i1")), 1, "i1")
    if state == "Empty":
        assert scene.leave(*ids) == [0, 0]
    elif state == "PreparingRebalance":
        scene.join(instance="i2")
    elif state == "CompletingRebalance":
        rejoined = [scene.join(one, instance=f"i{n}") for n, one in enumerate(sorted_by(scene))]
        generation = answer_of(rejoined[0]).generation_id
        asker = Asker(asker.member_id, generation, "i1")
    assert scene.state() == state
    return scene, asker


def sorted_by(scene: Scene) -> list[str]:
    found = [scene.group().roster.static_id(f"i{number}") for number in range(2)]
    return [one for one in found if one is not None]


Ask = Callable[[Scene, Asker], int | None]


def heartbeat(scene: Scene, who: Asker) -> int | None:
    return scene.heartbeat(who.member_id, who.generation, instance=who.instance_id)


def sync(scene: Scene, who: Asker) -> int | None:
    return code_of(scene.sync(who.member_id, who.generation, instance=who.instance_id))


def commit(scene: Scene, who: Asker) -> int | None:
    return scene.commit(who.member_id, who.generation, instance=who.instance_id)


def commit_in_transaction(scene: Scene, who: Asker) -> int | None:
    return scene.commit(
        who.member_id, who.generation, instance=who.instance_id, is_transactional=True
    )


def leave(scene: Scene, who: Asker) -> int | None:
    return scene.leave((who.member_id, who.instance_id))[0]


WAITS = None
TABLE: list[tuple[Ask, tuple[int | None, ...]]] = [
    (heartbeat, (25, 27, 0, 0)),
    (sync, (25, 27, WAITS, 0)),
    (commit, (25, 0, 27, 0)),
    (commit_in_transaction, (25, 0, 0, 0)),
    (leave, (25, 0, 0, 0)),
]
ASKS = [row[0] for row in TABLE]


@pytest.mark.parametrize(
    ("ask", "state", "expected"),
    [(ask, state, code) for ask, codes in TABLE for state, code in zip(STATES, codes, strict=True)],
)
@pytest.mark.parametrize("names_instance", [True, False])
def test_member_with_the_right_generation(
    ask: Ask, state: str, expected: int | None, *, names_instance: bool
) -> None:
    """Goal: a valid member hears what its group's state says, with or without its instance id
    (GRP-06, GRP-29)."""
    scene, who = group_in(state)
    if not names_instance:
        who = Asker(who.member_id, who.generation)
    assert ask(scene, who) == expected


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("ask", ASKS)
def test_unknown_member(ask: Ask, state: str) -> None:
    """Goal: an id that is no member's is 25 in every state (GRP-29)."""
    scene, who = group_in(state)
    assert ask(scene, Asker("nobody", who.generation)) == 25


@pytest.mark.parametrize("ask", ASKS)
def test_unknown_group(ask: Ask) -> None:
    """Goal: of a group that is not there nobody is a member (GRP-29)."""
    if ask in (commit, commit_in_transaction):
        pytest.skip("a commit finds its group first: OFF-03")
    assert ask(Scene(), Asker("m", 1)) == 25


@pytest.mark.parametrize("state", STATES[1:])
@pytest.mark.parametrize("ask", ASKS[:-1])
@pytest.mark.parametrize("off_by", [-1, 1])
def test_wrong_generation(ask: Ask, state: str, off_by: int) -> None:
    """Goal: a generation before or after the present one is 22, once the id is right (GRP-29)."""
    scene, who = group_in(state)
    assert ask(scene, Asker(who.member_id, who.generation + off_by, "i1")) == 22
    assert ask(scene, Asker("nobody", who.generation + off_by)) == 25


@pytest.mark.parametrize("state", STATES[1:])
@pytest.mark.parametrize("ask", ASKS)
def test_instance_of_another_id(ask: Ask, state: str) -> None:
    """Goal: the older of two twins is fenced with 82, in every state (GRP-06, GRP-29)."""
    scene, who = group_in(state)
    assert ask(scene, Asker("i1-older", who.generation, "i1")) == 82


@pytest.mark.parametrize("state", STATES[1:])
@pytest.mark.parametrize("ask", ASKS)
def test_unknown_instance(ask: Ask, state: str) -> None:
    """Goal: a member that claims an instance nobody has is 25 (GRP-06)."""
    scene, who = group_in(state)
    assert ask(scene, Asker(who.member_id, who.generation, "nobody's")) == 25


@pytest.mark.parametrize(
    ("is_transactional", "state", "expected"),
    [
        *((False, state, code) for state, code in zip(STATES, (0, 25, 25, 25), strict=True)),
        *((True, state, 0) for state in STATES),
    ],
)
def test_commit_by_hand(state: str, expected: int, *, is_transactional: bool) -> None:
    """Goal: who is no member commits into an empty group, or in a transaction (GRP-29)."""
    scene, _ = group_in(state)
    assert scene.commit(is_transactional=is_transactional) == expected


@pytest.mark.parametrize(("state", "expected"), list(zip(STATES, (0, 22, 22, 22), strict=True)))
def test_commit_of_a_member_without_generation(state: str, expected: int) -> None:
    """Goal: a member must name its generation (GRP-29)."""
    scene, who = group_in(state)
    assert scene.commit(who.member_id, -1) == expected


@pytest.mark.parametrize("ask", [heartbeat, sync, commit, commit_in_transaction])
def test_dead_group(ask: Ask) -> None:
    """Goal: a group whose shard has gone says 15 (GRP-29)."""
    scene, who = group_in("Stable")
    scene.machine.on_unloaded()
    assert ask(scene, who) == 15
