"""What a flush must make durable, in which order, and how far it vouches for the log."""

from __future__ import annotations

import pytest
from kit.logs import config_of

from barnabas.broker.core.log.aborted import AbortedTransactions
from barnabas.broker.core.log.deletion import DeletionSchedule
from barnabas.broker.core.log.durability import Durability
from barnabas.broker.core.log.failures import LogDirectoryFailure, LogHealth
from barnabas.broker.core.log.flushing import ClosedFile, FolderNames, Syncable
from barnabas.broker.core.log.log_start import LogStart
from barnabas.broker.core.log.retirement import Retirement
from barnabas.broker.core.log.rules import LogRules
from barnabas.testing.simulation.disk import SimulatedFile

from .parts import FOLDER, Parts, write


class Flushes(Parts):
    """A log's durability, and what it says is to be synced."""

    def __init__(self, *bases: int, clean: bool = True) -> None:
        super().__init__(*bases, clean=clean)
        self.health = LogHealth(FOLDER)
        start = LogStart(self.opening, self.health, lambda _: None)
        self.durability = Durability(
            self.opening,
            self.env,
            self.segments,
            AbortedTransactions(self.opening, self.env, self.segments, start),
            Retirement(self.env, DeletionSchedule(self.disk), self.health),
            self.health,
        )

    def synced(self) -> list[str]:
        """Names of what a flush syncs that is begun and ended now."""
        files = self.durability.begin()
        self.durability.ended(self.segments.active.base_offset + 1)
        return [name_of(file) for file in files]


def name_of(file: Syncable) -> str:
    """File or folder, below the log's folder without the noughts of its name."""
    if isinstance(file, ClosedFile | FolderNames):
        path = file._path
    else:
        assert isinstance(file, SimulatedFile)
        path = file.path
    return path.removeprefix(FOLDER + "/").lstrip("0") or path


def test_a_new_log() -> None:
    """I-5: which topic it is of, the records, their epochs, and all names, in this order."""
    log = Flushes()
    write(log.segments.active)
    files = ["partition.metadata", ".log", "leader-epoch-checkpoint", FOLDER, "/d"]
    assert log.synced() == files
    write(log.segments.active)
    assert log.synced() == [".log"], "the names are durable by now"


def test_only_what_is_behind_the_recovery_point() -> None:
    """I-5: rolled segments go with their indexes, the one that is written to without."""
    log = Flushes(0, 4, 9)
    log.synced()
    assert log.durability.recovery_point == 10
    log.durability.distrust_from(4)
    assert log.synced() == ["4.log", "4.index", "4.timeindex", FOLDER]


def test_a_cut_is_flushed_with_what_lies_before_it() -> None:
    """I-5: the file that became shorter, also where another was begun behind it since."""
    log = Flushes(0, 4)
    log.synced()
    log.durability.note_cut(4)
    assert log.synced()[0] == ".log"


def test_a_flush_does_not_vouch_for_what_came_behind_a_cut() -> None:
    """I-5: what was written anew while the flush ran is not what was synced."""
    log = Flushes()
    log.durability.begin()
    log.durability.note_cut(5)
    log.durability.ended(9)
    assert log.durability.recovery_point == 5
    log.durability.begin()
    log.durability.ended(9)
    assert log.durability.recovery_point == 9, "the next one does"


def test_two_flushes_at_a_time() -> None:
    """I-5: the limit of a cut holds until the last flush ended that ran then."""
    log = Flushes()
    log.durability.begin()
    log.durability.begin()
    log.durability.note_cut(5)
    log.durability.ended(7)
    log.durability.ended(9)
    assert log.durability.recovery_point == 5
    assert not log.segments.is_held


def test_a_log_that_began_anew_is_sure_of_nothing() -> None:
    """I-2: until a flush ended that began later, its old segments may come back."""
    log = Flushes()
    log.durability.begin()
    log.durability.note_restart(50)
    log.durability.ended(60)
    assert (log.durability.recovery_point, log.durability.sure_recovery_point) == (50, 0)
    log.durability.begin()
    log.durability.ended(60)
    assert (log.durability.recovery_point, log.durability.sure_recovery_point) == (60, 60)


def test_a_cut_that_was_not_made() -> None:
    """279-01: the recovery point goes back before a cut, and forth if the disk did not answer."""
    log = Flushes()
    log.durability.begin()
    log.durability.ended(9)
    log.durability.distrust_from(4)
    assert log.durability.recovery_point == 4
    log.durability.trust_again(9)
    assert log.durability.recovery_point == 9


def test_a_segment_is_not_begun_behind_a_cut_that_may_be_undone() -> None:
    """I-5: the cut is made durable first, and only once."""
    log = Flushes()
    segment = log.segments.active
    write(segment)
    log.durability.note_cut(0)
    log.durability.settle(segment)
    assert log.disk.is_durable(segment.path(), segment.size)
    write(segment)
    log.durability.settle(segment)
    assert not log.disk.is_durable(segment.path(), segment.size)


def test_an_fsync_that_fails() -> None:
    """P-14: the log goes offline, and nothing counts as durable."""
    log = Flushes()
    write(log.segments.active)
    log.disk.faults.fsync_error = 1.0
    with pytest.raises(LogDirectoryFailure):
        log.durability.flush(1)
    assert log.health.failure is not None
    assert log.durability.recovery_point == 0
    assert not log.segments.is_held


def test_nothing_to_flush() -> None:
    """Goal: a log whose records, names and epochs are durable is left alone."""
    log = Flushes()
    log.durability.flush(0)
    log.disk.faults.fsync_error = 1.0
    log.durability.flush(0)
    log.durability.note_names()
    with pytest.raises(LogDirectoryFailure):
        log.durability.flush(0)


def test_when_it_is_due() -> None:
    """Goal: flush.messages, flush.ms since the last one, or a segment that was rolled."""
    log = Flushes()
    never = LogRules(config_of())
    assert not log.durability.is_due(0, LogRules(config_of(flush_messages=1)), 0.0)
    assert not log.durability.is_due(9, never, 0.0)
    assert log.durability.is_due(9, LogRules(config_of(flush_messages=9)), 0.0)
    assert log.durability.is_due(9, LogRules(config_of(flush_ms=5)), 5.0)
    assert not log.durability.is_due(9, LogRules(config_of(flush_ms=5)), 4.0)
    log.segments.begin(9, 0)
    assert log.durability.is_due(9, never, 0.0)
