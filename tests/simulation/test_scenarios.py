"""Scenarios: the figures that `barnabas simulate --scenario` prints are those that are promised."""

from __future__ import annotations

import json

import pytest

from barnabas.broker.core.replication.former_leaders import FormerLeaders
from barnabas.testing.simulation.scenarios import leader_cut
from barnabas.testing.simulation.scenarios.disk_stall import Stall, play
from barnabas.testing.simulation.scenarios.leader_cut import LeaderCut, Reset
from barnabas.testing.simulation.scenarios.table import run


@pytest.mark.slow
def test_a_stalled_disk_holds_producers_up_for_two_seconds_at_most() -> None:
    """501-15, 501-10: another leads after 0.5 s, all stay in sync, nobody sees error 19 or 20."""
    outcome = play(Stall(1, 25.0, is_on=True))
    assert outcome.misses == []
    assert outcome.held_up_s <= 2.0
    assert outcome.smallest_isr == 3
    assert outcome.moved_s is not None
    assert 0.5 <= outcome.moved_s < 1.0
    assert outcome.errors == {}


@pytest.mark.slow
@pytest.mark.parametrize("is_active", [False, True], ids=["voter", "active-controller"])
def test_the_disk_of_a_voter_holds_producers_up_no_longer(is_active: bool) -> None:
    """501-15, 595-04: a broker that is a voter too hears of the new leader before its own fsync."""
    outcome = play(Stall(1, 20.0, is_on=True, has_own_quorum=False, is_active_controller=is_active))
    assert outcome.misses == []
    assert outcome.held_up_s <= 2.0
    assert outcome.smallest_isr >= 2
    assert outcome.errors == {}


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("has_own_quorum", [False, True], ids=["voter", "broker"])
@pytest.mark.parametrize("reset", list(Reset))
def test_latest_never_goes_back_when_a_leader_is_cut_off(
    reset: Reset, has_own_quorum: bool
) -> None:
    """207-05, 207-09: whoever sees the reset, and while the old leader is still asked."""
    outcome = leader_cut.play(1, reset, has_own_quorum=has_own_quorum)
    assert outcome.misses == [], "\n".join(outcome.trace[-40:])
    assert outcome.cuts == 2
    assert outcome.latest > 300


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.timeout(120)
def test_without_the_wait_it_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """207-09: the scenario sees a new leader that tells its end at once, whoever saw the reset."""
    monkeypatch.setattr(FormerLeaders, "are_silent", lambda former, now_ms: True)
    outcome = leader_cut.play(1, Reset.OTHERS)
    assert outcome.broken.startswith("I-18"), outcome.broken


def test_what_a_cut_brought_to_light_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """207-05: the command's verdict, its text and its JSON."""

    def broken(seed: int, reset: Reset, *, has_own_quorum: bool = False) -> LeaderCut:
        found = "I-18: it went back" if reset is Reset.OTHERS else ""
        return LeaderCut(seed, reset, has_own_quorum, found, cuts=2, elections=2, latest=9)

    monkeypatch.setattr("barnabas.testing.simulation.scenarios.leader_cut.play", broken)
    assert not run("leader-cut", 3, print, as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["ok"] for row in rows] == [True, False, True, True] * 2
    assert "trace" not in rows[0]
    assert not run("leader-cut", 3, print, as_json=False)
    assert "I-18: it went back" in capsys.readouterr().out
