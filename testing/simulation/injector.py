"""Makes the faults of a schedule happen, within the budget that the cluster's promises have.

Without an fsync before the acknowledgement, what all replicas have only in memory is lost with
them: power then goes only where every partition of the node is held in sync by another machine
that has not lost power since (reliability 1.6). Else the process is killed instead.
"""

from __future__ import annotations

import asyncio
from random import Random

from .faults import Fault, Schedule
from .machine import Machine
from .machines import Machines


class Injector:
    """Carries a schedule out."""

    def __init__(self, machines: Machines, schedule: Schedule, client_names: list[str]) -> None:
        self._machines = machines
        self._schedule = schedule
        self._clients = client_names
        self._loop = machines.loop
        self._note = machines.bus.note
        self._ends: dict[asyncio.TimerHandle, None] = {}
        self._stops: dict[asyncio.Task[None], None] = {}
        self._weakened: dict[int, None] = {}
        """Brokers that lost power and have not been seen fully in sync since."""
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
        self._machines.heal()

    def _do(self, fault: Fault) -> None:
        machine = self._resolve(fault)
        if machine is None:
            return
        self.happened.append(f"{self._loop.now:8.3f} {fault.kind} {machine.name} {fault.detail}")
        self._note(f"fault {fault.kind} {machine.name} {fault.detail} for {fault.seconds:.3f} s")
        getattr(self, "_" + fault.kind.replace("-", "_"))(fault, machine)

    def _resolve(self, fault: Fault) -> Machine | None:
        machines = self._machines
        pick = Random(fault.number)
        if fault.target.startswith("node-"):
            return machines.by_id.get(int(fault.target.removeprefix("node-")))
        node_id = -1
        if fault.target == "active-controller":
            node_id = max(
                (machine.node_id for machine in machines.running if is_active(machine)), default=-1
            )
        else:
            partitions = machines.partitions()
            if partitions:
                _, _, chosen = pick.choice(partitions)
                followers = [each for each in chosen.isr if each != chosen.leader]
                if fault.target == "leader":
                    node_id = chosen.leader
                elif followers:
                    node_id = pick.choice(followers)
        return machines.by_id.get(node_id) or pick.choice(list(machines))

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
        if not self._may_lose_power(machine):
            self._kill(fault, machine)
            return
        if machine.is_broker:
            self._weakened[machine.node_id] = None
        machine.lose_power()
        self._later(fault.seconds, machine.start)

    def _may_lose_power(self, machine: Machine) -> bool:
        if not machine.is_broker or self._machines.profile.flush_messages == 1:
            return True
        if self._machines.has_full_isrs() and all(each.is_up for each in self._machines):
            self._weakened.clear()
        # With one replica in sync there is nobody who makes up for what is lost (KIP-966).
        others = self._machines.profile.min_insync_replicas > 1
        return others and not self._weakened and self._machines.has_full_isrs()

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
        until = self._machines.stalled_until_s
        until[machine.name] = max(self._loop.now + fault.seconds, until.get(machine.name, 0.0))

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
        pairs = self._pairs(fault, machine.name)
        network = self._machines.network
        for source, target in pairs:
            network.cut(source, target, both_ways=False)
        resets = fault.number % 3 == 0
        if resets and machine.incarnation is not None:
            for transport in list(network.transports.values()):
                if transport.owner is machine.incarnation:
                    transport.abort()
        self._later(fault.seconds, self._heal, pairs)

    def _heal(self, pairs: list[tuple[str, str]]) -> None:
        self._note(f"links mended: {len(pairs)}")
        for source, target in pairs:
            self._machines.network.heal(source, target)

    def _pairs(self, fault: Fault, name: str) -> list[tuple[str, str]]:
        """The directed links that a cut of this kind takes away."""
        pick = Random(fault.number)
        nodes = [machine.name for machine in self._machines]
        others = [other for other in nodes if other != name]
        if fault.detail == "clients":
            return [(client, name) for client in self._clients] + [
                (name, client) for client in self._clients
            ]
        if fault.detail == "pair" and others:
            other = pick.choice(others)
            return [(name, other), (other, name)]
        if fault.detail in ("split", "bridge"):
            side = {other: pick.random() < 0.5 for other in (*nodes, *self._clients)}
            bridge = name if fault.detail == "bridge" else ""
            return [
                (a, b) for a in side for b in side if side[a] != side[b] and bridge not in (a, b)
            ]
        inwards = [(other, name) for other in others] if fault.detail != "isolate-out" else []
        outwards = [(name, other) for other in others] if fault.detail != "isolate-in" else []
        return inwards + outwards


def is_active(machine: Machine) -> bool:
    """Whether this machine's node believes that it is the active controller."""
    node = machine.node
    quorum = getattr(node, "quorum", None)
    return quorum is not None and quorum.leader.leader_id == machine.node_id
