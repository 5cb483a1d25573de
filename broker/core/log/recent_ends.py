"""Offsets at which a log ended when it was read to its end, and its state at that time.

A former leader usually truncates its log to where its successor's log ended, which is where that
follower's last fetches ended. With the state remembered, such a truncation reads nothing from the
disk, which may be what is stalled (501-15).
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from .segment import Segment

_KEPT: Final = 16


class End(NamedTuple):
    """An end of the log, between two batches of `segment`."""

    offset: int
    segment: Segment
    position: int
    max_timestamp: int
    max_timestamp_offset: int


class RecentEnds:
    """The last ends that were read."""

    __slots__ = ("_ends",)

    def __init__(self) -> None:
        self._ends: deque[End] = deque(maxlen=_KEPT)

    def note(self, offset: int, segment: Segment) -> None:
        """The log ends at `offset` now, with `segment`, and was read up to there."""
        ends = self._ends
        if segment.max_timestamp >= 0 and not (ends and ends[-1].offset == offset):
            ends.append(
                End(
                    offset,
                    segment,
                    segment.size,
                    segment.max_timestamp,
                    segment.max_timestamp_offset,
                )
            )

    def at(self, offset: int) -> End | None:
        """What is known of the log as it was when it ended there."""
        return next((end for end in self._ends if end.offset == offset), None)

    def clear(self) -> None:
        """Forget all: the log was cut."""
        self._ends.clear()
