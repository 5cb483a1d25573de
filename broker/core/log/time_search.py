"""Searches a log for a time, batch by batch, so that the event loop need not decode batches.

A search says which batch to look into next (`next_batch`, by headers and indexes, in a hurry if
the caller is), and the caller looks into it (`Candidate.scan`, on any thread). A header may promise
a timestamp that no record has: then the next batch is tried. An interrupted search goes on where it
was, whatever retention has removed meanwhile.
"""

from __future__ import annotations

from typing import Protocol

from barnabas.protocol.batch_walk import BatchFields
from barnabas.protocol.record_batch import ATTRIBUTES_AT, CODEC_MASK

from ..ports import Buffer, Lent
from .record_times import TimestampOffset, first_record
from .rules import LogRules
from .segment import Segment
from .segment_reading import largest_timestamp, position_from_time, read_batch
from .segments import Segments
from .walking import walk_batches

SMALL_BATCH_BYTES = 4096
BATCHES_PER_TURN = 2000
"""Headers that are looked at in one go: some milliseconds."""


class SearchedLog(Protocol):
    """What a search needs of a log."""

    @property
    def segments(self) -> Segments: ...

    @property
    def log_start_offset(self) -> int: ...

    @property
    def rules(self) -> LogRules: ...


class Candidate:
    """A batch whose header promises what is looked for."""

    __slots__ = ("_batch", "_lent", "_limit", "_start_offset", "_timestamp", "is_small")

    def __init__(
        self, log: SearchedLog, segment: Segment, fields: BatchFields, timestamp: int
    ) -> None:
        """Reads the batch: from now on it is in memory, as a rule. Raises NotAtHandError."""
        self._batch: Buffer | None = read_batch(segment, fields)
        self._timestamp = timestamp
        self._start_offset = log.log_start_offset
        self._limit = log.rules.max_decompressed_bytes
        self._lent: Lent | None = None
        self.is_small = (
            fields.size <= SMALL_BATCH_BYTES
            and fields.magic >= 2
            and not self._batch[ATTRIBUTES_AT + 1] & CODEC_MASK
        )
        """To look into it is quickly done: it is short, and not compressed."""
        if not self.is_small:
            self._lent = segment.file.lend(fields.size, fields.position)
            if self._lent is not None:
                self._batch = None  # many may wait for their turn: they hold no bytes

    def scan(self) -> TimestampOffset | None:
        """What was looked for, if the batch has it; on any thread.

        Raises OSError, CorruptBatchError, InvalidBatchError.
        """
        lent, batch = self._lent, self._batch
        if batch is None:
            assert lent is not None, "either is there"
            batch = lent.read(len(lent), 0)
            if lent.is_cut:
                return None
        return first_record(batch, self._timestamp, self._start_offset, self._limit)


class Pause:
    """There is more to look through, but others may want their turn."""


PAUSE = Pause()


class TimeSearch:
    """For the first record of a time or later."""

    __slots__ = ("_base", "_log", "_position", "_timestamp")

    def __init__(self, log: SearchedLog, timestamp: int) -> None:
        self._log = log
        self._timestamp = timestamp
        self._base = -1  # of the segment that is looked through
        self._position = 0  # where to go on in it

    def next_batch(self) -> Candidate | Pause | None:
        """The next batch to look into; None when there is none left.

        Raises NotAtHandError in a hurry: then the same call again; OSError, KafkaError.
        """
        log, timestamp = self._log, self._timestamp
        for segment in log.segments:
            if segment.base_offset < self._base or largest_timestamp(segment)[0] < timestamp:
                continue
            log.segments.touch(segment)
            if segment.base_offset != self._base:
                position = position_from_time(segment, timestamp)
                self._base, self._position = segment.base_offset, position
            found = self._walk(segment)
            if found is not None:
                return found
        return None

    def _walk(self, segment: Segment) -> Candidate | Pause | None:
        """On from `_position`, which stays at a batch that could not be read."""
        left = BATCHES_PER_TURN
        for fields in walk_batches(segment.file, self._position, segment.size):
            if fields.max_timestamp >= self._timestamp:
                candidate = Candidate(self._log, segment, fields, self._timestamp)
                self._position = fields.position + fields.size
                return candidate
            self._position = fields.position + fields.size
            left -= 1
            if not left:
                return PAUSE
        return None


class NewestSearch:
    """For the first of the records with the largest timestamp."""

    __slots__ = ("_is_over", "_log", "_search")

    def __init__(self, log: SearchedLog) -> None:
        self._log = log
        self._search: TimeSearch | None = None
        self._is_over = False

    def next_batch(self) -> Candidate | Pause | None:
        """The batch that has it, then None. Raises as that of `TimeSearch`."""
        if self._is_over:
            return None
        if self._search is None:
            largest = max((largest_timestamp(one)[0] for one in self._log.segments), default=-1)
            if largest < 0:
                return None
            self._search = TimeSearch(self._log, largest)
        found = self._search.next_batch()
        self._is_over = found is not PAUSE
        return found
