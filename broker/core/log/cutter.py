"""Truncation of a log, at its end or as a whole: what each part of the log does for it, in order.

Everything that must be read for it is read before anything changes (`cutting.py`), on a thread if
the caller must not wait, so an error in reading leaves the log as it was.
"""

from __future__ import annotations

from functools import partial

from ..ports import Env
from .compaction.log_compaction import LogCompaction
from .cutting import Cut, Cutting
from .durability import Durability
from .failures import LogHealth
from .log_copy import LogCopy
from .log_start import LogStart
from .opening import Opening
from .reader import LogReader
from .segments import Segments
from .writer import LogWriter


class LogCutter:
    """Truncates one log."""

    __slots__ = (
        "_compaction",
        "_durability",
        "_env",
        "_epochs",
        "_health",
        "_producers",
        "_reader",
        "_report",
        "_segments",
        "_snapshots",
        "_start",
        "_writer",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a log that a cut concerns
        self,
        opening: Opening,
        env: Env,
        segments: Segments,
        start: LogStart,
        reader: LogReader,
        writer: LogWriter,
        durability: Durability,
        compaction: LogCompaction,
        health: LogHealth,
    ) -> None:
        self._env = env
        self._segments = segments
        self._start = start
        self._reader = reader
        self._writer = writer
        self._durability = durability
        self._compaction = compaction
        self._health = health
        self._epochs = opening.epochs
        self._producers = opening.producers
        self._snapshots = opening.snapshots
        self._report = opening.report

    def cut_to(self, offset: int, high_watermark: int, foreseen: Cut | None) -> int | Cutting:
        """Drop the batches from the one on that holds `offset`; the new end, where that begins.

        Or what must be found out before that: then nothing was changed, and the same call with the
        `Cut` cuts, unless the log is another by then. `offset` is inside the first segment or
        behind it, below the log's end. Raises LogDirectoryFailure, KafkaError REQUEST_TIMED_OUT:
        not now.
        """
        self._compaction.check_cut(offset)
        try:
            if self._cut_at_known_end(offset, high_watermark):
                foreseen = None
            elif foreseen is None or foreseen.basis != self._basis(offset):
                return self._cutting(offset)
            else:
                self._cut(foreseen)
                offset = foreseen.offset
            self._epochs.truncate_from_end(offset)
            self._snapshots.remove_outside(-1, offset)
        except OSError as error:
            raise self._health.fail("truncating", error) from error
        if foreseen is not None:
            self._producers.take_over(foreseen.producers)
        self._writer.cut_at(offset)
        self._durability.distrust_from(offset)
        self._start.cut_at(offset)
        self._compaction.cut_at(offset)
        return offset

    def _basis(self, offset: int) -> object:
        """What a cut at `offset` is foreseen for: segments may leave the log or be exchanged."""
        return offset, self._writer.end_offset, self._reader.changes

    def _cut_at_known_end(self, offset: int, high_watermark: int) -> bool:
        """Cut where the log ended a moment ago, if all that is needed is in memory."""
        end, segment = self._reader.end_at(offset), self._segments.active
        if (
            end is None
            or end.segment is not segment
            or offset < high_watermark
            or not segment.transactions_checked
            or segment.transactions
            or not self._producers.roll_back(offset)
        ):
            return False
        self._reader.forget()
        self._durability.note_cut(offset)
        segment.cut(offset, end.position, end.max_timestamp, end.max_timestamp_offset)
        return True

    def _cutting(self, offset: int) -> Cutting:
        copy = LogCopy(
            self._segments.before(offset),
            self._snapshots,
            self._producers,
            log_start_offset=self._start.offset,
            now_ms=self._env.clock.wall_ms(),
        )
        basis, is_compacted = partial(self._basis, offset), self._writer.rules.compact
        return Cutting(copy, offset, basis, is_compacted=is_compacted)

    def _cut(self, cut: Cut) -> None:
        self._reader.forget()
        self._durability.note_cut(cut.offset)
        # Segments go, or the transaction index is another file of the same name.
        self._durability.note_names()
        self._segments.cut_back(cut.segment)
        for path, reason in cut.segment.rebuilt:
            self._report.note_rebuild(path, reason)
        self._writer.continue_in(cut.first_timestamp)

    def restart_at(self, offset: int) -> None:
        """Drop everything; the log begins anew, empty, at `offset`.

        Raises LogDirectoryFailure, KafkaError REQUEST_TIMED_OUT: not now.
        """
        self._compaction.check_cut(0)
        try:
            self._reader.forget()
            self._segments.remove_all()
            self._snapshots.remove_outside(-1, -1)
            self._epochs.clear()
            self._segments.begin(offset, self._env.clock.wall_ms())
            # At once: else a power failure could leave nothing but a segment from the middle, one
            # that was cut off long ago, and the log would begin there.
            self._env.disk.fsync_directory(self._segments.directory)
        except OSError as error:
            raise self._health.fail("truncating", error) from error
        self._producers.clear(offset)
        self._start.restart_at(offset)
        self._writer.cut_at(offset)
        self._writer.continue_in()
        self._durability.note_restart(offset)
        self._compaction.cut_at(offset)
