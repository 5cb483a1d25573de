"""How many members a classic group takes, and how much of what they say."""

from __future__ import annotations

import pytest
from kit.classic_groups import SESSION_MS, Scene, code_of

from barnabas.broker.core.coordination.groups.classic import roster, weights
from barnabas.protocol.errors import ErrorCode


def test_largest_size() -> None:
    """Goal: a stable group of its largest size takes nobody new, and its members still (GRP-03)."""
    scene = Scene(group_max_size=2)
    _, follower = scene.stable(2)
    refused = scene.join(version=3)
    assert code_of(refused) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert refused.answer is not None
    assert refused.answer.member_id == ""
    assert code_of(scene.join(follower)) == 0


def test_size_counts_those_who_wait() -> None:
    """Goal: while members join, those who wait are counted: one that has not joined again makes
    room for the last of three (GRP-03)."""
    scene = Scene(group_max_size=3)
    scene.stable(1, version=3)
    waiting = [scene.join(version=3) for _ in range(4)]
    scene.advance(SESSION_MS)
    assert [code_of(one) for one in waiting] == [0, 0, 0, 81]
    assert len(scene.group().roster) == 3


def test_refused_id_is_dropped() -> None:
    """Goal: an id that was given out is void when the group is full (GRP-03)."""
    scene = Scene(group_max_size=1)
    given = [scene.join().answer for _ in range(2)]
    ids = [one.member_id for one in given if one is not None]
    scene.join(ids[0])
    assert code_of(scene.join(ids[1])) == 81
    assert not scene.group().roster.pending
    assert code_of(scene.join(ids[0])) is None


def test_member_that_is_refused_keeps_its_session() -> None:
    """Goal: a member for which there is no room any more expires like others (GRP-03)."""
    scene = Scene(group_max_size=2)
    (old,) = scene.stable(1, version=3)
    scene.join(version=3)
    scene.join(version=3)
    assert code_of(scene.join(old)) == 81
    scene.advance(SESSION_MS)
    assert len(scene.group().roster) == 2
    assert scene.state() == "CompletingRebalance"


def test_static_member_comes_back_into_a_full_group() -> None:
    """Goal: a static member that comes back is no further one (GRP-03)."""
    scene = Scene(group_max_size=1)
    scene.stable(1, static=True)
    assert code_of(scene.join(instance="i0")) == 0
    assert code_of(scene.join(instance="i1")) == 81


def test_weight_of_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: what members say may not take memory without bound (I-28)."""
    monkeypatch.setattr(roster, "GROUP_BYTES_MAX", 1_000)
    scene = Scene()
    scene.join(version=3, protocols={"range": bytes(600)})
    heavy = scene.join(version=3, protocols={"range": bytes(600)})
    assert code_of(heavy) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert code_of(scene.join(version=3, protocols={"range": bytes(300)})) is None


def test_weight_of_all_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: many groups together may not take memory without bound either; who brings little along
    still joins, and groups that are gone do not count (I-28)."""
    monkeypatch.setattr(weights, "ALL_BYTES_MAX", 20_000)
    scene = Scene()
    total = scene.around.weight
    scene.join(version=3, protocols={"range": bytes(9_000)})
    assert total.size > 9_000
    other = roster.Roster(total)
    other.add(next(iter(scene.group().roster)))
    assert total.size > 18_000
    heavy = scene.join(version=3, protocols={"range": bytes(9_000)})
    assert code_of(heavy) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert code_of(scene.join(version=3, protocols={"range": bytes(3_000)})) is None
    del other
    assert code_of(scene.join(version=3, protocols={"range": bytes(5_000)})) is None


def test_ids_weigh_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: an instance id may be as long as any text, so it counts like protocols do, with the
    member id that is made of it; who comes back is no further weight (I-28, GRP-03)."""
    monkeypatch.setattr(roster, "GROUP_BYTES_MAX", 15_000)
    scene = Scene()
    total = scene.around.weight
    (member_id,) = scene.stable(instance="a" * 10_000)
    alone = total.size
    assert alone > 10_000 + len(member_id)
    refused = scene.join(instance="b" * 10_000)
    assert code_of(refused) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert code_of(scene.join(instance="a" * 10_000)) == 0
    assert total.size == scene.group().roster.weight_bytes == alone
    assert code_of(scene.join(instance="c")) is None
    (present,) = (one for one in scene.group().roster if one.instance_id != "c")
    assert scene.leave(("", present.instance_id), ("", "c")) == [0, 0]
    assert total.size == 0
