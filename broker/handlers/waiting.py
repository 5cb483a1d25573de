"""Answers that must wait (for a high watermark, bytes or a deadline), and work done in slices.

A handler that cannot answer yet returns a `Waiting`. That is neither a task nor a future: whoever
knows that the time has come calls `finish`, which calls the connection back with the answer.

A request of very many partitions is worked on in slices, so that other requests need not wait for
all of it: the work is a generator that yields now and then, and is run through at once or with
pauses. It also yields what it needs from the disk (`core/at_hand.py`), and goes on when that has
been loaded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from barnabas.protocol.message import Message

from ..core.at_hand import NotAtHandError

Answer = TypeVar("Answer")


class Cancellable(Protocol):
    """What `call_later` gives back."""

    def cancel(self) -> None: ...


class Timers(Protocol):
    """Where a `Waiting` gets its timers."""

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback on the event loop once `delay_ms` milliseconds have passed."""
        ...


class Loader(Protocol):
    """Reads on a thread for those that must not wait for a disk."""

    def load(self, missing: NotAtHandError, done: Callable[[], object]) -> None:
        """Read what is not at hand on a thread, then call `done` on the event loop.

        Never calls it before it returns, nor after the broker has stopped.
        """
        ...


SLICE = 256
"""Partitions that are worked on before other requests get their turn; about a millisecond."""


Steps = Iterator[NotAtHandError | None]
"""Work that yields None where others may have a turn, or what must be loaded before it goes on."""


def at_once(steps: Steps) -> NotAtHandError | None:
    """Run through short work; None if it is done, else what must be loaded before it can go on."""
    for missing in steps:
        if missing is not None:
            return missing
    return None


async def in_slices(node: Loader, steps: Steps, stopped_at: NotAtHandError | None = None) -> None:
    """Run through long work, with a turn of the event loop for others at every step.

    `stopped_at`: what `at_once` returned, if it began the work.
    """
    if stopped_at is not None:
        await loaded(node, stopped_at)
    for missing in steps:
        if missing is None:
            await asyncio.sleep(0)
        else:
            await loaded(node, missing)


async def loaded(node: Loader, missing: NotAtHandError) -> None:
    """Return when `missing` has been loaded."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    node.load(missing, lambda: None if done.done() else done.set_result(None))
    await done


class Late:
    """An answer that is made only when its turn to leave has come, because it is large."""

    __slots__ = ()

    @property
    def row_count(self) -> int:
        """How many rows it will have."""
        raise NotImplementedError

    def make(self) -> Message:
        """The answer; called once, and again after a NotAtHandError."""
        raise NotImplementedError

    def put_down(self) -> None:
        """Its turn has not come: free what is large; `make` reads it again."""
        raise NotImplementedError


class Waiting(Generic[Answer]):
    """An answer that will come later; exactly one of `finish` and `abandon` ends the wait."""

    __slots__ = ("_answer", "_callback", "_is_done", "_timer")

    def __init__(self) -> None:
        self._answer: Answer | None = None
        self._callback: Callable[[Answer], object] | None = None
        self._is_done = False
        self._timer: Cancellable | None = None

    @property
    def is_done(self) -> bool:
        """True after `finish` or `abandon`."""
        return self._is_done

    def on_done(self, callback: Callable[[Answer], object]) -> None:
        """Call back with the answer, at once if it is there already. Only one callback is kept."""
        assert self._callback is None, "a second reader of one answer"
        if self._answer is not None:
            callback(self._answer)
        else:
            self._callback = callback

    def wait_at_most(self, node: Timers, delay_ms: float) -> None:
        """Call `on_timeout` after `delay_ms` milliseconds unless it has ended before."""
        self._timer = node.call_later(delay_ms, self._expire)

    def finish(self, answer: Answer) -> None:
        """Hand over the answer; a second call changes nothing."""
        if self._is_done:
            return
        self._end()
        self._answer = answer
        if self._callback is not None:
            self._callback(answer)

    def abandon(self) -> None:
        """Nobody waits for the answer any more, since the connection is gone."""
        if not self._is_done:
            self._end()

    def on_timeout(self) -> None:
        """The deadline has come; a subclass answers here."""
        raise NotImplementedError

    def on_end(self) -> None:
        """The wait is over: a subclass removes itself from everything that would have woken it."""

    def _expire(self) -> None:
        self._timer = None
        if not self._is_done:
            self.on_timeout()

    def _end(self) -> None:
        self._is_done = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.on_end()


async def awaited(waiting: Waiting[Answer]) -> Answer:
    """The answer, for a caller that has a task to wait in; if that is cancelled, so is the wait."""
    late: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def finish(answer: Answer) -> None:
        if not late.done():
            late.set_result(answer)

    waiting.on_done(finish)
    try:
        return await late
    finally:
        waiting.abandon()
