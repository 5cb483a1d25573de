"""When a log begins a new segment: each limit by itself."""

from __future__ import annotations

import pytest
from kit.log_batches import BASE_TIME
from kit.logs import config_of

from barnabas.broker.core.log.rolling import Rolling
from barnabas.broker.core.log.rules import LogRules

from .parts import Parts, write

LAST = 10
SIZE = 100


def rolling_of(parts: Parts, **settings: object) -> Rolling:
    base: dict[str, object] = {"internal_segment_bytes": 1000, "segment_ms": 5000}
    rolling = Rolling(parts.env, LogRules(config_of(**(base | settings))))
    rolling.begin()
    return rolling


@pytest.mark.parametrize(("size", "is_due"), [(1000, False), (1001, True)])
def test_by_size(size: int, is_due: bool) -> None:
    """Goal: a segment is filled to segment.bytes, and no further."""
    parts = Parts()
    rolling = rolling_of(parts)
    segment = parts.segments.active
    assert rolling.is_due(segment, LAST, size, BASE_TIME, BASE_TIME) is is_due


def test_by_the_age_of_records() -> None:
    """Goal: age is the distance to the first batch's timestamp, whatever the clock says."""
    parts = Parts()
    rolling, segment = rolling_of(parts), parts.segments.active
    late = BASE_TIME + 1_000_000
    assert not rolling.is_due(segment, LAST, SIZE, late, late), "an empty one has no age"
    rolling.note_first(BASE_TIME)
    write(segment)
    assert not rolling.is_due(segment, LAST, SIZE, BASE_TIME + 5000, late)
    assert rolling.is_due(segment, LAST, SIZE, BASE_TIME + 5001, BASE_TIME)


def test_the_first_timestamp_is_looked_up() -> None:
    """Goal: of a segment that was there before, it is read from the file when it is needed."""
    parts = Parts()
    write(parts.segments.active)
    rolling = rolling_of(parts)
    assert rolling.after_timestamp == -1
    assert not rolling.is_due(parts.segments.active, LAST, SIZE, BASE_TIME, BASE_TIME)
    assert rolling.after_timestamp == BASE_TIME + 5000


def test_by_the_clock_without_timestamps() -> None:
    """Goal: a segment whose first batch has no timestamp ages from when it was opened."""
    parts = Parts()
    rolling, segment = rolling_of(parts), parts.segments.active
    write(segment, timestamp=-1)
    assert not rolling.is_due(segment, LAST, SIZE, -1, BASE_TIME + 5000)
    assert rolling.is_due(segment, LAST, SIZE, -1, BASE_TIME + 5001)


def test_by_reach() -> None:
    """Goal: offsets of a segment stay within int32 of its base."""
    parts = Parts()
    rolling, segment = rolling_of(parts), parts.segments.active
    assert not rolling.is_due(segment, 2**31 - 1, SIZE, BASE_TIME, BASE_TIME)
    assert rolling.is_due(segment, 2**31, SIZE, BASE_TIME, BASE_TIME)


def test_by_a_full_index() -> None:
    """Goal: segment.index.bytes bounds the indexes (one time entry is kept for the close)."""
    parts = Parts()
    rolling, segment = rolling_of(parts, segment_index_bytes=36), parts.segments.active
    for number in range(2):
        segment.times.maybe_append(BASE_TIME + number, number)
        segment.index.append(number, number * SIZE)
        assert not rolling.is_due(segment, LAST, SIZE, BASE_TIME, BASE_TIME)
        rolling.note_entry(segment)
    assert rolling.is_due(segment, LAST, SIZE, BASE_TIME, BASE_TIME)


def test_jitter_is_drawn_anew_for_each_segment() -> None:
    """Goal: segment.jitter.ms is taken off segment.ms, so that not all logs roll at once."""
    parts = Parts()
    rolling = rolling_of(parts, segment_jitter_ms=900)
    jitters = set()
    for _ in range(8):
        rolling.begin(BASE_TIME)
        jitters.add(rolling.jitter_ms)
        assert rolling.after_timestamp == BASE_TIME + 5000 - rolling.jitter_ms
    assert len(jitters) > 3
    assert all(0 <= jitter < 900 for jitter in jitters)


def test_other_settings_hold_at_once() -> None:
    """Goal: a smaller segment.bytes or segment.ms counts for the segment that is written to."""
    parts = Parts()
    rolling, segment = rolling_of(parts), parts.segments.active
    write(segment)
    rolling.obey(LogRules(config_of(internal_segment_bytes=150, segment_ms=10)), segment)
    assert (rolling.at_size, rolling.after_timestamp) == (150, BASE_TIME + 10)


@pytest.mark.parametrize("is_configured", [False, True], ids=["asked", "configured"])
def test_a_full_index_stays_full(*, is_configured: bool) -> None:
    """Goal: also where the first batch has no timestamp, so that it is looked up for each batch;
    and when the topic's settings change."""
    parts = Parts()
    rolling, segment = rolling_of(parts, segment_index_bytes=16), parts.segments.active
    write(segment, -1)
    for number in range(1, 3):
        segment.index.append(number, number * SIZE)
    rolling.note_entry(segment)
    if is_configured:
        settings = {"segment_index_bytes": 16, "internal_segment_bytes": 1000}
        rolling.obey(LogRules(config_of(**settings)), segment)
    assert rolling.is_due(segment, LAST, SIZE, BASE_TIME, BASE_TIME)
