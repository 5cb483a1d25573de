"""Makes a failing run smaller: knobs off one by one, faults cut by bisection, less workload.

A smaller run counts if it fails by the same rule; any other verdict is another bug.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from .faults import Schedule
from .profile import QUIET, Profile
from .run import Outcome, Plan, run

KEPT = frozenset({"duration_s", "brokers", "replication_factor", "min_insync_replicas"})
"""Knobs that have steps of their own, or that change what the run is about."""

SMALLER: dict[str, Callable[[Profile], object]] = {
    "producers": lambda profile: 1,
    "consumers": lambda profile: 1,
    "pollers": lambda profile: 1,
    "topics": lambda profile: 1,
    "partitions": lambda profile: max(1, profile.partitions // 2),
    "sends_per_s": lambda profile: max(1.0, profile.sends_per_s / 2),
    "duration_s": lambda profile: max(2.0, round(profile.duration_s * 0.7, 1)),
}

Say = Callable[[str], object]


class Reduction:
    """Reduces one failing run."""

    def __init__(self, failed: Outcome, say: Say, *, runs_max: int = 200) -> None:
        self.best = failed
        self.runs = 0
        self._say = say
        self._runs_max = runs_max

    def reduce(self) -> Outcome:
        """The smallest run found that fails by the same rule."""
        while True:
            before = (self.best.profile, self.best.schedule)
            self._cut_schedule()
            self._switch_off()
            self._shorten()
            if (self.best.profile, self.best.schedule) == before or self._is_spent():
                return self.best

    def _is_spent(self) -> bool:
        return self.runs >= self._runs_max

    def _fails(self, profile: Profile, schedule: Schedule, what: str) -> bool:
        if self._is_spent():
            return False
        self.runs += 1
        outcome = run(Plan(self.best.seed, profile, schedule))
        if outcome.rule != self.best.rule:
            return False
        self._say(f"{self.runs}: still {outcome.rule} {what}")
        self.best = outcome
        return True

    def _cut_schedule(self) -> None:
        """Leave out ever smaller pieces of the fault schedule."""
        size = len(self.best.schedule.faults)
        while size >= 1:
            first = 0
            while first < len(self.best.schedule.faults):
                shorter = self.best.schedule.without(first, size)
                if shorter != self.best.schedule and self._fails(
                    self.best.profile, shorter, f"with {len(shorter.faults)} faults"
                ):
                    continue
                first += size
            size //= 2

    def _switch_off(self) -> None:
        for field in dataclasses.fields(Profile):
            quiet = getattr(QUIET, field.name)
            if field.name in KEPT | SMALLER.keys():
                continue
            if getattr(self.best.profile, field.name) != quiet:
                changed = self.best.profile.replaced(**{field.name: quiet})
                self._fails(changed, self.best.schedule, f"with {field.name}={quiet}")

    def _shorten(self) -> None:
        for name, smaller in SMALLER.items():
            while getattr(self.best.profile, name) != smaller(self.best.profile):
                value = smaller(self.best.profile)
                changed = self.best.profile.replaced(**{name: value})
                if not self._fails(changed, self.best.schedule, f"with {name}={value}"):
                    break
