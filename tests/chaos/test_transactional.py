"""Real brokers that are killed while real clients write in transactions, shortly."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.chaos.run import run_row
from lab.chaos.scene import Lengths
from lab.chaos.table import all_rows

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SMOKE = Lengths(steady_s=1.0, fault_s=1.5, pauses_s=(3.0,), bounces=1, cut_s=5.0, isolation_s=5.0)
SETTINGS = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "300"}


async def test_transactions_survive_brokers_that_are_killed(tmp_path: Path) -> None:
    """I-37, I-23, I-36 through P-28: no anomaly in the history of transactional clients.

    How fast it was is not judged here: that depends on who else uses the machine.
    """
    outcome = await run_row(all_rows()["P-28"], tmp_path / "cluster", SMOKE, settings=SETTINGS)
    assert outcome.verdict.violations == []
    assert outcome.figures["committed"][0] > 10
    assert not [text for text in outcome.misses if "logged an exception" in text]
