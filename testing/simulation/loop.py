"""An asyncio event loop over virtual time, seeded, with nodes that can die, pause and drift."""

from __future__ import annotations

import asyncio
import itertools
from asyncio import events, format_helpers
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from heapq import heapify, heappop, heappush
from random import Random
from socket import AF_INET, IPPROTO_TCP, SOCK_STREAM
from typing import Any, TypeVar

from .connecting import Connecting
from .handles import OwnedHandle, OwnedTimer
from .incarnation import CURRENT, Incarnation
from .work import NOTED_S, STANDS_STILL_S, Work

T = TypeVar("T")
Owned = OwnedHandle | OwnedTimer

CANCELLED_TIMERS_MAX = 500
CALLBACKS_WITHOUT_TIME_MAX = 1_000_000
"""So many callbacks at one virtual instant are a livelock."""


class DeadlockError(AssertionError):
    """Nothing is ready, no timer is set, and the main coroutine is not done."""


class LivelockError(AssertionError):
    """Virtual time stands still while callbacks keep coming."""


class ForbiddenInSimulationError(AssertionError):
    """Product code asked for the real world (threads, file descriptors, signals)."""


class OrderedTask(asyncio.Task[Any]):
    """Hashed by its creation number in its loop: sets of tasks iterate alike in each run."""

    def __init__(self, *args: Any, loop: SimulatedLoop, **kwargs: Any) -> None:
        self._number = next(loop.task_numbers)
        context: Context | None = kwargs.get("context")
        self.owner = context.get(CURRENT) if context is not None else CURRENT.get()
        super().__init__(*args, loop=loop, **kwargs)

    def __hash__(self) -> int:
        return self._number

    def __eq__(self, other: object) -> bool:
        return self is other


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs everything of a simulated cluster in one thread; the same seed runs it the same way.

    `time()` is virtual and jumps to the next timer when nothing is ready. Ready callbacks of one
    node keep their order (asyncio promises it and code may rely on it); which node goes first is
    drawn from the seed. Network calls go to `network`; executors are a random virtual delay.
    """

    def __init__(self, random: Random) -> None:
        super().__init__()
        self.random = random
        self.network: Connecting | None = None
        self.now = 0.0
        self.callbacks_run = 0
        self.work = Work()
        self.on_standstill: Callable[[Incarnation, float, str], object] = lambda *_: None
        """Told of a callback of a node that worked for too long."""
        self.task_numbers = itertools.count()
        self.executor_delay_s = (0.00001, 0.002)
        self.executor_delay_of: Callable[[Incarnation | None], float] | None = None
        """How long blocking work of a node takes now, in seconds; None: as `executor_delay_s`."""
        self.unhandled: list[dict[str, Any]] = []
        self.morgue: list[Any] = []
        """What dead nodes had scheduled, kept referenced so that nothing of it is collected."""
        self._clock_resolution = 1e-9
        self._ready: deque[Owned] = deque()
        self._timers: list[tuple[float, int, OwnedTimer]] = []
        self._timers_set = 0
        self.own_context = Context()
        """Of what the simulator itself does."""
        self._timers_cancelled = 0
        self._same_instant = 0
        self.violation: AssertionError | None = None
        """Set by a check: the run ends with it before the next callback."""
        self.set_task_factory(self._make_task)
        self.set_exception_handler(self._record_unhandled)

    # -- time ---------------------------------------------------------------------------------

    def time(self) -> float:
        return self.now

    def call_soon(  # type: ignore[override]  # the base declares *args by TypeVarTuple
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> events.Handle:
        if self._closed:  # type: ignore[attr-defined]
            raise RuntimeError("the loop is closed")
        owner = CURRENT.get() if context is None else context.get(CURRENT)
        if context is None:
            context = copy_context() if owner is None else self.context_of(owner)
        handle = OwnedHandle(callback, args, self, context, owner)
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> events.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> events.TimerHandle:
        """A timer; a node whose clock runs fast sees it early, by its rate."""
        # An empty context is false: it must not be taken for none.
        owner = CURRENT.get() if context is None else context.get(CURRENT)
        if context is None:
            context = copy_context() if owner is None else self.context_of(owner)
        if owner is not None and when > self.now:
            when = self.now + (when - self.now) / owner.clock_rate
        return self.set_timer(when, callback, args, context, owner)

    def call_at_exactly(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        owner: Incarnation | None,
    ) -> events.TimerHandle:
        """A timer of `owner` in the time of the simulation, whatever the owner's clock does."""
        context = self.own_context if owner is None else self.context_of(owner)
        return self.set_timer(when, callback, args, context, owner)

    def set_timer(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: Context,
        owner: Incarnation | None,
    ) -> OwnedTimer:
        """The same with all that is known; `context` is of `owner`."""
        timer = OwnedTimer(when, callback, args, self, context, owner)
        # Tuples are compared without a call; equal times keep the order in which they were set.
        self._timers_set += 1
        heappush(self._timers, (when, self._timers_set, timer))
        return timer

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        del handle
        self._timers_cancelled += 1
        if self._timers_cancelled > CANCELLED_TIMERS_MAX:
            # Timeouts are set for long and cancelled soon: they would fill the heap.
            self._timers[:] = [entry for entry in self._timers if not entry[2]._cancelled]
            heapify(self._timers)
            self._timers_cancelled = 0

    # -- one turn -----------------------------------------------------------------------------

    def _run_once(self) -> None:
        """Turns until somebody stops the loop.

        A turn runs what is ready; what becomes ready by that waits for the next one.
        """
        ready, timers, run = self._ready, self._timers, self._run_handle
        while not self._stopping:  # type: ignore[attr-defined]
            if self.violation is not None:
                raise self.violation
            if not ready:
                timer = self._advance()
                if not timers or timers[0][0] > self.now:
                    run(timer)
                    continue
                ready.append(timer)
            now = self.now
            while timers and timers[0][0] <= now:
                timer = heappop(timers)[2]
                if not timer._cancelled:
                    ready.append(timer)
            if len(ready) == 1:
                run(ready.popleft())
                continue
            for handle in self._draw_order():
                run(handle)

    def _advance(self) -> OwnedTimer:
        """Take the next timer, whose time it is from now on."""
        timers = self._timers
        while timers:
            when, _, timer = heappop(timers)
            if not timer._cancelled:
                if when > self.now:
                    self.now = when
                    self._same_instant = 0
                return timer
        raise DeadlockError("deadlock: nothing is ready and no timer is set\n" + self.stacks())

    def _draw_order(self) -> list[Owned]:
        """What is ready now: interleaved between nodes by the seed, in order within each node."""
        ready = list(self._ready)
        self._ready.clear()
        first = ready[0].owner if ready else None
        if all(handle.owner is first for handle in ready):
            return ready
        queues: dict[Incarnation | None, deque[Owned]] = {}
        for handle in ready:
            queues.setdefault(handle.owner, deque()).append(handle)
        lanes = list(queues.values())
        drawn: list[Owned] = []
        while lanes:
            index = int(self.random.random() * len(lanes))
            drawn.append(lanes[index].popleft())
            if not lanes[index]:
                lanes.pop(index)
        return drawn

    def _run_handle(self, handle: Owned) -> None:
        if handle._cancelled:
            return
        owner = handle.owner
        if owner is not None:
            if owner.is_dead:
                self.morgue.append(handle)
                return
            if owner.paused_until is not None:
                owner.held.append(handle)
                return
        self.callbacks_run += 1
        self._same_instant += 1
        if self._same_instant > CALLBACKS_WITHOUT_TIME_MAX:
            raise LivelockError(f"livelock at {self.now:.6f} s\n" + self.stacks())
        # As Handle._run does it, which costs a call more: 2 % of a run.
        callback: Any = handle._callback
        try:
            handle._context.run(callback, *handle._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._report(handle, error)
        if self.work.seconds or self.work.waited_s:
            self._hold_up(owner)

    def _hold_up(self, owner: Incarnation | None) -> None:
        """What the callback did took its time, in which nothing else of its node runs."""
        seconds, waited_s, kind = self.work.take()
        if owner is None or owner.is_dead:
            return
        if seconds > STANDS_STILL_S:
            self.on_standstill(owner, seconds, kind)
        owner.owed_s += seconds + waited_s
        if owner.owed_s >= NOTED_S:
            owed_s, owner.owed_s = owner.owed_s, 0.0
            self.pause(owner, owed_s)

    def _report(self, handle: Owned, error: BaseException) -> None:
        source = format_helpers._format_callback_source(handle._callback, handle._args)
        message = f"Exception in callback {source}"
        self.call_exception_handler({"message": message, "exception": error, "handle": handle})

    # -- nodes --------------------------------------------------------------------------------

    def context_of(self, incarnation: Incarnation) -> Context:
        """The context in which all that is scheduled belongs to `incarnation`; one for all."""
        context = incarnation.context
        if context is None:
            context = incarnation.context = Context()
            context.run(CURRENT.set, incarnation)
        return context

    def spawn(self, incarnation: Incarnation, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine as part of a node."""
        return self.create_task(coroutine, context=self.context_of(incarnation))

    def crash(self, incarnation: Incarnation) -> None:
        """From now on nothing of this incarnation runs; its tasks are kept, not cancelled."""
        incarnation.is_dead = True
        self.morgue.extend(incarnation.held)
        incarnation.held.clear()
        tasks = asyncio.all_tasks(self)
        self.morgue.extend(
            t for t in tasks if isinstance(t, OrderedTask) and t.owner is incarnation
        )

    def pause(self, incarnation: Incarnation, seconds: float) -> None:
        """Hold everything of a node for a while (SIGSTOP, a long garbage collection)."""
        assert not incarnation.is_dead
        until = self.now + seconds
        incarnation.hold_up(self.now, until)
        if incarnation.paused_until is None or until > incarnation.paused_until:
            incarnation.paused_until = until
            self.call_at_exactly(until, self._resume, incarnation, until, owner=None)

    def _resume(self, incarnation: Incarnation, until: float) -> None:
        if incarnation.is_dead or incarnation.paused_until != until:
            return
        incarnation.paused_until = None
        self._ready.extend(incarnation.held)
        incarnation.held.clear()

    # -- executors, tasks, errors -------------------------------------------------------------

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """The function runs on the loop, a random virtual delay later: a pool without threads."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        if self.executor_delay_of is not None:
            delay_s = self.executor_delay_of(CURRENT.get())
        else:
            delay_s = self.random.uniform(*self.executor_delay_s)
        self.call_later(delay_s, self._run_blocking, future, func, args)
        return future

    def _run_blocking(self, future: asyncio.Future[T], func: Callable[..., T], args: Any) -> None:
        if future.cancelled():
            return
        self.work.is_on_thread = True
        try:
            result = func(*args)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            self.work.is_on_thread = False

    def _make_task(self, loop: Any, coroutine: Any, **kwargs: Any) -> asyncio.Task[Any]:
        assert loop is self
        return OrderedTask(coroutine, loop=self, **kwargs)

    def _record_unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        del loop
        self.unhandled.append(context)

    def stacks(self) -> str:
        """Where every task stands, for the reports of deadlocks and livelocks."""
        lines = []
        for task in sorted(asyncio.all_tasks(self), key=hash):
            frames = task.get_stack(limit=3)
            where = " < ".join(f"{f.f_code.co_qualname}:{f.f_lineno}" for f in reversed(frames))
            lines.append(f"  {task.get_name()}: {where}")
        return "\n".join(lines[:200])

    # -- network: the loop's own API is the seam ----------------------------------------------

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        assert self.network is not None, "this simulation has no network"
        return await self.network.create_server(*args, **kwargs)

    async def create_connection(self, *args: Any, **kwargs: Any) -> Any:
        assert self.network is not None, "this simulation has no network"
        return await self.network.create_connection(*args, **kwargs)

    async def getaddrinfo(self, host: Any, port: Any, **kwargs: Any) -> Any:
        """Names are addresses here."""
        return [(AF_INET, SOCK_STREAM, IPPROTO_TCP, "", (host, port))]

    # -- what a simulated program must not do -------------------------------------------------

    def call_soon_threadsafe(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        raise ForbiddenInSimulationError("threads: call_soon_threadsafe")

    def add_reader(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        raise ForbiddenInSimulationError("file descriptors: add_reader")

    def add_writer(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        raise ForbiddenInSimulationError("file descriptors: add_writer")

    def add_signal_handler(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        raise ForbiddenInSimulationError("signals: add_signal_handler")

    async def shutdown_default_executor(self, *args: Any, **kwargs: Any) -> None:
        """There is none."""

    def _process_events(self, event_list: Any) -> None:
        del event_list

    def _write_to_self(self) -> None:
        """Nothing sleeps in a selector, so nothing has to be woken."""
