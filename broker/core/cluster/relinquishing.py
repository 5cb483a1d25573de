"""Leaderships that were given away lately (KIP-501): neither again nor back for a while.

501-13: a partition changes hands this way once in a cooldown, and the balancing of preferred
leaders passes it over in that time (C4): both would undo what the slow leader asked for.

Nothing is written for it, and still a change of the active controller does not end it: the record
of a hand-over has a shape of its own (`is_hand_over`), so every controller that follows the log
knows of it. What a controller has only in a snapshot it does not know.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .topic_image import PartitionImage

PRUNE_FROM: Final = 64
"""This many are kept before expired ones are looked for."""


class Relinquished:
    """Partitions in their cooldown; times are of the monotonic clock, in milliseconds."""

    def __init__(self, cooldown_ms: int) -> None:
        self._cooldown_ms = cooldown_ms
        self._until_ms: dict[tuple[bytes, int], float] = {}
        self._prune_at = PRUNE_FROM

    def __len__(self) -> int:
        return len(self._until_ms)

    def note(self, topic_id: bytes, partition: int, now_ms: float, *, age_ms: float = 0.0) -> None:
        """The partition's leader gave it away `age_ms` before now."""
        until_ms = now_ms + self._cooldown_ms - max(age_ms, 0.0)
        if until_ms <= now_ms:
            return
        if len(self._until_ms) >= self._prune_at:
            self._prune(now_ms)
        self._until_ms[topic_id, partition] = until_ms

    def _prune(self, now_ms: float) -> None:
        self._until_ms = {key: until for key, until in self._until_ms.items() if until > now_ms}
        self._prune_at = max(PRUNE_FROM, 2 * len(self._until_ms))

    def is_cooling(self, topic_id: bytes, partition: int, now_ms: float) -> bool:
        """Whether the partition's cooldown is not over yet."""
        return self._until_ms.get((topic_id, partition), now_ms) > now_ms


def is_hand_over(before: PartitionImage, record: PartitionChangeRecord) -> bool:
    """Whether this change of a partition is a hand-over (C3).

    Only a hand-over names another leader with the same ISR in another order, the old leader last.
    """
    isr = record.isr
    return (
        isr is not None
        and len(isr) > 1
        and record.leader == isr[0]
        and isr[-1] == before.leader
        and set(isr) == set(before.isr)
    )
