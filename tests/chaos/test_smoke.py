"""The most telling faults on real processes, shortly: nothing acknowledged is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.chaos.run import run_row
from lab.chaos.scene import Lengths
from lab.chaos.table import all_rows

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SMOKE = Lengths(steady_s=1.0, fault_s=2.0, pauses_s=(3.0,), bounces=1, cut_s=5.0, isolation_s=5.0)
SETTINGS = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "300"}
"""So that a pause of three seconds is long enough to lose the leadership."""


@pytest.mark.parametrize("row_id", ["P-1", "P-2", "P-4", "P-6"])
async def test_clients_keep_what_they_were_promised(tmp_path: Path, row_id: str) -> None:
    """I-2, I-5, I-18, I-19, I-21, L-4 through P-1, P-2, P-4 and P-6, short.

    How fast it was is not judged here: that depends on who else uses the machine.
    """
    outcome = await run_row(all_rows()[row_id], tmp_path / "cluster", SMOKE, settings=SETTINGS)
    assert outcome.verdict.violations == []
    assert outcome.repeats == 1
    assert outcome.verdict.acked > 100
    assert outcome.verdict.failed == 0
    assert not [text for text in outcome.misses if "logged an exception" in text]
