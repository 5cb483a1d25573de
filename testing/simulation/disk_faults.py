"""Disks that are gone, old, rotten, broken or full, and the operator who repairs that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from .bit_rot import draw_bit
from .budget import Budget
from .disk import DiskFaults
from .faults import Fault
from .machine import Machine
from .machines import Machines

ERRORS_OF_CALLS = (0.02, 0.3, 1.0)
"""The share of calls that fail while a disk is broken."""

FREE_BYTES_MAX = 20_000
BACKUP_AGE_MAX_S = 2.5

ROTS_WITHIN_S = 3.0
"""A fault that is not possible at its time is tried again for this long."""

ROTTEN_TURN_S = 5.0
"""A node with a rotten disk stays up, or down, for at most this long until the others are
complete."""


class DiskFaultsOfMachines:
    """Carries out the faults of disks; `end` repairs what is left of them."""

    def __init__(
        self, machines: Machines, budget: Budget, tell: Callable[[Fault, Machine], None]
    ) -> None:
        """`tell` is called when a fault happens that may happen later than planned, or not at
        all."""
        self._machines = machines
        self._budget = budget
        self._tell = tell
        self._loop = machines.loop
        self._broken: dict[int, Machine] = {}
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._is_over = False

    # --- what is lost -------------------------------------------------------------------------

    def wipe(self, fault: Fault, machine: Machine) -> bool:
        """The process dies, and comes back on an empty disk: another directory id (KIP-858)."""
        if not self._budget.may_lose_disk(machine):
            self._note(fault, machine, "not now: others lack what is on this disk")
            return False
        self._replace(machine, {})
        self._start_later(fault, machine)
        return True

    def put_old_copy_back(self, fault: Fault, machine: Machine) -> bool:
        """The directory is copied, from a running node or one that stopped in good order; some time
        later the node comes back with the copy."""
        self._spawn(self._put_back_later(fault, machine))
        return False

    async def _put_back_later(self, fault: Fault, machine: Machine) -> None:
        pick = Random(fault.number)
        if pick.random() < 0.5 and machine.is_up and not machine.is_paused:
            await machine.stop()
            backup = machine.disk.copy()
            machine.start()
        else:
            backup = machine.disk.copy()
        await asyncio.sleep(pick.uniform(0.2, BACKUP_AGE_MAX_S))
        if self._is_over or not self._budget.may_lose_disk(machine):
            self._note(fault, machine, "not now: others lack what would be lost")
            return
        self._note(fault, machine, "is put back")
        self._tell(fault, machine)
        self._replace(machine, backup)
        self._start_later(fault, machine)

    def _replace(self, machine: Machine, files: dict[str, bytes]) -> None:
        self._budget.weaken(machine)
        machine.kill()
        machine.disk.put_back(files)

    # --- what has changed ---------------------------------------------------------------------

    def rot(self, fault: Fault, machine: Machine) -> bool:
        """The process dies as soon as nobody needs it, and comes back on a disk with a flipped bit;
        some time later the operator stops it and gives it an empty disk."""
        self._spawn(self._rot_and_replace(fault, machine))
        return False

    async def _rot_and_replace(self, fault: Fault, machine: Machine) -> None:
        if not await self._machines.wait_for(lambda: self._may_rot(machine), ROTS_WITHIN_S):
            self._note(fault, machine, "not now: others lack what is on this disk")
            return
        drawn = None if self._is_over else draw_bit(machine.disk, Random(fault.number))
        if drawn is None:
            return
        path, bit = drawn
        self._budget.rotten = machine
        machine.kill()
        machine.disk.flip_bit(path, bit)
        rotten = bytes(machine.disk.content_of(path))
        self._note(fault, machine, f"of {path}, byte {bit // 8}")
        self._tell(fault, machine)
        machine.start()
        await asyncio.sleep(fault.seconds)
        while not await self._machines.wait_for(
            lambda: self._budget.may_replace(machine), ROTTEN_TURN_S
        ):
            # Others that are behind have to be served first; where they cannot read what has
            # rotted, one of them has to lead. So the operator tries both in turn, and with luck
            # reads the right bit: a node that cannot start may be all that is left of a partition.
            if machine.is_up:
                machine.kill()
                continue
            if machine.disk.content_of(path) == rotten:
                machine.disk.flip_bit(path, bit)
            machine.start()
        self._machines.bus.note(f"{machine.name}: its disk is replaced")
        self._replace(machine, {})
        self._budget.rotten = None
        machine.start()

    def _may_rot(self, machine: Machine) -> bool:
        return self._is_over or self._budget.may_lose_disk(machine)

    # --- what is refused ----------------------------------------------------------------------

    def fail(self, fault: Fault, machine: Machine) -> None:
        """Calls fail with EIO for a while."""
        chance = Random(fault.number).choice(ERRORS_OF_CALLS)
        faults = DiskFaults()
        if fault.detail == "read":
            faults.read_error = chance
        elif fault.detail == "fsync" and self._budget.may_lose_power(machine):
            # Data that was written but not synced is dropped with the error, as Linux does.
            self._budget.weaken_unsynced(machine)
            faults.fsync_error = chance
        else:
            faults.write_error = chance
        self._break(fault, machine, faults)

    def fill(self, fault: Fault, machine: Machine) -> None:
        """There is hardly any room left for a while (ENOSPC)."""
        free_bytes = Random(fault.number).randrange(FREE_BYTES_MAX)
        self._break(fault, machine, DiskFaults(free_bytes=free_bytes))

    def _break(self, fault: Fault, machine: Machine, faults: DiskFaults) -> None:
        if machine.node_id in self._broken:
            return
        machine.disk.faults = faults
        self._broken[machine.node_id] = machine
        self._spawn(self._mend_later(fault, machine))

    async def _mend_later(self, fault: Fault, machine: Machine) -> None:
        await asyncio.sleep(fault.seconds)
        await self._mend(machine)

    async def _mend(self, machine: Machine) -> None:
        """A log that went offline stays offline until its node is started again."""
        if self._broken.pop(machine.node_id, None) is None:
            return
        if machine.disk.faults.fsync_error:
            self._budget.weaken_unsynced(machine)  # with its latest epoch
        machine.disk.faults = DiskFaults()
        self._machines.bus.note(f"{machine.name}: its disk is mended")
        if machine.is_paused:
            machine.kill()
        await machine.stop()
        machine.start()

    # --- the end ------------------------------------------------------------------------------

    async def end(self) -> None:
        """Nothing is broken any more."""
        self._is_over = True
        for machine in list(self._broken.values()):
            await self._mend(machine)
        if self._tasks:
            await asyncio.wait(list(self._tasks))

    def _start_later(self, fault: Fault, machine: Machine) -> None:
        self._loop.call_later(fault.seconds, machine.start)

    def _note(self, fault: Fault, machine: Machine, text: str) -> None:
        self._machines.bus.note(f"{fault.kind} {machine.name} {text}")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))
