"""How much of a log survives a power failure: what to fsync, and how far the recovery point is."""

from __future__ import annotations

from errno import EIO

from barnabas.protocol.errors import KafkaError

from ..ports import Env
from .aborted import AbortedTransactions
from .failures import LogHealth
from .file_names import OFFSET_INDEX, PARTITION_METADATA, TIME_INDEX, TRANSACTION_INDEX
from .flushing import ClosedFile, FolderNames, Refused, Syncable, Unsettled
from .opening import Opening
from .retirement import Retirement
from .rules import LogRules
from .segment import NEVER, Segment
from .segments import Segments


class Durability:
    """A log's flushes: they begin and end here, and the fsyncs may run on another thread.

    Besides bytes, a flush makes new names in the folder durable, and truncations of files.
    """

    __slots__ = (
        "_aborted",
        "_cut_at",
        "_cuts",
        "_env",
        "_epochs",
        "_folder_is_new",
        "_has_failed",
        "_health",
        "_last_flush_ms",
        "_limit",
        "_names_changed",
        "_restarts",
        "_retirement",
        "_segments",
        "recovery_point",
    )

    def __init__(
        self,
        opening: Opening,
        env: Env,
        segments: Segments,
        aborted: AbortedTransactions,
        retirement: Retirement,
        health: LogHealth,
    ) -> None:
        self._env = env
        self._segments = segments
        self._aborted = aborted
        self._retirement = retirement
        self._health = health
        self._epochs = opening.epochs
        self.recovery_point = opening.recovery_point
        """Everything below this offset is durable; recovery after a crash reads the rest."""
        # The folder, or what is in it, may never have been made durable.
        self._names_changed = self._folder_is_new = opening.created or not opening.clean
        # Recovery may have cut a file at the log's end.
        self._cut_at = NEVER if opening.clean else opening.log_end_offset
        self._cuts = Unsettled()
        self._restarts = Unsettled()
        # What came behind a cut under a flush may not be on the disk when that flush ends.
        self._limit = NEVER
        self._last_flush_ms = env.clock.monotonic_ms()
        self._has_failed = False  # an fsync has

    @property
    def sure_recovery_point(self) -> int:
        """What a checkpoint may say: 0 while a power failure could bring back dropped segments.

        After `note_restart` they would come before the first segment, with a hole between them.
        """
        return 0 if self._restarts else self.recovery_point

    @property
    def may_bring_back(self) -> bool:
        """Whether a power failure could bring back records that were cut off."""
        return bool(self._cuts or self._restarts)

    # --- what the log does meanwhile ---

    def note_names(self) -> None:
        """Files were made or removed, which a power failure could undo until the next flush."""
        self._names_changed = True

    def note_renamed(self) -> None:
        """The folder has another name."""
        self._names_changed = self._folder_is_new = True

    def note_cut(self, offset: int) -> None:
        """The log is cut at `offset`, perhaps while a flush runs."""
        self._cut_at = min(self._cut_at, offset)
        self._cuts.note()
        self._limit_flushes(offset)

    def note_restart(self, offset: int) -> None:
        """The log began anew at `offset`."""
        self._names_changed = True
        self.recovery_point = offset
        self._restarts.note()
        self._limit_flushes(0)

    def _limit_flushes(self, offset: int) -> None:
        if self._segments.is_held:
            self._limit = min(self._limit, offset)

    def distrust_from(self, offset: int) -> None:
        """Count nothing from `offset` on as durable: it was cut off there, or is about to be.

        A checkpoint that is written before the cut says so too: whatever a disk leaves of a cut
        that it refuses half-way is then read through at the next start.
        """
        self.recovery_point = min(self.recovery_point, offset)

    def trust_again(self, recovery_point: int) -> None:
        """The log was not cut: take back `distrust_from`, to the recovery point before it."""
        self.recovery_point = recovery_point

    def settle(self, last: Segment) -> None:
        """Make truncations of `last` durable before a new segment is begun, and the name of the
        first segment before that of the second. Waits for the disk. Raises OSError.

        Otherwise a power failure could keep the new segment and undo the truncation before it; or
        lose the first segment, and nobody would see that the log once began earlier. A hole between
        two segments is seen, and what follows it is dropped.
        """
        if self._cuts:
            last.file.fsync()
            self._env.disk.fsync_directory(self._segments.directory)
            self._cuts.settle()
        elif len(self._segments) == 1 and (self._names_changed or self._segments.is_held):
            self._env.disk.fsync_directory(self._segments.directory)

    # --- flushes ---

    def is_due(self, end_offset: int, rules: LogRules, now_ms: float) -> bool:
        """Whether to flush now, by `flush.messages`, `flush.ms` or because a segment was rolled.

        `now_ms` is the monotonic clock.
        """
        unflushed = end_offset - self.recovery_point
        if unflushed <= 0:
            return False
        return (
            unflushed >= rules.flush_messages
            or now_ms - self._last_flush_ms >= rules.flush_ms
            or self.recovery_point < self._segments.active.base_offset
        )

    def _is_needed(self, end_offset: int) -> bool:
        return (
            end_offset > self.recovery_point
            or self._cut_at != NEVER
            or self._names_changed
            or self._epochs.dirty
            or self._epochs.unsaved
        )

    def begin(self) -> list[Syncable]:
        """What to fsync, in this order, so that all of the log as it is now is durable.

        Then call `ended` or `failed`. Until then no file is closed that they use. What cannot even
        be opened fails like an fsync of it: one log, and none that is flushed beside it.
        """
        self._segments.hold()
        try:
            return self._to_sync()
        except OSError as error:
            return [Refused(error)]
        except KafkaError as error:  # a segment that is damaged where its index is made anew
            return [Refused(OSError(EIO, str(error)))]

    def _to_sync(self) -> list[Syncable]:
        is_cut = self._cut_at != NEVER
        files: list[Syncable] = self._retirement.flush_files()
        if self._names_changed:
            # The topic's id must be durable together with the first records.
            files.append(
                ClosedFile(self._env.disk, f"{self._segments.directory}/{PARTITION_METADATA}")
            )
        unflushed = self._unflushed()
        for segment in unflushed:
            if segment.size or is_cut:
                files.append(segment.file)
            files += self._indexes_of(segment)
        files += self._epochs_file()
        if len(unflushed) > 1:
            self._names_changed = True
        files += self._new_names()
        self._cut_at = NEVER
        self._cuts.flush_begins()
        self._restarts.flush_begins()
        return files

    def _unflushed(self) -> list[Segment]:
        offset = self.recovery_point
        # Also where a segment was begun since behind the one cut. None is left where the disk
        # refused to begin anew.
        if self._cut_at != NEVER and len(self._segments):
            offset = min(offset, self._segments.before(self._cut_at)[-1].base_offset)
        return self._segments.since(offset)

    def _indexes_of(self, segment: Segment) -> list[Syncable]:
        suffixes = [TRANSACTION_INDEX] if self._aborted.of(segment) else []
        if segment is not self._segments.active:
            segment.save_indexes()
            suffixes += [OFFSET_INDEX, TIME_INDEX]
        return [ClosedFile(self._env.disk, segment.path(suffix)) for suffix in suffixes]

    def _epochs_file(self) -> list[Syncable]:
        files: list[Syncable] = []
        if self._epochs.unsaved:
            try:
                self._epochs.write()
            except OSError as error:
                files.append(Refused(error))
        if self._epochs.dirty:
            files.append(ClosedFile(self._env.disk, self._epochs.path))
            self._epochs.flush_begins()
            self._names_changed = True
        return files

    def _new_names(self) -> list[FolderNames]:
        names = []
        directory = self._segments.directory
        if self._names_changed:
            names.append(FolderNames(self._env.disk, directory))
            self._names_changed = False
        if self._folder_is_new:
            # Otherwise a power failure could remove the folder with everything flushed in it.
            names.append(FolderNames(self._env.disk, directory.rpartition("/")[0] or "/"))
            self._folder_is_new = False
        return names

    def ended(self, offset: int) -> None:
        """What `begin` returned has been synced: everything below `offset` is durable.

        Not so once an fsync has failed: a system may drop what it could not write and report the
        next fsync as good. A round that was asked for before the failure comes after it.
        """
        if self._has_failed:
            self._release()
            return
        self.recovery_point = max(self.recovery_point, min(offset, self._limit))
        self._cuts.flush_ended()
        self._restarts.flush_ended()
        self._last_flush_ms = self._env.clock.monotonic_ms()
        self._release()

    def failed(self, error: OSError) -> None:
        """An fsync failed, so data may be lost: the log goes offline, and nothing is retried."""
        self._has_failed = True
        self._health.fail("flushing", error)
        self._release()

    def flush(self, end_offset: int) -> None:
        """Begin, sync and end a flush, if anything is not durable. Raises LogDirectoryFailure."""
        if self._segments.is_held:
            self._count_on_nobody()
        if not self._is_needed(end_offset):
            return
        if self._has_failed:
            assert self._health.failure is not None
            raise self._health.failure
        files = self.begin()
        try:
            for file in files:
                file.fsync()
        except OSError as error:
            self.failed(error)
            assert self._health.failure is not None
            raise self._health.failure from error
        self.ended(end_offset)

    def _count_on_nobody(self) -> None:
        """A flush has begun on a thread, and may not come to its end: what it was to do is to be
        done again. A node that stops waits for none."""
        self._names_changed = self._folder_is_new = True
        self._epochs.dirty = bool(self._epochs.epochs)
        if self._cuts:
            self._cut_at = self._segments.first_offset

    def _release(self) -> None:
        self._segments.release()
        if not self._segments.is_held:
            self._limit = NEVER
