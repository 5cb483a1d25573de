"""A change of an in-sync set that a leader asks the controller for, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class IsrChange:
    """A change of an in-sync set that a leader asks the controller for (AlterPartition)."""

    topic_id: bytes
    topic: str
    index: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[tuple[int, int], ...]
    """Broker id and broker epoch of each member; epoch -1 where the leader does not know it."""
    recovery_state: int
    relinquish: bool = False
    """The leader hands over: it stands last in `isr` and wants another member to lead (501-12)."""


class IsrAnswer(NamedTuple):
    """What the controller says to an `IsrChange`; the rest holds with error code 0 only."""

    error_code: int
    leader_id: int = -1
    leader_epoch: int = -1
    isr: tuple[int, ...] = ()
    recovery_state: int = 0
    partition_epoch: int = -1
