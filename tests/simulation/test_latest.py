"""LATEST in clusters under faults, as pollers on other hosts see it (KIP-207)."""

from __future__ import annotations

import pytest

from barnabas.testing.simulation.run import plan_for, run
from lab.mutants.cluster import MUTANTS
from lab.mutants.mutant import ROUGH

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

MOVING = ROUGH.replaced(
    partitions=1,
    pollers=4,
    consumers=1,
    sends_per_s=10.0,
    kills=4.0,
    graceful_restarts=4.0,
    pauses=8.0,
    pause_s=3.0,
)
"""One partition whose leader is killed, stopped and paused, for longer than its session lasts."""

SEEDS_MAX = 6


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(1, 5))
def test_latest_never_goes_back(seed: int) -> None:
    """207-05: I-18 holds over elections (a last stable offset is the watermark, as long as there
    are no transactions)."""
    outcome = run(plan_for(seed, MOVING))
    assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])
    assert outcome.figures["latest"] > 50
    assert outcome.counts["leader"] >= 2, "it was elected once and then moved"


@pytest.mark.timeout(120)
def test_without_the_lease_it_goes_back() -> None:
    """207-05, 207-09: an old leader that was paused answers at once, and a poller sees less; which
    of a few seeds it shows in is chance, and with the lease that run is good."""
    (mutant,) = (one for one in MUTANTS if one.name == "no-lease")
    seeds, outcome = mutant.hunt(SEEDS_MAX)
    assert outcome is not None, f"nobody saw it in {seeds} runs"
    assert outcome.rule == "I-18", outcome.text
    assert run(plan_for(seeds, mutant.profile)).is_good
