"""What operators do while everything else goes wrong: replicas are moved, brokers taken out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from barnabas.client import Admin
from barnabas.client.errors import ClientError

from .faults import Fault
from .incarnation import Incarnation
from .machine import Machine
from .machines import Machines
from .workload.clients import started
from .workload.workload import Workload

GONE_S_MAX = 1.5
"""Longest time between a broker's death and the order to forget it."""


class Operations:
    """Each order is given by an admin client of its own; its outcome may stay unknown."""

    def __init__(self, machines: Machines, workload: Workload) -> None:
        self._machines = machines
        self._workload = workload
        self._loop = machines.loop
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._count = 0

    def move(self, fault: Fault, machine: Machine) -> None:
        """One partition gets as many replicas on other brokers (KIP-455)."""
        del machine
        pick = Random(fault.number)
        where = pick.choice(self._workload.office.where)
        brokers = [each.node_id for each in self._machines.brokers]
        replicas = pick.sample(brokers, self._machines.profile.replication_factor)

        async def order(admin: Admin) -> None:
            await admin.alter_partition_reassignments({where: replicas})

        self._spawn(order, f"moves {where} to {replicas}")

    def unregister(self, fault: Fault, machine: Machine) -> bool:
        """A broker dies, is taken out of the cluster, and comes back."""
        if not machine.is_broker:
            return False
        machine.kill()
        self._loop.call_later(fault.seconds, machine.start)
        after_s = Random(fault.number).uniform(0.0, GONE_S_MAX)

        async def order(admin: Admin) -> None:
            await asyncio.sleep(after_s)
            await admin.unregister_broker(machine.node_id)

        self._spawn(order, f"takes {machine.name} out")
        return True

    def _spawn(self, order: Callable[[Admin], Coroutine[Any, Any, None]], what: str) -> None:
        self._count += 1
        name = f"operator-{self._count}"
        work = self._give(name, order, what)
        task = self._loop.spawn(Incarnation("operator", self._count), work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    async def _give(
        self, name: str, order: Callable[[Admin], Coroutine[Any, Any, None]], what: str
    ) -> None:
        office = self._workload.office
        admin = await started(office, lambda: Admin(**office.options(name)))
        if admin is None:
            return
        try:
            await order(admin)
        except ClientError as error:
            office.history.note_error(error)
            office.bus.note(f"{name} {what}: told {error!r}")
        else:
            office.bus.note(f"{name} {what}: done")
        await admin.stop()

    async def end(self) -> None:
        """Every order has ended."""
        if self._tasks:
            await asyncio.wait(list(self._tasks))
