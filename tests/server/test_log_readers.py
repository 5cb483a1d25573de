"""Reads that wait for a free thread: none has a descriptor before its turn comes."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock
from typing import Any

from kit.waiting import PATIENCE_S, until

from barnabas.broker.core.reads import Planned
from barnabas.broker.server.log_readers import LogReaders


class Disk:
    """Gives nothing until it is let, and counts the descriptors that reads hold meanwhile."""

    def __init__(self) -> None:
        self.goes_on = Event()
        self.begun: list[int] = []
        self.given: dict[int, object] = {}
        self.held_at_most = 0
        self._held = 0
        self._lock = Lock()

    def hold(self, by: int) -> None:
        with self._lock:
            self._held += by
            self.held_at_most = max(self.held_at_most, self._held)

    def ask(self, readers: LogReaders, number: int, *, fails: bool = False) -> None:
        """Have `number` read, which cannot begin if it `fails`."""
        done = partial(self.given.__setitem__, number)
        readers.load(ReadOf(self, number, fails=fails), done)


class ReadOf(Planned):
    """A read that gives its own number, and has a descriptor from `later` to its end."""

    __slots__ = ("_disk", "_fails", "_number")

    def __init__(self, disk: Disk, number: int, *, fails: bool) -> None:
        self._disk = disk
        self._number = number
        self._fails = fails

    def later(self) -> Callable[[], Any]:
        self._disk.begun.append(self._number)
        if self._fails:
            raise OSError(errno.EMFILE, "planted")
        self._disk.hold(1)
        return self._read

    def _read(self) -> int:
        assert self._disk.goes_on.wait(PATIENCE_S)
        self._disk.hold(-1)
        return self._number


@contextmanager
def reading(threads: int) -> Iterator[tuple[Disk, LogReaders]]:
    """A disk that stands still, and so many threads that read from it."""
    disk, readers = Disk(), LogReaders(threads)
    try:
        yield disk, readers
    finally:
        readers.stop()
        disk.goes_on.set()


async def test_who_waits_for_a_thread_holds_no_descriptor() -> None:
    """Goal: however many fetches wait for a slow disk, no more files are open for them than there
    are threads; all are answered, and begun in the order in which they came."""
    with reading(2) as (disk, readers):
        for number in range(50):
            disk.ask(readers, number)
        assert disk.begun == [0, 1]
        disk.goes_on.set()
        await until(lambda: len(disk.given) == 50)
        assert disk.given == {number: number for number in range(50)}
        assert disk.begun == list(range(50))
        assert disk.held_at_most == 2


async def test_reads_that_cannot_begin_hold_up_nobody() -> None:
    """Goal: who finds no descriptor when its turn comes is told so, and the next one goes on."""
    with reading(1) as (disk, readers):
        for number in range(6):
            disk.ask(readers, number, fails=number in (1, 2, 4))
        assert disk.begun == [0]
        disk.goes_on.set()
        await until(lambda: len(disk.given) == 6)
        refused = {number for number, given in disk.given.items() if isinstance(given, OSError)}
        assert refused == {1, 2, 4}
        assert [disk.given[number] for number in (0, 3, 5)] == [0, 3, 5]
        disk.ask(readers, 6)
        await until(lambda: 6 in disk.given)
