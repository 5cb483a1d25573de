"""Whole runs with transactions: they hold, much happens in them, and planted bugs are found."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from barnabas.testing.simulation.families.drawing import TRANSACTIONS_OF_100, draw_run
from barnabas.testing.simulation.run import plan_for, run
from lab.mutants.drawn import RUNNER
from lab.programs import environment

SLOW = [pytest.mark.slow, pytest.mark.timeout(180), pytest.mark.filterwarnings("ignore")]


def test_a_third_of_the_seeds_has_transactions() -> None:
    """Goal: drawn beside the family, so that every family has some."""
    drawn = [draw_run(seed) for seed in range(1, 401)]
    count = sum(profile.transactions for profile in drawn)
    assert abs(count - 4 * TRANSACTIONS_OF_100) < 40
    families = {profile.family for profile in drawn}
    assert families == {profile.family for profile in drawn if profile.transactions}


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=SLOW) for seed in (8, 14)])
def test_transactions_hold(seed: int) -> None:
    """I-23, I-33 to I-37, L-9: through whatever the seed draws."""
    outcome = run(plan_for(seed, transactions=True, duration_s=6.0))
    assert outcome.is_good, outcome.text
    figures = outcome.figures
    assert figures["transactions_committed"] > 20
    assert figures["transactions_aborted"] > 0
    assert figures["transactions_zombies"] > 0


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=SLOW)
        for name, seed in (("end-keeps-the-epoch", 8), ("owner-keeps-the-epoch", 6))
    ],
)
def test_a_drawn_run_finds_a_bug_of_transactions(name: str, seed: int) -> None:
    """Goal: a seed that found a bug finds it again."""
    command = [sys.executable, "-m", RUNNER, name, "--seeds", f"{seed}..{seed + 1}"]
    variables = {**environment(), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["rule"], done.stdout
