"""How a log loses its beginning: its start moves up, and whole segments below go (retention)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from .flushing import Syncable
from .maintained_log import MaintainedLog
from .retention import segments_to_delete
from .retirement import Renaming, RetiredSegment
from .segment import Segment


class RetainedLog(MaintainedLog):
    """A log with retention. Segments leave the log at once, their files in steps that may block."""

    def advance_log_start(self, offset: int) -> bool:
        """Records below `offset` are gone for readers (DeleteRecords); False if they were before.

        Whole segments below go with the next retention. Raises KafkaError OFFSET_OUT_OF_RANGE
        above the high watermark, LogDirectoryFailure.
        """
        if offset > self._high_watermark:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.name}: start {offset} is beyond the high watermark {self._high_watermark}",
            )
        if offset <= self.log_start_offset:
            return False
        self._start_at(offset)
        self.producers.high_watermark_moved(self._high_watermark)
        return True

    def _start_at(self, offset: int) -> None:
        self.log_start_offset = offset
        try:
            self.leader_epochs.truncate_from_start(offset)
        except OSError as error:
            raise self.fail("writing to", error) from error
        self._tell("log-start", offset=offset)

    # --- retention ---

    def retire_segments(self, now_wall_ms: int, *, by_rules: bool = True) -> list[Segment]:
        """Part with segments by time, size and log start; those that went, oldest first.

        Nobody reads them any more; their files wait in `retirement`. A compacted topic loses only
        what is below the log's start, and so does any log without `by_rules`: a follower's, which
        keeps what its leader keeps (C9). Raises LogDirectoryFailure.
        """
        if self.failure is not None:
            return []
        try:
            doomed = segments_to_delete(
                self._segments,
                self.rules,
                self.log_start_offset,
                self._high_watermark,
                self.log_end_offset,
                now_wall_ms,
                by_rules=by_rules,
            )
            if not doomed:
                return []
            if len(doomed) == len(self._segments):
                self.roll(now_ms=now_wall_ms)
            for segment in doomed:
                self._part_with(segment)
        except OSError as error:
            raise self.fail("deleting from", error) from error
        self._places.clear()
        if self._bases[0] > self.log_start_offset:
            self._start_at(self._bases[0])
        return doomed

    def _part_with(self, segment: Segment) -> None:
        at = self._segments.index(segment)
        paths = segment.existing_files()
        if self._snapshots.forget(segment.base_offset):
            paths.append(self._snapshots.path(segment.base_offset))
        self._forget(segment)
        del self._segments[at], self._bases[at]
        self.retirement.add(RetiredSegment(segment.base_offset, self.directory, paths))

    def retirement_ended(self, renaming: Renaming, error: OSError | None) -> None:
        """What `retirement` began was run: the files go after `file.delete.delay.ms`.

        `error`: why it stopped. Raises LogDirectoryFailure then.
        """
        due_ms = self.env.clock.monotonic_ms() + self.rules.file_delete_delay_ms
        for path in self.retirement.ended(renaming):
            self.deletions.add(path, due_ms)
        if error is not None:
            raise self.fail("deleting from", error) from error

    def _rename_retired(self) -> None:
        failed: OSError | None = None
        renaming = self.retirement.begin()
        try:
            renaming.run()
        except OSError as error:
            failed = error
        self.retirement_ended(renaming, failed)

    def remove_expired_producers(self, now_wall_ms: int) -> int:
        """Forget producers silent for `producer.id.expiration.ms` (98-04); how many went."""
        return self.producers.remove_expired(now_wall_ms)

    # --- what must not meet files that wait ---

    def flush_files(self) -> list[Syncable]:
        """What to fsync, in this order, so that all up to the present end offset is durable.

        Then call `mark_flushed` with the end offset of now, or `flush_failed`.
        """
        return [*self.retirement.flush_files(), *super().flush_files()]

    def truncate_fully_and_start_at(self, offset: int) -> None:
        """Drop everything; the log begins anew, empty, at `offset`.

        Raises LogDirectoryFailure; KafkaError REQUEST_TIMED_OUT if a retired segment began there
        whose files are being renamed right now: try again.
        """
        if self.retirement.has(offset) and self.retirement.is_running:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT,
                f"{self.name}: the retired segment at {offset} is being renamed; try again",
            )
        if len(self.retirement):
            self._rename_retired()  # what came before must not be found behind a hole
        super().truncate_fully_and_start_at(offset)

    def close(self, *, clean: bool = True) -> None:
        """Close all files; with `clean` everything is flushed and the next open checks nothing.

        Raises LogDirectoryFailure; the files are closed nevertheless.
        """
        try:
            if clean and self.failure is None and len(self.retirement):
                self._rename_retired()
        finally:
            super().close(clean=clean)

    def moved_to(self, directory: str) -> None:
        """The folder was renamed (deletion): files are found there from now on."""
        self.retirement.forget()
        super().moved_to(directory)
