"""The log of one partition as its readers see it: segments in a row, offsets, what is stable.

`PartitionLog` adds what changes it. Both are plain and synchronous over the `Disk` port; one
thread (the event loop) calls them, and only `fsync` of the files of `flush_files` may run on
another. Who must not wait for the disk reads in a hurry (`core/at_hand.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.topic import TopicConfig
from ..ports import Buffer, Env, File
from .deletion import DeletionSchedule
from .failures import CorruptIndexError, LogDirectoryFailure
from .flushing import Unsettled
from .leader_epochs import LeaderEpochs
from .opening import Opening, carry_producers
from .producers import NONE_OPEN, Producers
from .recent_ends import RecentEnds
from .record_times import TimestampOffset
from .rules import LogRules
from .segment import NEVER, Segment
from .segment_reading import (
    find_batch,
    measure_range,
    read_range,
)
from .stored_records import StoredRecords
from .time_search import NewestSearch, TimeSearch, found_at_once
from .transaction_index import AbortedTransaction, collect_aborted
from .transaction_repair import check_transactions, rebuild_transactions

OPEN_SEGMENTS_MAX = 4
"""Closed segments that keep their file and indexes open for readers."""

_PLACES_MAX = 64
_DAY_MS = 86_400_000


class SegmentedLog:
    """Reading side of a partition's log."""

    def __init__(
        self,
        opening: Opening,
        env: Env,
        config: TopicConfig,
        *,
        topic: str,
        partition: int,
        topic_id: bytes,
        deletions: DeletionSchedule,
        on_failure: Callable[[LogDirectoryFailure], None] | None,
    ) -> None:
        self.env = env
        self._hooks = env.hooks
        self.topic = topic
        self.partition = partition
        self.topic_id = topic_id
        self.directory = opening.directory
        self.report = opening.report
        self.producers: Producers = opening.producers
        self.leader_epochs: LeaderEpochs = opening.epochs
        self.log_start_offset = opening.log_start_offset
        self.log_end_offset = opening.log_end_offset
        self.recovery_point = opening.recovery_point
        self.failure: LogDirectoryFailure | None = None
        """Why the log takes no more writes; None while all is well."""
        self.deletions = deletions
        self._on_failure = on_failure
        self._snapshots = opening.snapshots
        self._segments: list[Segment] = opening.segments
        self._bases: list[int] = [segment.base_offset for segment in opening.segments]
        self._high_watermark = opening.log_start_offset
        # Offset -> where its batch begins: ends of the last reads, which is where sequential
        # readers, followers and the high watermark come next.
        self._places: dict[int, tuple[Segment, int]] = {}
        self._ends = RecentEnds()
        self._recent: list[Segment] = []
        self._flushes_running = 0
        # What came behind a cut under a flush may not be on the disk when that flush ends.
        self._flush_limit = NEVER
        self._retired: list[File] = []
        # What a flush must make durable besides bytes: new names, a shorter file.
        self._names_dirty = not opening.clean or opening.created
        self._folder_is_new = self._names_dirty
        self._cut_at = NEVER if opening.clean else opening.log_end_offset
        self._cuts = Unsettled()
        self._restarts = Unsettled()
        self._last_flush_ms = env.clock.monotonic_ms()
        self.rules = LogRules(config)
        self.config = config

    @property
    def name(self) -> str:
        """`topic-partition`."""
        return f"{self.topic}-{self.partition}"

    @property
    def size_bytes(self) -> int:
        """Bytes of records in all segments."""
        return sum(segment.size for segment in self._segments)

    @property
    def first_segment_offset(self) -> int:
        """Where the oldest segment begins; the log may begin inside it."""
        # A disk that failed while the log began anew may have left none.
        return self._bases[0] if self._bases else self.log_end_offset

    @property
    def segments(self) -> list[Segment]:
        """The segments in order; the last one is written to."""
        return list(self._segments)

    # --- high watermark and last stable offset ---

    @property
    def high_watermark(self) -> int:
        """First offset that is not yet on all in-sync replicas; readers stop below it."""
        return self._high_watermark

    @high_watermark.setter
    def high_watermark(self, offset: int) -> None:
        offset = min(offset, self.log_end_offset)
        self._high_watermark = max(offset, self.log_start_offset)
        if self.producers.first_unstable_offset != NONE_OPEN:
            self.producers.high_watermark_moved(self._high_watermark)

    @property
    def last_stable_offset(self) -> int:
        """First offset of an undecided transaction, or the high watermark (98-06)."""
        first = self.producers.first_unstable_offset
        if first == NONE_OPEN or first > self._high_watermark:
            return self._high_watermark
        return max(first, self.log_start_offset)

    # --- reading ---

    def read(
        self, offset: int, max_bytes: int, upper_offset: int, *, at_least_one_batch: bool = True
    ) -> Buffer:
        """Whole batches from the one that holds `offset`, none of which reaches `upper_offset`.

        At most `max_bytes`, out of one segment; with `at_least_one_batch` the first batch comes
        whatever its size (74-01). Raises KafkaError OFFSET_OUT_OF_RANGE, LogDirectoryFailure, in a
        hurry NotAtHandError.
        """
        found = self.find(
            offset, max_bytes, upper_offset, at_least_one_batch=at_least_one_batch, lent_from=NEVER
        )
        assert not isinstance(found, StoredRecords), "nothing is as large as that"
        return found

    def find(
        self,
        offset: int,
        max_bytes: int,
        upper_offset: int,
        *,
        at_least_one_batch: bool,
        lent_from: int,
    ) -> Buffer | StoredRecords:
        """The same; from `lent_from` bytes on they are not read now but when they are sent."""
        end_offset = self.log_end_offset
        if not self.log_start_offset <= offset <= end_offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.name} has offsets {self.log_start_offset} to {end_offset}, not {offset}",
            )
        upper_offset = min(upper_offset, end_offset)
        if offset >= upper_offset:
            return b""
        try:
            place = self._places.get(offset)
            if place is None or place[1] >= place[0].size:
                place = self._locate(offset)
                if place is None:
                    return b""
            segment, position = place
            end, following = self._readable_end(segment, upper_offset)
            if end - position >= lent_from and (at_least_one_batch or max_bytes >= lent_from):
                found = measure_range(
                    segment, position, end, max_bytes, at_least_one=at_least_one_batch
                )
                stored = self._lend(segment, position, *found, following, lent_from)
                if stored is not None:
                    return stored
            data, next_offset = read_range(
                segment, position, end, max_bytes, at_least_one=at_least_one_batch
            )
        except OSError as error:
            raise self.fail("reading", error) from error
        if data:
            self._note_read(segment, position + len(data), next_offset, following)
        return data

    def _note_read(self, segment: Segment, end: int, next_offset: int, following: int) -> int:
        """Remember where the next read begins; the offset there."""
        if next_offset < 0:
            next_offset = following
        self._remember(next_offset, segment, end)
        if next_offset == self.log_end_offset:
            self._ends.note(next_offset, segment)
        return next_offset

    def _lend(
        self,
        segment: Segment,
        position: int,
        size: int,
        next_offset: int,
        following: int,
        least: int,
    ) -> StoredRecords | None:
        """Batches on loan; None if they are fewer than `least` bytes, or it cannot be."""
        lent = segment.file.lend(size, position) if size >= least else None
        if lent is None:
            return None
        next_offset = self._note_read(segment, position + size, next_offset, following)
        return StoredRecords(lent, next_offset, self._on_read_error)

    def _on_read_error(self, error: OSError) -> None:
        self.fail("reading", error)

    def _readable_end(self, segment: Segment, upper_offset: int) -> tuple[int, int]:
        """Where reading must stop in `segment`, and the offset there."""
        if segment is self._segments[-1]:
            if upper_offset == self.log_end_offset:
                return segment.size, upper_offset
        else:
            following = self._bases[bisect_right(self._bases, segment.base_offset)]
            if upper_offset >= following:
                return segment.size, following
        place = self._places.get(upper_offset)
        if place is not None and place[0] is segment:
            return place[1], upper_offset
        position = find_batch(segment, upper_offset)
        self._remember(upper_offset, segment, position)
        return position, upper_offset

    def _remember(self, offset: int, segment: Segment, position: int) -> None:
        if len(self._places) >= _PLACES_MAX:
            self._places.clear()
        self._places[offset] = (segment, position)

    def _locate(self, offset: int) -> tuple[Segment, int] | None:
        """Segment and position of the first batch that holds `offset` or comes after it."""
        at = max(bisect_right(self._bases, offset) - 1, 0)
        while at < len(self._segments):
            segment = self._segments[at]
            if segment.size:
                self.touch(segment)
                position = find_batch(segment, offset)
                if position < segment.size:
                    return segment, position
            at += 1
        return None

    def touch(self, segment: Segment) -> None:
        """It is about to be read: keep only the closed segments open that were read last."""
        if segment is self._segments[-1]:
            return
        if segment in self._recent:
            self._recent.remove(segment)
        self._recent.append(segment)
        if len(self._recent) > OPEN_SEGMENTS_MAX:
            oldest = self._recent.pop(0)
            if oldest is not self._segments[-1]:
                self._retire(oldest.detach_file())
                oldest.rest()

    def aborted_transactions(self, from_offset: int, upto_offset: int) -> list[tuple[int, int]]:
        """(producer id, first offset) of aborted transactions in a range that was read (98-06)."""
        found: list[tuple[int, int]] = []
        first = max(bisect_right(self._bases, from_offset) - 1, 0)
        for segment in self._segments[first:]:
            entries, complete = collect_aborted(self._aborted_in(segment), from_offset, upto_offset)
            found += [(entry.producer_id, entry.first_offset) for entry in entries]
            if complete:
                break
        return found

    def _aborted_in(self, segment: Segment) -> list[AbortedTransaction]:
        """The segment's transaction index, held against the log when it comes from the disk."""
        if not segment.transactions_checked:
            self._check_transactions(segment)
        return segment.transactions

    def _check_transactions(self, segment: Segment) -> None:
        try:
            check_transactions(self._segments, segment, self.log_start_offset)
            segment.transactions_checked = True
        except CorruptIndexError as error:
            self._rebuild_transactions(segment, str(error))

    def _rebuild_transactions(self, segment: Segment, reason: str) -> None:
        disk = self.env.disk
        at_hand = disk.hurry(None)  # rare, and too long to begin again at each read
        try:
            state = Producers(self.name, self.producers.expiration_ms)
            carry_producers(
                state,
                self._snapshots,
                self._segments,
                segment.base_offset,
                self.env.clock.wall_ms(),
            )
            rebuild_transactions(segment, state, reason)
        finally:
            disk.hurry(at_hand)

    # --- offsets by time and epoch ---

    def offset_for_timestamp(self, timestamp: int) -> TimestampOffset | None:
        """The first record of `timestamp` (ms) or later; None if all records are earlier.

        Decodes batches here and now; who must not does the search by itself.
        """
        return found_at_once(TimeSearch(self, timestamp))

    def max_timestamp(self) -> TimestampOffset | None:
        """The record with the largest timestamp, the first of them; None if there is none."""
        return found_at_once(NewestSearch(self))

    def end_offset_for_epoch(self, epoch: int) -> tuple[int, int]:
        """(epoch, end offset) for OffsetForLeaderEpoch (101-02)."""
        return self.leader_epochs.end_offset_for(epoch, self.log_end_offset)

    def epoch_of(self, offset: int) -> int:
        """Leader epoch that `offset` was written in; -1 if not known."""
        return self.leader_epochs.epoch_of(offset)

    def rest_files(self) -> int:
        """Give descriptors back until they are needed; how many. None while a flush runs."""
        if self._flushes_running:
            return 0
        return sum(segment.rest_file() for segment in self._segments)

    def _retire(self, file: File | None) -> None:
        """Close a file, but not under an fsync that runs on another thread."""
        if file is None:
            return
        if self._flushes_running:
            self._retired.append(file)
        else:
            file.close()

    # --- failure ---

    def fail(self, doing: str, error: OSError) -> LogDirectoryFailure:
        """Take the log offline for writes; the first failure stays the reason."""
        failure = LogDirectoryFailure(self.directory, doing, error)
        if self.failure is None:
            self.failure = failure
            if self._on_failure is not None:
                self._on_failure(failure)
        return failure
