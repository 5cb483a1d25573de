"""How well clients were served before, during and after a fault: rate, latencies, longest gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .history import Send

BEFORE, DURING, AFTER = "before", "during", "after"
PHASES = (BEFORE, DURING, AFTER)


class Window(NamedTuple):
    """The time in which a fault was present, on the history's clock."""

    start_s: float
    end_s: float

    def holds(self, at_s: float) -> bool:
        """Whether this moment is in the window."""
        return self.start_s <= at_s < self.end_s

    def touches(self, start_s: float, end_s: float) -> bool:
        """Whether any part of the time between the two is in the window."""
        return start_s < self.end_s and end_s > self.start_s


@dataclass(frozen=True, slots=True)
class Served:
    """What acknowledgements say about one phase; latencies and gaps in ms."""

    acks: int
    rate_per_s: float
    p50_ms: float
    p99_ms: float
    longest_gap_ms: float
    """The longest time in which any one partition acknowledged nothing."""


def served(sends: Sequence[Send], faults: Sequence[Window]) -> dict[str, Served]:
    """The figures by phase. A gap that reaches into a fault's window belongs to `during`."""
    return {phase: _served(sends, faults, phase) for phase in PHASES}


def phase_of(at_s: float, faults: Sequence[Window]) -> str:
    """The phase of a moment: before the first fault, during one of them, or after."""
    if not faults or at_s < faults[0].start_s:
        return BEFORE
    return DURING if any(window.holds(at_s) for window in faults) else AFTER


def percentile(samples: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; 0 for no values."""
    if not samples:
        return 0.0
    ordered = sorted(samples)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _served(sends: Sequence[Send], faults: Sequence[Window], phase: str) -> Served:
    acks = [
        send.acked_s
        for send in sends
        if send.acked_s is not None and phase_of(send.acked_s, faults) == phase
    ]
    waits_ms = [
        (send.acked_s - send.sent_s) * 1000.0
        for send in sends
        if send.acked_s is not None and phase_of(send.sent_s, faults) == phase
    ]
    seconds = _seconds(sends, faults, phase)
    return Served(
        acks=len(acks),
        rate_per_s=len(acks) / seconds if seconds > 0 else 0.0,
        p50_ms=percentile(waits_ms, 0.5),
        p99_ms=percentile(waits_ms, 0.99),
        longest_gap_ms=_longest_gap_ms(sends, faults, phase),
    )


def _seconds(sends: Sequence[Send], faults: Sequence[Window], phase: str) -> float:
    if not sends:
        return 0.0
    first, last = sends[0].sent_s, sends[-1].sent_s
    in_faults = sum(window.end_s - window.start_s for window in faults)
    before = max((faults[0].start_s if faults else last) - first, 0.0)
    if phase == BEFORE:
        return before
    return in_faults if phase == DURING else max(last - first - before - in_faults, 0.0)


def _longest_gap_ms(sends: Sequence[Send], faults: Sequence[Window], phase: str) -> float:
    longest = 0.0
    for partition in {send.partition for send in sends}:
        times = sorted(
            send.acked_s
            for send in sends
            if send.partition == partition and send.acked_s is not None
        )
        for start_s, end_s in pairwise(times):
            if any(window.touches(start_s, end_s) for window in faults):
                found = DURING
            else:
                found = phase_of(start_s, faults)
            if found == phase:
                longest = max(longest, end_s - start_s)
    return longest * 1000.0
