"""Answers that must wait (for a high watermark, bytes or a deadline), and work done in slices.

A handler that cannot answer yet returns a `Waiting`. That is neither a task nor a future: whoever
knows that the time has come calls `finish`, which calls the connection back with the answer.

A request of very many partitions is worked on in slices, so that other requests need not wait for
all of it: the work is `Steps` (`core/reads.py`), gone through by `attempt`, or with pauses by
`in_slices`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar  # Any: each kind of read gives something else
from weakref import WeakKeyDictionary

from barnabas.protocol.message import Message

from ..core.reads import Planned, Steps

T = TypeVar("T")
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

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        """Do it on a thread, then call `done` on the event loop: with what it gave, or raised.

        Never calls it before it returns, nor after the broker has stopped.
        """
        ...


SLICE = 256
"""Partitions that are worked on before other requests get their turn; about a millisecond."""


async def in_slices(node: Loader, steps: Steps[T], missing: Planned | None = None) -> T:
    """Go through long work, with a turn of the event loop for others at every step; its result.

    `missing`: where `attempt` has stopped, if it began the work. Raises what the work raises.
    """
    try:
        planned = missing or steps.send(None)
        while True:
            if planned is None:
                await asyncio.sleep(0)
                planned = steps.send(None)
                continue
            given = await loaded(node, planned)
            if isinstance(given, BaseException):
                planned = steps.throw(given)
            else:
                planned = steps.send(given)
    except StopIteration as end:
        result: T = end.value
        return result


class Turns:
    """Gives others a turn while the rows of one answer are made."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = SLICE

    async def after(self, rows: int = 1) -> None:
        """So many rows were made; now and then others have their turn here."""
        self._left -= rows
        if self._left <= 0:
            self._left = SLICE
            await _lane().turn()


async def in_turns(rows: Iterable[T]) -> list[T]:
    """All rows, which are made one by one, with turns for others in between."""
    turns, made = Turns(), []
    for row in rows:
        made.append(row)
        await turns.after()
    return made


class _Lane:
    """Who makes a long answer waits here; one at a time goes on, so that a turn of the event loop
    takes no longer with hundreds of them."""

    __slots__ = ("_loop", "_queue")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: deque[asyncio.Future[None]] = deque()

    async def turn(self) -> None:
        """Return when it is this one's turn."""
        mine: asyncio.Future[None] = self._loop.create_future()
        self._queue.append(mine)
        if len(self._queue) == 1:
            self._loop.call_soon(self._next)
        await mine

    def _next(self) -> None:
        first = self._queue.popleft()
        if self._queue:
            self._loop.call_soon(self._next)
        if not first.done():
            first.set_result(None)


_lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Lane] = WeakKeyDictionary()


def _lane() -> _Lane:
    loop = asyncio.get_running_loop()
    found = _lanes.get(loop)
    if found is None:
        found = _lanes[loop] = _Lane(loop)
    return found


async def loaded(node: Loader, planned: Planned) -> Any:
    """What it gives, at once if nothing must be waited for; or the exception that it raised."""
    try:
        found = planned.now()
    except OSError as error:
        return error
    if found is not None:
        return found
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    node.load(planned, lambda given: None if done.done() else done.set_result(given))
    return await done


class Late:
    """An answer that is made only when its turn to leave has come, because it is large."""

    __slots__ = ()

    @property
    def row_count(self) -> int:
        """How many rows it will have."""
        raise NotImplementedError

    def making(self) -> Steps[Message]:
        """The answer; gone through once."""
        raise NotImplementedError

    def release(self) -> None:
        """Free what is large, since its turn has not come: `making` reads it again."""
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

    @property
    def weight(self) -> int:
        """About how many bytes it holds until it is answered, if that is the client's choice."""
        return 0

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
