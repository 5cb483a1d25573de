"""Whole clusters of real nodes and real clients on virtual time."""

from __future__ import annotations

from time import process_time

import pytest

from barnabas.testing.simulation.profile import QUIET, Profile
from barnabas.testing.simulation.run import Outcome, plan_for, run

pytestmark = pytest.mark.filterwarnings("ignore")

ALONE = QUIET.replaced(brokers=1, replication_factor=1, min_insync_replicas=1, duration_s=3.0)
THREE = QUIET.replaced(duration_s=3.0, timeouts_divisor=10.0)

SEEDS = range(1, 41)
"""Of `make test`."""


def check(outcome: Outcome) -> Outcome:
    assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])
    return outcome


def test_one_node_without_faults() -> None:
    """Goal: all that was sent is acknowledged and read by everybody, the auditor too."""
    figures = check(run(plan_for(1, ALONE))).figures
    assert figures["sent"] == figures["acked"] > 50
    assert figures["read"] == figures["acked"] * (ALONE.consumers + 1)


@pytest.mark.slow
def test_three_nodes_elect_replicate_and_stop() -> None:
    """Goal: a quorum of three, partitions on three brokers, one leader a partition and epoch."""
    outcome = check(run(plan_for(1, THREE)))
    assert outcome.counts["elected"] >= 1
    assert outcome.counts["leader"] >= THREE.partitions
    assert outcome.figures["sent"] == outcome.figures["acked"]


@pytest.mark.slow
def test_a_leader_that_is_killed_costs_no_record() -> None:
    """Goal: I-5 through kills of leaders; somebody else leads soon (L-2)."""
    profile = THREE.replaced(kills=5.0, down_s=0.5, duration_s=6.0)
    outcome = check(run(plan_for(3, profile)))
    assert any(" kill " in fault for fault in outcome.faults)
    assert outcome.figures["acked"] > 0


@pytest.mark.slow
def test_the_same_seed_is_the_same_run() -> None:
    """Goal: equal hashes of two runs of one seed, another hash for another seed."""
    profile = ALONE.replaced(duration_s=2.0, kills=20.0, down_s=0.2)
    first, again, other = (run(plan_for(seed, profile)) for seed in (5, 5, 6))
    assert first.digest == again.digest != other.digest
    assert first.trace == again.trace


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", SEEDS)
def test_seed(seed: int) -> None:
    """Goal: I-1 to I-8, I-10 to I-14, I-16 to I-22, I-24, I-25, I-27, I-28, I-30 and L-1 to L-7
    hold in clusters drawn from seeds: kills, pauses, cuts, resets, lost power, slow, failing, full,
    wiped and old disks, clocks, clients that die, brokers taken out, replicas that move."""
    check(run(plan_for(seed, duration_s=10.0, sends_per_s=8.0)))


@pytest.mark.slow
def test_idle_cluster_is_fast() -> None:
    """Goal: an idle cluster of three simulates much faster than real time."""
    idle = Profile(duration_s=60.0, producers=0, consumers=0, pollers=0)
    begun = process_time()  # of this process alone: others may keep the machine busy
    outcome = check(run(plan_for(1, idle)))
    assert outcome.simulated_s / (process_time() - begun) > 10  # about 100
