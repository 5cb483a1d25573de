"""Goal: a session names each partition once, and starts anew after anything odd (227-01)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.fetch_session import EPOCH_MAX, FetchSession, Plan

Session = FetchSession[str, int]


def planned(session: Session, wanted: dict[str, int]) -> Plan[str, int]:
    plan = session.plan_for(wanted)
    assert plan is not None
    return plan


def begun(session_id: int, wanted: dict[str, int]) -> Session:
    """A session that the broker has opened."""
    session = Session()
    planned(session, wanted)
    assert session.take(0, session_id)
    return session


def test_full_then_incremental() -> None:
    session = Session()
    plan = planned(session, {"a": 1, "b": 2})
    assert (plan.session_id, plan.session_epoch) == (0, 0)
    assert plan.is_full
    assert plan.to_send == {"a": 1, "b": 2}
    assert session.take(0, 77)
    plan = planned(session, {"a": 5, "b": 2, "c": 9})
    assert (plan.session_id, plan.session_epoch) == (77, 1)
    assert plan.to_send == {"a": 5, "c": 9}
    assert plan.to_forget == []
    assert session.take(0, 77)
    plan = planned(session, {"c": 9})
    assert plan.session_epoch == 2
    assert plan.to_send == {}
    assert set(plan.to_forget) == {"a", "b"}
    assert session.asked == {"c": 9}


def test_what_changed_is_all_that_must_be_said() -> None:
    """A fetcher of many partitions looks at those alone that may have moved."""
    session = begun(7, {"a": 1, "b": 2})
    plan = session.plan({"a": 1, "c": 3}, gone=["b", "z"])
    assert plan is not None
    assert plan.to_send == {"c": 3}
    assert plan.to_forget == ["b"]
    assert session.asked == {"a": 1, "c": 3}


def test_values_that_are_told_alike_are_not_told_again() -> None:
    """What is asked for may hold more than a request says; the newest is kept."""
    session: FetchSession[str, int] = FetchSession(lambda was, now: was % 10 == now % 10)
    planned(session, {"a": 1})
    session.take(0, 7)
    assert planned(session, {"a": 11}).to_send == {}
    assert session.asked == {"a": 11}


def test_a_broker_without_room_gives_no_session() -> None:
    """227-03: session id 0 is served all the same."""
    session = begun(0, {"a": 1})
    plan = planned(session, {"a": 1})
    assert plan.is_full
    assert plan.to_send == {"a": 1}


def test_a_session_that_the_broker_ends_is_begun_anew() -> None:
    """227-03: what the answer says is still true; the next request is full."""
    session = begun(5, {"a": 1})
    planned(session, {"a": 2})
    assert session.take(0, 0)
    assert planned(session, {"a": 2}).is_full


def test_after_a_lost_connection_the_old_session_is_closed_by_the_new_one() -> None:
    session = begun(5, {"a": 1})
    planned(session, {"a": 2})
    session.lose()
    plan = planned(session, {"a": 2})
    assert (plan.session_id, plan.session_epoch) == (5, 0)
    assert plan.to_send == {"a": 2}
    assert session.take(0, 6)
    assert planned(session, {"a": 2}).session_id == 6


def test_an_unknown_session_is_not_named_again() -> None:
    session = begun(5, {"a": 1})
    assert not session.take(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 0)
    plan = planned(session, {"a": 1})
    assert (plan.session_id, plan.session_epoch) == (0, 0)


def test_another_error_ends_the_session_by_its_name() -> None:
    session = begun(5, {"a": 1})
    assert not session.take(ErrorCode.INVALID_FETCH_SESSION_EPOCH, 0)
    plan = planned(session, {"a": 1})
    assert (plan.session_id, plan.session_epoch) == (5, 0)


def test_epoch_wraps_to_one() -> None:
    session = begun(5, {"a": 1})
    session._epoch = EPOCH_MAX
    assert session.take(0, 5)
    assert planned(session, {"a": 1}).session_epoch == 1


def test_nothing_wanted_is_nothing_sent() -> None:
    """227-03: a session without partitions ends itself."""
    session = begun(5, {"a": 1})
    assert session.plan_for({}) is None
    assert planned(session, {"a": 1}).is_full


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3)), max_size=20))
def test_the_brokers_view_is_what_is_wanted(rounds: list[dict[str, int]]) -> None:
    """Whatever changes between requests, applying each plan gives exactly what was asked for."""
    session = Session()
    view: dict[str, int] = {}
    for number, wanted in enumerate(rounds):
        plan = session.plan_for(wanted)
        if plan is None:
            assert not wanted
            continue
        if plan.is_full:
            view = {}
        view.update(plan.to_send)
        for gone in plan.to_forget:
            del view[gone]
        assert view == wanted == session.asked
        if number % 5 == 4:
            session.lose()
        else:
            session.take(0, 9)
