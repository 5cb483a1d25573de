"""The log of one partition: append, read, truncate, retire. The public face of this package.

`PartitionLog.__init__` puts its parts together. Each has fields of its own, and none changes
another's. All of them are synchronous and use the `Disk` port. One thread (the event loop) calls
them; only the `fsync` of what `flush_files` returned may run on another. Callers that must not
wait for the disk take the `Steps` (`core/reads.py`) of `reader.finding` and `aborted.finding`, and
cut by `try_truncate`.
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.topic import TopicConfig
from ..ports import Buffer, Env
from ..reads import finish
from .aborted import AbortedTransactions
from .append_result import AppendResult
from .compaction.log_compaction import LogCompaction
from .cutter import LogCutter
from .cutting import Cut, Cutting
from .deletion import DeletionSchedule
from .durability import Durability
from .failures import LogDirectoryFailure, LogHealth
from .flushing import Syncable
from .log_start import LogStart
from .opening import Opening
from .origin import Origin
from .producers import NONE_OPEN
from .reader import LogReader
from .record_check import RecordFacts
from .retention import Retention
from .retirement import Renaming, Retirement
from .rules import LogRules
from .segment import Segment
from .segments import Segments
from .stored_records import StoredRecords
from .writer import LogWriter


class PartitionLog:
    """One partition's log over the `Disk` port."""

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
        """Make the log from what `opening` found on the disk; `open_log` does both steps."""
        self.env = env
        self.topic = topic
        self.partition = partition
        self.topic_id = topic_id
        self.name = f"{topic}-{partition}"
        self.report = opening.report
        self.rules = LogRules(config)
        self.producers = opening.producers
        self.leader_epochs = opening.epochs
        self.deletions = deletions
        self._hooks = env.hooks
        self._high_watermark = opening.log_start_offset
        self._snapshots = opening.snapshots
        self._health = health = LogHealth(opening.directory, on_failure)
        self._start = start = LogStart(opening, health, self._on_start_moved)
        self.retirement = retirement = Retirement(env, deletions, health)
        """Retired segments whose files still exist; `server.retiring` has them removed."""
        self.segments = segments = Segments(
            env.disk,
            opening.directory,
            opening.segments,
            index_interval=self.rules.index_interval_bytes,
            on_rebuild=opening.report.note_rebuild,
        )
        self.reader = reader = LogReader(self.name, segments, health, self._offsets)
        self.aborted = aborted = AbortedTransactions(opening, env, segments, start)
        self.durability = durable = Durability(opening, env, segments, aborted, retirement, health)
        told = None if env.hooks is None else self._on_append
        self._writer = writer = LogWriter(
            opening, env, self.rules, segments, durable, start, health, told
        )
        self.compaction = compaction = LogCompaction(
            opening, env, segments, start, reader, deletions, health, self._tell
        )
        self._cutter = LogCutter(
            opening, env, segments, start, reader, writer, durable, compaction, health
        )
        self._retention = Retention(opening, segments, start, reader, writer, retirement, health)
        aborted.of(segments.active)
        self._tell("log-opened")

    def update_config(self, config: TopicConfig) -> None:
        """Take new settings of the topic; they apply from the next record on."""
        self.rules = LogRules(config)
        self._writer.obey(self.rules)

    # --- what it is, and how far it goes ---

    @property
    def directory(self) -> str:
        """The partition's folder."""
        return self.segments.directory

    @property
    def size_bytes(self) -> int:
        """The size of the records in all segments."""
        return self.segments.size_bytes

    @property
    def failure(self) -> LogDirectoryFailure | None:
        """Why the log accepts no more writes; None while the disk works."""
        return self._health.failure

    @property
    def first_segment_offset(self) -> int:
        """The offset at which the oldest segment begins; the log itself may begin inside it."""
        return self.segments.first_offset if len(self.segments) else self.log_end_offset

    @property
    def log_start_offset(self) -> int:
        """The first offset that can be read."""
        return self._start.offset

    @property
    def log_end_offset(self) -> int:
        """The offset of the next record."""
        return self._writer.end_offset

    @property
    def high_watermark(self) -> int:
        """First offset that is not yet on all in-sync replicas; readers stop below it."""
        return self._high_watermark

    @high_watermark.setter
    def high_watermark(self, offset: int) -> None:
        offset = min(offset, self._writer.end_offset)
        self._high_watermark = max(offset, self._start.offset)
        if self.producers.first_unstable_offset != NONE_OPEN:
            self.producers.high_watermark_moved(self._high_watermark)

    @property
    def last_stable_offset(self) -> int:
        """First offset of an undecided transaction, or the high watermark (98-06)."""
        first = self.producers.first_unstable_offset
        if first == NONE_OPEN or first > self._high_watermark:
            return self._high_watermark
        return max(first, self._start.offset)

    def end_offset_for_epoch(self, epoch: int) -> tuple[int, int]:
        """The epoch and its end offset, for OffsetForLeaderEpoch (101-02)."""
        return self.leader_epochs.end_offset_for(epoch, self.log_end_offset)

    def epoch_of(self, offset: int) -> int:
        """The leader epoch in which `offset` was written; -1 if it is not known."""
        return self.leader_epochs.epoch_of(offset)

    # --- appending ---

    def append_batch(
        self,
        buf: Buffer,
        start: int,
        end: int,
        leader_epoch: int,
        now_ms: int,
        origin: Origin = Origin.CLIENT,
        facts: RecordFacts | None = None,
    ) -> AppendResult:
        """Append, as the leader, the batch at `buf[start:end]`, which has passed `check_batch`.

        Offsets and leader epoch are assigned here. `now_ms` is the wall clock; `facts`: what is
        known of the records, if they were walked over.
        Raises KafkaError (98-03 and the checks of the topic's settings), LogDirectoryFailure.
        """
        return self._writer.append_batch(buf, start, end, leader_epoch, now_ms, origin, facts)

    def append_as_follower(self, buf: Buffer) -> int:
        """Append whole batches with the leader's offsets and epochs; returns the end offset.

        An incomplete last batch is left out. Raises KafkaError: wrong offsets; LogDirectoryFailure.
        """
        if self._writer.append_as_follower(buf):
            self.compaction.note_holes()
        return self._writer.end_offset

    def assign_epoch(self, leader_epoch: int) -> None:
        """A leader epoch begins at the end of the log (101-01). Raises LogDirectoryFailure."""
        self._writer.assign_epoch(leader_epoch)

    def forget_empty_epochs(self) -> None:
        """Forget epochs without records, in which this broker led. Raises LogDirectoryFailure."""
        self._writer.forget_empty_epochs()

    def roll(self, now_ms: int | None = None) -> Segment:
        """Begin a new segment at the end of the log, and return it. Raises LogDirectoryFailure."""
        return self._writer.roll(self.log_end_offset, now_ms)

    # --- reading ---

    def read(
        self, offset: int, max_bytes: int, upper_offset: int, *, at_least_one_batch: bool = True
    ) -> Buffer:
        """Whole batches from the one that holds `offset`, none of which reaches `upper_offset`.

        As `reader.finding`, but waits for what is read. Raises KafkaError OFFSET_OUT_OF_RANGE,
        LogDirectoryFailure.
        """
        finding = self.reader.finding(
            offset, max_bytes, upper_offset, at_least_one_batch=at_least_one_batch
        )
        found = finish(finding)
        assert not isinstance(found, StoredRecords), "nothing is as large as that"
        return found

    def _offsets(self) -> tuple[int, int]:
        return self._start.offset, self._writer.end_offset

    def aborted_transactions(self, from_offset: int, upto_offset: int) -> list[tuple[int, int]]:
        """Aborted transactions in a range that was read, as (producer id, first offset) (98-06)."""
        return self.aborted.between(from_offset, upto_offset)

    # --- truncation ---

    def truncate_to(self, offset: int) -> int:
        """Drop everything from `offset` on; returns the new end offset. Waits for the disk.

        A batch that contains `offset` is dropped as a whole, so the end may be lower (Kafka would
        leave a hole there, into which the batch does not fit when it is fetched again). First call
        `durability.distrust_from` for that offset and write the directory's checkpoints: recovery
        must read what a cut leaves. Raises LogDirectoryFailure; KafkaError REQUEST_TIMED_OUT: not
        while segments are exchanged.
        """
        cut: Cut | None = None
        while (cutting := self.try_truncate(offset, cut)) is not None:
            try:
                cut = cutting()
            except OSError as error:
                raise self.fail("truncating", error) from error
        return self.log_end_offset

    def try_truncate(self, offset: int, foreseen: Cut | None = None) -> Cutting | None:
        """As `truncate_to` if nothing must be read for it, or `foreseen` says what was read.

        Else what must be found out first, on any thread; then nothing was changed. If the log is
        another by the time of the second call, that is to be found out again.
        """
        if offset >= self.log_end_offset:
            self.forget_empty_epochs()
            return None
        if offset < self.segments.first_offset:
            self.truncate_fully_and_start_at(offset)
            return None
        end_offset = self._cutter.cut_to(offset, self._high_watermark, foreseen)
        if isinstance(end_offset, Cutting):
            return end_offset
        self.high_watermark = min(self._high_watermark, end_offset)
        self._tell("truncate", offset=end_offset)
        return None

    def truncate_fully_and_start_at(self, offset: int) -> None:
        """Drop everything; the log is then empty and begins at `offset`.

        Raises LogDirectoryFailure; KafkaError REQUEST_TIMED_OUT, which means try again, if a
        retired segment began there and its files are being renamed, or segments are exchanged.
        """
        if self.retirement.has(offset) and self.retirement.is_running:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT,
                f"{self.name}: the retired segment at {offset} is being renamed; try again",
            )
        # Otherwise old records would be found behind a gap.
        self.retirement.rename_now(self.rules.file_delete_delay_ms)
        self._cutter.restart_at(offset)
        self.high_watermark = offset
        self._tell("truncate", offset=offset)
        self._on_start_moved(offset)

    # --- the log's start, and what goes below it ---

    def advance_log_start(self, offset: int) -> bool:
        """Hide records below `offset` from readers (DeleteRecords); False if they were already.

        The next retention removes segments that are wholly below. Raises KafkaError
        OFFSET_OUT_OF_RANGE above the high watermark, LogDirectoryFailure.
        """
        if offset > self._high_watermark:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.name}: start {offset} is beyond the high watermark {self._high_watermark}",
            )
        if offset <= self.log_start_offset:
            return False
        self._start.move_to(offset)
        self.producers.high_watermark_moved(self._high_watermark)
        return True

    def retire_segments(self, now_wall_ms: int, *, by_rules: bool = True) -> list[Segment]:
        """Remove segments by time, size and log start; returns them, oldest first.

        Readers no longer find them; their files stay in `retirement` for now. Without `delete` in
        its policy a log loses only what is below its start, and so does each without `by_rules`:
        a follower's, which keeps what its leader keeps (C9). Raises LogDirectoryFailure.
        """
        if self.failure is not None or self.compaction.is_exchanging:
            return []
        rules, watermark = self.rules, self._high_watermark
        return self._retention.retire(rules, watermark, now_wall_ms, by_rules=by_rules)

    def retirement_ended(self, renaming: Renaming, error: OSError | None) -> None:
        """A `Renaming` of `retirement` has run: its files are removed after `file.delete.delay.ms`.

        `error` is why it stopped early; LogDirectoryFailure is raised then.
        """
        self.retirement.ended(renaming, self.rules.file_delete_delay_ms, error)

    # --- durability ---

    @property
    def recovery_point(self) -> int:
        """Everything below this offset is durable."""
        return self.durability.recovery_point

    @property
    def sure_recovery_point(self) -> int:
        """What a checkpoint may say: 0 while a power failure could bring back dropped segments."""
        return self.durability.sure_recovery_point

    def flush_due(self, now_ms: float) -> bool:
        """Whether it is time to flush, by the topic's settings; `now_ms` is the monotonic clock."""
        return self.durability.is_due(self.log_end_offset, self.rules, now_ms)

    def flush_files(self) -> list[Syncable]:
        """The files to fsync, in this order and on any thread, to make the present log durable.

        After the fsyncs call `mark_flushed` with the present end offset, or `flush_failed`.
        """
        return self.durability.begin()

    def mark_flushed(self, offset: int) -> None:
        """The fsyncs of `flush_files` have returned: everything below `offset` is durable."""
        self.durability.ended(min(offset, self.log_end_offset))

    def flush_failed(self, error: OSError) -> None:
        """An fsync failed; it is never repeated, since what it should have saved may be lost."""
        self.durability.failed(error)

    def flush(self) -> None:
        """Flush now if anything is not durable; blocks. Raises LogDirectoryFailure."""
        self.durability.flush(self.log_end_offset)

    # --- its files, and the end ---

    def fail(self, doing: str, error: OSError) -> LogDirectoryFailure:
        """Take the log offline for writes; the first failure stays the reason."""
        return self._health.fail(doing, error)

    def rest_files(self) -> int:
        """Close files until they are needed again, unless a flush runs; returns how many."""
        return self.segments.rest_files()

    def close(self, *, clean: bool = True) -> None:
        """Close all files; with `clean` everything is flushed, and the next open checks nothing.
        Raises LogDirectoryFailure, with the files closed."""
        try:
            if clean and self.failure is None:
                self.retirement.rename_now(self.rules.file_delete_delay_ms)
                self._writer.seal()
                self.flush()
        except OSError as error:
            raise self._health.fail("closing", error) from error
        finally:
            self.segments.close()

    def moved_to(self, directory: str) -> None:
        """The folder was renamed (for deletion): the files are there from now on."""
        self.retirement.forget()
        self.segments.moved_to(directory)
        self._snapshots.moved_to(directory)
        self.leader_epochs.moved_to(directory)
        self._health.moved_to(directory)

    # --- what the simulator hears ---

    def _tell(self, event: str, **fields: object) -> None:
        if self._hooks is not None:
            self._hooks.on(event, log=self, **fields)

    def _on_append(self, stored: Buffer) -> None:
        self._tell("append", batches=stored)

    def _on_start_moved(self, offset: int) -> None:
        self._tell("log-start", offset=offset)
