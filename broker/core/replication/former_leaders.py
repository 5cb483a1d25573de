"""Former leaders that may not know that they were replaced, and until when (207-09).

A replaced leader that does not know it goes on telling where its log ends, as long as its metadata
is fresh (`leader.metadata.staleness.max.ms`, its lease). Fresh metadata has everything that was
committed one lease ago, so an old leader falls silent one lease after the change was committed, by
its own clock. The new leader learns of the change after it was committed. It then waits for one
lease, and a little longer since clocks differ, before it tells where the log ends.

It need not wait for a former leader that fetches from it in the new epoch, since that one knows.
Nor does it wait for itself, even after a restart, nor in a cluster without other brokers.
"""

from __future__ import annotations

from typing import Final

from .surroundings import Surroundings

CLOCKS_APART: Final = 1.2
"""The wait is a lease times this; so two clocks may each be 9 % wrong, in opposite directions."""

UNKNOWN: Final = -1
"""Stands for leaders of epochs that this broker has not seen."""


NO_LEADER: Final = -1
"""Stands for nobody, where a partition has no leader."""


class FormerLeaders:
    """Broker ids, and the latest time at which each falls silent; ms of the monotonic clock."""

    __slots__ = ("_until_ms",)

    def __init__(self) -> None:
        self._until_ms: dict[int, float] = {}

    def on_epoch(
        self, leader_epoch: int, leader_id: int, known_epoch: int, around: Surroundings
    ) -> None:
        """Another epoch begins: the leader until now may not know that it was replaced (207-09)."""
        if leader_epoch == known_epoch:
            return
        until_ms = around.now_ms() + around.former_lease_ms
        is_first = leader_epoch == 0 if known_epoch < 0 else leader_epoch == known_epoch + 1
        if not is_first and not around.cluster.is_alone(around.node_id):
            self.note(UNKNOWN, until_ms)
        if leader_id not in (NO_LEADER, around.node_id):
            self.note(leader_id, until_ms)

    def note(self, broker_id: int, until_ms: float) -> None:
        """This broker no longer leads, but may not know it before `until_ms`."""
        self._until_ms[broker_id] = until_ms

    def forget(self, broker_id: int) -> None:
        """This broker knows that it was replaced; leaders with an unknown id stay noted."""
        if broker_id != UNKNOWN:
            self._until_ms.pop(broker_id, None)

    def are_silent(self, now_ms: float) -> bool:
        """Whether no former leader may still be telling where the log ends."""
        if self._until_ms:
            left = {one: until for one, until in self._until_ms.items() if now_ms < until}
            self._until_ms = left
        return not self._until_ms
