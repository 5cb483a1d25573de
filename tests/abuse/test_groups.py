"""What strangers can make a coordinator of groups do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.list_groups_request import ListGroupsRequest
from barnabas.testing.process import NodeProcess

from .wire import Wire, complaints, create_topic, is_served

pytestmark = pytest.mark.slow

LOADING = (14, 15, 16)
INVALID_REGULAR_EXPRESSION = 128


@pytest.fixture(scope="module")
def coordinator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """A node that has loaded the only partition of its groups."""
    settings = {"offsets.topic.num.partitions": "1"}
    with NodeProcess(tmp_path_factory.mktemp("groups") / "data", settings=settings) as node:
        with Wire(node) as wire:
            wire.ask(FindCoordinatorRequest(coordinator_keys=["g"]), 4)
            for _ in range(1000):
                if wire.ask(ListGroupsRequest(), 4).error_code not in LOADING:
                    break
        yield node
        assert complaints(node) == []


def test_a_great_many_coordinators(coordinator: NodeProcess) -> None:
    """CRT-03: ninety thousand keys, of a type that is here and of one that is not."""
    keys = [f"k{n}" for n in range(90_000)]
    with Wire(coordinator) as wire:
        for kind, code in ((0, 0), (9, 42)):
            request = FindCoordinatorRequest(key_type=kind, coordinator_keys=keys)
            found = wire.ask(request, 4).coordinators
            assert [one.key for one in found] == keys
            assert {one.error_code for one in found} == {code}


def test_slow_patterns(coordinator: NodeProcess) -> None:
    """848-22: patterns that would take long for each topic are refused."""
    create_topic(coordinator, "a" * 200)
    slow = ("(?i)" + "|".join(f"topic.*{n}" for n in range(1300)), "a{1000}" * 20)
    with Wire(coordinator) as wire:
        for pattern in slow:
            request = ConsumerGroupHeartbeatRequest(
                group_id="patterns",
                member_id="m",
                rebalance_timeout_ms=1000,
                subscribed_topic_regex=pattern,
                topic_partitions=[],
            )
            assert wire.ask(request, 1).error_code == INVALID_REGULAR_EXPRESSION
        assert is_served(wire)
