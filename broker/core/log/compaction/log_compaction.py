"""Compaction of one log: how far it is clean, which part is due, and the rounds that clean it.

`run` is one round. It runs on the event loop and yields what is to be run on a thread, or
`CHECKPOINT`; the driver sends back what the work returned, or throws what it raised. So the thread
reads and writes files, and the log itself is changed on the loop alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Final, Literal, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...ports import Env
from ..deletion import DeletionSchedule
from ..failures import LogDirectoryFailure, LogHealth
from ..log_copy import LogCopy
from ..log_start import LogStart
from ..opening import Opening
from ..reader import LogReader
from ..rules import LogRules
from ..segment import Segment
from ..segments import Segments
from .cleanable import DirtyPart, dirty_part
from .cleaned_segment import CleanedSegment
from .cleaning import CleanerLimits, Cleaning
from .exchange import Exchange, Work

CHECKPOINT: Final = "checkpoint"
"""Instead of work: have the directory's cleaner offsets written, durably (CMP-15)."""

PIECE_BYTES: Final = 1024 * 1024
"""A piece of work ends once it has read and written so much."""

Round = Generator[Work | Literal["checkpoint"], int, None]
"""What is to be run on a thread, or `CHECKPOINT`; takes what the work returned."""


class Tell(Protocol):
    """Tells the simulator, if the log runs in one."""

    def __call__(self, event: str, **fields: object) -> None: ...


class CompactionAbandonedError(Exception):
    """The log was cut, lost segments or was deleted meanwhile: this round ends, nothing is lost."""


class LogCompaction:
    """What a log knows of its compaction."""

    def __init__(
        self,
        opening: Opening,
        env: Env,
        segments: Segments,
        start: LogStart,
        reader: LogReader,
        deletions: DeletionSchedule,
        health: LogHealth,
        tell: Tell,
    ) -> None:
        """`tell`: the simulator's ear."""
        self._env = env
        self._segments = segments
        self._start = start
        self._reader = reader
        self._deletions = deletions
        self._health = health
        self._tell = tell
        self._producers = opening.producers
        self._snapshots = opening.snapshots
        self.clean_end = opening.clean_end
        """The offset from which on nothing was cleaned yet, as the checkpoint has it; None if the
        log was never cleaned: then it has no holes."""
        self.is_to_be_named = False
        """It has holes of which the checkpoint does not know yet."""
        self.uncleanable = ""
        """Why the log is passed over until the node starts again (CMP-17)."""
        self.keyless = 0
        """Records without a key that the last round left out."""
        self.is_running = False
        self.is_paused = False
        """Not to be cleaned now: its records are being copied to another directory (KIP-113)."""
        self.cuts = 0
        """How often the log was cut."""
        self.exchanged_upto = -1
        """Segments below this offset are being exchanged now; -1: none are."""

    # --- what is due ---

    def first_dirty(self, end_offset: int) -> int:
        """Where the dirty part begins (CMP-01): `clean_end`, if it lies in the log."""
        start, clean_end = self._start.offset, self.clean_end
        return clean_end if clean_end is not None and start <= clean_end <= end_offset else start

    def may_be_due(self, end_offset: int, upto: int) -> bool:
        """Whether there is a dirty segment below `upto` at all; nothing is read for that."""
        if (
            self.is_running
            or self.is_paused
            or self.uncleanable
            or self._health.failure is not None
        ):
            return False
        first_dirty = self.first_dirty(end_offset)
        dirty = self._segments.since(first_dirty)
        return len(dirty) > 1 and first_dirty < dirty[1].base_offset <= upto

    def assessment(self, rules: LogRules, end_offset: int, upto: int) -> Callable[[], DirtyPart]:
        """What of the log could be cleaned now; to be called on any thread. Raises OSError.

        `upto`: what lies there or behind may not be (CMP-01).
        """
        copy = self._copy()
        now_ms, first_dirty = self._env.clock.wall_ms(), self.first_dirty(end_offset)

        def assess() -> DirtyPart:
            try:
                return dirty_part(copy.copies, rules, first_dirty, upto, now_ms)
            finally:
                copy.close()

        return assess

    def _copy(self) -> LogCopy:
        return LogCopy(
            list(self._segments),
            self._snapshots,
            self._producers,
            log_start_offset=self._start.offset,
            now_ms=self._env.clock.wall_ms(),
        )

    # --- what the log does meanwhile ---

    @property
    def is_exchanging(self) -> bool:
        """Segments are being exchanged: none may leave the log now."""
        return self.exchanged_upto >= 0

    def check_cut(self, offset: int) -> None:
        """Raises KafkaError REQUEST_TIMED_OUT, which means try again: `offset` lies in segments
        that are being exchanged, or right behind them: then the last of them would become the one
        that is written to."""
        if offset <= self.exchanged_upto:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT,
                f"{self._producers.name}: segments below {self.exchanged_upto} are exchanged now",
            )

    def note_holes(self) -> None:
        """Holes came from the leader's log, which is or was compacted; this one may never be.

        Nothing of it is clean. The checkpoint must name it before the leader is told how far it
        goes: after a crash a hole would be taken for a lost tail, and all behind it would go.
        """
        if self.clean_end is None:
            self.clean_end = self._start.offset
            self.is_to_be_named = True

    def cut_at(self, offset: int) -> None:
        """The log was cut: what comes instead of what was cut off is dirty (CMP-15)."""
        self.cuts += 1
        if self.clean_end is not None:
            self.clean_end = min(self.clean_end, offset)

    # --- a round ---

    def run(self, part: DirtyPart, rules: Callable[[], LogRules], limits: CleanerLimits) -> Round:
        """Clean `part`. `rules` gives the settings of the moment.

        Raises CompactionAbandonedError, KafkaError: the log is uncleanable; LogDirectoryFailure.
        """
        self.is_running = True
        try:
            yield from self._run(part, rules, limits)
        except OSError as error:
            raise self._health.fail("compacting", error) from error
        except (LogDirectoryFailure, CompactionAbandonedError):
            raise
        except Exception as error:
            # Also what is a fault of ours: it would come again, and other logs are to be cleaned.
            self.uncleanable = str(error) or repr(error)
            raise
        finally:
            self.is_running = False

    def _run(self, part: DirtyPart, rules: Callable[[], LogRules], limits: CleanerLimits) -> Round:
        sources = self._segments.before(part.end)
        stand = _Stand(self, sources, part.end)
        stand.check(rules())
        if self.clean_end is None or self.is_to_be_named:
            # From here on the log may have holes, and opening must know that after a crash.
            self.clean_end = part.first_dirty
            yield CHECKPOINT
            self.is_to_be_named = False
        cleaning = Cleaning(
            self._copy(),
            sources,
            part,
            rules(),
            limits,
            log_start_offset=self._start.offset,
            now_ms=self._env.clock.wall_ms(),
        )
        failure: Exception | None = None
        try:
            yield from self._clean(cleaning, stand, rules, limits)
        except Exception as error:
            failure = error
        finally:
            cleaning.close()
        yield from _in_pieces(cleaning.forget(), limits)
        if failure is not None:
            stand.check(rules())  # whatever was read of files that were cut or removed
            raise failure
        self.clean_end, self.keyless = cleaning.end, cleaning.keyless
        yield CHECKPOINT

    def _clean(
        self,
        cleaning: Cleaning,
        stand: _Stand,
        rules: Callable[[], LogRules],
        limits: CleanerLimits,
    ) -> Round:
        """Write all groups of segments anew, and put each in the place of its own."""
        yield from _in_pieces(cleaning.prepare(), limits)
        sources = cleaning.sources
        ends = [*(one.base_offset for one in sources[1:]), stand.end]
        for group in cleaning.groups:
            cleaned = yield from _in_pieces(cleaning.rewrite(group), limits)
            stand.check(rules(), cleaned)
            if cleaned is not None:
                old = [sources[number] for number in group]
                yield from self._exchange(old, cleaned.segment, ends[group[-1]], stand)
                self._remove_later(stand.put_away, rules().file_delete_delay_ms)

    def _exchange(self, old: list[Segment], cleaned: Segment, end: int, stand: _Stand) -> Round:
        """As in `exchange.py`. Raises OSError; then the segments stay shut off."""
        segments = self._segments
        exchange = Exchange(
            self._env.disk, segments.directory, old, cleaned, lambda: stand.is_moved
        )
        self.exchanged_upto = end
        yield exchange.prepare
        if not stand.is_moved:
            exchange.snapshots = self._forget_snapshots(cleaned.base_offset, end)
            segments.exchange(old, cleaned)
            self._reader.forget_places()
            self._tell("compacted", old=old, new=cleaned)
            stand.exchanged(old, cleaned)
            yield exchange.put_old_away
        if not stand.is_moved:
            exchange.give_last_names()
            segments.close_files_of(cleaned)
            self._reader.forget_places()  # a thread may look for its files by their former names
            stand.put_away += exchange.renamed
            yield exchange.settle
        self.exchanged_upto = -1

    def _remove_later(self, paths: list[str], delay_ms: int) -> None:
        due_ms = self._env.clock.monotonic_ms() + delay_ms
        while paths:
            self._deletions.add(paths.pop(), due_ms)

    def _forget_snapshots(self, base_offset: int, end: int) -> list[int]:
        """Those of segments that are merged into the one before them go with these."""
        inside = [one for one in self._snapshots.offsets if base_offset < one < end]
        return [offset for offset in inside if self._snapshots.forget(offset)]


class _Stand:
    """How a log stood when a round began: what was written from it is good for nothing else."""

    def __init__(self, compaction: LogCompaction, sources: list[Segment], end: int) -> None:
        self._compaction = compaction
        self._segments = compaction._segments
        self._directory = self._segments.directory
        self._cuts = compaction.cuts
        self.end = end
        self._sources = list(sources)
        self.put_away: list[str] = []
        """Files of segments that left the log."""

    @property
    def is_moved(self) -> bool:
        """The log was deleted: its folder has another name."""
        return self._segments.directory != self._directory

    def exchanged(self, old: list[Segment], cleaned: Segment) -> None:
        """The log has another segment instead of some."""
        at = self._sources.index(old[0])
        self._sources[at : at + len(old)] = [cleaned]

    def check(self, rules: LogRules, written: CleanedSegment | None = None) -> None:
        """Raises CompactionAbandonedError if it stands otherwise, or is not to be compacted."""
        present = self._segments.before(self.end)
        bases = self._segments.bases
        if (
            self.is_moved
            or self._compaction.is_paused
            or not rules.compact
            or self._cuts != self._compaction.cuts
            or present != self._sources
            or len(bases) == len(present)
            or bases[len(present)] != self.end
        ):
            if written is not None:
                written.discard()
            raise CompactionAbandonedError("the log changed meanwhile")


def _in_pieces(
    steps: Iterator[int | CleanedSegment], limits: CleanerLimits
) -> Generator[Work, int, CleanedSegment | None]:
    """The steps as pieces of work; the segment that was written, if one was."""
    written: list[CleanedSegment] = []
    left = [steps]

    def piece() -> int:
        done = 0
        for step in steps:
            if isinstance(step, CleanedSegment):
                written.append(step)
                continue
            done += step
            limits.breathe()
            if done >= PIECE_BYTES:
                return done
        left.clear()
        return done

    while left:
        yield piece
    return written[0] if written else None
