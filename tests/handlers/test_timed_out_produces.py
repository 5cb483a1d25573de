"""Produce requests whose time is up before their records are acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kit.replicas import Replica

from barnabas.broker.handlers.produce.answer import ProduceWait

REQUESTS = 5000


def test_answered_requests_leave_nothing_at_their_partition(tmp_path: Path) -> None:
    """Goal: a batch that is sent again and again while a follower is silent costs no memory."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    appended = one.append()
    timers: list[Callable[[], object]] = []

    def call_later(delay_ms: float, callback: Callable[[], object]) -> Any:
        timers.append(callback)
        return SimpleNamespace(cancel=lambda: None)

    node: Any = SimpleNamespace(call_later=call_later)
    peer: Any = SimpleNamespace()
    for number in range(REQUESTS):
        wait = ProduceWait(node, peer, 9)
        wait.add(0, partition, appended, -1)
        assert wait.answer(-1, 0) is wait
        if number % 2:
            wait.abandon()
        else:
            timers[-1]()
        assert wait.is_done
    assert len(partition.waiters._acks) < REQUESTS / 2
