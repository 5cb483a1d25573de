"""Leaders whose process went away just now, as far as their followers here can tell.

A process that dies closes its sockets, and its followers hear of that at once; the controller lets
`broker.connection.loss.grace.ms` pass before it fences the broker and elects others. A client that
lost the same connection asks for metadata in that time. Were it told the dead leader again, it
might look for the next one only when its own timers say so (librdkafka: a second later). So for a
moment such a leader is no leader to Metadata: LEADER_NOT_AVAILABLE (5) makes all clients ask again
soon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..ports import Clock

DOUBT: Final = 2
"""How many graces of the controller a leader is in doubt: one, and time to elect another. Then the
controller thinks that it lives, whatever its followers think."""


class LostLeaders:
    """Brokers that do not answer fetches any more; times in milliseconds of the monotonic clock."""

    __slots__ = ("_clock", "_lost_ms", "_window_ms")

    def __init__(self, clock: Clock, grace_ms: int) -> None:
        """`grace_ms` is `broker.connection.loss.grace.ms`; with 0 nobody is ever in doubt."""
        self._clock = clock
        self._window_ms = DOUBT * grace_ms
        self._lost_ms: dict[int, float] = {}

    def note(self, broker_id: int) -> None:
        """Its connection broke, or is refused: the first time since it answered counts."""
        self._lost_ms.setdefault(broker_id, self._clock.monotonic_ms())

    def heard(self, broker_id: int) -> None:
        """It answers."""
        if self._lost_ms:
            self._lost_ms.pop(broker_id, None)

    def is_in_doubt(self, broker_id: int) -> bool:
        """Whether clients should ask again soon who leads what it leads."""
        if not self._lost_ms:
            return False
        lost_ms = self._lost_ms.get(broker_id)
        return lost_ms is not None and self._clock.monotonic_ms() < lost_ms + self._window_ms
