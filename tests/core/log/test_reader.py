"""Reading a log by offset: the bounds, and what is remembered of the reads before."""

from __future__ import annotations

import pytest
from kit.logs import offsets_of, split

from barnabas.broker.core.log import reader as module
from barnabas.broker.core.log.failures import LogDirectoryFailure, LogHealth
from barnabas.broker.core.log.log_start import LogStart
from barnabas.broker.core.log.reader import LogReader
from barnabas.broker.core.log.segment import NEVER
from barnabas.protocol.errors import ErrorCode, KafkaError

from .parts import FOLDER, Parts, write

ENDS = (0, 13)


class Reading(Parts):
    """One-record batches at 0, 4, 9 and 12, each in a segment of its own."""

    def __init__(self) -> None:
        super().__init__(0, 4, 9, 12)
        write(self.segments.active)
        self.health = LogHealth(FOLDER)
        self.reader = LogReader("t-0", self.segments, self.health)

    def read(self, offset: int, upper: int = 13) -> list[int]:
        """Base offsets of what a read finds."""
        found = self.reader.find(
            offset, 1000, upper, ENDS, at_least_one_batch=True, lent_from=NEVER
        )
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

    monkeypatch.setattr(module, "find_batch", refuse)
    found = log.reader.find(13, 1000, 14, (0, 14), at_least_one_batch=True, lent_from=NEVER)
    assert bytes(found) == raw
    known = log.reader.end_at(13)
    assert known is not None
    assert (known.segment, known.position) == (log.segments.active, len(raw))
    log.reader.forget()
    assert log.reader.end_at(13) is None
    with pytest.raises(AssertionError, match="looked for"):
        log.read(12)


def test_a_disk_that_does_not_read() -> None:
    """P-14: the log takes no more writes; the reason is the first failure."""
    log = Reading()
    log.disk.faults.read_error = 1.0
    with pytest.raises(LogDirectoryFailure, match="reading /d/t-0 failed"):
        log.read(0)
    assert log.health.failure is not None


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
