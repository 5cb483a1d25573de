"""Which part of a log may be cleaned, and how much it needs it (CMP-01, CMP-02). Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..rules import LogRules
from ..segment import Segment
from ..segment_reading import first_timestamp, largest_timestamp


@dataclass(frozen=True, slots=True)
class DirtyPart:
    """Whole segments of a log from `first_dirty` to `end`, and what lies before them."""

    first_dirty: int
    """First offset that no round has looked at yet."""
    end: int
    """Where the first segment begins that must be left alone."""
    clean_bytes: int
    dirty_bytes: int
    is_overdue: bool
    """A record has been out of reach for longer than `max.compaction.lag.ms`."""

    @property
    def ratio(self) -> float:
        """Share of the bytes below `end` that were not cleaned yet."""
        whole = self.clean_bytes + self.dirty_bytes
        return self.dirty_bytes / whole if whole else 0.0

    def is_due(self, rules: LogRules) -> bool:
        """Whether the topic's settings ask for a round now."""
        if not self.dirty_bytes:
            return False
        return self.is_overdue or self.ratio > rules.min_dirty_ratio


def dirty_part(
    segments: Sequence[Segment], rules: LogRules, first_dirty: int, upto: int, now_ms: int
) -> DirtyPart:
    """What of a log could be cleaned; `segments` are all of it, the last one being written to.

    Nothing from `upto` on: there a transaction is undecided, or records are not durable. `now_ms`
    is the wall clock. Timestamps are read only where a lag is set. Raises OSError.
    """
    end = segments[0].base_offset
    clean = dirty = 0
    oldest: int | None = None
    for segment, following in pairwise(segments):
        is_dirty = following.base_offset > first_dirty
        if following.base_offset > upto or (is_dirty and _is_young(segment, rules, now_ms)):
            break
        end = following.base_offset
        if not is_dirty:
            clean += segment.size
            continue
        dirty += segment.size
        if oldest is None and rules.max_compaction_lag_ms < _NEVER_MS:
            oldest = _first_time(segment)
    is_overdue = oldest is not None and now_ms - oldest > rules.max_compaction_lag_ms
    return DirtyPart(first_dirty, end, clean, dirty, is_overdue)


_NEVER_MS = 1 << 60


def _is_young(segment: Segment, rules: LogRules, now_ms: int) -> bool:
    lag = rules.min_compaction_lag_ms
    return lag > 0 and largest_timestamp(segment)[0] > now_ms - lag


def _first_time(segment: Segment) -> int | None:
    timestamp = first_timestamp(segment)
    return timestamp if timestamp > 0 else None
