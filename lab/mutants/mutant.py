"""A planted bug: its patch, the runs in which it shows, and the rules that catch it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from barnabas.testing.simulation.faults import draw_schedule
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.run import Outcome, Plan, run

ROUGH = Profile(
    duration_s=8.0,
    brokers=3,
    producers=2,
    consumers=2,
    partitions=2,
    sends_per_s=12.0,
    kills=3.0,
    pauses=2.0,
    pause_s=1.0,
    graceful_restarts=3.0,
    resets_per_min=10.0,
    cuts_per_min=6.0,
    cut_s=1.0,
    down_s=0.5,
    timeouts_divisor=10.0,
)
"""Short timers and many faults: most bugs show then."""

CALM = Profile(duration_s=4.0, brokers=3, partitions=2, sends_per_s=15.0, timeouts_divisor=10.0)
"""No faults: for bugs that show without any."""

SEEDS_MAX = 200


@dataclass(frozen=True, slots=True)
class Mutant:
    """One planted bug."""

    name: str
    what: str
    """The bug in one line."""
    rules: tuple[str, ...]
    """The rules that may catch it; which of them is first depends on the seed."""
    planted: Callable[[], AbstractContextManager[Any]]
    profile: Profile = field(default=ROUGH)

    def run(self, seed: int) -> Outcome:
        """One run with the bug."""
        plan = Plan(seed, self.profile, draw_schedule(self.profile, seed))
        plan.planted = self.planted
        return run(plan)

    def hunt(self, seeds_max: int = SEEDS_MAX) -> tuple[int, Outcome | None]:
        """The number of seeds tried, and the run that caught it; None if it survived."""
        for seed in range(1, seeds_max + 1):
            outcome = self.run(seed)
            if not outcome.is_good:
                return seed, outcome
        return seeds_max, None


def replacing(target: Any, name: str, value: Any) -> Callable[[], AbstractContextManager[Any]]:
    """A patch that replaces one attribute."""
    return lambda: patch.object(target, name, value)


def wrapping(
    target: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Callable[[], AbstractContextManager[Any]]:
    """A patch that replaces a method by another one, which is made from it."""
    return lambda: patch.object(target, name, make(getattr(target, name)))
