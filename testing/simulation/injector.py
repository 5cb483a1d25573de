"""Makes the faults of a schedule happen, within the budget that the cluster's promises have."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from .budget import Budget
from .cuts import Link, Scene, links_of
from .disk_faults import DiskFaultsOfMachines
from .faults import DEADLY, Fault, Schedule
from .incarnation import Incarnation
from .machine import Machine
from .machines import Machines
from .operations import Operations
from .transport import host_of
from .workload.workload import Workload

Kind = Callable[[Fault, Machine], bool | None]
"""Makes a fault happen; False if it cannot, or will only later."""


class Injector:
    """Carries a schedule out."""

    def __init__(self, machines: Machines, schedule: Schedule, workload: Workload) -> None:
        self._machines = machines
        self._schedule = schedule
        self._workload = workload
        self._clients = workload.client_names
        self._loop = machines.loop
        self._note = machines.bus.note
        self._ends: dict[asyncio.TimerHandle, None] = {}
        self._stops: dict[asyncio.Task[None], None] = {}
        self._budget = Budget(machines)
        self._disks = DiskFaultsOfMachines(machines, self._budget, self._told)
        self._operations = Operations(machines, workload)
        self._kinds: dict[str, Kind] = {
            "kill": self._kill,
            "power-loss": self._power_loss,
            "pause": self._pause,
            "stop": self._stop,
            "cut": self._cut,
            "reset": self._reset,
            "stall": self._stall,
            "wall-jump": self._wall_jump,
            "wipe": self._disks.wipe,
            "old-copy": self._disks.put_old_copy_back,
            "bit-rot": self._disks.rot,
            "disk-error": self._disks.fail,
            "full-disk": self._disks.fill,
            "client-crash": self._crash_client,
            "move": self._operations.move,
            "unregister": self._operations.unregister,
            "blackout": self._blackout,
        }
        self.happened: list[str] = []
        """What was done, for reports."""

    async def run(self) -> None:
        """Do everything at its time; ends with the last fault of the schedule."""
        begun_s = self._loop.now
        for fault in self._schedule.faults:
            await asyncio.sleep(max(begun_s + fault.at_s - self._loop.now, 0.0))
            self._do(fault)

    async def end(self) -> None:
        """End what is still going on; nothing that ends by itself stays behind."""
        for timer in self._ends:
            timer.cancel()
        self._ends.clear()
        self._machines.heal()  # at once: who is cut off may not be able to stop
        for machine in self._machines:
            if machine.is_paused:
                assert machine.incarnation is not None
                until = machine.incarnation.paused_until
                assert until is not None
                await asyncio.sleep(max(until - self._loop.now, 0.0) + 0.001)
        if self._stops:
            await asyncio.wait(list(self._stops))
        await self._disks.end()
        await self._operations.end()
        self._workload.heal()
        self._machines.heal()

    def _do(self, fault: Fault) -> None:
        machine = self._resolve(fault)
        if machine is None:
            return
        if fault.kind in DEADLY:
            dying = self._machines if fault.kind == "blackout" else (machine,)
            if not self._budget.may_die(*dying):
                self._note(f"{fault.kind} {machine.name} not now: others lack what it holds")
                return
        self._note(f"fault {fault.kind} {machine.name} {fault.detail} for {fault.seconds:.3f} s")
        if self._kinds[fault.kind](fault, machine) is not False:
            self._told(fault, machine)

    def _told(self, fault: Fault, machine: Machine) -> None:
        self.happened.append(f"{self._loop.now:8.3f} {fault.kind} {machine.name} {fault.detail}")

    def _resolve(self, fault: Fault) -> Machine | None:
        machines = self._machines
        if fault.target.startswith("node-"):
            return machines.by_id.get(int(fault.target.removeprefix("node-")))
        node_id = -1
        if fault.target == "active-controller":
            node_id = self._active_controller()
        elif fault.target != "any":
            leader, followers = self._roles_of(fault)
            if fault.target == "leader":
                node_id = leader
            elif followers:
                node_id = Random(fault.number).choice(followers)
        return machines.by_id.get(node_id) or Random(fault.number).choice(list(machines))

    def _active_controller(self) -> int:
        active = (machine.node_id for machine in self._machines.running if is_active(machine))
        return max(active, default=-1)

    def _roles_of(self, fault: Fault) -> tuple[int, list[int]]:
        """Leader and followers in sync of the partition that the fault's number names."""
        partitions = self._machines.partitions()
        if not partitions:
            return -1, []
        _, _, chosen = Random(fault.number).choice(partitions)
        return chosen.leader, [each for each in chosen.isr if each != chosen.leader]

    def _later(self, seconds: float, what: object, *args: object) -> None:
        def run() -> None:
            self._ends.pop(timer, None)
            what(*args)  # type: ignore[operator]

        timer = self._loop.call_later(seconds, run)
        self._ends[timer] = None

    # --- the kinds ----------------------------------------------------------------------------

    def _kill(self, fault: Fault, machine: Machine) -> None:
        machine.kill(silently=fault.number % 4 == 0)
        self._later(fault.seconds, machine.start)

    def _power_loss(self, fault: Fault, machine: Machine) -> None:
        if not self._budget.may_lose_power(machine):
            self._kill(fault, machine)  # instead
            return
        self._budget.weaken_unsynced(machine)
        machine.lose_power()
        self._later(fault.seconds, machine.start)

    def _blackout(self, fault: Fault, machine: Machine) -> None:
        """The power fails everywhere; where that may lose what was promised, they only die."""
        del machine
        keeps_all = self._machines.profile.flush_messages == 1
        for each in self._machines:
            if keeps_all or not each.is_broker:
                each.lose_power()
            else:
                each.kill()
            self._later(fault.seconds * (1 + each.node_id % 3), each.start)

    def _crash_client(self, fault: Fault, machine: Machine) -> None:
        del machine
        name = Random(fault.number).choice(self._workload.crashable)
        self._note(f"{name} dies")
        self._workload.crash(name, silently=fault.number % 4 == 0)
        self._later(fault.seconds, self._workload.start_again, name)

    def _pause(self, fault: Fault, machine: Machine) -> None:
        machine.pause(fault.seconds)

    def _stop(self, fault: Fault, machine: Machine) -> None:
        async def stop_and_start() -> None:
            await machine.stop()
            self._later(fault.seconds, machine.start)

        if machine.is_paused or not machine.is_up:
            return
        task = self._loop.create_task(stop_and_start())
        self._stops[task] = None
        task.add_done_callback(lambda done: self._stops.pop(done, None))

    def _stall(self, fault: Fault, machine: Machine) -> None:
        blocks_writes = fault.number % 3 == 0
        self._machines.stall(machine.name, fault.seconds, blocks_writes=blocks_writes)

    def _wall_jump(self, fault: Fault, machine: Machine) -> None:
        machine.clock.wall_offset_ms += int(fault.detail)

    def _reset(self, fault: Fault, machine: Machine) -> None:
        mine = [
            transport
            for transport in self._machines.network.transports.values()
            if transport.owner is not None and transport.owner is machine.incarnation
        ]
        if mine:
            Random(fault.number).choice(mine).abort()

    def _cut(self, fault: Fault, machine: Machine) -> None:
        links = links_of(fault, machine.name, self._scene(fault))
        for source, target in links:
            self._machines.network.cut(source, target, both_ways=False)
        if machine.incarnation is not None:
            self._reset_links(fault, machine.incarnation, links)
        self._later(fault.seconds, self._heal, links)

    def _reset_links(self, fault: Fault, owner: Incarnation, links: list[Link]) -> None:
        """With some cuts connections are reset; of some only the other side hears."""
        is_told = fault.detail.endswith("-told")
        is_of_nodes = "-reset" in fault.detail
        if not (is_of_nodes or fault.number % 3 == 0):
            return
        others = {name for link in links for name in link}
        for transport in list(self._machines.network.transports.values()):
            peer = transport.peer
            if transport.owner is not owner or peer is None:
                continue
            if is_of_nodes and host_of(peer.owner) not in others:
                continue
            (peer if is_told else transport).die(silently=is_told)

    def _scene(self, fault: Fault) -> Scene:
        machines = self._machines
        leader, followers = self._roles_of(fault)
        controller = self._active_controller()
        return Scene(
            [machine.name for machine in machines],
            self._clients,
            f"node-{controller}" if controller >= 0 else "",
            f"node-{leader}" if leader >= 0 else "",
            [f"node-{one}" for one in followers],
        )

    def _heal(self, links: list[Link]) -> None:
        self._note(f"links mended: {len(links)}")
        for source, target in links:
            self._machines.network.heal(source, target)


def is_active(machine: Machine) -> bool:
    """Whether this machine's node believes that it is the active controller."""
    node = machine.node
    quorum = getattr(node, "quorum", None)
    return quorum is not None and quorum.leader.leader_id == machine.node_id
