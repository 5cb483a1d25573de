"""One seed: trouble first (safety), then everything healed, and it must get going (liveness)."""

from __future__ import annotations

import gc
from time import perf_counter
from typing import NamedTuple

from .cluster import Cluster
from .faults import Faults
from .oracle import InvariantError

HEAL_SHARE = 0.8
"""Part of the events after which all trouble ends."""

STEP_EVENTS_MAX = 100_000


class Verdict(NamedTuple):
    """What one seed came to; `problem` is empty if all is well."""

    seed: int
    events: int
    seconds: float
    elections: int
    committed: int
    snapshots: int
    problem: str
    trace: str


class RaftSimulation:
    """Runs one seed."""

    def __init__(self, seed: int) -> None:
        self.cluster = Cluster(seed)
        self.faults = Faults(self.cluster)

    def run(self, events: int) -> Verdict:
        """Run about so many events."""
        cluster = self.cluster
        start = perf_counter()
        problem = ""
        # Thousands of small objects that live on, and no cycles: looking for garbage is in vain.
        was_collecting = gc.isenabled()
        gc.disable()
        try:
            cluster.run_until(float("inf"), int(events * HEAL_SHARE))
            self.heal()
            self.check_liveness()
            cluster.run_until(float("inf"), max(events, cluster.events))
        except Exception as error:
            problem = str(error) if isinstance(error, AssertionError) else repr(error)
        finally:
            if was_collecting:
                gc.enable()
        oracle = cluster.oracle
        return Verdict(
            cluster.seed,
            cluster.events,
            perf_counter() - start,
            oracle.elections,
            oracle.ghost_end,
            oracle.snapshots_loaded,
            problem,
            cluster.report() if problem else "",
        )

    def heal(self) -> None:
        """No more faults; every node up, every link good."""
        cluster = self.cluster
        self.faults.is_on = False
        cluster.blocked.clear()
        cluster.is_lossy = False
        for machine in cluster.machines.values():
            machine.paused_until = min(machine.paused_until, cluster.now)
            machine.disk_stalled_until = 0.0
            if not machine.is_up:
                machine.start(cluster.now)

    def check_liveness(self) -> None:
        """L-1: soon one leads, what it appends is committed, and every node applies it."""
        cluster = self.cluster
        profile = cluster.profile
        machines = cluster.machines.values()
        step = float(profile.fetch_ms + profile.election_ms)
        slowness = profile.delay_mean_ms + profile.delay_min_ms + profile.disk_ms + profile.apply_ms
        deadline = cluster.now + 15 * step + 300 * slowness
        while not cluster.leaders():
            self._wait(step / 4, deadline, "nobody leads")
        target = max(one.log.end_offset for one in machines) + 10
        # Catching up takes a round trip a batch in the worst case, and a load of snapshots.
        backlog = target - min(one.applied for one in machines)
        deadline = cluster.now + 40 * step + (600 + 8 * backlog) * slowness
        while cluster.oracle.ghost_end < target:
            self._wait(step / 4, deadline, f"nothing is committed after {cluster.oracle.ghost_end}")
        while any(one.applied < target for one in machines):
            behind = [one.node_id for one in machines if one.applied < target]
            self._wait(step / 4, deadline, f"nodes {behind} do not catch up to {target}")

    def _wait(self, pause_ms: float, deadline: float, complaint: str) -> None:
        cluster = self.cluster
        if cluster.now > deadline:
            raise InvariantError(f"L-1: {complaint}")
        events_max = cluster.events + STEP_EVENTS_MAX
        cluster.run_until(cluster.now + pause_ms, events_max)
        if cluster.events >= events_max:
            raise InvariantError(f"L-1: {STEP_EVENTS_MAX} events and hardly any time: {complaint}")


def run_seed(seed: int, events: int) -> Verdict:
    """Run one seed from its beginning."""
    return RaftSimulation(seed).run(events)
