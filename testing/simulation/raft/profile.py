"""What one seed is like: drawn once, with about half of all trouble switched off (1.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


@dataclass(slots=True)
class Profile:
    """Rates are per simulated second; probabilities per message."""

    voters: int
    observers: int
    is_dynamic: bool
    loss: float
    duplicate: float
    delay_min_ms: float
    delay_mean_ms: float
    disk_ms: float
    apply_ms: float
    cut_rate: float
    heal_rate: float
    kill_rate: float
    power_loss_share: float
    restart_ms: float
    pause_rate: float
    disk_stall_rate: float
    wipe_rate: float
    damage_rate: float
    membership_rate: float
    resign_rate: float
    stop_rate: float
    append_ms: float
    snapshot_records: int
    raise_rate: float
    lag_max_ms: int
    election_ms: int
    fetch_ms: int


def draw(random: Random, stalls: Random, damages: Random) -> Profile:
    """The profile of this seed; whether and how often disks stand still is drawn from `stalls`,
    whether and how often what they have is damaged from `damages`."""

    def sometimes(low: float, high: float, share: float = 0.5) -> float:
        return random.uniform(low, high) if random.random() < share else 0.0

    is_dynamic = random.random() < 0.6
    return Profile(
        voters=random.choice((1, 2, 3, 3, 3, 4, 5, 5)),
        observers=random.choice((0, 0, 1, 2)),
        is_dynamic=is_dynamic,
        loss=sometimes(0.0, 0.25),
        duplicate=sometimes(0.0, 0.3),
        delay_min_ms=random.choice((0.1, 0.5, 2.0)),
        delay_mean_ms=random.choice((0.5, 2.0, 10.0, 40.0)),
        disk_ms=random.choice((0.1, 1.0, 10.0, 40.0)),
        apply_ms=sometimes(0.1, 50.0, 0.3),
        cut_rate=sometimes(0.05, 1.0),
        heal_rate=random.uniform(0.3, 3.0),
        kill_rate=sometimes(0.05, 0.8, 0.7),
        power_loss_share=random.choice((0.0, 0.5, 1.0)),
        restart_ms=random.choice((5.0, 200.0, 2000.0)),
        pause_rate=sometimes(0.02, 0.3, 0.3),
        disk_stall_rate=stalls.choice((0.0, 0.1, 0.5, 2.0)),
        wipe_rate=sometimes(0.05, 0.3) if is_dynamic else 0.0,
        damage_rate=damages.choice((0.0, 0.0, 0.5, 2.0)),
        membership_rate=sometimes(0.2, 2.0, 0.7) if is_dynamic else 0.0,
        resign_rate=sometimes(0.02, 0.5, 0.3),
        stop_rate=sometimes(0.02, 0.2, 0.3),
        append_ms=random.choice((1.0, 5.0, 30.0)),
        snapshot_records=random.choice((5, 20, 100, 500)),
        raise_rate=sometimes(0.5, 5.0, 0.7),
        lag_max_ms=random.choice((500, 5000, 1_000_000)),
        election_ms=random.choice((50, 200, 1000)),
        fetch_ms=random.choice((100, 400, 2000)),
    )
