"""The simulated loop: virtual time, determinism, crashes, pauses, deadlocks."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from random import Random
from typing import Any

import pytest

from barnabas.testing.simulation.incarnation import CURRENT, Incarnation
from barnabas.testing.simulation.loop import (
    DeadlockError,
    ForbiddenInSimulationError,
    SimulatedLoop,
)
from barnabas.testing.simulation.world import simulated_world

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:coroutine")


@pytest.fixture
def loop() -> Iterator[SimulatedLoop]:
    yield from make_loop(7)


def make_loop(seed: int) -> Iterator[SimulatedLoop]:
    simulated = SimulatedLoop(Random(seed))
    gc.disable()
    try:
        yield simulated
    finally:
        simulated.close()
        gc.enable()


def run(loop: SimulatedLoop, coroutine: Coroutine[Any, Any, Any]) -> Any:
    return loop.run_until_complete(coroutine)


def test_ten_hours_pass_at_once(loop: SimulatedLoop) -> None:
    """Goal: sleeping costs nothing and time is exact."""
    run(loop, asyncio.sleep(36_000))
    assert loop.time() == 36_000


def test_deadlock_is_named(loop: SimulatedLoop) -> None:
    """Goal: a lost wake-up is an error at once, with the stacks of the tasks."""

    async def main() -> None:
        await loop.create_future()

    with pytest.raises(DeadlockError, match="nothing is ready"):
        run(loop, main())


def trace_of(seed: int) -> list[tuple[str, int]]:
    """Three nodes that wake at the same instants; the order between them is the seed's."""
    trace: list[tuple[str, int]] = []
    for simulated in make_loop(seed):

        async def node(name: str) -> None:
            for step in range(20):
                trace.append((name, step))
                await asyncio.sleep(0.001)

        async def main(loop: SimulatedLoop = simulated) -> None:
            tasks = [loop.spawn(Incarnation(name, 1), node(name)) for name in "abc"]
            for task in tasks:
                await task

        simulated.run_until_complete(main())
    return trace


def test_same_seed_same_order_other_seed_other_order() -> None:
    """Goal: a seed is a schedule, and different seeds are different schedules."""
    assert trace_of(1) == trace_of(1)
    assert trace_of(1) != trace_of(2)


def test_order_within_a_node_is_kept(loop: SimulatedLoop) -> None:
    """Goal: FIFO of call_soon holds inside one node, as asyncio promises."""
    seen: list[int] = []
    contexts = [loop.context_of(Incarnation(name, 1)) for name in "abc"]

    async def main() -> None:
        for number in range(30):
            loop.call_soon(seen.append, number, context=contexts[number % 3])
        await asyncio.sleep(1)

    run(loop, main())
    for lane in range(3):
        mine = [number for number in seen if number % 3 == lane]
        assert mine == sorted(mine)
    assert seen != sorted(seen)


def test_crash_runs_no_finally(loop: SimulatedLoop) -> None:
    """Goal: a crash must never flush, close politely or say good-bye."""
    done: list[str] = []
    victim = Incarnation("victim", 1)

    async def node() -> None:
        try:
            for _ in range(1000):
                await asyncio.sleep(0.01)
        finally:
            done.append("finally ran")

    async def main() -> None:
        loop.spawn(victim, node())
        await asyncio.sleep(0.105)
        loop.crash(victim)
        await asyncio.sleep(10)

    run(loop, main())
    assert done == []


def test_pause_holds_and_releases_in_order(loop: SimulatedLoop) -> None:
    """Goal: SIGSTOP: nothing runs, then everything that came due runs, late, in order."""
    beats: list[float] = []
    node = Incarnation("node", 1)

    async def beat() -> None:
        for _ in range(5):
            beats.append(round(loop.time(), 6))
            await asyncio.sleep(0.1)

    async def main() -> None:
        task = loop.spawn(node, beat())
        await asyncio.sleep(0.15)
        loop.pause(node, 5.0)
        await task

    run(loop, main())
    assert beats == [0.0, 0.1, 5.15, 5.25, 5.35]


def test_fast_clock_wakes_early(loop: SimulatedLoop) -> None:
    """Goal: a node whose clock runs 25 % fast sees its timers 20 % early (1.7)."""
    node = Incarnation("node", 1, clock_rate=1.25)

    async def main() -> None:
        await loop.spawn(node, asyncio.sleep(10))

    run(loop, main())
    assert loop.time() == 8.0


def test_executor_is_virtual(loop: SimulatedLoop) -> None:
    """Goal: blocking work takes virtual time and no thread."""

    async def main() -> int:
        return await loop.run_in_executor(None, lambda: 42)

    assert run(loop, main()) == 42
    assert loop.time() > 0


def test_the_real_world_is_forbidden(loop: SimulatedLoop) -> None:
    """Goal: threads and file descriptors are refused by name."""
    with pytest.raises(ForbiddenInSimulationError, match="threads"):
        loop.call_soon_threadsafe(print)


def test_other_threads_live_in_the_real_world() -> None:
    """Goal: a thread that was there before, of a Spark session say, does not end with an error."""
    with simulated_world(1), ThreadPoolExecutor(1) as others:
        assert others.submit(time.time).result() > 0
        with pytest.raises(ForbiddenInSimulationError):
            time.time()


def test_task_groups_cancel_in_creation_order(loop: SimulatedLoop) -> None:
    """Goal: sets of tasks iterate by creation, not by address (1.3)."""
    order: list[int] = []

    async def child(number: int) -> None:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            order.append(number)
            raise

    async def main() -> None:
        with pytest.raises(BaseExceptionGroup):
            async with asyncio.TaskGroup() as group:
                for number in range(12):
                    group.create_task(child(number))
                await asyncio.sleep(1)
                raise ValueError("stop")

    run(loop, main())
    assert order == list(range(12))


def test_an_empty_context_belongs_to_nobody(loop: SimulatedLoop) -> None:
    """Goal: what a node sets for the simulator runs when the node is dead (a context may be empty,
    and is then false)."""
    seen: list[Incarnation | None] = []

    async def node() -> None:
        loop.call_later(1, lambda: seen.append(CURRENT.get()), context=Context())
        loop.call_soon(lambda: seen.append(CURRENT.get()), context=Context())
        loop.call_soon(lambda: seen.append(CURRENT.get()))

    async def main() -> None:
        await loop.spawn(victim, node())
        await asyncio.sleep(0.5)
        loop.crash(victim)
        await asyncio.sleep(1)

    victim = Incarnation("victim", 1)
    run(loop, main())
    assert sorted(seen, key=repr) == sorted([None, None, victim], key=repr)
