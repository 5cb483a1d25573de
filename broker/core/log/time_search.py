"""Searches a log for a time, batch by batch, so that the event loop need not decode batches.

A search is `Steps` (`core/reads.py`): it reads headers and indexes, gives others their turn now and
then, and has batches decoded on a thread unless they are small. A header may promise
a timestamp that no record has: then the next batch is tried. When the log was changed meanwhile,
`searching` begins again at the offset up to which it had come, whatever retention has removed, and
in whichever segment compaction has put it.
"""

from __future__ import annotations

from typing import Protocol

from barnabas.protocol.batch_walk import BatchFields
from barnabas.protocol.record_batch import ATTRIBUTES_AT, CODEC_MASK

from ..ports import Buffer, Lent
from ..reads import Load, Steps
from .loading import getting_ready, reading
from .record_times import TimestampOffset, first_record
from .rules import LogRules
from .segment import Segment
from .segment_reading import finding_batch, finding_largest_timestamp, finding_time
from .segments import Segments
from .walking import HeaderWalk

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
        self,
        log: SearchedLog,
        segment: Segment,
        fields: BatchFields,
        batch: Buffer,
        timestamp: int,
    ) -> None:
        """`batch`: its bytes; they are read again unless it is small. Raises OSError."""
        self._batch: Buffer | None = batch
        self._timestamp = timestamp
        self._start_offset = log.log_start_offset
        self._limit = log.rules.max_decompressed_bytes
        self._lent: Lent | None = None
        self.is_small = (
            fields.size <= SMALL_BATCH_BYTES
            and fields.magic >= 2
            and not batch[ATTRIBUTES_AT + 1] & CODEC_MASK
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


class TimeSearch:
    """For the first record of a time or later."""

    __slots__ = ("_is_first_enough", "_is_over", "_log", "_next_offset", "_timestamp")

    def __init__(self, log: SearchedLog, timestamp: int, *, is_first_enough: bool = False) -> None:
        """`is_first_enough`: only the first batch that promises such a record is looked into."""
        self._log = log
        self._timestamp = timestamp
        self._is_first_enough = is_first_enough
        self._is_over = False
        self._next_offset = log.log_start_offset  # what lies below it is deleted, or looked through

    def searching(self) -> Steps[TimestampOffset | None]:
        """The record; None if there is none. Raises OSError, KafkaError."""
        log, timestamp = self._log, self._timestamp
        for segment in log.segments.since(self._next_offset):
            if 0 <= segment.max_timestamp < timestamp:
                continue
            largest, _ = yield from finding_largest_timestamp(segment)
            if largest < timestamp:
                continue
            log.segments.touch(segment)
            position = yield from finding_time(segment, timestamp)
            if self._next_offset > segment.base_offset:
                passed = yield from finding_batch(segment, self._next_offset)
                position = max(position, passed)
            found = yield from self._looking_through(segment, position)
            if found is not None or self._is_over:
                return found
        return None

    def _looking_through(self, segment: Segment, position: int) -> Steps[TimestampOffset | None]:
        left = BATCHES_PER_TURN
        walk = HeaderWalk(position, segment.size)
        while wanted := walk.wanted:
            data = yield from reading(segment, wanted, walk.position)
            for fields in walk.over(data):
                if fields.max_timestamp >= self._timestamp:
                    found = yield from self._looking_into(segment, fields)
                    if found is not None or self._is_over:
                        return found
                    left = 1
                self._next_offset = fields.last_offset + 1
                left -= 1
                if not left:
                    yield None
                    left = BATCHES_PER_TURN
        return None

    def _looking_into(self, segment: Segment, fields: BatchFields) -> Steps[TimestampOffset | None]:
        candidate = yield from self._candidate(segment, fields)
        found: TimestampOffset | None
        found = (
            candidate.scan()
            if candidate.is_small
            else (yield Load(candidate.scan, is_decoding=True))
        )
        self._is_over = self._is_first_enough
        return found

    def _candidate(self, segment: Segment, fields: BatchFields) -> Steps[Candidate]:
        batch = yield from reading(segment, fields.size, fields.position)
        if not segment.is_ready:
            yield from getting_ready(segment)
        return Candidate(self._log, segment, fields, batch, self._timestamp)


class NewestSearch:
    """For the first of the records with the largest timestamp."""

    __slots__ = ("_log",)

    def __init__(self, log: SearchedLog) -> None:
        self._log = log

    def searching(self) -> Steps[TimestampOffset | None]:
        """The record; None if there is none. Raises OSError, KafkaError."""
        newest = -1
        start = self._log.log_start_offset
        for segment in self._log.segments.since(start):
            if segment.base_offset < start:
                largest = yield from self._largest_since(segment, start)
            else:
                largest, _ = yield from finding_largest_timestamp(segment)
            newest = max(newest, largest)
        if newest < 0:
            return None
        return (yield from TimeSearch(self._log, newest, is_first_enough=True).searching())

    def _largest_since(self, segment: Segment, start: int) -> Steps[int]:
        """Of the batches that are not deleted (DeleteRecords): indexes know of the others too."""
        position = yield from finding_batch(segment, start)
        largest, left = -1, BATCHES_PER_TURN
        walk = HeaderWalk(position, segment.size)
        while wanted := walk.wanted:
            data = yield from reading(segment, wanted, walk.position)
            for fields in walk.over(data):
                if fields.last_offset >= start:
                    largest = max(largest, fields.max_timestamp)
                left -= 1
                if not left:
                    yield None
                    left = BATCHES_PER_TURN
        return largest
