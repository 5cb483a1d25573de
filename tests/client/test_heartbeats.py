"""Goal: a session that ended says why: our own loop stood still, or the coordinator was silent."""

from __future__ import annotations

from barnabas.client.errors import (
    CoordinatorSilentError,
    EventLoopBlockedError,
    MembershipLostError,
)
from barnabas.client.groups.heartbeats import Heartbeats, PollClock
from barnabas.client.groups.reactions import (
    COMMIT,
    CONSUMER_HEARTBEAT,
    HEARTBEAT,
    JOIN,
    Reaction,
    reaction_to,
)


def test_heartbeats_are_due_at_their_interval() -> None:
    beats = Heartbeats(3_000, 45_000, 0)
    assert beats.wait_ms(1_000) == 2_000
    beats.woke(3_000)
    assert beats.wait_ms(3_000) == 3_000
    beats.retry_in(100, 3_000)
    assert beats.wait_ms(3_000) == 100
    beats.at_once(3_050)
    assert beats.wait_ms(3_050) == 0


def test_a_blocked_loop_is_told_apart() -> None:
    """Goal: the heartbeat that came 50 s late says so, also if the broker answered at once."""
    beats = Heartbeats(3_000, 45_000, 0)
    beats.woke(53_000)
    assert beats.lag_ms == 50_000
    cause = beats.cause(53_001)
    assert isinstance(cause, EventLoopBlockedError)
    assert "stood still for 50.0 s" in str(cause)
    beats.answered(53_002)
    beats.woke(56_000)
    assert type(beats.cause(56_001)) is MembershipLostError, "the lag was forgiven by an answer"


def test_a_silent_coordinator_is_told_apart() -> None:
    """Goal: heartbeats left in time, and none was answered."""
    beats = Heartbeats(3_000, 45_000, 0)
    for now in range(3_000, 48_001, 3_000):
        beats.woke(now)
    assert not beats.is_over(45_000)
    assert beats.is_over(48_000)
    assert isinstance(beats.cause(48_000), CoordinatorSilentError)


def test_the_poll_clock_stands_while_the_program_waits() -> None:
    polls = PollClock(1_000, 0)
    assert polls.left_ms(400) == 600
    polls.began(400)
    assert polls.left_ms(9_000) == 1_000
    polls.ended(9_000)
    assert polls.left_ms(9_500) == 500
    assert polls.left_ms(10_000) == 0


def test_reactions() -> None:
    """CLI-01, CLI-02, CLI-03, CLI-04: the tables, and what they lack."""
    assert reaction_to(JOIN, 27) is Reaction.RETRY
    assert reaction_to(HEARTBEAT, 27) is Reaction.REJOIN
    assert reaction_to(HEARTBEAT, 82) is Reaction.FATAL
    assert reaction_to(HEARTBEAT, 9_999) is Reaction.FATAL
    assert reaction_to(HEARTBEAT, 56) is Reaction.RETRY, "Kafka calls it retriable"
    assert reaction_to(CONSUMER_HEARTBEAT, 25) is Reaction.LOST
    assert reaction_to(CONSUMER_HEARTBEAT, 110) is Reaction.LOST
    assert reaction_to(CONSUMER_HEARTBEAT, 29) is Reaction.RETRY
    assert reaction_to(COMMIT, 113) is Reaction.REJOIN
    assert reaction_to(COMMIT, 0) is Reaction.DONE
