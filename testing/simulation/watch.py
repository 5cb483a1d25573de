"""Samples of a run for its plot: who leads what, watermarks, machines up and down, rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .workload.history import ACKED

if TYPE_CHECKING:
    from .machines import Machines
    from .workload.workload import Workload


class Sample(NamedTuple):
    """The cluster at one moment."""

    at_s: float
    machines: dict[str, str]
    """up, down, paused, starting."""
    leaders: dict[str, int]
    isr_sizes: dict[str, int]
    acked: int
    sent: int
    read: int


class Watch:
    """Takes samples; the `watch` of a plan."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._acked = self._looked_at = 0
        self._open: list[int] = []

    def __call__(self, machines: Machines, workload: Workload) -> None:
        partitions = machines.partitions()
        sends = workload.history.sends
        self._open += range(self._looked_at, len(sends))
        self._looked_at = len(sends)
        still = [n for n in self._open if sends[n].outcome == "open"]
        self._acked += sum(sends[n].outcome == ACKED for n in self._open)
        self._open = still
        self.samples.append(
            Sample(
                machines.loop.now,
                {machine.name: state_of(machine) for machine in machines},
                {f"{topic.name}-{index}": p.leader for topic, index, p in partitions},
                {f"{topic.name}-{index}": len(p.isr) for topic, index, p in partitions},
                self._acked,
                len(sends),
                workload.history.reads,
            )
        )


def state_of(machine: object) -> str:
    """A machine in one word."""
    if not getattr(machine, "is_up", False):
        return "down"
    if getattr(machine, "is_paused", False):
        return "paused"
    return "up" if getattr(machine, "node", None) is not None else "starting"
