"""What clients did and were told, as plain values: the input of the checker."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

Place = Hashable
"""A partition, however it is named."""
Value = Hashable
"""Of a record; no other record of the history has it."""


class Outcome(StrEnum):
    """What a client was told at the end of an operation."""

    OK = "ok"
    FAILED = "failed"
    """Nothing that it wrote may be seen."""
    UNKNOWN = "unknown"
    """It was asked for, and nobody said what came of it: either is possible."""


class Sent(NamedTuple):
    """A record was handed over."""

    place: Place
    value: Value
    offset: int | None = None
    """Where it is stored; None: nobody said."""


class Polled(NamedTuple):
    """A record was handed out."""

    place: Place
    offset: int
    value: Value


Step = Sent | Polled


@dataclass(frozen=True, slots=True)
class Operation:
    """One transaction, or one call that reads: its steps in their order.

    Times are those of one clock, in seconds.
    """

    process: str
    """Who did it; operations of one process are in the history in their order."""
    name: str
    outcome: Outcome
    steps: tuple[Step, ...]
    ended_s: float
    """When its reads were there at the latest."""
    asked_s: float = 0.0
    """From when on what it wrote may be seen: its commit was asked for."""
    goes_on: bool = True
    """Whether it reads on where the operation before it ended; False after a seek, a restart, or
    when the group gave out partitions anew."""

    @property
    def sent(self) -> list[Sent]:
        """What it wrote."""
        return [step for step in self.steps if isinstance(step, Sent)]

    @property
    def polled(self) -> list[Polled]:
        """What it read."""
        return [step for step in self.steps if isinstance(step, Polled)]


class Anomaly(NamedTuple):
    """One promise that a history breaks."""

    kind: str
    text: str
    """Which operations, values and offsets."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"
