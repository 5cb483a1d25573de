"""What changes a log besides appends: rolling, truncation, closing. Its start: `retained_log`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from ..config.topic import TopicConfig
from ..ports import Env
from .cutting import Cut, Cutting
from .deletion import DeletionSchedule
from .durable_log import DurableLog
from .failures import LogDirectoryFailure
from .opening import Opening
from .retirement import Retirement
from .rules import LogRules
from .segment import NEVER, Segment
from .segment_reading import largest_timestamp
from .walking import walk_batches


class MaintainedLog(DurableLog):
    """A log with its upkeep; `PartitionLog` adds the appends, `RetainedLog` what it drops."""

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
        super().__init__(
            opening,
            env,
            config,
            topic=topic,
            partition=partition,
            topic_id=topic_id,
            deletions=deletions,
            on_failure=on_failure,
        )
        self._active = self._segments[-1]
        self._latest_epoch = self.leader_epochs.latest
        self.retirement = Retirement(env.disk)
        """Retired segments that still have their files: `server.retiring` sees to them."""
        self._activate(self._active)

    def update_config(self, config: TopicConfig) -> None:
        """Obey new settings from now on."""
        self.config = config
        self.rules = LogRules(config)
        for segment in self._segments:
            segment.index_interval = self.rules.index_interval_bytes
        self._set_roll_marks(self._active, self._first_timestamp(self._active))

    def assign_epoch(self, leader_epoch: int) -> None:
        """`leader_epoch` begins at the present end of the log (101-01); a new leader says so.

        Raises LogDirectoryFailure.
        """
        if leader_epoch >= 0:
            try:
                self.leader_epochs.assign(leader_epoch, self.log_end_offset)
            except OSError as error:
                raise self.fail("writing to", error) from error
            self._latest_epoch = self.leader_epochs.latest

    def forget_empty_epochs(self) -> None:
        """Forget epochs that began at the end of the log: this broker led in them in vain.

        A log that is copied from another leader must not speak of them: no record here is theirs.
        Raises LogDirectoryFailure.
        """
        try:
            self.leader_epochs.truncate_from_end(self.log_end_offset)
        except OSError as error:
            raise self.fail("writing to", error) from error
        self._latest_epoch = self.leader_epochs.latest

    # --- rolling ---

    def roll(self, base_offset: int | None = None, now_ms: int | None = None) -> Segment:
        """Begin a new segment at `base_offset` (the end offset if None); the new one.

        The producers' state at that place goes into a snapshot. Raises LogDirectoryFailure.
        """
        old = self._active
        base = self.log_end_offset if base_offset is None else max(base_offset, self.log_end_offset)
        if old.size == 0 and old.base_offset == base:
            return old
        try:
            self._snapshots.write(base, self.producers.in_order(), durable=False)
            old.note_largest_timestamp()
            old.save_indexes()
            if self._cuts:
                # Else the new segment might survive a power failure, the cut before it not.
                old.file.fsync()
                self.env.disk.fsync_directory(self.directory)
                self._cuts.settle()
            segment = self._new_segment(base, now_ms)
        except OSError as error:
            raise self.fail("making a segment in", error) from error
        self._segments.append(segment)
        self._bases.append(base)
        self._activate(segment)
        return segment

    def _new_segment(self, base: int, now_ms: int | None) -> Segment:
        segment = Segment(
            self.env.disk,
            self.directory,
            base,
            now_ms=self.env.clock.wall_ms() if now_ms is None else now_ms,
            index_interval=self.rules.index_interval_bytes,
        )
        segment.on_rebuild = self.report.note_rebuild
        segment.create()
        self._names_dirty = True
        return segment

    def _activate(self, segment: Segment) -> None:
        largest_timestamp(segment)
        self._aborted_in(segment)
        self._write_to(segment, self._first_timestamp(segment))

    def _write_to(self, segment: Segment, first_timestamp: int) -> None:
        self._active = segment
        jitter = self.rules.segment_jitter_ms
        segment.roll_jitter_ms = self.env.random.randrange(jitter) if jitter > 0 else 0
        segment.unindexed_bytes = segment.size - segment.index.last_position()
        self._set_roll_marks(segment, first_timestamp)

    def _set_roll_marks(self, segment: Segment, first: int) -> None:
        segment.roll_at_size = 1 if self.env.maybe("segment-tiny") else self.rules.segment_bytes
        segment.roll_after_timestamp = -1
        if first >= 0:
            segment.roll_after_timestamp = min(first + self._segment_ms(segment), NEVER)

    def _segment_ms(self, segment: Segment) -> int:
        return self.rules.segment_ms - segment.roll_jitter_ms

    def _first_timestamp(self, segment: Segment) -> int:
        """Largest timestamp of the first batch: what a segment's age counts from, as in Kafka."""
        if segment.size:
            for fields in walk_batches(segment.file, 0, segment.size):
                return fields.max_timestamp
        return -1

    # --- truncation ---

    def truncate_to(self, offset: int) -> int:
        """Drop everything from `offset` on; the new end offset.

        A batch that holds `offset` goes as a whole, so the end may be lower (Kafka would leave a
        hole there, which the batch does not fit into when it comes again). First, `distrust_from`
        there and write the directory's checkpoints: what a cut leaves must be read after a crash.
        What must be read for it is read before anything changes; in a hurry that raises
        NotAtHandError. Raises LogDirectoryFailure.
        """
        if offset >= self.log_end_offset:
            self.forget_empty_epochs()
            return self.log_end_offset
        if offset < self._bases[0]:
            self.truncate_fully_and_start_at(offset)
            return offset
        try:
            if self._cut_at_known_end(offset):
                self._after_truncation(offset)
                return offset
            cut = self._foresee(offset)
            self._cut(cut)
            self.leader_epochs.truncate_from_end(cut.offset)
            self._snapshots.remove_outside(-1, cut.offset)
        except OSError as error:
            raise self.fail("truncating", error) from error
        self.producers = cut.producers
        self._after_truncation(cut.offset)
        return cut.offset

    def _cut_at_known_end(self, offset: int) -> bool:
        """Cut where the log ended a moment ago, if all that is needed is in memory."""
        end, segment = self._ends.at(offset), self._active
        if (
            end is None
            or end.segment is not segment
            or offset < self._high_watermark
            or not segment.transactions_checked
            or segment.transactions
            or not self.producers.roll_back(offset)
        ):
            return False
        self._places.clear()
        self._ends.clear()
        segment.shorten(offset, end.position)
        segment.max_timestamp = end.max_timestamp
        segment.max_timestamp_offset = end.max_timestamp_offset
        segment.unindexed_bytes = segment.size - segment.index.last_position()
        segment.file.truncate(end.position)
        self._note_cut(offset)
        segment.save_indexes()
        self.leader_epochs.truncate_from_end(offset)
        self._snapshots.remove_outside(-1, offset)
        return True

    def _foresee(self, offset: int) -> Cut:
        """What a cut at `offset` leaves. The file that it needs is open afterwards."""
        kept = max(bisect_left(self._bases, offset), 1)
        opened = self._segments[kept - 1].file.path
        cutting = Cutting(
            self._segments[:kept],
            self._snapshots,
            self.producers,
            offset=offset,
            log_start_offset=self.log_start_offset,
            now_ms=self.env.clock.wall_ms(),
        )
        # Retention may have taken old segments while it was found out.
        key = (opened, "cut", offset, self.log_end_offset, tuple(self._bases))
        found: Cut = self.env.disk.ask(key, cutting)
        return found

    def _cut(self, cut: Cut) -> None:
        self._places.clear()
        self._ends.clear()
        left = cut.segment
        while self._bases[-1] > left.base_offset:
            self._drop_segment(len(self._segments) - 1)
        segment = self._segments[-1]
        had_entries = not segment.transactions_checked or bool(segment.transactions)
        segment.take_over(left)
        if had_entries:
            segment.write_transactions(left.transactions)
        segment.file.truncate(left.size)
        self._note_cut(cut.offset)
        segment.size = left.size
        segment.save_indexes()
        for path, reason in left.rebuilt:
            self.report.note_rebuild(path, reason)
        self._write_to(segment, cut.first_timestamp)

    def _note_cut(self, offset: int) -> None:
        self._cut_at = min(self._cut_at, offset)
        self._cuts.note()
        self._limit_flushes(offset)

    def _limit_flushes(self, offset: int) -> None:
        if self._flushes_running:
            self._flush_limit = min(self._flush_limit, offset)

    def _after_truncation(self, offset: int) -> None:
        self._latest_epoch = self.leader_epochs.latest
        self.log_end_offset = offset
        self.recovery_point = min(self.recovery_point, offset)
        self.log_start_offset = min(self.log_start_offset, offset)
        self.high_watermark = min(self._high_watermark, offset)
        self._tell("truncate", offset=offset)

    def truncate_fully_and_start_at(self, offset: int) -> None:
        """Drop everything; the log begins anew, empty, at `offset`. Raises LogDirectoryFailure."""
        try:
            self._places.clear()
            self._ends.clear()
            while self._segments:
                self._drop_segment(len(self._segments) - 1)
            self._snapshots.remove_outside(-1, -1)
            self.leader_epochs.clear()
            segment = self._new_segment(offset, None)
        except OSError as error:
            raise self.fail("truncating", error) from error
        self._segments.append(segment)
        self._bases.append(offset)
        self.producers.clear(offset)
        self.log_start_offset = self.log_end_offset = offset
        self.recovery_point = offset
        self._restarts.note()
        self._limit_flushes(0)
        self._latest_epoch = self.leader_epochs.latest
        self._activate(segment)
        self.high_watermark = offset
        self._tell("truncate", offset=offset)
        self._tell("log-start", offset=offset)

    def _tell(self, event: str, **fields: object) -> None:
        if self._hooks is not None:
            self._hooks.on(event, log=self, **fields)

    def _drop_segment(self, at: int) -> None:
        segment = self._segments.pop(at)
        del self._bases[at]
        self._forget(segment)
        for path in segment.existing_files():
            self.env.disk.remove(path)
        self._names_dirty = True  # else a power failure may bring them back behind a new tail

    def _forget(self, segment: Segment) -> None:
        self._retire(segment.detach_file())
        if segment in self._recent:
            self._recent.remove(segment)

    # --- the end ---

    def close(self, *, clean: bool = True) -> None:
        """Close all files; with `clean` everything is flushed and the next open checks nothing.

        Raises LogDirectoryFailure; the files are closed nevertheless.
        """
        try:
            if clean and self.failure is None:
                self._settle()
        finally:
            for segment in self._segments:
                self._retire(segment.detach_file())

    def _settle(self) -> None:
        try:
            active = self._active
            active.note_largest_timestamp()
            active.save_indexes()
            if self.log_end_offset > self.log_start_offset:
                # Not made durable: one that is torn fails its checksum and costs a replay.
                self._snapshots.write(self.log_end_offset, self.producers.in_order(), durable=False)
        except OSError as error:
            raise self.fail("closing", error) from error
        self.flush()

    def moved_to(self, directory: str) -> None:
        """The folder was renamed (deletion): files are found there from now on."""
        self.directory = directory
        self._snapshots.moved_to(directory)
        self.leader_epochs.path = directory + "/" + self.leader_epochs.path.rpartition("/")[2]
        for segment in self._segments:
            segment.directory = directory
