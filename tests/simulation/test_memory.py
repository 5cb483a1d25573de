"""Memory of simulated nodes: what is counted, and that limits are met, and missed when gone."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from functools import partial
from random import Random

import pytest

from barnabas.testing.simulation.heap import heap_bytes, size_of
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.link_profile import LinkProfile
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.network import SimulatedNetwork
from barnabas.testing.simulation.profile import QUIET
from barnabas.testing.simulation.run import Outcome, Plan, plan_for, run
from lab.mutants.drawn import RUNNER
from lab.programs import environment

LARGE = 100_000


class Keeper:
    """Has one thing."""

    def __init__(self, kept: object) -> None:
        self.kept = kept

    def get(self) -> object:
        return self.kept


def test_what_can_be_reached_is_counted_once() -> None:
    """I-28: through attributes, methods, partials and closures."""
    data = bytes(LARGE)
    keeper = Keeper(data)
    ways = [keeper, keeper.get, partial(len, data), lambda: data, [data].append]
    for way in ways:
        assert LARGE < size_of([way]) < LARGE + 2000
    assert size_of(ways) < LARGE + 5000


def test_what_all_share_is_not_counted() -> None:
    """I-28: code, classes and modules are no node's, nor is what the simulator keeps of one."""
    assert size_of([Keeper, size_of, json]) == 0
    assert size_of([Outcome(1, QUIET, plan_for(1).schedule, text="x" * LARGE)]) == 0


def test_tasks_and_timers_of_a_node_are_its_own() -> None:
    """I-28: what a coroutine or a timer holds counts for whoever started it."""
    loop = SimulatedLoop(Random(1))
    network = SimulatedNetwork(loop, Random(2), LinkProfile())
    one, other = Incarnation("node-1", 1), Incarnation("node-2", 1)

    async def hold(size: int) -> None:
        data = bytes(size)
        await asyncio.sleep(9.0)
        assert len(data) == size

    async def main() -> None:
        tasks = [loop.spawn(one, hold(LARGE)), loop.spawn(other, hold(1))]
        loop.call_at_exactly(9.0, partial(len, bytes(LARGE)), owner=one)
        await asyncio.sleep(0.1)
        assert heap_bytes(network, one, None) > 2 * LARGE
        assert heap_bytes(network, other, None) < LARGE
        for task in tasks:
            task.cancel()

    try:
        loop.run_until_complete(main())
    finally:
        loop.close()


def _hoarded(seed: int) -> Outcome:
    plan = plan_for(seed, QUIET, hoarders=4, duration_s=2.0, timeouts_divisor=10.0)
    return run(Plan(seed, plan.profile, plan.schedule))


@pytest.mark.slow
def test_hoarding_clients_meet_limits() -> None:
    """I-28: they have nodes hold more than those do by themselves, and no more than is allowed."""
    outcome = _hoarded(1)
    assert outcome.is_good, outcome.text
    assert outcome.figures["held_max"] > 4_000_000
    assert outcome.figures["acked"] > 10


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_limit_that_is_gone_is_missed() -> None:
    """I-28: a drawn seed with hoarders finds that sessions have no budget."""
    command = [sys.executable, "-m", RUNNER, "sessions-have-no-budget", "--seeds", "3..4"]
    variables = {**environment(), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert [json.loads(line)["rule"] for line in done.stdout.splitlines()] == ["I-28"]


@pytest.mark.slow
def test_controllers_of_their_own_are_looked_at() -> None:
    """I-28: a node without the role of a broker holds memory, too; looks go on to the end."""
    looks: list[float] = []
    profile = QUIET.replaced(controllers=3, producers=0, consumers=0, pollers=0, duration_s=6.0)
    plan = plan_for(1, profile)
    outcome = run(
        Plan(
            1,
            plan.profile,
            plan.schedule,
            watch=lambda machines, _: looks.append(machines.loop.now),
        )
    )
    assert outcome.is_good, outcome.text
    assert looks[-1] > 6.0
