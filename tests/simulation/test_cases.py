"""Runs that once failed, as files with the values that were drawn: they must hold from now on."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.testing.simulation.case import Case
from barnabas.testing.simulation.profile import QUIET, draw
from barnabas.testing.simulation.reduction import Reduction
from barnabas.testing.simulation.run import plan_for, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("ignore")]

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Goal: what was mended stays mended."""
    outcome = run(Case.load(path).plan())
    assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])


def test_a_case_is_the_run_that_it_was_made_of(tmp_path: Path) -> None:
    """Goal: a file replays what the seed drew."""
    alone = draw(3, duration_s=3.0, brokers=1)
    outcome = run(plan_for(3, alone))
    Case.of(outcome).save(tmp_path / "case.json")
    assert run(Case.load(tmp_path / "case.json").plan()).digest == outcome.digest


def test_reduction_keeps_the_rule_and_drops_the_rest() -> None:
    """Goal: the smallest run that fails alike; faults that do not matter are gone."""
    from barnabas.testing.simulation.mutants.hunting import MUTANTS

    mutant = next(each for each in MUTANTS if each.name == "skipped-row")
    profile = QUIET.replaced(
        brokers=1, replication_factor=1, min_insync_replicas=1, duration_s=3.0, kills=20.0,
        down_s=0.1, producers=3,
    )  # fmt: skip
    with mutant.planted():
        failed = run(plan_for(1, profile))
        assert failed.rule == "I-19"
        smaller = Reduction(failed, lambda _: None, runs_max=25).reduce()
    assert smaller.rule == "I-19"
    assert not smaller.schedule.faults
    assert smaller.profile.producers == 1
