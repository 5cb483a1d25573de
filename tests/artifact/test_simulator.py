"""The simulator of the wheel: whole clusters on virtual time, with the leaves that were built."""

from __future__ import annotations

import json

import pytest

from .installed import Installed

pytestmark = [pytest.mark.slow, pytest.mark.artifact, pytest.mark.timeout(600)]

SEEDS = 20


def test_twenty_seeds(installed: Installed) -> None:
    """Goal: every invariant holds in drawn runs of the installed code."""
    run = ("simulate", "--seeds", f"1..{SEEDS + 1}", "--set", "duration_s=8", "--jobs", "2")
    said = installed.barnabas(*run, "--json", timeout_s=590).stdout
    runs = [json.loads(line) for line in said.splitlines()]
    assert len(runs) == SEEDS
    assert all(one["ok"] for one in runs)
