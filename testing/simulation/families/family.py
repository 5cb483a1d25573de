"""What a family is: knobs that it sets, and faults that it plays again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from barnabas.testing.simulation.faults import Fault
from barnabas.testing.simulation.profile import Profile

FIRST_S = (0.2, 1.0)
"""When the first round of faults begins."""

Knobs = dict[str, Any]


class Round:
    """One round of a family's faults: they name one partition, unless they name none."""

    def __init__(self, random: Random, at_s: float) -> None:
        self.random = random
        self.at_s = at_s
        self.end_s = at_s
        self.faults: list[Fault] = []
        self._number = random.getrandbits(30)

    def add(
        self, kind: str, target: str, seconds: float, detail: str = "", *, after_s: float = 0.0
    ) -> None:
        """A fault that begins `after_s` after the round."""
        at_s = round(self.at_s + after_s, 3)
        self.faults.append(Fault(at_s, kind, target, round(seconds, 3), detail, self._number))
        self.end_s = max(self.end_s, at_s + seconds)

    def between(self, low: float, high: float) -> float:
        """A time in seconds."""
        return self.random.uniform(low, high)

    def either(self, *choices: Any) -> Any:
        """One of these."""
        return self.random.choice(choices)


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of run."""

    name: str
    rules: str
    """Which rules it is about."""
    knobs: Callable[[Random], Knobs]
    """What it sets; the rest is calm."""
    play: Callable[[Round, Profile], object] | None = None
    """Adds the faults of a round, which begins when the one before has ended; None: no rounds."""
    pause_s: tuple[float, float] = (0.2, 1.2)
    """Between two rounds."""

    def is_about(self, rule: str) -> bool:
        """Whether `rules` names this rule, or the group of rules that it is in."""
        names = self.rules.split(", ")
        return any(rule == name or rule.startswith(f"{name}-") for name in names)

    def faults(self, random: Random, profile: Profile) -> Iterator[Fault]:
        """Those of all rounds."""
        if self.play is None:
            return
        at_s = random.uniform(*FIRST_S)
        while at_s < profile.duration_s:
            played = Round(random, at_s)
            self.play(played, profile)
            for fault in played.faults:
                left_s = profile.duration_s - fault.at_s
                if left_s > 0:
                    yield fault._replace(seconds=round(min(fault.seconds, left_s), 3))
            at_s = played.end_s + random.uniform(*self.pause_s)
