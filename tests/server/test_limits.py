"""Memory for half-read frames, and log lines that peers cause: both bounded."""

from __future__ import annotations

from typing import Any

from barnabas.broker.server.link import STOP_BUDGET
from barnabas.broker.server.peer_log import ADDRESSES_MAX, PeerLog
from barnabas.broker.server.receive_budget import ReceiveBudget


class Holder:
    """A connection as the budget sees it."""

    def __init__(self) -> None:
        self.went_on = 0

    def go_on(self, reason: int) -> None:
        assert reason == STOP_BUDGET
        self.went_on += 1


def test_budget_stops_all_but_the_oldest() -> None:
    """Decision 11: over the budget only the oldest grows; the others go on when there is room."""
    budget = ReceiveBudget(1_000_000)
    first, second, third = Holder(), Holder(), Holder()
    assert not budget.resize(first, 600_000)
    assert budget.resize(second, 600_000)
    assert budget.resize(third, 100_000)
    assert not budget.resize(first, 900_000)
    assert (first.went_on, second.went_on, third.went_on) == (0, 0, 0)
    budget.resize(first, 0)
    assert (second.went_on, third.went_on) == (1, 1)
    assert budget.used == 700_000
    budget.resize(second, 0)
    budget.resize(third, 0)
    assert budget.used == 0


def test_budget_when_the_oldest_leaves_and_it_is_still_spent() -> None:
    """Goal: nobody waits for ever: the next oldest may exceed the budget."""
    budget = ReceiveBudget(100_000)
    first, second, third = Holder(), Holder(), Holder()
    assert not budget.resize(first, 100_000)
    assert budget.resize(second, 300_000)
    assert budget.resize(third, 300_000)
    budget.resize(first, 0)
    assert (second.went_on, third.went_on) == (1, 0)
    budget.resize(second, 0)
    assert third.went_on == 1


def test_small_buffers_do_not_count() -> None:
    """Goal: 10,000 connections with small buffers are bounded by their number alone."""
    budget = ReceiveBudget(1)
    assert not any(budget.resize(Holder(), 65_536) for _ in range(100))
    assert budget.used == 0


def test_one_line_a_second_and_address() -> None:
    """Goal: of what one peer causes one line a second is logged; the next one counts the rest."""
    lines: list[tuple[str, dict[str, Any]]] = []
    now = 0.0

    def write(event: str, **fields: Any) -> None:
        lines.append((event, fields))

    log = PeerLog(write, lambda: now)
    for _ in range(50):
        log.report("a", "closed", reason="x")
    log.report("b", "closed", reason="x")
    assert [fields["client"] for _, fields in lines] == ["a", "b"]
    now = 1001.0
    log.report("a", "closed", reason="y")
    assert lines[-1][1] == {"client": "a", "reason": "y", "not_logged": 49}
    for number in range(3 * ADDRESSES_MAX):
        log.report(str(number), "closed")
    assert len(log._last) == ADDRESSES_MAX
