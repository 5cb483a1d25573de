"""Each anomaly of a history is found, by its name, and what is allowed is none."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest

from barnabas.testing.anomalies.finding import ALLOWED, KINDS, find_anomalies
from barnabas.testing.anomalies.operations import Operation, Outcome, Polled, Sent, Step

A, B = "a-0", "b-0"


def wrote(
    name: str,
    *steps: Step,
    outcome: Outcome = Outcome.OK,
    process: str = "",
    asked_s: float = 1.0,
) -> Operation:
    """A transaction."""
    return Operation(process or name, name, outcome, steps, 2.0, asked_s, goes_on=False)


def read(
    process: str, *steps: Polled, at_s: float = 9.0, goes_on: bool = True, number: int = 0
) -> Operation:
    """What one call of a reader handed out."""
    name = f"{process}#{number}"
    return Operation(process, name, Outcome.OK, steps, at_s, goes_on=goes_on)


def kinds(*operations: Operation, drained: bool = True) -> list[str]:
    """What is found, each kind once."""
    found = find_anomalies(operations, drained=drained)
    return list(dict.fromkeys(one.kind for one in found))


GOOD = (
    wrote("t1", Sent(A, "x", 0), Sent(B, "y", 0), Sent(A, "z", 2)),
    wrote("t2", Sent(A, "w", 1), outcome=Outcome.FAILED),
    wrote("t3", Sent(A, "v"), outcome=Outcome.UNKNOWN),
    read("r", Polled(A, 0, "x"), Polled(B, 0, "y")),
    read("r", Polled(A, 2, "z"), number=1),
)


def test_a_good_history_has_none() -> None:
    """I-37: aborted and unknown records may be missing, gaps are explained."""
    assert kinds(*GOOD) == []
    assert kinds(*GOOD, read("r", Polled(A, 4, "v"), number=2)) == []


CASES: dict[str, Sequence[Operation]] = {
    "inconsistent-offsets": (
        wrote("t1", Sent(A, "x", 0)),
        wrote("t2", Sent(A, "y", 0)),
        read("r", Polled(A, 0, "x")),
        read("q", Polled(A, 0, "y")),
    ),
    "duplicate": (
        wrote("t1", Sent(A, "x", 0)),
        read("r", Polled(A, 0, "x"), Polled(A, 3, "x")),
    ),
    "lost-write": (
        wrote("t1", Sent(A, "x", 0)),
        wrote("t2", Sent(A, "y", 1)),
        read("r", Polled(A, 1, "y")),
    ),
    "unseen": (wrote("t1", Sent(A, "x", 0)),),
    "unwritten": (read("r", Polled(A, 0, "x")),),
    "G1a": (
        wrote("t1", Sent(A, "x", 0), outcome=Outcome.FAILED),
        read("r", Polled(A, 0, "x")),
    ),
    "dirty-read": (
        wrote("t1", Sent(A, "x", 0), asked_s=5.0),
        read("r", Polled(A, 0, "x"), at_s=4.0),
    ),
    "G1b": (
        wrote("t1", Sent(A, "x", 0), Sent(A, "y", 1), Sent(A, "z", 2)),
        read("r", Polled(A, 0, "x"), Polled(A, 2, "z")),
    ),
    "nonmonotonic-poll": (
        wrote("t1", Sent(A, "x", 0), Sent(A, "y", 1)),
        read("r", Polled(A, 0, "x"), Polled(A, 1, "y")),
        read("r", Polled(A, 0, "x"), number=1),
    ),
    "poll-skip": (
        wrote("t1", Sent(A, "x", 0)),
        wrote("t2", Sent(A, "y", 1)),
        wrote("t3", Sent(A, "z", 2)),
        read("r", Polled(A, 0, "x")),
        read("r", Polled(A, 2, "z"), number=1),
        read("q", Polled(A, 1, "y")),
    ),
    "int-nonmonotonic-poll": (
        wrote("t1", Sent(A, "x", 0), Sent(A, "y", 1)),
        read("r", Polled(A, 1, "y"), Polled(A, 0, "x")),
    ),
    "int-poll-skip": (
        wrote("t1", Sent(A, "x", 0)),
        wrote("t2", Sent(A, "y", 1)),
        wrote("t3", Sent(A, "z", 2)),
        read("r", Polled(A, 0, "x"), Polled(A, 2, "z")),
        read("q", Polled(A, 1, "y")),
    ),
    "nonmonotonic-send": (
        wrote("t1", Sent(A, "x", 1), process="p"),
        wrote("t2", Sent(A, "y", 0), process="p"),
        read("r", Polled(A, 0, "y"), Polled(A, 1, "x")),
    ),
    "int-nonmonotonic-send": (
        wrote("t1", Sent(A, "x", 1), Sent(A, "y", 0)),
        read("r", Polled(A, 0, "y"), Polled(A, 1, "x")),
    ),
    "G1c": (
        wrote("t1", Sent(A, "x", 0), Polled(B, 0, "y")),
        wrote("t2", Sent(B, "y", 0), Polled(A, 0, "x")),
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_each_anomaly_is_found(kind: str) -> None:
    """I-37: by its name; one that comes of another is named beside it."""
    assert kind in kinds(*CASES[kind])


def test_there_is_a_case_for_everything_that_is_not_allowed() -> None:
    """Goal: no kind without a history that shows it."""
    assert CASES.keys() == set(KINDS) - ALLOWED


G0 = (
    wrote("t1", Sent(A, "x", 0), Sent(B, "w", 1)),
    wrote("t2", Sent(A, "y", 1), Sent(B, "v", 0)),
    read("r", Polled(A, 0, "x"), Polled(A, 1, "y"), Polled(B, 0, "v"), Polled(B, 1, "w")),
)
"""Two transactions each of which is before the other, in one of two partitions."""


def test_cycles_with_writes_are_named_and_allowed() -> None:
    """Goal: Kafka's transactions lie between one another; who wants to know is told."""
    assert kinds(*G0) == []
    assert [one.kind for one in find_anomalies(G0, allowed=frozenset())] == ["G0"]
    mixed = (
        wrote("t1", Sent(A, "x", 0), Polled(B, 0, "v")),
        wrote("t2", Sent(A, "y", 1), Sent(B, "v", 0)),
        read("r", Polled(A, 0, "x"), Polled(A, 1, "y")),
    )
    assert [one.kind for one in find_anomalies(mixed, allowed=frozenset())] == ["G1c-ww"]


def test_readers_that_are_not_done_have_missed_nothing() -> None:
    """Goal: what is behind the last read counts only when there was time to read it."""
    assert kinds(wrote("t1", Sent(A, "x", 0)), drained=False) == []


def test_who_begins_anew_may_go_back() -> None:
    """Goal: after a seek, a restart or a rebalance a reader may be anywhere."""
    steps = (Polled(A, 0, "x"), Polled(A, 1, "y"))
    written = wrote("t1", Sent(A, "x", 0), Sent(A, "y", 1))
    again = read("r", Polled(A, 0, "x"), goes_on=False, number=1)
    assert kinds(written, read("r", *steps), again) == []


def test_a_transaction_that_reads_itself_reads_too_early() -> None:
    """Goal: before its commit nobody may, it itself included."""
    own = Operation("p", "t1", Outcome.OK, (Sent(A, "x", 0), Polled(A, 0, "x")), inf)
    assert kinds(own) == ["dirty-read"]


def test_a_value_that_was_written_twice_is_refused() -> None:
    """Goal: nobody can tell which of the two was read."""
    with pytest.raises(ValueError, match="'x' was written twice"):
        find_anomalies([wrote("t1", Sent(A, "x", 0)), wrote("t2", Sent(A, "x", 1))])


def test_a_long_chain_needs_no_recursion() -> None:
    """Goal: a history of ten thousand transactions is looked through."""
    steps = [
        wrote(f"t{n}", Sent(A, n, n), *([Polled(A, n - 1, n - 1)] if n else []))
        for n in range(10_000)
    ]
    assert kinds(*steps, read("r", Polled(A, 9_999, 9_999))) == []
