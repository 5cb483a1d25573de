"""Finding and reading batches of a log by offset; where the last reads ended is remembered."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..ports import Buffer
from .failures import LogHealth
from .recent_ends import End, RecentEnds
from .segment import Segment
from .segment_reading import find_batch, measure_range, read_range
from .segments import Segments
from .stored_records import StoredRecords

_PLACES_MAX = 64


class LogReader:
    """Reads the segments of one log."""

    __slots__ = ("_ends", "_health", "_name", "_places", "_segments")

    def __init__(self, name: str, segments: Segments, health: LogHealth) -> None:
        self._name = name
        self._segments = segments
        self._health = health
        # Offset -> where its batch begins: ends of the last reads, which is where sequential
        # readers, followers and the high watermark come next.
        self._places: dict[int, tuple[Segment, int]] = {}
        self._ends = RecentEnds()

    def forget(self) -> None:
        """The log was cut: batches may be elsewhere."""
        self._places.clear()
        self._ends.clear()

    def forget_places(self) -> None:
        """Segments have left the log."""
        self._places.clear()

    def end_at(self, offset: int) -> End | None:
        """What is known of the log as it was when it ended at `offset` and was read to there."""
        return self._ends.at(offset)

    def find(
        self,
        offset: int,
        max_bytes: int,
        upper_offset: int,
        bounds: tuple[int, int],
        *,
        at_least_one_batch: bool,
        lent_from: int,
    ) -> Buffer | StoredRecords:
        """As `PartitionLog.find`; `bounds` are the log's start and end offset now."""
        start_offset, end_offset = bounds
        if not start_offset <= offset <= end_offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self._name} has offsets {start_offset} to {end_offset}, not {offset}",
            )
        upper_offset = min(upper_offset, end_offset)
        if offset >= upper_offset:
            return b""
        try:
            return self._find(
                offset, max_bytes, upper_offset, end_offset, at_least_one_batch, lent_from
            )
        except OSError as error:
            raise self._health.fail("reading", error) from error

    def _find(
        self,
        offset: int,
        max_bytes: int,
        upper_offset: int,
        end_offset: int,
        at_least_one_batch: bool,
        lent_from: int,
    ) -> Buffer | StoredRecords:
        place = self._places.get(offset)
        if place is None or place[1] >= place[0].size:
            place = self._locate(offset)
            if place is None:
                return b""
        segment, position = place
        end, following = self._readable_end(segment, upper_offset, end_offset)
        if end - position >= lent_from and (at_least_one_batch or max_bytes >= lent_from):
            size, next_offset = measure_range(
                segment, position, end, max_bytes, at_least_one=at_least_one_batch
            )
            lent = segment.file.lend(size, position) if size >= lent_from else None
            if lent is not None:
                next_offset = next_offset if next_offset >= 0 else following
                self._note_read(segment, position + size, next_offset, end_offset)
                return StoredRecords(lent, next_offset, self._on_late_error)
        data, next_offset = read_range(
            segment, position, end, max_bytes, at_least_one=at_least_one_batch
        )
        if data:
            next_offset = next_offset if next_offset >= 0 else following
            self._note_read(segment, position + len(data), next_offset, end_offset)
        return data

    def _on_late_error(self, error: OSError) -> None:
        self._health.fail("reading", error)

    def _note_read(self, segment: Segment, end: int, next_offset: int, end_offset: int) -> None:
        self._remember(next_offset, segment, end)
        if next_offset == end_offset:
            self._ends.note(next_offset, segment)

    def _remember(self, offset: int, segment: Segment, position: int) -> None:
        if len(self._places) >= _PLACES_MAX:
            self._places.clear()
        self._places[offset] = (segment, position)

    def _readable_end(
        self, segment: Segment, upper_offset: int, end_offset: int
    ) -> tuple[int, int]:
        """Where reading must stop in `segment`, and the offset there."""
        if segment is self._segments.active:
            if upper_offset == end_offset:
                return segment.size, upper_offset
        else:
            following = self._segments.end_of(segment)
            if upper_offset >= following:
                return segment.size, following
        place = self._places.get(upper_offset)
        if place is not None and place[0] is segment:
            return place[1], upper_offset
        position = find_batch(segment, upper_offset)
        self._remember(upper_offset, segment, position)
        return position, upper_offset

    def _locate(self, offset: int) -> tuple[Segment, int] | None:
        """Segment and position of the first batch that holds `offset` or comes after it."""
        for segment in self._segments.since(offset):
            if segment.size:
                self._segments.touch(segment)
                position = find_batch(segment, offset)
                if position < segment.size:
                    return segment, position
        return None
