"""Planted bugs: the checkers must see each of them (1.12)."""

from __future__ import annotations

import pytest

from lab.mutants.raft import MUTANTS, Mutant, hunt

SEEDS = range(1, 61)
EVENTS = 6_000


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_mutant_is_caught(mutant: Mutant) -> None:
    """Goal: some seed of 60 catches it, by the invariant that it breaks."""
    verdict = hunt(mutant, SEEDS, EVENTS)
    assert verdict is not None, f"{mutant.name} survives"
    assert verdict.problem.startswith(mutant.caught_by), verdict.problem


def test_there_are_enough_mutants() -> None:
    """Goal: at least 16, each with a name of its own."""
    assert len({one.name for one in MUTANTS}) == len(MUTANTS) >= 16
