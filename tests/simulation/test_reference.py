"""Decisions compared with their rules, and what a log knows of its records."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.testing.simulation.checks.log_state import LogState
from barnabas.testing.simulation.checks.reference.comparing import (
    NOTHING_ELSE,
    Asking,
    Rule,
    compared,
    refusal,
)
from barnabas.testing.simulation.checks.reference.logs import end_of_epoch
from barnabas.testing.simulation.checks.reference.neighbours.seldom import SELDOM
from barnabas.testing.simulation.checks.reference.neighbours.table import NEIGHBOURS
from barnabas.testing.simulation.checks.reference.table import RULES
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.hooks import InvariantError

from .stage import Stage, known_by


def decided(rule: Rule, *args: Any, asking: Asking = NOTHING_ELSE) -> str:
    """The rule that was found broken when the decision is made; empty: none."""
    bus = Stage().bus
    with compared(bus, (rule,), asking), suppress(KafkaError):
        getattr(rule.target, rule.name)(*args)
    violation = bus.loop.violation
    return violation.rule if isinstance(violation, InvariantError) else ""


def test_another_answer_is_found() -> None:
    """Goal: a value, an error, or an error where none is due, that the rule does not say."""

    def refuse(_: int) -> int:
        raise refusal(ErrorCode.INVALID_REQUEST)

    target = SimpleNamespace(double=lambda number: 2 * number, refuse=refuse)
    assert decided(Rule("1-01", target, "double", lambda number: number + number), 3) == ""
    assert decided(Rule("1-01", target, "double", lambda number: number * number), 3) == "1-01"
    assert decided(Rule("1-02", target, "refuse", refuse), 3) == ""
    assert decided(Rule("1-02", target, "refuse", lambda number: number), 3) == "1-02"
    assert decided(Rule("1-02", target, "double", refuse), 3) == "1-02"


def test_what_lies_near_a_question_is_asked_too() -> None:
    """Goal: a product that is wrong at an edge only is found by a question elsewhere."""

    def expected(number: int) -> bool:
        return number < 10

    def near(random: Random, number: int) -> Iterator[tuple[Any, ...]]:
        del random, number
        yield (10,)

    target = SimpleNamespace(right=lambda number: number < 10, wrong=lambda number: number <= 10)
    asking = Asking({expected: near}, {})
    assert decided(Rule("1-04", target, "right", expected), 3, asking=asking) == ""
    assert decided(Rule("1-04", target, "wrong", expected), 3) == ""
    assert decided(Rule("1-04", target, "wrong", expected), 3, asking=asking) == "1-04"


def test_what_no_run_asks_is_asked_at_its_beginning() -> None:
    """Goal: decisions that are rare are compared all the same, in every run."""

    def expected(number: int) -> int:
        return number

    def near(random: Random, number: int) -> Iterator[tuple[Any, ...]]:
        yield (number + random.randrange(3),)

    target = SimpleNamespace(same=lambda number: number if number != 5 else 6)
    bus = Stage().bus
    with compared(
        bus, (Rule("1-05", target, "same", expected),), Asking({expected: near}, {expected: (4,)})
    ):
        pass
    violation = bus.loop.violation
    assert isinstance(violation, InvariantError)
    assert violation.rule == "1-05"


def test_neighbours_are_of_references_in_the_table() -> None:
    """Goal: nothing is prepared that nobody asks."""
    references = {rule.expected for rule in RULES}
    assert set(NEIGHBOURS) <= references
    assert set(SELDOM) <= set(NEIGHBOURS)


def test_a_change_is_looked_at_before_and_after() -> None:
    """Goal: what a call changes is judged by how it was before; the call itself goes on."""

    def grown(items: list[int], item: int) -> Generator[None, Any, None]:
        size = len(items)
        yield
        assert len(items) == size + 1, f"{item} was not added"

    target = SimpleNamespace(add=lambda items, item: items.append(item) if item else None)
    rule = Rule("1-03", target, "add", grown, is_after=True)
    assert decided(rule, [1], 2) == ""
    assert decided(rule, [1], 0) == "1-03"


def test_rules_name_what_there_is() -> None:
    """Goal: every decision that is compared exists, and is compared once."""
    places = [(rule.target, rule.name) for rule in RULES]
    assert len(set(places)) == len(places) >= 40
    found = [getattr(target, name) for target, name in places]
    assert all(callable(one) or isinstance(one, property) for one in found)


@pytest.mark.parametrize("epoch", range(-1, 9))
def test_ends_of_epochs(epoch: int) -> None:
    """101-02: the second statement of the rule and the product agree."""
    epochs = LeaderEpochs(SimulatedDisk(Random(1)), "/d/file")
    for known, start in ((2, 10), (3, 20), (6, 30)):
        epochs._put(known, start)
    assert epochs.end_offset_for(epoch, 40) == end_of_epoch(epochs, epoch, 40)


def test_an_epoch_of_what_was_cut_off_is_found() -> None:
    """101-01: after a cut no epoch is known that began behind it."""
    for epochs, rule in (([(0, 0), (1, 3)], ""), ([(0, 0), (1, 7)], "101-01")):
        stage = Stage()
        LogState(stage.bus)
        log = known_by(epochs)
        stage.bus.tell("node-1", 1, "log-opened", {"log": log})
        stage.bus.tell("node-1", 1, "truncate", {"log": log, "offset": 5})
        assert stage.rule == rule


def test_a_cut_log_that_vouches_for_more_than_it_has_is_found() -> None:
    """I-5: what will be written in place of what was cut is not flushed yet."""
    for recovery_point, rule in ((5, ""), (6, "I-5")):
        stage = Stage()
        LogState(stage.bus)
        log = known_by([(0, 0)])
        log.recovery_point = recovery_point
        stage.bus.tell("node-1", 1, "log-opened", {"log": log})
        stage.bus.tell("node-1", 1, "truncate", {"log": log, "offset": 5})
        assert stage.rule == rule
