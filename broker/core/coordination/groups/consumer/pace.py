"""How soon a group that settles is heard of again, and assigned again.

By the consumer protocol members hear of a new target in the answer to their next heartbeat, so with
Kafka's intervals a group of three takes ten seconds to form. Here members of a group that was
assigned a moment ago are asked to come back soon: after a quarter of the time that has passed since
then. So a member hears of something at most a quarter later than it came to pass, each member sends
a few dozen heartbeats more for a target, and a group that does not come to rest is heard of less
and less often. Nothing is kept for it but the time of the target, which is in the log.
"""

from __future__ import annotations

from math import ceil
from typing import Final

BEAT_MS: Final = 2.0
"""Between two heartbeats that a broker asks for early: 500 a second, a fifth of a core."""

SOONEST_MS: Final = 10
"""No member is asked to come back sooner."""

SHARE: Final = 4
"""A member comes back after this part of the time since the group's last target."""

MS_FOR_EACH: Final = 0.1
"""For a member or a partition, the time between targets is longer by this: large groups, whose
targets cost, are assigned no more often than without any haste."""


class EarlyBeats:
    """How many heartbeats of a broker's groups come early: no more than it bears.

    Each has its turn, one behind the other; with many groups that settle at once the turns are far
    ahead, and where a turn is no sooner than a usual heartbeat, that is what the member sends.
    """

    __slots__ = ("_next_ms",)

    def __init__(self) -> None:
        self._next_ms = 0.0

    def after(self, wanted_ms: float, usual_ms: int, now_ms: float) -> int:
        """How long the member shall wait, in milliseconds; `now_ms`: by the monotonic clock."""
        wait_ms = max(wanted_ms, self._next_ms - now_ms)
        if wait_ms >= usual_ms:
            return usual_ms
        self._next_ms = max(self._next_ms, now_ms) + BEAT_MS
        return ceil(wait_ms)


def early_ms(shortest_ms: int, age_ms: int, due_ms: int) -> float:
    """After which time a member shall come back, as far as its own group is concerned.

    Args:
        shortest_ms: `group.consumer.settling.interval.ms`.
        age_ms: time since the group's last target.
        due_ms: time until the next one may be made, if one has to be; else 0.
    """
    if due_ms > 0:
        return max(due_ms, SOONEST_MS)
    return max(shortest_ms, age_ms / SHARE, SOONEST_MS)


class TargetPace:
    """How long a group waits from one target to the next: a little at first, then longer.

    Members that come in a row are assigned together, and soon; a group whose members keep coming
    and going waits as long as `group.consumer.assignment.interval.ms` says.
    """

    __slots__ = ("_in_a_row",)

    def __init__(self) -> None:
        self._in_a_row = 0

    def wait_ms(self, usual_ms: int, shortest_ms: int, size: int) -> int:
        """How long after the last target the next may come.

        Args:
            usual_ms: `group.consumer.assignment.interval.ms`.
            shortest_ms: `group.consumer.settling.interval.ms`.
            size: members and partitions of the group.
        """
        if not shortest_ms:
            return usual_ms
        first_ms = max(2 * shortest_ms, ceil(size * MS_FOR_EACH))
        return min(usual_ms, first_ms << self._in_a_row)

    def made(self, usual_ms: int, since_ms: int) -> None:
        """There is a target, so long after the one before.

        Who waited for twice the usual time at least begins anew: nothing was to be done meanwhile.
        """
        if not 0 <= since_ms < 2 * usual_ms:
            self._in_a_row = 0
        elif self._in_a_row < 30:  # what is shifted further is the usual time long since
            self._in_a_row += 1
