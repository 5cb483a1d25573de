"""Who may speak for clients, at a controller that has not, or not yet, heard of its brokers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.server.controller.envelope_guard import EnvelopeGuard
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.errors import ErrorCode, KafkaError

GRACE_MS = 2_500.0


class HandClock(RealClock):
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000.0

    def monotonic_ms(self) -> float:
        return self.now_ms


class Asked:
    """A guard of a cluster with broker 1, and a sender that is asked about."""

    def __init__(self) -> None:
        self.clock = HandClock()
        image: Any = SimpleNamespace(brokers={1: None})
        self.guard = EnvelopeGuard(lambda: image, self.clock, GRACE_MS)
        self.denied: list[str] = []

    def code(self) -> ErrorCode:
        """What an anonymous broker is told."""
        rights = SimpleNamespace(
            is_limited=True, note_change=lambda *_, rule, **__: self.denied.append(rule)
        )
        context: Any = SimpleNamespace(principal=ANONYMOUS, rights=rights)
        try:
            self.guard.check(context)
        except KafkaError as error:
            return error.code
        return ErrorCode.NONE


@pytest.mark.parametrize("has_reigned", [False, True])
def test_before_its_reign_begins_a_controller_refuses_nobody(has_reigned: bool) -> None:
    """FWD-04: the quorum names the leader a moment before its reign begins; an envelope that comes
    in between is sent on again, and no client reads that its request failed."""
    asked = Asked()
    if has_reigned:
        asked.guard.on_reign(object())
        asked.clock.now_ms += GRACE_MS
        asked.guard.on_reign(None)
    assert asked.code() is ErrorCode.NOT_CONTROLLER
    assert asked.denied == []
    asked.guard.on_reign(object())
    assert asked.code() is ErrorCode.NOT_CONTROLLER
    asked.clock.now_ms += GRACE_MS
    assert asked.code() is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    assert asked.denied == ["NoRegisteredBroker"]
    asked.guard.heard(1, ANONYMOUS)
    assert asked.code() is ErrorCode.NONE
