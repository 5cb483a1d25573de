"""A run as a file: seed, profile and schedule, so that it can be replayed after the code changed.

Seeds die with every change of what is drawn; a case keeps the drawn values themselves.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple, Self

from .faults import Schedule
from .profile import Profile
from .run import Outcome, Plan


class Case(NamedTuple):
    """What determines a run, and why it was kept."""

    seed: int
    profile: Profile
    schedule: Schedule
    rule: str = ""
    """What did not hold when it was kept."""
    note: str = ""

    @classmethod
    def of(cls, outcome: Outcome, note: str = "") -> Self:
        """The case of a run that was made."""
        return cls(outcome.seed, outcome.profile, outcome.schedule, outcome.rule, note)

    def plan(self) -> Plan:
        """The settings with which to run it again."""
        return Plan(self.seed, self.profile, self.schedule)

    def save(self, path: Path) -> None:
        """Write the case to a file. Raises OSError."""
        content = {
            "note": self.note,
            "rule": self.rule,
            "seed": self.seed,
            "profile": json.loads(self.profile.to_json()),
            "schedule": json.loads(self.schedule.to_json()),
        }
        path.write_text(json.dumps(content, indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a case. Raises OSError; ValueError or KeyError for a file of another kind."""
        content = json.loads(path.read_text())
        return cls(
            int(content["seed"]),
            Profile.from_json(json.dumps(content["profile"])),
            Schedule.from_json(json.dumps(content["schedule"])),
            str(content.get("rule", "")),
            str(content.get("note", "")),
        )
