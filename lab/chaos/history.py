"""What the clients of one run did and were told, with the times of one monotonic clock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

VALUE_BYTES = 100
"""The size of each record's value: its number, padded."""


@dataclass(slots=True)
class Send:
    """A record that was given to the producer; if neither acked nor failed, its fate is unknown."""

    number: int
    partition: int
    sent_s: float
    acked_s: float | None = None
    offset: int = -1
    failed_s: float | None = None
    error: str = ""


class Read(NamedTuple):
    """A record that the consumer delivered."""

    at_s: float
    partition: int
    offset: int
    value: bytes


class Latest(NamedTuple):
    """An answer to "where does this partition end"."""

    asked_s: float
    answered_s: float
    partition: int
    offset: int
    poller: int


def value_of(number: int) -> bytes:
    """The value of the record with this number; different for each."""
    return b"%d " % number + b"." * (VALUE_BYTES - len(str(number)) - 1)


def number_of(value: bytes | None) -> int | None:
    """The number of this record; None if it is not one of ours."""
    text = (value or b"").partition(b" ")[0]
    if not text.isdigit() or value_of(int(text)) != value:
        return None
    return int(text)


@dataclass(slots=True)
class History:
    """All that happened, in order."""

    sends: list[Send] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    latest: list[Latest] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)
    """Errors that clients raised, by kind, and how often."""

    @staticmethod
    def now_s() -> float:
        """The clock of all times here."""
        return time.monotonic()

    def refused(self, who: str, error: BaseException) -> None:
        """Note that a call of a client failed."""
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
