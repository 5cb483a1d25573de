"""Goal: a session names each partition once, and starts anew after anything odd (227-01)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.client.fetch_session import EPOCH_MAX, FetchSession


def test_full_then_incremental() -> None:
    session: FetchSession[str, int] = FetchSession()
    plan = session.plan({"a": 1, "b": 2})
    assert (plan.session_id, plan.session_epoch) == (0, 0)
    assert plan.is_full
    assert plan.to_send == {"a": 1, "b": 2}
    session.answered(77)
    plan = session.plan({"a": 5, "b": 2, "c": 9})
    assert (plan.session_id, plan.session_epoch) == (77, 1)
    assert plan.to_send == {"a": 5, "c": 9}
    assert plan.to_forget == ()
    session.answered(77)
    plan = session.plan({"c": 9})
    assert plan.session_epoch == 2
    assert plan.to_send == {}
    assert set(plan.to_forget) == {"a", "b"}


def test_a_broker_without_room_gives_no_session() -> None:
    """227-03: session id 0 is served all the same."""
    session: FetchSession[str, int] = FetchSession()
    session.plan({"a": 1})
    session.answered(0)
    plan = session.plan({"a": 1})
    assert plan.is_full
    assert plan.to_send == {"a": 1}


def test_after_a_lost_connection_the_old_session_is_closed_by_the_new_one() -> None:
    session: FetchSession[str, int] = FetchSession()
    session.plan({"a": 1})
    session.answered(5)
    session.plan({"a": 2})
    session.restart()
    plan = session.plan({"a": 2})
    assert (plan.session_id, plan.session_epoch) == (5, 0)
    assert plan.to_send == {"a": 2}
    session.answered(6)
    assert session.plan({"a": 2}).session_id == 6


def test_an_unknown_session_is_not_named_again() -> None:
    session: FetchSession[str, int] = FetchSession()
    session.plan({"a": 1})
    session.answered(5)
    session.failed()
    assert session.plan({"a": 1}).session_id == 0


def test_epoch_wraps_to_one() -> None:
    session: FetchSession[str, int] = FetchSession()
    session.plan({})
    session.answered(5)
    session._epoch = EPOCH_MAX
    session.answered(5)
    assert session.plan({}).session_epoch == 1


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3)), max_size=20))
def test_the_brokers_view_is_what_is_wanted(rounds: list[dict[str, int]]) -> None:
    """Whatever changes between requests, applying each plan gives exactly what was asked for."""
    session: FetchSession[str, int] = FetchSession()
    view: dict[str, int] = {}
    for number, wanted in enumerate(rounds):
        plan = session.plan(wanted)
        if plan.is_full:
            view = {}
        view.update(plan.to_send)
        for gone in plan.to_forget:
            del view[gone]
        assert view == wanted
        if number % 5 == 4:
            session.restart()
        else:
            session.answered(9)
