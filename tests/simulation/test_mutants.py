"""The checks are worth something: planted bugs are caught, by a rule that speaks of them."""

from __future__ import annotations

import pytest

from lab.mutants.hunting import MUTANTS, Caught, table
from lab.mutants.mutant import Mutant

pytestmark = pytest.mark.filterwarnings("ignore")

SEEDS_MAX = 20
QUICK = (
    "watermark-of-the-fastest",
    "min-insync-ignored",
    "acknowledged-at-once",
    "pending-kept",
    "reads-above-watermark",
    "other-bytes",
    "start-above-watermark",
    "never-joins",
    "fenced-may-lead",
    "latest-goes-back",
    "skipped-row",
    "raising-task",
    "deaf-node",
    "stale-metadata",
    "deleted-and-served",
    "epoch-ends-too-early",
    "news-kept-back",
    "answers-too-large",
    "parked-too-long",
    "producers-never-forgotten",
    "decided-too-early",
    "brokers-of-before",
    "download-begins-anew",
    "commits-lost",
    "all-read-everything",
    "commits-one-further",
    "partition-left-out",
)
"""Those that show in the first seeds; `python -m lab.mutants` hunts all."""


def named(name: str) -> Mutant:
    return next(each for each in MUTANTS if each.name == name)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", QUICK)
def test_planted_bug_is_caught(name: str) -> None:
    """Goal: the check fires, and it is one of those that should."""
    mutant = named(name)
    _, outcome = mutant.hunt(SEEDS_MAX)
    assert outcome is not None, f"{name} survives"
    assert outcome.rule in mutant.rules, outcome.text


@pytest.mark.slow
def test_lost_answers_are_noticed() -> None:
    """Goal: L-4; a producer's call that never ends."""
    mutant = named("lost-answer")
    assert mutant.run(1).rule == "L-4"


def test_names_are_names() -> None:
    """Goal: each planted bug can be called for, and says which rules catch it."""
    names = [each.name for each in MUTANTS]
    assert len(set(names)) == len(names) >= 30
    assert all(each.rules for each in MUTANTS)


def test_the_table_names_survivors() -> None:
    """Goal: what nothing catches is seen."""
    rows = [
        Caught("a", "this", "I-3", 2, 1.5, "I-3: …", is_expected=True),
        Caught("b", "that", "", 200, 0.0, "", is_expected=False),
    ]
    page = table(rows)
    assert "1 of 2 are caught" in page
    assert "| b | that | **survives** | 200 |" in page
