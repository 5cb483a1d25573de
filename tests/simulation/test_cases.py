"""Runs that once failed, as files with the values that were drawn: they must hold from now on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from barnabas.cli.simulate import command
from barnabas.testing.simulation.case import Case
from barnabas.testing.simulation.profile import QUIET, draw
from barnabas.testing.simulation.reduction import Reduction
from barnabas.testing.simulation.run import plan_for, run
from lab.mutants.hunting import MUTANTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("ignore")]

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Goal: what was mended stays mended."""
    outcome = run(Case.load(path).plan())
    assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_still_shows_its_bug(path: Path) -> None:
    """Goal: a case made of a planted bug finds it again; else it has come to test nothing."""
    case = Case.load(path)
    planted = re.match(r"planted: ([a-z-]+)", case.note)
    if planted is None:
        pytest.skip("made of a bug that was not planted")
    mutant = next(each for each in MUTANTS if each.name == planted[1])
    with mutant.planted():
        assert run(case.plan()).rule == case.rule


def test_reduce_and_save_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: `simulate --reduce --save` leaves a smaller run that fails alike."""
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # else it goes on in another process
    profile = QUIET.replaced(
        brokers=1, replication_factor=1, min_insync_replicas=1, duration_s=2.0, producers=3,
        kills=20.0, down_s=0.1,
    )  # fmt: skip
    knobs = tmp_path / "profile.json"
    knobs.write_text(profile.to_json())
    mutant = next(each for each in MUTANTS if each.name == "skipped-row")
    arguments = ["--profile", str(knobs), "--reduce", "--save", str(tmp_path / "kept")]
    with mutant.planted():
        done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 1, done.output
    (path,) = (tmp_path / "kept").iterdir()
    case = Case.load(path)
    assert case.rule == "I-19"
    assert not case.schedule.faults
    assert case.profile.producers == 1
    assert run(case.plan()).is_good, "without the bug it holds"


def test_a_case_is_the_run_that_it_was_made_of(tmp_path: Path) -> None:
    """Goal: a file replays what the seed drew."""
    alone = draw(3, duration_s=3.0, brokers=1)
    outcome = run(plan_for(3, alone))
    Case.of(outcome).save(tmp_path / "case.json")
    assert run(Case.load(tmp_path / "case.json").plan()).digest == outcome.digest


def test_reduction_keeps_the_rule_and_drops_the_rest() -> None:
    """Goal: the smallest run that fails alike; faults that do not matter are gone."""
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
