"""`barnabas simulate`: the same seed is the same run, also in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.cli.simulate import replay_of

ALONE = ["--set", "brokers=1", "--set", "controllers=0", "--set", "replication_factor=1",
         "--set", "min_insync_replicas=1", "--set", "duration_s=2"]  # fmt: skip


def simulate(*arguments: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "barnabas.cli.main", "simulate", *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_json_twice_and_plot(tmp_path: Path) -> None:
    """Goal: equal hashes in fresh processes; a page without scripts."""
    page = tmp_path / "run.html"
    first = json.loads(simulate("--seed", "4", "--json", "--plot", str(page), *ALONE))
    again = json.loads(simulate("--seed", "4", "--json", "--twice", *ALONE))
    assert first["ok"]
    assert again["ok"]
    assert first["hash"] == again["hash"]
    text = page.read_text()
    assert "<svg" in text
    assert 'class="legend"' in text
    assert 'name="viewport"' in text
    assert "<script" not in text


@pytest.mark.slow
def test_profile_goes_out_and_comes_in(tmp_path: Path) -> None:
    """Goal: knobs can be written down, changed and used."""
    profile = json.loads(simulate("--seed", "4", "--show-profile", *ALONE))
    assert profile["duration_s"] == 2
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(profile | {"kills": 0.0}))
    assert json.loads(simulate("--profile", str(path), "--json"))["ok"]
    path.write_text(json.dumps({"no_such_knob": 1}))
    simulate("--profile", str(path), code=1)


@pytest.mark.slow
def test_wrong_ranges_are_refused() -> None:
    """Goal: an error that says what is expected."""
    simulate("--seeds", "7", code=2)
    simulate("--seeds", "7..7", code=2)
    simulate("--seeds", "7..9", "--seed", "3", code=2)
    simulate("--seeds", "7..9", "--plot", "no.html", code=2)
    simulate("--twice", "--plot", "no.html", code=2)
    simulate("--set", "brokers", code=2)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["{", "[]", "{}", "1"])
def test_a_case_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.json"
    path.write_text(text)
    command = [sys.executable, "-m", "barnabas.cli.main", "simulate", "--case", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{path} is no kept run" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_that_is_told_makes_the_same_run() -> None:
    """Goal: all that draws the run is in it."""
    outcome: Any = SimpleNamespace(seed=7)
    asked = {"case_file": None, "profile_file": None, "family": "power", "knobs": ("brokers=5",)}
    told = replay_of(outcome, asked)
    assert told == "barnabas simulate --seed 7 --family power --set brokers=5 --trace"
    kept = replay_of(outcome, asked | {"case_file": Path("a case.json")})
    assert kept == "barnabas simulate --case 'a case.json' --trace"


@pytest.mark.slow
def test_a_family_is_drawn_by_name(tmp_path: Path) -> None:
    """Goal: all seeds are of that family; a wrong name, or another profile, is refused."""
    shown = simulate("--seeds", "1..4", "--family", "quorum", "--show-profile")
    assert shown.count('"family": "quorum"') == 3
    simulate("--family", "no-such-family", "--show-profile", code=1)
    path = tmp_path / "profile.json"
    path.write_text("{}")
    simulate("--family", "quorum", "--profile", str(path), code=2)
