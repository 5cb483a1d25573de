"""The one place where answers wait: for a high watermark, for bytes, or for a deadline.

A handler that cannot answer yet returns a `Waiting`. It is no task and no future: whoever knows
that the moment has come calls `finish`, and the answer leaves by the callback of the connection.

A request of very many partitions is worked on in slices, so that nobody else waits for all of it:
its work is a generator that yields now and then, run through at once or with pauses. It also
yields what it needs from a disk (`core/at_hand.py`), and goes on when that was loaded.
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
    """What knows the time, as a `Waiting` uses it."""

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback on the event loop once `delay_ms` milliseconds have passed."""
        ...


class Loader(Protocol):
    """What reads for those that may not wait for a disk themselves."""

    def load(self, missing: NotAtHandError, done: Callable[[], object]) -> None:
        """Read what is not at hand on a thread, then call `done` on the event loop.

        Never calls it before it returns, nor after the broker has stopped.
        """
        ...


SLICE = 256
"""Partitions that are worked on before others get their turn; about a millisecond."""


Steps = Iterator[NotAtHandError | None]
"""Work: None where others may have a turn, or what must be loaded before it can go on."""


def at_once(steps: Steps) -> NotAtHandError | None:
    """Run through work that is short, up to what must be loaded first; None: all is done."""
    for missing in steps:
        if missing is not None:
            return missing
    return None


async def in_slices(node: Loader, steps: Steps, stopped_at: NotAtHandError | None = None) -> None:
    """Run through work that is long, and let the event loop go on at every step.

    `stopped_at` is what `at_once` could not go on without.
    """
    if stopped_at is not None:
        await loaded(node, stopped_at)
    for missing in steps:
        if missing is None:
            await asyncio.sleep(0)
        else:
            await loaded(node, missing)


async def loaded(node: Loader, missing: NotAtHandError) -> None:
    """Returns when it is at hand."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    node.load(missing, lambda: None if done.done() else done.set_result(None))
    await done


class Late:
    """An answer that is best made when its turn to leave has come, for it is large."""

    __slots__ = ()

    @property
    def row_count(self) -> int:
        """How many rows it will have."""
        raise NotImplementedError

    def make(self) -> Message:
        """The answer; called once, and again after a NotAtHandError."""
        raise NotImplementedError

    def put_down(self) -> None:
        """Its turn has not come: keep nothing large until then."""
        raise NotImplementedError


class Waiting(Generic[Answer]):
    """An answer that will come; exactly one of `finish` and `abandon` ends it."""

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
        """Call back with the answer; at once if it is there. One callback only."""
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
        """Nobody waits any more (the connection is gone): forget it."""
        if not self._is_done:
            self._end()

    def on_timeout(self) -> None:
        """The deadline has come; a subclass answers here."""
        raise NotImplementedError

    def on_end(self) -> None:
        """Take itself out of whatever would have woken it; a subclass says where."""

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
    """The answer, for who has a task of its own to wait in; cancelled, it is given up."""
    late: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def finish(answer: Answer) -> None:
        if not late.done():
            late.set_result(answer)

    waiting.on_done(finish)
    try:
        return await late
    finally:
        waiting.abandon()
