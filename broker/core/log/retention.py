"""Retention: which segments leave a log, by age, by size, and below its start (Kafka's rules).

Segments leave the log at once; their files are removed in steps that may block (`retirement.py`).
"""

from __future__ import annotations

from .failures import LogHealth
from .log_start import LogStart
from .opening import Opening
from .reader import LogReader
from .retirement import RetiredSegment, Retirement
from .rules import LogRules
from .segment import Segment
from .segment_reading import largest_timestamp
from .segments import Segments
from .writer import LogWriter


class Retention:
    """Removes the oldest segments of one log."""

    __slots__ = (
        "_health",
        "_reader",
        "_retirement",
        "_segments",
        "_snapshots",
        "_start",
        "_writer",
    )

    def __init__(
        self,
        opening: Opening,
        segments: Segments,
        start: LogStart,
        reader: LogReader,
        writer: LogWriter,
        retirement: Retirement,
        health: LogHealth,
    ) -> None:
        self._segments = segments
        self._start = start
        self._reader = reader
        self._writer = writer
        self._retirement = retirement
        self._health = health
        self._snapshots = opening.snapshots

    def retire(
        self, rules: LogRules, high_watermark: int, now_ms: int, *, by_rules: bool
    ) -> list[Segment]:
        """Remove the segments that nothing keeps any more; returns them, oldest first.

        As `PartitionLog.retire_segments`; `now_ms` is the wall clock.
        """
        try:
            doomed = self._doomed(rules, high_watermark, now_ms, by_rules=by_rules)
            if not doomed:
                return []
            if len(doomed) == len(self._segments):
                self._writer.roll(self._writer.end_offset, now_ms)
            for segment in doomed:
                self._part_with(segment)
        except OSError as error:
            raise self._health.fail("deleting from", error) from error
        self._reader.forget_places()
        if self._segments.first_offset > self._start.offset:
            self._start.move_to(self._segments.first_offset)
        return doomed

    def _part_with(self, segment: Segment) -> None:
        base = segment.base_offset
        paths = self._segments.part_with(segment)
        if self._snapshots.forget(base):
            paths.append(self._snapshots.path(base))
        self._retirement.add(RetiredSegment(base, self._segments.directory, paths))

    def _doomed(
        self, rules: LogRules, high_watermark: int, now_ms: int, *, by_rules: bool
    ) -> list[Segment]:
        """The oldest segments that nothing keeps any more; maybe all of them.

        Without `by_rules` only what lies below the log's start. Never one that holds records at or
        above the high watermark, nor the active one while it is empty.
        """
        doomed: list[Segment] = []
        segments = self._segments
        excess = -1
        if by_rules and rules.delete and rules.retention_bytes >= 0:
            excess = segments.size_bytes - rules.retention_bytes
        for segment in segments:
            last = segment is segments.active
            end = self._writer.end_offset if last else segments.end_of(segment)
            if high_watermark < end or (last and segment.size == 0):
                break
            excess -= segment.size
            below_start = not last and end <= self._start.offset
            is_expired = by_rules and _is_expired(segment, rules, now_ms)
            if not (below_start or excess >= 0 or is_expired):
                break
            doomed.append(segment)
        return doomed


def _is_expired(segment: Segment, rules: LogRules, now_ms: int) -> bool:
    """Whether a segment is older than `retention.ms`, counted from its largest timestamp.

    So a single record from the future keeps it. Without timestamps, age counts from its opening.
    """
    if not rules.delete or rules.retention_ms < 0:
        return False
    timestamp = largest_timestamp(segment)[0]
    if timestamp < 0:
        timestamp = segment.created_ms
    return now_ms - timestamp > rules.retention_ms
