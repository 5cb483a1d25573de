"""CPU time and waits on virtual time: charged by what was done, and a loop that stands is seen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.protocol import checksum
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.work import Work, charged


@pytest.fixture
def loop() -> Iterator[SimulatedLoop]:
    made = SimulatedLoop(Random(1))
    yield made
    made.close()


def run(loop: SimulatedLoop, node: Incarnation, work: Any) -> list[float]:
    """When a second callback of the node runs, and one of another node, after `work`."""
    other = Incarnation("node-2", 1)
    times: list[float] = []
    loop.call_soon(work, context=loop.context_of(node))
    loop.call_later(0.01, lambda: times.append(loop.now), context=loop.context_of(node))
    loop.call_later(0.01, lambda: times.append(loop.now), context=loop.context_of(other))
    loop.call_later(5.0, loop.stop)
    loop.run_forever()
    return times


def test_work_holds_up_its_own_node_only(loop: SimulatedLoop) -> None:
    """Goal: what a callback costs passes before the next one of its node."""
    node = Incarnation("node-1", 1)
    times = run(loop, node, lambda: loop.work.charge("decode", 0.5))
    assert sorted(times) == [0.01, 0.5]


def test_a_loop_that_stands_still_is_told_of(loop: SimulatedLoop) -> None:
    """Goal: more than a second of work in one go is a fault, whatever it is."""
    told: list[tuple[str, float, str]] = []
    loop.on_standstill = lambda owner, seconds, kind: told.append((owner.node, seconds, kind))
    run(loop, Incarnation("node-1", 1), lambda: loop.work.charge("decode", 1.5))
    assert told == [("node-1", 1.5, "decode")]


def test_a_wait_for_a_disk_is_no_work(loop: SimulatedLoop) -> None:
    """Goal: a disk that stalls holds its caller up, and is nobody's fault."""
    told: list[object] = []
    loop.on_standstill = lambda *what: told.append(what)
    times = run(loop, Incarnation("node-1", 1), lambda: loop.work.wait(2.0))
    assert (sorted(times), told) == ([0.01, 2.0], [])


def test_what_gathered_while_a_node_stood_still_is_worked_off(loop: SimulatedLoop) -> None:
    """Goal: until its first rest after it stood still a node is late by what it had to do first
    (seed 484944: 12 connections with 90 requests each, after 21 s without a disk)."""
    node, seen = Incarnation("node-1", 1), list[float]()

    def in_node(at_s: float, work: Any) -> None:
        loop.call_at(at_s, work, context=loop.context_of(node))

    in_node(1.0, lambda: loop.work.wait(2.0))
    for at_s in (1.5, 2.0, 2.5):  # they run when the disk answers, one after the other
        in_node(at_s, lambda: loop.work.charge("disk", 0.01))
    in_node(2.9, lambda: seen.append(node.caught_up_s(3.0)))
    in_node(3.5, lambda: loop.work.charge("disk", 0.01))
    in_node(3.505, lambda: seen.append(node.caught_up_s(3.0)))
    loop.call_at(4.0, loop.stop)
    loop.run_forever()
    assert seen == [pytest.approx(3.03), 3.0]


def test_threads_cost_their_loop_nothing() -> None:
    """Goal: work in an executor, and of the simulator itself, is not charged."""
    work = Work()
    work.charge("decode", 1.0)
    assert work.take()[0] == 0.0


def test_checksums_are_charged_by_their_bytes(loop: SimulatedLoop) -> None:
    """Goal: wherever a module has the function by its name, it is charged, and only meanwhile."""
    node, holder = Incarnation("node-1", 1), SimpleNamespace(found=0)

    before = checksum.crc32c

    def hash_much() -> None:
        holder.found = checksum.crc32c(bytes(10_000_000))

    with charged(loop.work):
        times = run(loop, node, hash_much)
    assert max(times) == pytest.approx(0.01)
    assert loop.work.by_kind["checksum"] == pytest.approx(0.01)
    assert holder.found == checksum.crc32c(bytes(10_000_000))
    assert checksum.crc32c is before
