"""Making a log durable: what to fsync, when it is due, how far the recovery point may go."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from .file_names import OFFSET_INDEX, PARTITION_METADATA, TIME_INDEX, TRANSACTION_INDEX
from .flushing import ClosedFile, FolderNames, Refused, Syncable
from .segment import NEVER
from .segmented_log import SegmentedLog


class DurableLog(SegmentedLog):
    """A log that can be flushed; the fsyncs themselves may run on another thread."""

    def flush_due(self, now_ms: float) -> bool:
        """Is it time to flush, by `flush.messages`, `flush.ms` or a segment that was rolled?

        `now_ms` is the monotonic clock.
        """
        unflushed = self.log_end_offset - self.recovery_point
        if unflushed <= 0:
            return False
        return (
            unflushed >= self.rules.flush_messages
            or now_ms - self._last_flush_ms >= self.rules.flush_ms
            or self.recovery_point < self._bases[-1]
        )

    @property
    def sure_recovery_point(self) -> int:
        """What a checkpoint may say: 0 while a power failure could bring back dropped segments.

        Those of a log that began anew would lie before its first, with a hole between.
        """
        return 0 if self._restarts else self.recovery_point

    def distrust_from(self, offset: int) -> None:
        """Count nothing from `offset` on as durable, since it is about to be cut off there.

        A checkpoint that is written before the cut says so too: whatever a disk leaves of a cut
        that it refuses half-way is then read through at the next start.
        """
        self.recovery_point = min(self.recovery_point, offset)

    def flush_files(self) -> list[Syncable]:
        """What to fsync, in this order, so that all up to the present end offset is durable.

        Then call `mark_flushed` with the end offset of now, or `flush_failed`. The fsyncs may run
        on another thread: until then no file is closed that they use.
        """
        disk = self.env.disk
        is_cut = self._cut_at != NEVER
        first = max(bisect_right(self._bases, self.recovery_point) - 1, 0)
        if is_cut:  # also where a segment was begun since behind the one that was cut
            first = min(first, max(bisect_left(self._bases, self._cut_at) - 1, 0))
        files: list[Syncable] = []
        if self._names_dirty:
            # Which topic the records are of must survive with the first of them.
            files.append(ClosedFile(disk, f"{self.directory}/{PARTITION_METADATA}"))
        for segment in self._segments[first:]:
            if segment.size or is_cut:
                files.append(segment.file)
            suffixes = [TRANSACTION_INDEX] if self._aborted_in(segment) else []
            if segment is not self._segments[-1]:
                segment.save_indexes()
                suffixes += [OFFSET_INDEX, TIME_INDEX]
            files += [ClosedFile(disk, segment.path(suffix)) for suffix in suffixes]
        if self.leader_epochs.unsaved:
            try:
                self.leader_epochs.write()
            except OSError as error:
                files.append(Refused(error))
        if self.leader_epochs.dirty:
            files.append(ClosedFile(disk, self.leader_epochs.path))
            self.leader_epochs.dirty = False
            self._names_dirty = True
        if first < len(self._segments) - 1:
            self._names_dirty = True
        files += self._new_names()
        self._cut_at = NEVER
        self._cuts.flush_begins()
        self._restarts.flush_begins()
        self._flushes_running += 1
        return files

    def _new_names(self) -> list[FolderNames]:
        names = []
        if self._names_dirty:
            names.append(FolderNames(self.env.disk, self.directory))
            self._names_dirty = False
        if self._folder_is_new:
            # Else a power failure might take the folder with all that was made durable in it.
            names.append(FolderNames(self.env.disk, self.directory.rpartition("/")[0] or "/"))
            self._folder_is_new = False
        return names

    def mark_flushed(self, offset: int) -> None:
        """The files of `flush_files` are durable: everything below `offset` survives anything."""
        offset = min(offset, self.log_end_offset, self._flush_limit)
        self.recovery_point = max(self.recovery_point, offset)
        self._cuts.flush_ended()
        self._restarts.flush_ended()
        self._last_flush_ms = self.env.clock.monotonic_ms()
        self._flush_ended()

    def flush_failed(self, error: OSError) -> None:
        """An fsync failed: what it should have saved may be gone, so it is never tried again."""
        self.fail("flushing", error)
        self._flush_ended()

    def flush(self) -> None:
        """Flush here and now, if there is anything to; blocks. Raises LogDirectoryFailure."""
        unflushed = self.log_end_offset > self.recovery_point or self._cut_at != NEVER
        epochs = self.leader_epochs
        if not (unflushed or self._names_dirty or epochs.dirty or epochs.unsaved):
            return
        end = self.log_end_offset
        files = self.flush_files()
        try:
            for file in files:
                file.fsync()
        except OSError as error:
            self.flush_failed(error)
            assert self.failure is not None
            raise self.failure from error
        self.mark_flushed(end)

    def _flush_ended(self) -> None:
        self._flushes_running -= 1
        if self._flushes_running == 0:
            self._flush_limit = NEVER
            retired, self._retired = self._retired, []
            for file in retired:
                file.close()
