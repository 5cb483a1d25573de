"""A log whose segments are exchanged while a thread reads it: nothing of the old ones is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import NamedTuple

import pytest
from kit.compacting import COMPACTED, compact, keyed, steps, table_of
from kit.log_batches import BASE_TIME, marker
from kit.logs import ManualClock, append, env_of, open_log, read_all

from barnabas.broker.core.log.compaction.log_compaction import CompactionAbandonedError
from barnabas.broker.core.log.cutting import Cut, Cutting
from barnabas.broker.core.log.file_names import DELETED, OFFSET_INDEX
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.stored_records import StoredRecords
from barnabas.broker.core.log.time_search import NewestSearch, TimeSearch
from barnabas.broker.core.reads import CHANGED, Planned, Steps, attempt, finish, unless_changed
from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import KafkaError
from barnabas.testing.simulation.disk import SimulatedDisk

Question = Callable[[PartitionLog], Callable[[], Steps[object]]]
"""Of a log: what makes the steps, as often as they must begin again."""

LATE_TIME = BASE_TIME + 1000
CUT_AT = 27


def filled() -> PartitionLog:
    """On a disk that has nothing in memory: four small segments that become two; an abort."""
    disk = SimulatedDisk(Random(1))
    disk.faults.cold_reads = 1.0
    log = open_log("/d/t-0", COMPACTED, env_of(disk, ManualClock()))
    for number in range(14):
        pairs = [(b"k%d" % (number % 4), b"%d" % number * 9), (b"u%d" % number, b"x" * 40)]
        codec = Codec.GZIP if number % 2 else Codec.NONE
        append(log, keyed(*pairs, time=BASE_TIME + number, codec=codec))
    append(log, keyed((b"gone", b"1"), producer=(7, 0, 0), transactional=True))
    append(log, marker(7, 0, commit=False), origin=Origin.COORDINATOR)
    append(log, keyed((b"late", b"1"), time=LATE_TIME, codec=Codec.GZIP))
    log.roll()
    append(log, keyed((b"last", b"1")))
    log.update_config(replace(COMPACTED, internal_segment_bytes=1400))
    log.flush()
    for segment in log.segments:
        segment.rest()
    return log


def bytes_at(offset: int, lent_from: int = 1 << 62) -> Question:
    def ask(log: PartitionLog) -> Callable[[], Steps[object]]:
        return lambda: log.reader.finding(offset, 250, log.log_end_offset, lent_from=lent_from)

    return ask


def aborted(log: PartitionLog) -> Callable[[], Steps[object]]:
    return lambda: log.aborted.finding(0, log.log_end_offset)


QUESTIONS: dict[str, Question] = {
    "bytes at 0": bytes_at(0),
    "bytes at 5": bytes_at(5),
    "bytes at 27": bytes_at(27),
    "lent at 5": bytes_at(5, lent_from=1),
    "lent at 27": bytes_at(27, lent_from=1),
    "aborted": aborted,
    "time": lambda log: TimeSearch(log, LATE_TIME).searching,
    "early time": lambda log: TimeSearch(log, BASE_TIME + 5).searching,
    "newest": lambda log: NewestSearch(log).searching,
}


class Moment(NamedTuple):
    """When a round of compaction goes on."""

    read: int
    """While the read of this number is waited for,"""
    turns: int
    """by so many steps; the others come after the answer."""
    is_late: bool
    """The thread reads after these steps, and else before them."""
    begun: int = 0
    """So many steps of the round come before the question."""


class Asked:
    """A question that is asked while a round is under way, as a handler asks it."""

    def __init__(self, question: Question, moment: Moment) -> None:
        self.log = filled()
        self._make = question(self.log)
        self._round = steps(self.log)
        list(islice(self._round, moment.begun))
        self._moment = moment
        self.reads = 0

    def answer(self) -> object:
        """What is found; if segments were exchanged it is looked for again."""
        while True:
            asked = unless_changed(self._make(), lambda: self.log.reader.changes)
            found = attempt(asked)
            while isinstance(found, Planned):
                found = attempt(asked, self._wait_for(found))
            if found is not CHANGED:
                list(self._round)
                remove_old_files(self.log)
                return told(found)

    def _wait_for(self, planned: Planned) -> object:
        """What the thread hands over: what the read gives or raises."""
        moment, read = self._moment, planned.later()
        turns = moment.turns if self.reads == moment.read else 0
        self.reads += 1
        if moment.is_late:
            list(islice(self._round, turns))
        try:
            return read()
        except Exception as error:
            return error
        finally:
            if not moment.is_late:
                list(islice(self._round, turns))


def told(found: object) -> object:
    """The bytes of records; everything else as it is."""
    if isinstance(found, StoredRecords | bytes | bytearray | memoryview):
        return bytes(found)
    return found


def remove_old_files(log: PartitionLog) -> None:
    disk = log.env.disk
    for name in disk.list_directory(log.directory):
        if name.endswith(DELETED):
            disk.remove(f"{log.directory}/{name}")


def turns_of_a_round() -> int:
    return sum(1 for _ in steps(filled()))


@pytest.mark.slow
@pytest.mark.parametrize("is_late", [False, True], ids=["read before", "read after"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_whatever_is_waited_for(name: str, is_late: bool) -> None:
    """501-10, CMP-13: at each read and each step of a round, the answer is the old or the new."""
    question, cleaned = QUESTIONS[name], filled()
    answers = [told(finish(question(filled())()))]
    compact(cleaned)
    answers.append(told(finish(question(cleaned)())))
    reads = 1
    read = 0
    while read < reads:
        reads = 0
        for turns in range(1, turns_of_a_round() + 1):
            asked = Asked(question, Moment(read, turns, is_late))
            assert asked.answer() in answers
            reads = max(reads, asked.reads)
            assert asked.log.failure is None
            assert read_all(asked.log) == read_all(cleaned)
            assert not asked.log.report.notes
            check_indexes(asked.log)
        read += 1
    assert read > 1, "several reads were waited for"


def check_indexes(log: PartitionLog) -> None:
    """They are those of the files as they are, in memory and on the disk."""
    for segment in log.segments.before(log.segments.active.base_offset):
        made = segment.with_new_indexes()
        for _ in range(2):
            assert list(segment.index.positions) == list(made.index.positions)
            assert list(segment.times.offsets) == list(made.times.offsets)
            segment.rest()


@pytest.mark.parametrize("is_late", [False, True], ids=["read before", "read after"])
@pytest.mark.parametrize("name", ["bytes at 5", "lent at 5", "aborted", "time"])
def test_files_that_get_their_last_names(name: str, is_late: bool) -> None:
    """501-10, CMP-13: what is waited for under the names of an exchange is not missed."""
    question, cleaned = QUESTIONS[name], filled()
    compact(cleaned)
    before, after = (told(finish(question(log)())) for log in (filled(), cleaned))
    for begun in turns_under_other_names():
        for read in range(5):
            asked = Asked(question, Moment(read, 3, is_late, begun))
            assert asked.answer() in (before, after)
            assert asked.log.failure is None
            assert read_all(asked.log) == read_all(cleaned)
            asked.log.rest_files()
            assert read_all(asked.log) == read_all(cleaned)


def turns_under_other_names() -> list[int]:
    log = filled()
    return [
        number
        for number, _ in enumerate(steps(log), 1)
        if any(segment.mark for segment in log.segments)
    ]


@pytest.mark.parametrize("turns", range(1, turns_of_a_round() + 1))
def test_an_index_that_is_made_again(turns: int) -> None:
    """501-10, CMP-13: what was made for the old segment is not held against the new one."""
    log = filled()
    first = log.segments[0]
    log.env.disk.write_file_atomically(first.path(OFFSET_INDEX), b"\xff" * 16)
    going_on = steps(log)
    asked = unless_changed(
        log.reader.finding(2, 100, log.log_end_offset), lambda: log.reader.changes
    )
    planned = attempt(asked)
    assert isinstance(planned, Planned)
    given = planned.wait()
    list(islice(going_on, turns))
    found = attempt(asked, given)
    while isinstance(found, Planned):
        found = attempt(asked, found.wait())
    list(going_on)
    assert log.failure is None
    check_indexes(log)


@pytest.mark.parametrize("is_late", [False, True], ids=["read before", "read after"])
def test_a_cut_that_is_foreseen(is_late: bool) -> None:
    """279-01, CMP-13: at each step of a round it is done as foreseen, or found out anew."""
    outcomes = set()
    for turns in range(1, turns_of_a_round() + 1):
        log, expected = filled(), filled()
        log.high_watermark = CUT_AT  # nothing behind it is cleaned, nor supersedes what is
        expected.truncate_to(CUT_AT)
        going_on = steps(log)
        cutting = log.try_truncate(CUT_AT)
        assert isinstance(cutting, Cutting)
        cut = None if is_late else cutting()
        list(islice(going_on, turns))
        if cut is None:
            cut = read_late(cutting)
        outcomes.add("done" if log.try_truncate(CUT_AT, cut) is None else "anew")
        finish_round(going_on)
        log.truncate_to(CUT_AT)
        assert (log.failure, log.log_end_offset) == (None, expected.log_end_offset)
        append(log, keyed((b"more", b"1")))
        append(expected, keyed((b"more", b"1")))
        assert table_of(log) == table_of(expected)
        check_indexes(log)
    assert outcomes == {"done", "anew"}


def read_late(cutting: Cutting) -> Cut | None:
    try:
        return cutting()
    except OSError:
        assert cutting.is_outdated, "the files have other names, and no disk is to blame"
        return None


def finish_round(going_on: Iterator[str]) -> None:
    """To its end, or until it is given up since the log was cut."""
    try:
        list(going_on)
    except CompactionAbandonedError:
        return


def test_no_cut_right_behind_an_exchange() -> None:
    """CMP-13: the segment before it would be written to, and leave the log with all of that."""
    log = filled()
    upto = log.segments.active.base_offset
    for _ in steps(log):
        if log.compaction.exchanged_upto == upto:
            with pytest.raises(KafkaError, match="are exchanged now"):
                log.truncate_to(upto)
    assert log.truncate_to(upto) == upto
    append(log, keyed((b"more", b"1")))
    assert table_of(log)[b"more"] == b"1"
