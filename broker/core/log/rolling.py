"""When a log begins a new segment: by size, by age, by what the indexes of the present one hold."""

from __future__ import annotations

from ..ports import Env
from .rules import LogRules
from .segment import NEVER, NO_TIMESTAMP, RELATIVE_OFFSET_MAX, Segment
from .segment_reading import first_timestamp


class Rolling:
    """The limits of the segment that is written to.

    Age is the distance of a batch's timestamp from the segment's first, as in Kafka; where the
    first has none, it is the time since the segment was opened.
    """

    __slots__ = ("_env", "_rules", "after_timestamp", "at_size", "jitter_ms")

    def __init__(self, env: Env, rules: LogRules) -> None:
        self._env = env
        self._rules = rules
        self.at_size = NEVER
        """A batch that makes the segment larger than that goes into the next one."""
        self.after_timestamp = NO_TIMESTAMP
        """A batch with a larger timestamp asks `is_due`; -1 while the first one's is not known."""
        self.jitter_ms = 0
        """How much earlier than `segment.ms` this segment rolls, so that not all do at once."""

    def begin(self, timestamp: int = NO_TIMESTAMP) -> None:
        """Another segment is written to from now on; `timestamp` of its first batch, if any."""
        jitter = self._rules.segment_jitter_ms
        self.jitter_ms = self._env.random.randrange(jitter) if jitter > 0 else 0
        self._set_limits(timestamp)

    def obey(self, rules: LogRules, segment: Segment) -> None:
        """Other settings hold from now on, for the present `segment` too."""
        self._rules = rules
        self._set_limits(first_timestamp(segment))
        self.note_entry(segment)

    def _set_limits(self, timestamp: int) -> None:
        self.at_size = 1 if self._env.maybe("segment-tiny") else self._rules.segment_bytes
        self._set_age(timestamp)

    def _set_age(self, timestamp: int) -> None:
        """Without the limit of size: what is full stays full."""
        self.after_timestamp = NO_TIMESTAMP
        if timestamp >= 0:
            self.after_timestamp = min(timestamp + self._segment_ms, NEVER)

    @property
    def _segment_ms(self) -> int:
        return self._rules.segment_ms - self.jitter_ms

    def is_due(
        self, segment: Segment, last_offset: int, size: int, timestamp: int, now_ms: int
    ) -> bool:
        """Whether batches of `size` bytes up to `last_offset` belong into a new segment.

        `timestamp`: their largest; `now_ms` is the wall clock.
        """
        if segment.size and self.after_timestamp == NO_TIMESTAMP:
            self._set_age(first_timestamp(segment))
        too_large = segment.size + size > self.at_size
        out_of_reach = last_offset - segment.base_offset > RELATIVE_OFFSET_MAX
        return too_large or out_of_reach or self._is_old(segment, timestamp, now_ms)

    def _is_old(self, segment: Segment, timestamp: int, now_ms: int) -> bool:
        if segment.size == 0:
            return False
        if self.after_timestamp >= 0:
            return timestamp > self.after_timestamp
        return now_ms - segment.created_ms > self._segment_ms

    def note_first(self, timestamp: int) -> None:
        """The first batch of the segment, of this timestamp, is about to be written."""
        if timestamp >= 0:
            self.after_timestamp = timestamp + self._segment_ms

    def note_entry(self, segment: Segment) -> None:
        """The indexes may have got an entry: once one of them is full, the next batch rolls."""
        rules = self._rules
        if (
            len(segment.index) >= rules.index_entries_max
            or len(segment.times) >= rules.time_entries_max
        ):
            self.at_size = 0
