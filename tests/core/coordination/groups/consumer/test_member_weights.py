"""What members of consumer groups say takes memory, and that has bounds."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.coordination.groups.classic import weights
from barnabas.broker.core.coordination.groups.consumer import member_weights
from barnabas.protocol.errors import ErrorCode

from .scene import Consumer, Scene, refusal

HEAVY = [f"a-topic-that-is-not-there-{number}" for number in range(100)]
"""About ten thousand bytes."""


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_weight_of_a_group(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: what members say may not take memory without bound; who brings more than there is room
    for is refused, who is in stays in (I-28, 848-07)."""
    monkeypatch.setattr(member_weights, "GROUP_BYTES_MAX", 15_000)
    heavy, other = Consumer(scene, "a", *HEAVY), Consumer(scene, "b", *HEAVY)
    heavy.join()
    assert refusal(other.join) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert "b" not in scene.group.state.members
    Consumer(scene, "c", "t").join()
    heavy.join()
    heavy.topics = HEAVY[1:]
    assert refusal(heavy.beat) == ErrorCode.NONE
    heavy.topics = HEAVY * 2 + [f"more-{name}" for name in HEAVY]
    assert refusal(heavy.beat) == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_weight_of_all_groups(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: groups of both kinds share a bound; who brings little along still joins (I-28)."""
    monkeypatch.setattr(weights, "ALL_BYTES_MAX", 15_000)
    scene.around.weight.size += 10_000  # a classic group's
    assert refusal(Consumer(scene, "a", *HEAVY).join) == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert refusal(Consumer(scene, "b", "t").join) == ErrorCode.NONE
    scene.around.weight.size -= 10_000
    assert refusal(Consumer(scene, "a", *HEAVY).join) == ErrorCode.NONE


def test_who_is_gone_weighs_nothing(scene: Scene) -> None:
    """Goal: the total is that of the members that there are, whether they leave, change, come back
    under another id, or are taken back with a batch (CRT-07, I-28)."""
    total = scene.around.weight
    one = Consumer(scene, "a", *HEAVY, instance_id="i")
    one.join()
    scene.shard.commit()
    alone = total.size
    assert alone > 5_000
    one.topics = ["t"]
    one.beat()
    scene.shard.commit()
    assert 0 < total.size < 1_000
    one.topics = HEAVY
    one.beat()
    one.leave(-2)
    again = Consumer(scene, "b", *HEAVY, instance_id="i")
    again.join()
    scene.shard.commit()
    assert total.size == alone
    scene.shard.commits_at_once = False
    Consumer(scene, "c", *HEAVY).join()
    assert total.size > alone
    scene.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    scene.shard.commits_at_once = True
    assert total.size == alone
    again.leave()
    scene.shard.commit()
    assert total.size == 0


def test_a_shard_that_is_loaded_weighs_the_same(scene: Scene) -> None:
    """Goal: another coordinator counts what it loads (CRT-14, I-28)."""
    Consumer(scene, "a", *HEAVY).join()
    scene.shard.commit()
    before = scene.around.weight.size
    scene.reload()
    assert scene.around.weight.size == before > 0


@pytest.mark.parametrize("name", ["member_id", "instance_id", "rack_id"])
def test_ids_weigh_too(scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Goal: an id may be as long as any text, so it counts like topics do (I-28)."""
    monkeypatch.setattr(member_weights, "GROUP_BYTES_MAX", 15_000)
    first, second = (Consumer(scene, one, "t") for one in "ab")
    long: list[dict[str, Any]] = [{name: letter * 10_000} for letter in "xy"]
    first.beat(**long[0])
    assert 10_000 < scene.around.weight.size < 11_000
    code = refusal(lambda: second.beat(**long[1]))
    assert code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert refusal(second.beat) == ErrorCode.NONE
