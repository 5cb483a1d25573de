"""Steps that need the disk: gone through at once, by a thread, or stopped and gone on with."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from barnabas.broker.core.reads import (
    CHANGED,
    Load,
    Planned,
    Read,
    Steps,
    attempt,
    finish,
    unless_changed,
)
from barnabas.testing.simulation.disk import SimulatedDisk, SimulatedFile


@pytest.fixture
def file() -> SimulatedFile:
    """Ten bytes; the disk says what is in memory as it is told to."""
    file = SimulatedDisk(Random(1)).open("/f", create=True)
    file.append([b"0123456789"])
    return file


def two_reads(file: SimulatedFile) -> Steps[bytes]:
    """The second read depends on the first; others have a turn between them."""
    first = yield Read(file, 2, 1)
    yield None
    second = yield Read(file, 3, int(first[:1]) + 4)
    return bytes(first + second)


def test_all_at_once(file: SimulatedFile) -> None:
    """501-10: what is in memory needs no thread, and what waits may wait."""
    assert attempt(two_reads(file)) == finish(two_reads(file)) == b"12567"


def test_they_go_on_from_where_they_were(file: SimulatedFile) -> None:
    """501-10: nothing is read twice, however often something must be waited for."""
    file._disk.faults.cold_reads = 1.0
    steps = two_reads(file)
    waited = []
    outcome = attempt(steps)
    while isinstance(outcome, Planned):
        assert isinstance(outcome, Read)
        waited.append((outcome.size, outcome.position))
        outcome = attempt(steps, outcome.later()())
    assert (outcome, waited) == (b"12567", [(2, 1), (3, 5)])


def test_an_error_is_raised_where_the_read_was(file: SimulatedFile) -> None:
    """Goal: EIO is for who asked to deal with, whoever did the read."""

    def careful() -> Steps[str]:
        try:
            yield Read(file, 1, 0)
        except OSError as error:
            return f"refused: {error.errno}"
        return "read"

    file._disk.faults.read_error = 1.0
    assert attempt(careful()) == finish(careful()) == "refused: 5"
    steps = careful()
    file._disk.faults.cold_reads = 1.0
    assert isinstance(attempt(steps), Read)
    assert attempt(steps, OSError(7, "planted")) == "refused: 7"
    with pytest.raises(OSError, match="planted"):
        attempt(two_reads_begun(file), OSError(7, "planted"))


def two_reads_begun(file: SimulatedFile) -> Steps[bytes]:
    steps = two_reads(file)
    assert isinstance(attempt(steps), Read)
    return steps


@pytest.mark.parametrize("is_decoding", [False, True])
def test_work_is_never_done_at_once(is_decoding: bool) -> None:
    """501-10: nobody knows how long a directory takes; a thread opens, or decodes."""

    def steps() -> Steps[int]:
        found: int = yield Load(partial(int, "41"), is_decoding=is_decoding)
        return found + 1

    begun = steps()
    missing = attempt(begun)
    assert isinstance(missing, Load)
    assert attempt(begun, missing.later()()) == finish(steps()) == 42


def test_what_changed_meanwhile_is_dropped(file: SimulatedFile) -> None:
    """279-01, 501-10: bytes of before a truncation are never answered after it."""
    file._disk.faults.cold_reads = 1.0
    standing: list[int] = []
    for new_standing, expected in ((7, b"12567"), (8, CHANGED)):
        standing[:] = [7]
        begun = two_reads(file)
        missing = attempt(begun)
        assert isinstance(missing, Read)
        steps = unless_changed(begun, lambda: standing[0], missing)
        assert attempt(steps) is missing
        again = attempt(steps, missing.wait())
        assert isinstance(again, Read)
        standing[:] = [new_standing]
        assert attempt(steps, again.wait()) == expected
        with pytest.raises(StopIteration):
            begun.send(None)  # closed, or at its end


def test_an_error_of_what_changed_is_nobody_s(file: SimulatedFile) -> None:
    """Goal: a file that has left the log may be gone; that is no failure of the disk."""
    standing = [7]
    steps = unless_changed(two_reads_cold(file), lambda: standing[0])
    assert isinstance(attempt(steps), Read)
    standing[0] = 8
    assert attempt(steps, FileNotFoundError(2, "planted")) is CHANGED


def two_reads_cold(file: SimulatedFile) -> Steps[bytes]:
    file._disk.faults.cold_reads = 1.0
    return two_reads(file)
