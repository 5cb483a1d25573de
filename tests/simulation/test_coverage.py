"""What the simulator can do is done: every kind of fault and every point of trouble comes up."""

from __future__ import annotations

from collections import Counter

import pytest

from barnabas.testing.simulation import hooks, machines
from barnabas.testing.simulation.faults import KINDS
from barnabas.testing.simulation.points import POINTS
from barnabas.testing.simulation.profile import QUIET, Profile
from barnabas.testing.simulation.run import plan_for, run

pytestmark = pytest.mark.filterwarnings("ignore")

DRAWN = range(1, 101)

BUSY = QUIET.replaced(
    duration_s=6.0,
    sends_per_s=10.0,
    timeouts_divisor=10.0,
    down_s=0.3,
    disk_trouble_s=0.5,
    pause_s=0.3,
    stall_s=0.3,
    cut_s=0.3,
    segment_bytes=2048,
)
RATES = {
    "kill": "kills",
    "power-loss": "power_losses",
    "pause": "pauses",
    "stop": "graceful_restarts",
    "cut": "cuts_per_min",
    "reset": "resets_per_min",
    "stall": "disk_stalls",
    "wall-jump": "wall_jumps",
    "wipe": "wipes",
    "old-copy": "old_copies",
    "bit-rot": "bit_rot",
    "disk-error": "disk_errors",
    "full-disk": "full_disks",
    "client-crash": "client_crashes",
    "move": "moves_per_min",
    "unregister": "unregistrations",
}
"""The knob of each kind, but for those that only families have."""

OF_FAMILIES = {"blackout"}


def test_every_kind_of_fault_is_drawn() -> None:
    """Goal: within a hundred seeds each kind of fault is in some schedule, and off in others."""
    drawn: Counter[str] = Counter()
    for seed in DRAWN:
        drawn.update({fault.kind for fault in plan_for(seed).schedule.faults})
    assert set(drawn) == set(KINDS) == RATES.keys() | OF_FAMILIES
    assert all(5 <= count <= 85 for count in drawn.values()), drawn


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("kind", RATES)
def test_every_kind_of_fault_happens(kind: str) -> None:
    """Goal: a fault alone is carried out, and the cluster gets over it: I-1 to I-30, L-1 to L-6."""
    profile = BUSY.replaced(**{RATES[kind]: 15.0})
    for seed in (1, 2, 3, 4):
        outcome = run(plan_for(seed, profile))
        assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])
        if any(fault.split()[1] == kind for fault in outcome.faults):
            return
    pytest.fail(f"no {kind} in four runs")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_point_of_trouble_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: no point lies where nothing ever comes by; with all of them armed, all hold."""
    monkeypatch.setattr(machines, "ARMED_OF_100", 100)
    monkeypatch.setattr(hooks, "BUGGIFY_FIRES", 0.1)
    profile = BUSY.replaced(
        buggify=True, kills=6.0, graceful_restarts=12.0, cuts_per_min=10.0, brokers=4,
        snapshot_records=20, cuts_metadata=True, snapshot_chunk_bytes=512, wipes=6.0,
        producer_life_s=2.0, churns_topics=True, keeps_pending_in_sync=True, has_selector=True,
        retention_ms=1500, retention_check_s=0.5, moves_per_min=20.0,
    )  # fmt: skip
    fired = trouble_of(profile, range(1, 5))
    rare = POINTS.keys() - fired.keys()
    monkeypatch.setattr(
        machines.Machines, "_is_armed", lambda self, name: self.makes_trouble and name in rare
    )
    monkeypatch.setattr(hooks, "BUGGIFY_FIRES", 0.5)
    profile = BUSY.replaced(
        buggify=True, wipes=20.0, graceful_restarts=6.0, snapshot_records=20, cuts_metadata=True,
        snapshot_chunk_bytes=512, producer_life_s=1.0, churns_topics=True, moves_per_min=20.0,
        disk_errors=15.0, disk_trouble_s=0.5,
    )  # fmt: skip
    assert not rare - trouble_of(profile, range(1, 5)).keys()


def trouble_of(profile: Profile, seeds: range) -> Counter[str]:
    """How often each point fired in runs that all hold."""
    fired: Counter[str] = Counter()
    for seed in seeds:
        outcome = run(plan_for(seed, profile))
        assert outcome.is_good, "\n".join([outcome.text, *outcome.trace[-40:]])
        fired.update(outcome.trouble)
    return fired
