"""Finding and reading batches of a log by offset; where the last reads ended is remembered.

A search is `Steps` (`core/reads.py`): it may have to wait for the disk. Meanwhile a log may be cut,
segments may leave it or be exchanged, and then what was found is worth nothing: `changes` tells.
"""

from __future__ import annotations

import errno
from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..ports import Buffer
from ..reads import Steps
from .failures import LogHealth
from .loading import getting_ready
from .recent_ends import End, RecentEnds
from .segment import NEVER, Segment
from .segment_reading import finding_batch, measuring_range, reading_range
from .segments import Segments
from .stored_records import StoredRecords

_PLACES_MAX = 64


class LogReader:
    """Reads the segments of one log."""

    __slots__ = ("_ends", "_health", "_name", "_offsets", "_places", "_segments", "changes")

    def __init__(
        self,
        name: str,
        segments: Segments,
        health: LogHealth,
        offsets: Callable[[], tuple[int, int]],
    ) -> None:
        """`offsets`: where the log begins and ends at the moment."""
        self._name = name
        self._offsets = offsets
        self._segments = segments
        self._health = health
        # Offset -> where its batch begins: ends of the last reads, which is where sequential
        # readers, followers and the high watermark come next.
        self._places: dict[int, tuple[Segment, int]] = {}
        self._ends = RecentEnds()
        self.changes = 0
        """How often batches or files were taken away: a search that began before may not go on."""

    def forget(self) -> None:
        """The log was cut: batches may be elsewhere."""
        self.forget_places()
        self._ends.clear()

    def forget_places(self) -> None:
        """Segments have left the log or were exchanged, or their files have other names."""
        self._places.clear()
        self.changes += 1

    def follow_on(self, former: LogReader) -> None:
        """Others read here what they read there: searches that began in either may not go on."""
        former.forget_places()
        self.forget_places()
        self.changes = former.changes = max(self.changes, former.changes)

    def end_at(self, offset: int) -> End | None:
        """What is known of the log as it was when it ended at `offset` and was read to there."""
        return self._ends.at(offset)

    def finding(
        self,
        offset: int,
        max_bytes: int,
        upper_offset: int,
        *,
        at_least_one_batch: bool = True,
        lent_from: int = NEVER,
    ) -> Steps[Buffer | StoredRecords]:
        """Whole batches from the one that holds `offset`, none of which reaches `upper_offset`.

        At most `max_bytes`, from one segment; with `at_least_one_batch` the first batch is returned
        whatever its size (74-01). `lent_from` bytes or more are not read now: their place is
        returned, and they are read when they are sent. May not go on once `changes` is another.
        Raises KafkaError OFFSET_OUT_OF_RANGE, LogDirectoryFailure.
        """
        start_offset, end_offset = self._offsets()
        if not start_offset <= offset <= end_offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self._name} has offsets {start_offset} to {end_offset}, not {offset}",
            )
        upper_offset = min(upper_offset, end_offset)
        if offset >= upper_offset:
            return _nothing()
        return self._finding(offset, max_bytes, upper_offset, at_least_one_batch, lent_from)

    def _finding(
        self,
        offset: int,
        max_bytes: int,
        upper_offset: int,
        at_least_one_batch: bool,
        lent_from: int,
    ) -> Steps[Buffer | StoredRecords]:
        try:
            place = self._places.get(offset)
            if place is None or place[1] >= place[0].size:
                place = yield from self._locating(offset)
                if place is None:
                    return b""
            segment, position = place
            end, following = self._known_end(segment, upper_offset)
            if end < 0:
                end = yield from finding_batch(segment, upper_offset)
                self._remember(upper_offset, segment, end)
            next_offset = -1
            found: Buffer | StoredRecords | None = None
            next_offset = -1
            if end - position >= lent_from and (at_least_one_batch or max_bytes >= lent_from):
                found, next_offset = yield from self._lending(
                    segment, position, end, max_bytes, at_least_one_batch, lent_from, following
                )
            if found is None:
                found, next_offset = yield from reading_range(
                    segment, position, end, max_bytes, at_least_one=at_least_one_batch
                )
        except OSError as error:
            raise self.failed(error) from error
        if found:
            next_offset = next_offset if next_offset >= 0 else following
            self._note_read(segment, position + len(found), next_offset)
        return found

    def failed(self, error: OSError) -> KafkaError:
        """What a read ends with that the disk refused; it takes the log offline, unless there were
        too many open files, which says nothing of the disk."""
        if error.errno in (errno.EMFILE, errno.ENFILE):
            return KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, str(error))
        return self._health.fail("reading", error)

    def _lending(
        self,
        segment: Segment,
        position: int,
        end: int,
        max_bytes: int,
        at_least_one_batch: bool,
        lent_from: int,
        following: int,
    ) -> Steps[tuple[StoredRecords | None, int]]:
        """As `reading_range`, of what stays in the file; `following`: the offset at `end`."""
        size, next_offset = yield from measuring_range(
            segment, position, end, max_bytes, at_least_one=at_least_one_batch
        )
        if not segment.is_ready:
            yield from getting_ready(segment)
        lent = segment.file.lend(size, position) if size >= lent_from else None
        if lent is None:
            return None, -1
        next_offset = next_offset if next_offset >= 0 else following
        return StoredRecords(lent, next_offset, self._on_late_error), next_offset

    def _on_late_error(self, error: OSError) -> None:
        self._health.fail("reading", error)

    def _note_read(self, segment: Segment, end: int, next_offset: int) -> None:
        self._remember(next_offset, segment, end)
        if next_offset == self._offsets()[1]:
            self._ends.note(next_offset, segment)

    def _remember(self, offset: int, segment: Segment, position: int) -> None:
        if len(self._places) >= _PLACES_MAX:
            self._places.clear()
        self._places[offset] = (segment, position)

    def _known_end(self, segment: Segment, upper_offset: int) -> tuple[int, int]:
        """Where reading must stop in `segment` (-1: to be found), and the offset there.

        More may have been appended by now than when the search began.
        """
        if segment is self._segments.active:
            if upper_offset == self._offsets()[1]:
                return segment.size, upper_offset
        else:
            following = self._segments.end_of(segment)
            if upper_offset >= following:
                return segment.size, following
        place = self._places.get(upper_offset)
        if place is not None and place[0] is segment:
            return place[1], upper_offset
        return -1, upper_offset

    def _locating(self, offset: int) -> Steps[tuple[Segment, int] | None]:
        """Segment and position of the first batch that holds `offset` or comes after it."""
        for segment in self._segments.since(offset):
            if segment.size:
                self._segments.touch(segment)
                position = yield from finding_batch(segment, offset)
                if position < segment.size:
                    return segment, position
        return None


def _nothing() -> Steps[Buffer]:
    yield from ()
    return b""
