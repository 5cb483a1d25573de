"""Lookups of patterns whose result cannot be stored: whose rights count then, and how often."""

from __future__ import annotations

from typing import Any  # Any: what a double hands on as it came

import pytest
from kit.group_parts import GroupParts

from barnabas.broker.core.coordination.groups.consumer import pattern_refresh
from barnabas.broker.core.coordination.groups.consumer.consumer_group import ConsumerGroup
from barnabas.broker.core.coordination.groups.consumer.pattern_search import PatternSearch
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)

from .scene import REBALANCE_MS, Topics, listed

TOO_FEW = KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
TOO_LARGE = KafkaError(ErrorCode.MESSAGE_TOO_LARGE)


def _may_see(topic: str) -> bool:
    return topic.startswith("public")


class Patterned:
    """A group of one member, which reads all topics that it may describe."""

    def __init__(self) -> None:
        self.topics = Topics()
        self.topics.make("public-a", 1)
        self.topics.make("secret", 1)
        self.parts = GroupParts(lambda: self.topics.image)
        self.epoch = 0

    @property
    def group(self) -> ConsumerGroup:
        found = self.parts.machine.around.groups["g"]
        assert isinstance(found, ConsumerGroup)
        return found

    def beat(self) -> None:
        """One heartbeat of the member; it owns what it was told."""
        owned = set(self.group.state.current("m").assigned) if self.epoch else set()
        request = ConsumerGroupHeartbeatRequest(
            group_id="g",
            member_id="m",
            member_epoch=self.epoch,
            rebalance_timeout_ms=REBALANCE_MS,
            subscribed_topic_regex=".*",
            topic_partitions=listed(owned),
        )
        self.epoch = self.parts.heartbeat(request, _may_see).member_epoch

    def settle(self) -> None:
        for _ in range(4):
            self.beat()
            self.parts.loop.run(1000)

    def make(self, name: str) -> None:
        """A topic appears, so long after the last lookup that the next one is due."""
        self.topics.make(name, 1)
        self.parts.machine.on_metadata([name], {})
        self.parts.loop.run(pattern_refresh.INTERVAL_MS)

    def found(self) -> list[str]:
        """The topics that the pattern stands for."""
        return sorted(self.group.state.patterns[".*"].topics)

    def assigned(self) -> list[str]:
        known = self.topics.image.topics_by_id
        return sorted(known[one].name for one, _ in self.group.state.current("m").assigned)


def test_a_lookup_that_could_not_be_stored_keeps_to_the_rights_of_a_member() -> None:
    """ACL-18: it is not done again with nobody's rights. A later heartbeat asks anew, with its own
    (848-23)."""
    scene = Patterned()
    scene.settle()
    assert scene.found() == scene.assigned() == ["public-a"]
    scene.make("public-b")
    scene.parts.log.refusal = TOO_FEW
    scene.beat()
    scene.parts.log.refusal = None
    scene.parts.loop.run(2000)
    assert scene.found() == ["public-a"]
    scene.settle()
    assert scene.found() == scene.assigned() == ["public-a", "public-b"]


@pytest.mark.parametrize("reason", [TOO_FEW, TOO_LARGE])
def test_a_lookup_that_can_never_be_stored_waits_for_a_heartbeat(
    monkeypatch: pytest.MonkeyPatch, reason: KafkaError
) -> None:
    """It is not repeated by itself, nor by each of many heartbeats, which would go through all
    topics again and again (848-23)."""
    begun: list[list[str]] = []

    class Counted(PatternSearch):
        def __init__(self, patterns: list[str], *rest: Any) -> None:
            begun.append(patterns)
            super().__init__(patterns, *rest)

    scene = Patterned()
    scene.settle()
    monkeypatch.setattr(pattern_refresh, "PatternSearch", Counted)
    scene.make("public-b")
    scene.parts.log.refusal = reason
    scene.beat()
    scene.parts.loop.run(20_000)
    assert begun == [[".*"]]
    for _ in range(100):
        scene.beat()
        scene.parts.loop.run(50)
    assert len(begun) == 1 + 5_000 // pattern_refresh.FAILED_MS + 1
