"""The leader is cut off from the other nodes, and clients still reach it (207-05, 207-09).

Three brokers, replication factor 3, one partition, Kafka's times. Twice the leader's links to the
other nodes are cut for four seconds. Pollers ask for LATEST all the time, so that the old leader
and the new one are both asked: whatever one of them has answered, the other must not fall behind.

How the connections end is what matters: the controller fences a broker whose heartbeat connection
is reset long before its session is over, and the broker itself may not see that reset at all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from barnabas.testing.simulation.faults import Schedule
from barnabas.testing.simulation.machine import Machine
from barnabas.testing.simulation.machines import Machines
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.run import Plan, run
from barnabas.testing.simulation.transport import host_of
from barnabas.testing.simulation.workload.workload import Workload

CUT_AT_S: Final = (3.0, 10.0)
CUT_S: Final = 4.0
PROFILE: Final = Profile(
    brokers=3,
    producers=2,
    consumers=1,
    pollers=6,
    poll_pause_s=0.05,
    topics=1,
    partitions=1,
    replication_factor=3,
    min_insync_replicas=2,
    duration_s=16.0,
    clock_rate_spread=0.05,
)


class Reset(StrEnum):
    """Who sees that the connections between the leader and the others are reset."""

    BOTH = "both sides see the reset"
    OTHERS = "the others see a reset, the leader does not"
    LEADER = "the leader sees a reset, the others do not"
    NOBODY = "nothing is reset"


@dataclass(slots=True)
class LeaderCut:
    """One run and what came of it."""

    seed: int
    reset: Reset
    has_own_quorum: bool
    """Whether controllers are machines of their own; else the leader is a voter too."""
    broken: str = ""
    """The invariant that did not hold; empty: all did."""
    cuts: int = 0
    elections: int = 0
    """Leaders that began, the first one with them."""
    latest: int = 0
    """Answers that pollers got."""
    trace: list[str] = field(default_factory=list)

    @property
    def misses(self) -> list[str]:
        """What is not as promised."""
        found = [self.broken] if self.broken else []
        if self.cuts < len(CUT_AT_S):
            found.append(f"{self.cuts} cuts")
        if self.elections <= 1 and self.reset in (Reset.BOTH, Reset.OTHERS):
            found.append("the leader stayed")
        return found

    def row(self) -> dict[str, Any]:
        """For machines."""
        row = dataclasses.asdict(self)
        del row["trace"]
        return {**row, "misses": self.misses, "ok": not self.misses}

    def __str__(self) -> str:
        whose = "controllers elsewhere" if self.has_own_quorum else "it is a controller too"
        verdict = "; ".join(self.misses) or "ok"
        return (
            f"leader cut off for {CUT_S:.0f} s, clients reach it; {self.reset}; {whose}: {verdict}\n"
            f"  cuts {self.cuts}, leaders {self.elections}, LATEST answers {self.latest}"
        )


class _Cuts:
    """Makes the cuts; looks at the time whenever the run lets it."""

    def __init__(self, reset: Reset) -> None:
        self.made = 0
        self._reset = reset
        self._begun_s: float | None = None
        self._links: list[tuple[str, str]] = []

    def __call__(self, machines: Machines, workload: Workload) -> None:
        now_s = machines.loop.now
        if self._begun_s is None:
            self._begun_s = now_s
        passed_s = now_s - self._begun_s
        if self._links and passed_s >= CUT_AT_S[self.made - 1] + CUT_S:
            self._heal(machines)
        elif self.made < len(CUT_AT_S) and passed_s >= CUT_AT_S[self.made]:
            self._cut(machines)

    def _cut(self, machines: Machines) -> None:
        leaders = set(machines.leaders().values())
        victim = next((one for one in machines.running if one.node_id in leaders), None)
        if victim is None:
            return
        self.made += 1
        machines.bus.note(f"{victim.name} is cut off: {self._reset}")
        for other in machines:
            if other is not victim:
                self._links += [(victim.name, other.name), (other.name, victim.name)]
        for source, target in self._links:
            machines.network.cut(source, target, both_ways=False)
        self._end_connections(machines, victim)

    def _end_connections(self, machines: Machines, victim: Machine) -> None:
        nodes = {machine.name for machine in machines}
        for mine in list(machines.network.transports.values()):
            if mine.owner is None or mine.owner is not victim.incarnation:
                continue
            theirs = mine.peer
            if theirs is None or host_of(theirs.owner) not in nodes - {victim.name}:
                continue
            if self._reset is Reset.BOTH:
                mine.abort()
            elif self._reset is Reset.OTHERS:
                theirs.die(silently=True)
            elif self._reset is Reset.LEADER:
                mine.die(silently=True)

    def _heal(self, machines: Machines) -> None:
        machines.bus.note("the leader that was cut off is back")
        for source, target in self._links:
            machines.network.heal(source, target)
        self._links.clear()


def play(seed: int, reset: Reset, *, has_own_quorum: bool = False) -> LeaderCut:
    """Run it under all invariants, and say what came of it."""
    cuts = _Cuts(reset)
    profile = PROFILE.replaced(controllers=3 if has_own_quorum else 0)
    outcome = run(Plan(seed, profile, Schedule(()), watch=cuts))
    return LeaderCut(
        seed,
        reset,
        has_own_quorum,
        broken=outcome.text,
        cuts=cuts.made,
        elections=outcome.counts.get("leader", 0),
        latest=int(outcome.figures["latest"]),
        trace=outcome.trace,
    )


def leader_cut(seed: int) -> Iterator[LeaderCut]:
    """Each way in which the connections may end; the leader a voter or a broker only."""
    for has_own_quorum in (False, True):
        for reset in Reset:
            yield play(seed, reset, has_own_quorum=has_own_quorum)
