"""Who may still believe to lead a partition, and until when (207-09).

A leader that was replaced may not know it, and tells where its log ends for as long as its metadata
is fresh (`leader.metadata.staleness.max.ms`, its lease). Metadata that is fresh holds all that was
committed one lease ago; so an old leader is silent one lease after the change was committed, by
its own clock. Whoever comes after it knows of the change later than that, and lets a lease pass,
and a little more, since no two clocks go alike: nobody learns a newer end before that.

It need not wait for one that fetches from it in its own epoch: that one knows. Nor does it wait for
itself, whatever the process, nor in a cluster that has no other broker.
"""

from __future__ import annotations

from typing import Final

from .surroundings import Surroundings

CLOCKS_APART: Final = 1.2
"""So much longer than a lease is waited for; clocks may go 9 % wrong, each in its direction."""

UNKNOWN: Final = -1
"""Stands for leaders of epochs that this broker has not seen."""


NO_LEADER: Final = -1
"""Stands for nobody, where a partition has no leader."""


class FormerLeaders:
    """Broker ids, and when each is silent at the latest; milliseconds of the monotonic clock."""

    __slots__ = ("_until_ms",)

    def __init__(self) -> None:
        self._until_ms: dict[int, float] = {}

    def on_epoch(
        self, leader_epoch: int, leader_id: int, known_epoch: int, around: Surroundings
    ) -> None:
        """Another epoch begins: who led until now, in the one known here, may not know (207-09)."""
        if leader_epoch == known_epoch:
            return
        until_ms = around.now_ms() + around.former_lease_ms
        is_first = leader_epoch == 0 if known_epoch < 0 else leader_epoch == known_epoch + 1
        if not is_first and not around.cluster.is_alone(around.node_id):
            self.note(UNKNOWN, until_ms)
        if leader_id not in (NO_LEADER, around.node_id):
            self.note(leader_id, until_ms)

    def note(self, broker_id: int, until_ms: float) -> None:
        """It leads no more, which it may not know."""
        self._until_ms[broker_id] = until_ms

    def forget(self, broker_id: int) -> None:
        """It knows; those that are unknown cannot be known to."""
        if broker_id != UNKNOWN:
            self._until_ms.pop(broker_id, None)

    def are_silent(self, now_ms: float) -> bool:
        """Whether none of them tells an end any more."""
        if self._until_ms:
            left = {one: until for one, until in self._until_ms.items() if now_ms < until}
            self._until_ms = left
        return not self._until_ms
