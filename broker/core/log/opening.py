"""Opening a partition's folder: segments, leader epochs, producers, and what was put right."""

from __future__ import annotations

from ..ports import Disk
from .failures import CorruptCheckpointError
from .file_names import CUT, LEADER_EPOCHS, OFFSET_INDEX
from .leader_epochs import LeaderEpochs
from .leftovers import clear_leftovers, open_segments, remove_orphans
from .producer_snapshots import ProducerSnapshots
from .producers import Producers
from .recovery import Cut, Recovery, RecoveryReport, recover_segment, replay_range
from .recovery_watch import RecoveryWatch
from .segment import NEVER, RELATIVE_OFFSET_MAX, Segment
from .walking import walk_batches


class Opening:
    """The parts of a log while it is opened; `run` leaves them ready for use.

    `contiguous`: no compaction makes holes in this log; `clean_end` says how far it was compacted
    (CMP-15), and there is none if it never was. Then a hole between two segments that
    were not flushed is a lost tail of the first, and what follows it goes too: Kafka would keep
    it, and a follower would never ask for the lost part again. Not where the recovery point is
    unknown (-1), since a hole may be old there.
    """

    def __init__(  # noqa: PLR0913 - what a log is opened with, each named
        self,
        disk: Disk,
        directory: str,
        *,
        name: str,
        now_ms: int,
        index_interval: int,
        producer_expiration_ms: int,
        recovery_point: int,
        log_start_offset: int,
        clean: bool,
        high_watermark: int = 0,
        contiguous: bool = False,
        clean_end: int | None = None,
        watch: RecoveryWatch | None = None,
    ) -> None:
        self.disk = disk
        self.directory = directory
        self.now_ms = now_ms
        self.index_interval = index_interval
        self.recovery_point = recovery_point
        self.log_start_offset = log_start_offset
        self.log_end_offset = log_start_offset
        self.high_watermark = high_watermark
        self.clean = clean
        self.contiguous = contiguous and clean_end is None and recovery_point >= 0
        self.clean_end = clean_end
        self.watch = watch or RecoveryWatch()
        self.created = False
        """The log had no segment yet."""
        self.report = RecoveryReport()
        self.segments: list[Segment] = []
        self.epochs = LeaderEpochs(disk, f"{directory}/{LEADER_EPOCHS}")
        self.producers = Producers(name, producer_expiration_ms)
        self.snapshots = ProducerSnapshots(disk, directory, ())
        self._epochs_known = False
        self._epochs_found: LeaderEpochs | None = None
        """As the file has them, if some are learnt anew from the batches."""

    def run(self) -> None:
        """Open everything; raises OSError, RecoveryStoppedError. Blocks, perhaps for minutes."""
        try:
            self._run()
        except BaseException:
            for segment in self.segments:
                segment.close()
            raise

    def _run(self) -> None:
        self.report.removed += clear_leftovers(self.disk, self.directory)
        self.report.removed += remove_orphans(self.disk, self.directory)
        names = self.disk.list_directory(self.directory)
        self.snapshots = ProducerSnapshots(self.disk, self.directory, names)
        self._load_epochs(names)
        self.segments = open_segments(
            self.disk, self.directory, now_ms=self.now_ms, index_interval=self.index_interval
        )
        for segment in self.segments:
            segment.on_rebuild = self.report.note_rebuild
        self._recover()
        self._find_end()
        self._settle_epochs()
        self.snapshots.remove_strays([segment.base_offset for segment in self.segments])
        self.snapshots.remove_outside(-1, self.log_end_offset)
        self.producers.clear(self.log_start_offset)
        begun = self._carry(self.producers, self.segments, self.log_end_offset)
        watermark = max(self.high_watermark, self.log_start_offset)
        if begun > watermark and any(
            one.coordinator_epoch >= 0 for one in self.producers.by_id.values()
        ):
            # The snapshot knows transactions as ended whose markers lie at or behind the
            # watermark: not where they began, and they hold readers back still (98-06).
            earlier = self._producers_at(watermark, self.segments)
            replay_range(earlier, self.segments, watermark, self.log_end_offset)
            self.producers.hold_back(earlier)

    def _load_epochs(self, names: list[str]) -> None:
        if LEADER_EPOCHS not in names:
            return
        try:
            self.epochs.load()
            self._epochs_known = True
            self.epochs.dirty = not self.clean  # who was killed may not have flushed it
        except CorruptCheckpointError as error:
            self.epochs = LeaderEpochs(self.disk, self.epochs.path)
            self.report.notes.append(f"{error}; rebuilt from the batches")

    def _recover(self) -> None:
        unflushed: Recovery | None = None
        for at, segment in enumerate(self.segments):
            if self._is_flushed(at):
                if self.disk.exists(segment.path(OFFSET_INDEX)):
                    continue
                # Its epochs were flushed with it, and do not tell where the file begins.
                known = LeaderEpochs(self.disk, self.epochs.path)
                recovery = Recovery(known, self.report, self.watch)
            else:
                if unflushed is None:
                    unflushed = self._recovery_from(segment, contiguous=self.contiguous)
                recovery = unflushed
            producers = self._producers_at(segment.base_offset, self.segments[:at])
            upper = self.segments[at + 1].base_offset if at + 1 < len(self.segments) else NEVER
            whole = recover_segment(segment, producers, recovery, upper)
            if not whole:
                # Of the tail that was cut, or of one before that came back with the power.
                self.snapshots.remove_outside(-1, segment.base_offset)
                self._drop_from(at + 1, "follows a segment that was cut")
                break
            end = self._end_of(segment)[0]
            self.snapshots.write(end, producers.in_order(), durable=False)
            if recovery.contiguous and end < upper < NEVER:
                self._drop_from(at + 1, f"offsets {end} to {upper - 1} before it are lost")
                break

        if unflushed is not None:
            self._drop_empty_tail()

    def _drop_empty_tail(self) -> None:
        """Empty segments behind a hole: compaction made none there, so a tail was lost."""
        while len(self.segments) > 1 and not self.segments[-1].size:
            end, base = self._end_of(self.segments[-2])[0], self.segments[-1].base_offset
            if end == base:
                break
            self._drop_from(
                len(self.segments) - 1, f"offsets {end} to {base - 1} before it are lost"
            )

    def _is_flushed(self, at: int) -> bool:
        # One that ends at the recovery point may have grown again, after a cut, while the next one
        # was not yet gone for good.
        following = self.segments[at + 1 : at + 2]
        return self.clean or (bool(following) and following[0].base_offset < self.recovery_point)

    def _recovery_from(self, segment: Segment, *, contiguous: bool = False) -> Recovery:
        """From this segment to the last one: epochs that begin there are learnt anew."""
        if self._epochs_found is None:
            self._epochs_found = self.epochs
            self.epochs = LeaderEpochs(self.disk, self.epochs.path)
            for epoch, start in self._epochs_found.entries():
                if start < segment.base_offset:
                    self.epochs.note_batch(epoch, start)
        told = self._epochs_found.entries()
        return Recovery(
            self.epochs, self.report, self.watch, contiguous=contiguous, told_epochs=told
        )

    def _producers_at(self, offset: int, before: list[Segment]) -> Producers:
        producers = Producers(self.producers.name, self.producers.expiration_ms)
        self._carry(producers, before, offset)
        return producers

    def _carry(self, producers: Producers, segments: list[Segment], end: int) -> int:
        return carry_producers(producers, self.snapshots, segments, end, self.now_ms)

    def _drop_from(self, at: int, reason: str) -> None:
        for segment in self.segments[at:]:
            self.report.cuts.append(Cut(segment.path(), 0, segment.size, reason))
            segment.close()
            # Kept under another name, for whoever wants to look; nothing reads it again.
            self.disk.rename(segment.path(), segment.path() + CUT)
            for path in segment.existing_files():
                self.disk.remove(path)
        del self.segments[at:]

    def _find_end(self) -> None:
        if self.segments:
            self._mend_tail()
            end = self._end_of(self.segments[-1])[0]
            if end < self.log_start_offset:
                self.report.notes.append(
                    f"{self.directory}: log ends at {end}, before its start "
                    f"{self.log_start_offset}: begun anew there"
                )
                self._drop_from(0, f"ends before the log's start {self.log_start_offset}")
                self.epochs.clear()
        if not self.segments:
            segment = Segment(
                self.disk,
                self.directory,
                self.log_start_offset,
                now_ms=self.now_ms,
                index_interval=self.index_interval,
            )
            segment.create()
            self.created = True
            self.segments.append(segment)
        self.log_start_offset = max(self.log_start_offset, self.segments[0].base_offset)
        self.log_end_offset = max(self._end_of(self.segments[-1])[0], self.log_start_offset)
        if self.clean_end is not None and self.clean_end > self.log_end_offset:
            self.clean_end = self.log_start_offset  # of a log that was longer (CMP-01)
        limit = self.log_end_offset
        self.recovery_point = limit if self.clean else min(max(self.recovery_point, 0), limit)

    def _mend_tail(self) -> None:
        # A clean stop leaves whole batches only. If the last segment ends otherwise, somebody cut
        # or damaged it since: read it through like after a crash.
        segment = self.segments[-1]
        if self._end_of(segment)[1] == segment.size:
            return
        segment.rebuild_indexes("the last segment does not end with a whole batch")
        if self._end_of(segment)[1] != segment.size:
            producers = self._producers_at(segment.base_offset, self.segments[:-1])
            recover_segment(segment, producers, self._recovery_from(segment))

    def _end_of(self, segment: Segment) -> tuple[int, int]:
        """Offset and position after the last whole batch, as far as the headers tell."""
        end, position = before = segment.base_offset, 0
        for fields in walk_batches(segment.file, segment.index.last_position(), segment.size):
            before = end, position
            end, position = fields.last_offset + 1, fields.position + fields.size
        if not 0 <= end - segment.base_offset <= RELATIVE_OFFSET_MAX + 1:
            # Offsets are under no checksum. A last one that cannot be is taken for no whole batch.
            return before
        return end, position

    def _epochs_begin_late(self) -> bool:
        """The file lost its first epochs with a start of the log that a power failure took back.

        A follower would drop records of no known epoch that its leader has as well.
        """
        return not self.clean and _first(self.epochs, self.log_end_offset) > self.log_start_offset

    def _settle_epochs(self) -> None:
        if not self._epochs_known or self._epochs_begin_late():
            self._rebuild_epochs()
        self.epochs.truncate_from_end(self.log_end_offset)
        self.epochs.truncate_from_start(self.log_start_offset)
        found = self._epochs_found
        if found is not None:
            if found.entries() == self.epochs.entries():
                self.epochs = found
            else:
                # Also where nothing is left: the file must not speak of epochs that are not here.
                self.epochs.unsaved = True
        if self.epochs.unsaved:
            self.epochs.write()

    def _rebuild_epochs(self) -> None:
        found = LeaderEpochs(self.disk, self.epochs.path)
        for segment in self.segments:
            for fields in walk_batches(segment.file, 0, segment.size):
                if fields.leader_epoch >= 0:
                    found.note_batch(fields.leader_epoch, fields.base_offset)
        if self._epochs_known:
            if _first(found, NEVER) >= _first(self.epochs, NEVER):
                return  # older batches have no epochs
            self.report.notes.append(f"{found.path} begins too late; rebuilt from the batches")
        self.epochs = found
        self.epochs.unsaved = True


def _first(epochs: LeaderEpochs, default: int) -> int:
    return epochs.starts[0] if epochs.starts else default


def carry_producers(
    producers: Producers,
    snapshots: ProducerSnapshots,
    segments: list[Segment],
    end: int,
    now_ms: int,
) -> int:
    """State as of `end`: from the newest readable snapshot up to there, and the batches since.

    Returns where these batches begin. Without a snapshot all batches of `segments` are looked at,
    also those below the log's start: a transaction may have begun there. Raises OSError.
    """
    start = segments[0].base_offset if segments else end
    latest = snapshots.load_upto(end)
    if latest is not None:
        start, entries = latest
        producers.load(entries, start, now_ms)
    replay_range(producers, segments, start, end)
    return start
