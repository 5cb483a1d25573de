"""Fine planted bugs: each fits the code, and drawn runs find them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from barnabas.broker.handlers.list_offsets import handler as list_offsets
from lab.mutants import drawn
from lab.mutants.drawn import RUNNER, Hunted, kept, replaced, section, unfitting
from lab.mutants.fine import FINE
from lab.mutants.planting import (
    DoesNotFitError,
    FineMutant,
    plant,
    source_of,
)
from lab.programs import environment

SECTIONS = {
    *("392", "951", "501", "630", "207", "595", "996", "631", "497", "841"),
    *("966", "903", "101", "279", "320", "227", "74", "516", "98"),
}


@pytest.mark.parametrize("mutant", FINE, ids=lambda mutant: mutant.name)
def test_a_bug_fits_the_code(mutant: FineMutant) -> None:
    """Goal: what a bug replaces is in its file once, and what comes of it is Python."""
    compile(mutant.changed(source_of(mutant)), mutant.file, "exec")


def test_there_are_bugs_for_every_group_of_rules() -> None:
    """Goal: sixty bugs and more, at least one for each KIP of sections 2 to 7."""
    counted = [mutant for mutant in FINE if not mutant.equivalent]
    assert len(counted) >= 60
    assert len({mutant.name for mutant in FINE}) == len(FINE)
    rules = {mutant.rule.partition("-")[0] for mutant in counted}
    assert rules >= SECTIONS


def test_a_bug_that_does_not_fit_is_refused() -> None:
    """Goal: text that is not there, or twice, is no bug but a mistake."""
    mutant = FINE[0]._replace(old="there is no such text")
    with pytest.raises(DoesNotFitError):
        mutant.changed(source_of(mutant))
    with pytest.raises(DoesNotFitError):
        mutant._replace(old="a").changed("a and a")


def test_a_bug_comes_before_its_module() -> None:
    """Goal: nobody hunts a bug in a module that was imported without it."""
    assert list_offsets.__name__ == FINE[0].module
    with pytest.raises(RuntimeError, match=r"list_offsets"):
        plant([FINE[0]])


def test_the_table_names_survivors() -> None:
    """Goal: what nothing catches is seen, and rates are those of the seeds that were run."""
    rows = [
        Hunted(FINE[0], 40, (3, 17), {"I-18": 2}, ("any", "readers"), "I-18: …"),
        Hunted(FINE[1], 100, (), {}, (), ""),
    ]
    page = "\n".join(section(rows))
    assert "1 of 2 are" in page
    assert "| I-18 | 2 of 40 | 5 |" in page
    assert "**survives** | 0 of 100 | 0 |" in page


def test_a_seed_that_fails_by_itself_is_no_catch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a verdict that the product brings about without the bug counts for nothing."""
    runs: list[tuple[str, range]] = []

    def run(name: str, seeds: range, catches: int, skipped: Sequence[int]) -> list[dict[str, Any]]:
        runs.append((name, seeds))
        rows: list[dict[str, Any]] = []
        for seed in seeds:
            if seed not in skipped:
                is_caught = seed == 2 or (seed in {4, 6} and name != "none")
                row = {"seed": seed, "rule": "I-1" * is_caught, "family": "", "text": ""}
                rows.append(row)
            if sum(bool(row["rule"]) for row in rows) == catches:
                break
        return rows

    monkeypatch.setattr(drawn, "_run", run)
    (hunted,) = drawn.hunt_all([FINE[0]], jobs=1, seeds=range(1, 11), catches=2)
    assert (hunted.catches, hunted.seeds) == ((4, 6), 5)
    assert [seeds.start for name, seeds in runs if name == "none"] == [2, 4, 6]


def test_seeds_that_fit_a_bug() -> None:
    """Goal: with `--fitting` a bug runs under the families of its rule, or under all seeds."""
    left_out = unfitting("392-11", range(1, 101))
    assert {25, 6} == set(range(1, 101)) - set(left_out)
    assert unfitting("392-04b", range(1, 101)) == left_out
    assert unfitting("CRT-06", range(1, 101)) == ()


def test_the_page_has_two_writers() -> None:
    """Goal: each command writes its part of the page and leaves the other's."""
    page = replaced("# Planted bugs\n\nold\n", section([]))
    assert page.startswith("# Planted bugs\n\nold\n\n## Fine")
    assert replaced(page, section([])) == page
    again = kept(page, "# Planted bugs\n\nnew\n")
    assert again == page.replace("old", "new", 1)
    assert kept("nothing", "new\n") == "new\n"


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("name", "seed"), [("followers-forget-producers", 2), ("duplicate-acknowledged-early", 10)]
)
def test_a_drawn_run_finds_a_bug(name: str, seed: int) -> None:
    """Goal: a seed that found a bug finds it again, with whatever it draws."""
    command = [sys.executable, "-m", RUNNER, name, "--seeds", f"{seed}..{seed + 1}"]
    variables = {**environment(), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["rule"], done.stdout
