"""What several tests of groups of both protocols begin with."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.coordination.groups.classic.states import GroupState
from barnabas.protocol.errors import ErrorCode, KafkaError

from .classic_consumer import ClassicConsumer
from .consumer.scene import Consumer
from .consumer.scene import Scene as ConsumerScene
from .mixed import Mixed


def scene_of(**settings: Any) -> Mixed:
    """A scene with a topic `t` of four partitions."""
    scene = Mixed(**settings)
    scene.topics.make("t", 4)
    return scene


def modern(scene: Mixed, member_id: str = "m", *topics: str, **fields: Any) -> Consumer:
    """A consumer of the consumer protocol."""
    return Consumer(_as_scene(scene), member_id, *(topics or ("t",)), **fields)


def _as_scene(scene: Mixed) -> ConsumerScene:
    return scene  # type: ignore[return-value]  # of a scene a Consumer uses `ask` alone


def round_of(scene: Mixed, *consumers: Consumer | ClassicConsumer, rounds: int = 12) -> None:
    """Let all do what is next, several times."""
    for _ in range(rounds):
        for one in consumers:
            if isinstance(one, Consumer):
                one.beat()
            else:
                one.step()
        scene.wait(1000)


def refused(ask: Any) -> KafkaError:
    with pytest.raises(KafkaError) as caught:
        ask()
    return caught.value


def stable_classic(scene: Mixed, count: int = 2, **fields: Any) -> list[ClassicConsumer]:
    """A stable classic group of so many consumers."""
    consumers = [ClassicConsumer(scene, "t", **fields) for _ in range(count)]
    round_of(scene, *consumers)
    assert scene.classic_group.state is GroupState.STABLE
    return consumers


def error_of(ask: Any) -> ErrorCode:
    return refused(ask).code
