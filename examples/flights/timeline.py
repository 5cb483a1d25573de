"""What happened when: acknowledgements, reads, and the moments that a plot marks."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


class Moment(NamedTuple):
    """Something that happened once, `at_s` seconds after the start."""

    at_s: float
    text: str


@dataclass(slots=True)
class Timeline:
    """Counts over time, in seconds since the replay began."""

    began: float = field(default_factory=time.perf_counter)
    acks: list[tuple[float, int]] = field(default_factory=list)
    """When, and how many records were acknowledged in all by then."""
    reads: list[tuple[float, int]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def now_s(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.began

    def acked(self, count: int) -> None:
        """So many are acknowledged now."""
        self.acks.append((self.now_s(), count))

    def read(self, count: int) -> None:
        """So many are read now."""
        self.reads.append((self.now_s(), count))

    def mark(self, text: str) -> Moment:
        """Note that something happened."""
        moment = Moment(self.now_s(), text)
        self.moments.append(moment)
        return moment

    def longest_gap_ms(self) -> float:
        """The longest time between two acknowledgements, in ms; 0 with fewer than two."""
        times = [at for at, _ in self.acks]
        return max((b - a for a, b in pairwise(times)), default=0.0) * 1000.0


def rates(points: list[tuple[float, int]], step_s: float) -> list[tuple[float, float]]:
    """Records a second over slices of `step_s` seconds: (middle of the slice, rate)."""
    if not points:
        return []
    found: list[tuple[float, float]] = []
    before, index, count = 0, 0, 0
    slices = int(points[-1][0] / step_s) + 1
    for number in range(slices):
        while index < len(points) and points[index][0] < (number + 1) * step_s:
            count = points[index][1]
            index += 1
        found.append(((number + 0.5) * step_s, (count - before) / step_s))
        before = count
    return found
