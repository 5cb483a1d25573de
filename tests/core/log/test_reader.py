"""Reading a log by offset: the bounds, and what is remembered of the reads before."""

from __future__ import annotations

import errno

import pytest
from kit.log_batches import BASE_TIME, Batch
from kit.logs import offsets_of, split

from barnabas.broker.core.log import reader as module
from barnabas.broker.core.log.failures import LogDirectoryFailure, LogHealth
from barnabas.broker.core.log.log_start import LogStart
from barnabas.broker.core.log.reader import LogReader
from barnabas.broker.core.reads import Planned, attempt, finish
from barnabas.protocol.errors import ErrorCode, KafkaError

from .parts import FOLDER, Parts, write

ENDS = (0, 13)


class Reading(Parts):
    """One-record batches at 0, 4, 9 and 12, each in a segment of its own."""

    def __init__(self) -> None:
        super().__init__(0, 4, 9, 12)
        write(self.segments.active)
        self.health = LogHealth(FOLDER)
        self.offsets: tuple[int, int] = ENDS
        self.reader = LogReader("t-0", self.segments, self.health, lambda: self.offsets)

    def read(self, offset: int, upper: int = 13) -> list[int]:
        """Base offsets of what a read finds."""
        found = finish(self.reader.finding(offset, 1000, upper))
        return [offsets_of(raw)[0] for raw in split(bytes(found))]


def test_the_batch_at_an_offset_or_behind_it() -> None:
    """74-01: holes between batches are passed over; what reaches the upper offset is not read."""
    log = Reading()
    assert [log.read(offset) for offset in (0, 1, 4, 9, 12)] == [[0], [4], [4], [9], [12]]
    assert log.read(12, upper=12) == log.read(13) == []


@pytest.mark.parametrize("offset", [-1, 14])
def test_out_of_range(offset: int) -> None:
    """Goal: below the start and above the end there is nothing, and the answer says so."""
    with pytest.raises(KafkaError, match="0 to 13") as refused:
        Reading().read(offset)
    assert refused.value.code == ErrorCode.OFFSET_OUT_OF_RANGE


def test_the_next_read_goes_on_without_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a reader that follows the log's end needs no index; a cut makes all look again."""
    log = Reading()
    log.read(12)
    raw = bytes(log.segments.active.file.pread(1000, 0))
    write(log.segments.active)

    def refuse(*_: object) -> int:
        raise AssertionError("it is looked for")

    monkeypatch.setattr(module, "finding_batch", refuse)
    log.offsets = (0, 14)
    found = finish(log.reader.finding(13, 1000, 14))
    assert bytes(found) == raw
    known = log.reader.end_at(13)
    assert known is not None
    assert (known.segment, known.position) == (log.segments.active, len(raw))
    log.reader.forget()
    assert log.reader.end_at(13) is None
    with pytest.raises(AssertionError, match="looked for"):
        log.read(12)


def test_what_is_appended_while_a_read_waits_is_not_in_it() -> None:
    """392-05, 501-15: no record beyond the upper offset, and no wrong end of the log is kept."""
    log = Reading()
    active = log.segments.active
    raw = bytes(active.file.pread(1000, 0))
    log.disk.faults.cold_reads = 1.0
    steps = log.reader.finding(12, 1000, 13)
    outcome = attempt(steps)
    while isinstance(outcome, Planned):
        given, (_, end) = outcome.wait(), log.offsets
        more = Batch(base_offset=end, leader_epoch=0).encoded
        active.append((more,), len(more), end, BASE_TIME)
        log.offsets = (0, end + 1)
        outcome = attempt(steps, given)
    assert bytes(outcome) == raw
    assert log.offsets[1] > 14
    assert log.reader.end_at(13) is None


def test_a_search_is_of_the_log_that_it_began_in() -> None:
    """279-01: a cut, and segments that leave, are told to who has begun to read."""
    log = Reading()
    before = log.reader.changes
    log.read(12)
    assert log.reader.changes == before
    log.reader.forget_places()
    log.reader.forget()
    assert log.reader.changes == before + 2


def test_a_segment_that_rests_while_a_read_waits_is_opened_again() -> None:
    """501-10: others read elsewhere in the log meanwhile; that takes time and gives no error."""
    log = Reading()
    for segment in log.segments:
        segment.rest()
    log.disk.faults.cold_reads = 1.0
    steps = log.reader.finding(4, 1000, 13)
    outcome = attempt(steps)
    waits = 0
    while isinstance(outcome, Planned):
        waits += 1
        later = outcome.later()
        if waits < 4:
            log.segments[1].rest()
        outcome = attempt(steps, later())
    assert offsets_of(split(bytes(outcome))[0])[0] == 4
    assert waits > 3


def test_a_disk_that_does_not_read() -> None:
    """P-14: the log takes no more writes; the reason is the first failure."""
    log = Reading()
    log.disk.faults.read_error = 1.0
    with pytest.raises(LogDirectoryFailure, match="reading /d/t-0 failed"):
        log.read(0)
    assert log.health.failure is not None


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
def test_a_lack_of_descriptors_says_nothing_of_the_disk(number: int) -> None:
    """P-14: the read is answered KAFKA_STORAGE_ERROR, and the log goes on; any other error of the
    same kind of read takes it offline."""
    log = Reading()
    log.disk.faults.cold_reads = 1.0
    for code in (number, errno.EIO):
        steps = log.reader.finding(4, 1000, 13)
        assert isinstance(attempt(steps), Planned)
        with pytest.raises(KafkaError) as refused:
            attempt(steps, OSError(code, "planted"))
        assert refused.value.code == ErrorCode.KAFKA_STORAGE_ERROR
        assert (log.health.failure is None) == (code == number)
        assert isinstance(refused.value, LogDirectoryFailure) == (code != number)
        assert log.read(4) == [4]


def test_the_start_of_a_log() -> None:
    """C9: it moves up, and its epochs with it; a cut below it takes it along, and tells nobody."""
    parts = Parts()
    for epoch, offset in ((1, 0), (2, 5)):
        parts.opening.epochs.assign(epoch, offset)
    told: list[int] = []
    start = LogStart(parts.opening, LogHealth(FOLDER), told.append)
    start.move_to(7)
    assert (start.offset, told, parts.opening.epochs.entries()) == (7, [7], [(2, 7)])
    start.cut_at(9)
    assert start.offset == 7
    start.cut_at(3)
    assert start.offset == 3
    start.restart_at(40)
    assert (start.offset, told) == (40, [7])
