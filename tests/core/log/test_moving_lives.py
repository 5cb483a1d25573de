"""A log that moves to another directory survives kills and power failures at each step."""

from __future__ import annotations

import pytest
from kit.examples import examples

from barnabas.broker.core.replication import future_replica

from .moving_lives import MovingLife


@pytest.mark.parametrize("seed", range(examples(20)))
def test_a_power_failure_at_any_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """KIP-113, I-2: one copy counts, which has all that was flushed, and no record twice."""
    monkeypatch.setattr(future_replica, "PIECE_BYTES", 300)
    MovingLife(seed).live(300)


def test_lives_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lives do what they are for: moves come to their end, and go on after a start."""
    monkeypatch.setattr(future_replica, "PIECE_BYTES", 300)
    life = MovingLife(3)
    life.live(500)
    assert life.moved > 1
    assert life.resumed > 1
