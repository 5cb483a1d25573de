"""Reads that are planned first, tried without waiting, and else left to a thread (501-10).

What needs the disk is written as a generator that yields one `Planned` after the other, receives
what each gave, and returns its result. Such steps do not know who waits:

- `finish` waits for each read: threads, and callers for whom waiting is right;
- `attempt` goes on as long as everything is in memory, and returns the first read that is not;
- whoever must not wait has a thread do that one (`Planned.later`), and calls `attempt` again with
  its result: the steps go on from where they were.

While a thread reads, what the steps rest on may change: a log is cut, a segment is exchanged.
`unless_changed` goes on only if nothing of the kind has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum, auto
from typing import Any, TypeVar  # Any: each kind of read gives something else

from .ports import Buffer, File

T = TypeVar("T")


class Planned:
    """Something that may have to be waited for, and is not begun yet."""

    __slots__ = ()

    def now(self) -> Any:
        """What it gives, or None if that would have to be waited for. Raises OSError."""
        raise NotImplementedError

    def wait(self) -> Any:
        """What it gives, however long it takes. Raises what the work raises."""
        raise NotImplementedError

    def later(self) -> Callable[[], Any]:
        """`wait` for another thread, whatever becomes of the file meanwhile. Raises OSError."""
        raise NotImplementedError


class Read(Planned):
    """Up to `size` bytes of an open file from `position` on."""

    __slots__ = ("file", "position", "size")

    def __init__(self, file: File, size: int, position: int) -> None:
        self.file = file
        self.size = size
        self.position = position

    def now(self) -> Buffer | None:
        return self.file.try_pread(self.size, self.position)

    def wait(self) -> Buffer:
        return self.file.pread(self.size, self.position)

    def later(self) -> Callable[[], Buffer]:
        return self.file.pread_later(self.size, self.position)


class Load(Planned):
    """Work that opens files and reads them; it changes nothing that others can see.

    With `is_decoding` it is not the disk but the processor that would hold others up. That is done
    on a separate thread, one piece at a time, so that no read waits behind it.
    """

    __slots__ = ("_work", "is_decoding")

    def __init__(self, work: Callable[[], Any], *, is_decoding: bool = False) -> None:
        """`work`: for any thread, and called once at most."""
        self._work = work
        self.is_decoding = is_decoding

    def now(self) -> None:
        """None: nobody knows whether directories and small files are in memory."""

    def wait(self) -> Any:
        return self._work()

    def later(self) -> Callable[[], Any]:
        return self._work


Steps = Generator[Planned | None, Any, T]
"""Yields what it needs, or None where others may have their turn; returns its result."""


class Changed(Enum):
    """What steps were about is no longer what it was when they were planned."""

    CHANGED = auto()


CHANGED = Changed.CHANGED


def attempt(steps: Steps[T], given: object = None) -> T | Planned:
    """Go on as long as nothing must be waited for: the result, or what is to be done first.

    `given`: what the read gave for which the steps stopped before, or the exception that it
    raised. Raises what the steps raise.
    """
    try:
        if isinstance(given, BaseException):
            planned = steps.throw(given)
        else:
            planned = steps.send(given)
        while True:
            if planned is None:
                planned = steps.send(None)
                continue
            try:
                found = planned.now()
            except OSError as error:
                planned = steps.throw(error)
                continue
            if found is None:
                return planned
            planned = steps.send(found)
    except StopIteration as end:
        result: T = end.value
        return result


def finish(steps: Steps[T]) -> T:
    """The result, however long the reads take. Raises what the steps raise."""
    try:
        planned = steps.send(None)
        while True:
            if planned is None:
                planned = steps.send(None)
                continue
            try:
                found = planned.wait()
            except Exception as error:
                planned = steps.throw(error)
                continue
            planned = steps.send(found)
    except StopIteration as end:
        result: T = end.value
        return result


def unless_changed(
    steps: Steps[T], standing: Callable[[], object], missing: Planned | None = None
) -> Steps[T | Changed]:
    """The same steps, until `standing()` is not what it was: then they are closed, and CHANGED.

    Asked whenever they go on; what was read for them meanwhile is dropped. `missing`: where
    `attempt` has stopped, if it has begun them.
    """
    before = standing()
    planned = missing
    try:
        if planned is None:
            planned = steps.send(None)
        while True:
            try:
                given = yield planned
            except Exception as error:
                if standing() != before:
                    return CHANGED
                planned = steps.throw(error)
                continue
            if standing() != before:
                return CHANGED
            planned = steps.send(given)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        steps.close()
