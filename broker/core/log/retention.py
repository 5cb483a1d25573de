"""Which segments may go: by age, by size, and below the log's start (Kafka's rules)."""

from __future__ import annotations

from .rules import LogRules
from .segment import Segment
from .segment_reading import largest_timestamp


def segments_to_delete(
    segments: list[Segment],
    rules: LogRules,
    log_start_offset: int,
    high_watermark: int,
    log_end_offset: int,
    now_ms: int,
    *,
    by_rules: bool = True,
) -> list[Segment]:
    """The oldest segments that nothing keeps any more; maybe all of them.

    Without `by_rules` only what lies below the log's start. Never one that holds records at or
    above the high watermark, nor the active one while it is empty. Age counts from a segment's
    largest timestamp (from when it was opened, if it has none), so one record from the future
    keeps its segment.
    """
    doomed: list[Segment] = []
    excess = -1
    if by_rules and rules.delete and rules.retention_bytes >= 0:
        excess = sum(segment.size for segment in segments) - rules.retention_bytes
    for at, segment in enumerate(segments):
        last = at + 1 == len(segments)
        end = log_end_offset if last else segments[at + 1].base_offset
        if high_watermark < end or (last and segment.size == 0):
            break
        excess -= segment.size
        below_start = not last and end <= log_start_offset
        is_expired = by_rules and _is_expired(segment, rules, now_ms)
        if not (below_start or excess >= 0 or is_expired):
            break
        doomed.append(segment)
    return doomed


def _is_expired(segment: Segment, rules: LogRules, now_ms: int) -> bool:
    if not rules.delete or rules.retention_ms < 0:
        return False
    timestamp = largest_timestamp(segment)[0]
    if timestamp < 0:
        timestamp = segment.created_ms
    return now_ms - timestamp > rules.retention_ms
