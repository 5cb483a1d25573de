"""What a controller writes into its log about brokers that register."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from kit.list_logger import ListLogger

from barnabas.broker.server.controller.registrations import STRANGERS_MAX, LoggedRegistration
from barnabas.broker.server.peer_log import PeerLog
from barnabas.protocol.errors import ErrorCode, KafkaError

PEER: Any = SimpleNamespace(peer=SimpleNamespace(client_host="10.0.0.7"))


def lines_of(
    previous_epoch: int, error: KafkaError | None = None, incarnation: bytes = b"new"
) -> list[str]:
    """The lines about broker 2, whose last registration has the epoch 40."""
    log = ListLogger()
    image: Any = SimpleNamespace(brokers={2: SimpleNamespace(epoch=40, incarnation_id=b"old")})

    async def decide(request: Any, context: Any) -> Any:
        del request, context
        if error is not None:
            raise error
        return SimpleNamespace(broker_epoch=50)

    handler = LoggedRegistration(decide, lambda: image, PeerLog(log.warning, lambda: 0.0))
    request: Any = SimpleNamespace(
        broker_id=2, previous_broker_epoch=previous_epoch, incarnation_id=incarnation
    )
    if error is None:
        assert asyncio.run(handler.handle(request, PEER)).broker_epoch == 50
    else:
        with pytest.raises(KafkaError):
            asyncio.run(handler.handle(request, PEER))
    return [str(line) for line in log.lines]


def test_an_older_copy_of_a_directory_is_named() -> None:
    """966-03: a clean stop that was not the last one means files of an earlier life."""
    (line,) = lines_of(30)
    assert "older copy of its directory" in line
    assert "30" in line
    assert "40" in line
    assert lines_of(40) == []
    assert lines_of(-1) == []
    assert lines_of(30, incarnation=b"old") == []  # it asks again: the answer got lost


def test_a_refusal_is_named_where_the_controller_runs() -> None:
    """631-02: whose number is taken, and from where."""
    taken = KafkaError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "taken")
    (line,) = lines_of(-1, taken)
    assert "10.0.0.7, broker 2" in line
    assert "DUPLICATE_BROKER_REGISTRATION" in line
    assert lines_of(-1, KafkaError(ErrorCode.NOT_CONTROLLER, "elsewhere")) == []


def test_a_broker_of_another_cluster_is_named_once() -> None:
    """631-01: for each number and cluster; and a crowd of them takes only so much memory."""
    log = ListLogger()
    image: Any = SimpleNamespace(brokers={})
    now = iter(range(0, 10**9, 10_000))
    peer_log = PeerLog(log.warning, lambda: float(next(now)))

    async def decide(request: Any, context: Any) -> Any:
        del request, context
        raise KafkaError(ErrorCode.INCONSISTENT_CLUSTER_ID, "Expected ours, but got another")

    handler = LoggedRegistration(decide, lambda: image, peer_log)

    def ask(broker_id: int, cluster_id: str) -> None:
        request: Any = SimpleNamespace(
            broker_id=broker_id, previous_broker_epoch=-1, cluster_id=cluster_id
        )
        with pytest.raises(KafkaError):
            asyncio.run(handler.handle(request, PEER))

    for broker_id, cluster_id in ((2, "a"), (2, "a"), (2, "b"), (3, "a"), (2, "a")):
        ask(broker_id, cluster_id)
    assert len(log.lines) == 3
    for number in range(STRANGERS_MAX):
        stranger: Any = SimpleNamespace(broker_id=number, cluster_id="c")
        handler._is_news(
            stranger,
            KafkaError(ErrorCode.INCONSISTENT_CLUSTER_ID, ""),
        )
    assert len(handler._strangers) == STRANGERS_MAX
