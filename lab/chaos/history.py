"""What the clients of one run did and were told, with the times of one monotonic clock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

VALUE_BYTES = 100
"""Size of each record's value: its number, filled up."""


@dataclass(slots=True)
class Send:
    """One record that the producer was given; neither acked nor failed: nobody knows."""

    number: int
    partition: int
    sent_s: float
    acked_s: float | None = None
    offset: int = -1
    failed_s: float | None = None
    error: str = ""


class Read(NamedTuple):
    """One record that the consumer was given."""

    at_s: float
    partition: int
    offset: int
    value: bytes


class Latest(NamedTuple):
    """One answer to "where does this partition end"."""

    asked_s: float
    answered_s: float
    partition: int
    offset: int
    poller: int


def value_of(number: int) -> bytes:
    """The value of the record with this number; different for each."""
    return b"%d " % number + b"." * (VALUE_BYTES - len(str(number)) - 1)


def number_of(value: bytes | None) -> int | None:
    """Which record this is; None if it is none of ours."""
    text = (value or b"").partition(b" ")[0]
    if not text.isdigit() or value_of(int(text)) != value:
        return None
    return int(text)


@dataclass(slots=True)
class History:
    """Everything, in the order in which it happened."""

    sends: list[Send] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    latest: list[Latest] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)
    """Errors that clients gave to the workload, by kind, and how often."""

    @staticmethod
    def now_s() -> float:
        """The clock of all times here."""
        return time.monotonic()

    def refused(self, who: str, error: BaseException) -> None:
        """A call of a client failed."""
        kind = f"{who}: {type(error).__name__}"
        self.refusals[kind] = self.refusals.get(kind, 0) + 1

    @property
    def acked(self) -> list[Send]:
        """All sends that were acknowledged."""
        return [send for send in self.sends if send.acked_s is not None]

    @property
    def open(self) -> list[Send]:
        """All sends that were neither acknowledged nor refused."""
        return [send for send in self.sends if send.acked_s is None and send.failed_s is None]
