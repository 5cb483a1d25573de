"""Leaderships that were given away lately (KIP-501): neither again nor back for a while.

501-13: a partition changes hands this way once in a cooldown, and the balancing of preferred
leaders passes it over in that time (C4): both would undo what the slow leader asked for.
"""

from __future__ import annotations


class Relinquished:
    """Partitions in their cooldown, for one reign of one controller; monotonic milliseconds."""

    def __init__(self, cooldown_ms: int) -> None:
        self._cooldown_ms = cooldown_ms
        self._until_ms: dict[tuple[bytes, int], float] = {}

    def clear(self) -> None:
        """Forget all."""
        self._until_ms.clear()

    def note(self, topic_id: bytes, partition: int, now_ms: float) -> None:
        """The partition's leader gave it away now."""
        expired = [key for key, until_ms in self._until_ms.items() if until_ms <= now_ms]
        for key in expired:
            del self._until_ms[key]
        self._until_ms[topic_id, partition] = now_ms + self._cooldown_ms

    def is_cooling(self, topic_id: bytes, partition: int, now_ms: float) -> bool:
        """Whether its cooldown is not over."""
        return self._until_ms.get((topic_id, partition), now_ms) > now_ms
