"""The budget of losses: who may die while a node that lost data still counts as in sync."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from barnabas.client import Admin, NewTopic
from barnabas.testing.simulation.budget import Budget
from barnabas.testing.simulation.disk import DiskFaults
from barnabas.testing.simulation.machine import Machine
from barnabas.testing.simulation.profile import QUIET, Profile

from .used_cluster import UsedCluster

pytestmark = pytest.mark.filterwarnings("ignore")

SETTLES_S = 30.0


class Losing(UsedCluster):
    """One topic on three nodes, and whatever the test does with them."""

    def __init__(self, what: Callable[[Losing], Awaitable[None]], profile: Profile = QUIET) -> None:
        super().__init__(profile, 3, 1)
        self.budget = Budget(self.machines)
        self._what = what

    async def use(self) -> None:
        async with Admin(env=self.env, bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 3)])
        await self.settle()
        await self._what(self)

    @property
    def nodes(self) -> list[Machine]:
        return self.machines.brokers

    async def settle(self) -> None:
        """All run, and all are in sync."""
        machines = self.machines
        is_there = machines.are_all_started, machines.are_all_unfenced, machines.has_full_isrs
        assert await machines.wait_for(lambda: all(each() for each in is_there), SETTLES_S)


def test_while_a_loser_counts_somebody_else_stays() -> None:
    """966-03: the others would be taken out of sync, and the loser lead."""

    async def what(run: Losing) -> None:
        loser, *others = run.nodes
        assert run.budget.may_die(*run.nodes)
        assert run.budget.may_lose_power(loser)
        run.budget.weaken_unsynced(loser)
        loser.lose_power()
        assert run.budget.may_die(others[0])
        assert not run.budget.may_die(*others)
        others[0].kill()
        assert not run.budget.may_die(others[1])
        assert not run.budget.may_lose_power(others[1])
        run.machines.start_all()
        await run.settle()
        assert run.budget.may_die(*run.nodes)
        assert run.budget.may_lose_power(others[1])

    Losing(what).run()


def test_a_disk_that_drops_what_it_cannot_flush() -> None:
    """It may lose more each moment, registered or not."""

    async def what(run: Losing) -> None:
        loser, *others = run.nodes
        run.budget.weaken_unsynced(loser)
        loser.disk.faults = DiskFaults(fsync_error=1e-9)
        loser.kill()
        loser.start()
        await run.settle()
        assert not run.budget.may_die(*others)
        loser.disk.faults = DiskFaults()
        assert run.budget.may_die(*others)

    Losing(what).run()


def test_nobody_loses_power_while_nobody_knows_the_cluster() -> None:
    """No node runs: nothing tells who else has what would be lost."""

    async def what(run: Losing) -> None:
        for each in run.nodes:
            each.kill()
        assert not run.budget.may_lose_power(run.nodes[0])
        run.machines.start_all()
        await run.settle()
        assert run.budget.may_lose_power(run.nodes[0])

    Losing(what).run()


def test_who_flushes_everything_loses_no_promise_with_power_but_with_its_disk() -> None:
    async def what(run: Losing) -> None:
        loser = run.nodes[0]
        run.budget.weaken_unsynced(loser)
        assert run.budget.may_die(*run.nodes)
        assert run.budget.may_lose_disk(loser)
        run.budget.weaken(loser)
        assert not run.budget.may_die(*run.nodes)

    Losing(what, QUIET.replaced(flush_messages=1)).run()
