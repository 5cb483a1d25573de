"""Leaders whose process went away: in doubt for a moment, counted from their first failure."""

from __future__ import annotations

from kit.logs import ManualClock

from barnabas.broker.core.replication.lost_leaders import LostLeaders

GRACE_MS = 200


def test_a_leader_is_in_doubt_until_the_controller_should_have_decided() -> None:
    """631-02: two graces, then the metadata counts again, and further failures change nothing."""
    clock = ManualClock()
    lost = LostLeaders(clock, GRACE_MS)
    assert not lost.is_in_doubt(2)
    lost.note(2)
    clock.now_ms = 2 * GRACE_MS - 1
    lost.note(2)
    assert lost.is_in_doubt(2)
    assert not lost.is_in_doubt(3)
    clock.now_ms = 2 * GRACE_MS
    lost.note(2)
    assert not lost.is_in_doubt(2)


def test_an_answer_ends_the_doubt() -> None:
    """631-02: whoever answers lives; what it loses later counts anew."""
    clock = ManualClock()
    lost = LostLeaders(clock, GRACE_MS)
    lost.heard(2)
    lost.note(2)
    lost.heard(2)
    assert not lost.is_in_doubt(2)
    clock.now_ms = 10 * GRACE_MS
    lost.note(2)
    assert lost.is_in_doubt(2)


def test_where_only_the_session_counts_nobody_is_in_doubt() -> None:
    """631-02: with a grace of 0 the controller does not look at connections either."""
    lost = LostLeaders(ManualClock(), 0)
    lost.note(2)
    assert not lost.is_in_doubt(2)
