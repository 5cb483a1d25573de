"""Scenarios: the figures that `barnabas simulate --scenario` prints are those that are promised."""

from __future__ import annotations

import json

import pytest

from barnabas.testing.simulation.scenarios.disk_stall import Stall, play
from barnabas.testing.simulation.scenarios.table import run


def test_a_stalled_disk_holds_producers_up_for_two_seconds_at_most() -> None:
    """501-15, 501-10: another leads after 0.5 s, all stay in sync, nobody sees error 19 or 20."""
    outcome = play(Stall(1, 25.0, is_on=True))
    assert outcome.misses == []
    assert outcome.held_up_s <= 2.0
    assert outcome.smallest_isr == 3
    assert outcome.moved_s is not None
    assert 0.5 <= outcome.moved_s < 1.0
    assert outcome.errors == {}


@pytest.mark.parametrize("is_active", [False, True], ids=["voter", "active-controller"])
def test_the_disk_of_a_voter_holds_producers_up_no_longer(is_active: bool) -> None:
    """501-15, 595-04: a broker that is a voter too hears of the new leader before its own fsync."""
    outcome = play(Stall(1, 20.0, is_on=True, has_own_quorum=False, is_active_controller=is_active))
    assert outcome.misses == []
    assert outcome.held_up_s <= 2.0
    assert outcome.smallest_isr >= 2
    assert outcome.errors == {}


def test_without_the_feature_producers_wait_for_the_disk() -> None:
    """501-15, 501-14: the in-sync set shrinks to the leader; producers are told 19 or 20."""
    outcome = play(Stall(1, 25.0, is_on=False))
    assert outcome.smallest_isr == 1
    assert outcome.moved_s is None
    assert outcome.held_up_s > 20.0
    assert outcome.errors


def test_a_promise_that_is_missed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """501-15: the command's verdict and its JSON."""

    def held_up(outcome: Stall) -> Stall:
        outcome.held_up_s, outcome.moved_s = 3.0, 0.6
        return outcome

    monkeypatch.setattr("barnabas.testing.simulation.scenarios.table.play", held_up)
    assert not run("disk-stall", 1, print, as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["ok"] for row in rows] == [False, True, False, True, False, False, False]
    assert not run("disk-stall", 1, print, as_json=False)
    assert "held up 3.00 s, at most 2 s" in capsys.readouterr().out
